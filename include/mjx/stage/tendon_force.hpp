// What spatial tendons do to the bodies they run over, once the constraint forces are known.
//
// Reads   actuator_force, efc_type, efc_id, efc_force, efc_J, ten_J, ten_length, ten_velocity, wrap_obj, wrap_xpos, site_xpos, qacc
// A force f along a tendon pushes the ends of each straight piece apart with f over the divisor of its pulley: the adjoint of the
// Jacobian in tendon.hpp. Fixed tendons act on dofs alone.
#pragma once

#include "mjx/model/equality_kinds.hpp"
#include "mjx/stage/spring_damper.hpp"
#include "mjx/stage/tendon_armature.hpp"

namespace mjx::inner {

// The force of the constraint rows of block b along tendon t.
template <class M, class D>
auto tendon_row_force(const M& m, const D& d, int b, int t) {
    using S = typename D::scalar;
    const int row = d.block_row[b], type = d.efc_type[row], id = d.efc_id[row];
    const S force = d.efc_force[row];
    if (type == cnstr::friction_tendon && id == t) return force;
    if (type == cnstr::limit_tendon && id == t) {
        S along(0);  // an upper limit has the Jacobian reversed
        for (int k = 0; k < d.block_nnz[b]; ++k) along += d.efc_J[d.block_J[b] + k] * d.ten_J[m.ten_J_rowadr[t] + k];
        return select(along < S(0), S(-force), force);
    }
    if (type != cnstr::equality || !ties_tendons(m.eq_type[id])) return S(0);
    S sum = m.eq_obj1id[id] == t ? force : S(0);
    if (m.eq_obj2id[id] == t) {
        const auto& c = m.eq_data[id];
        const S x = d.ten_length[t] - m.tendon_length0[t];
        sum -= force * (c[1] + x * (c[2] * 2 + x * (c[3] * 3 + x * (c[4] * 4))));
    }
    return sum;
}

// All that acts along tendon t: spring, damper, actuators, friction, limits, equality constraints, inertia.
template <class M, class D>
auto tendon_force(const M& m, D& d, int t) {
    using S = typename D::scalar;
    using Real = typename M::real;
    S sum(0);
    if (!m.opt.disabled(disable::spring) || !m.opt.disabled(disable::damper)) {
        const auto passive = tendon_passive(m, d, t);
        sum = passive.spring + passive.damper;
    }
    for (int i = 0; i < m.nactuator; ++i) {
        const int out = m.actuator_outadr[i];
        if (actuator_drives(m, i, obj::tendon, t)) sum += d.actuator_force[out] * m.actuator_gear[out][0];
    }
    for (int b = 0; b < d.nblock; ++b) sum += tendon_row_force(m, d, b, t);
    const Real armature = tendon_total_armature(m, t);
    if (any(armature != Real(0))) sum -= (row_times(tendon_row(m, d, t), d.qacc) + tendon_bias_acceleration(m, d, t)) * armature;
    return sum;
}

// push(body, point, force) for what the force f along tendon t does to each body.
template <class M, class D, class S, class F>
void for_each_tendon_push(const M& m, const D& d, int t, const S& f, F&& push) {
    const auto piece = [&](int body0, int body1, const Vec3<S>& p0, const Vec3<S>& p1, const S& share) {
        if (body0 == body1) return;
        const Vec3<S> along = normalize(Vec3<S>(p1 - p0)) * share;
        push(body1, p1, along);
        push(body0, p0, Vec3<S>(-along));
    };
    int k = d.ten_wrapadr[t];
    const auto stretch = [&](int s0, int s1, int g, int, int, const auto& divisor) {
        const int body0 = m.site_bodyid[s0], body1 = m.site_bodyid[s1];
        const Vec3<S> p0 = d.site_xpos[s0], p1 = d.site_xpos[s1];
        const S share = f / divisor;
        ++k;
        if (g < 0 || d.wrap_obj[k] != g) return piece(body0, body1, p0, p1, share);
        const Vec3<S> first = d.wrap_xpos[k], second = d.wrap_xpos[k + 1];
        k += 2;
        const auto straight = first[0] == p1[0] && first[1] == p1[1] && first[2] == p1[2];  // lanes that pass by the geom
        const S around = select(straight, S(0), share);
        piece(body0, m.geom_bodyid[g], p0, first, around);
        piece(m.geom_bodyid[g], body1, second, p1, around);
        if (any(straight)) piece(body0, body1, p0, p1, S(share - around));
    };
    for_each_stretch(
        m, t, stretch, [&] { ++k; }, [&](int) { ++k; });
}

}  // namespace mjx::inner
