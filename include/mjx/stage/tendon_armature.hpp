// Inertia of tendons: a tendon with armature a resists its own acceleration with the force a·l̈.
//
// Reads   ten_J, cdof, cdof_dot, cvel, site_xpos, qvel
// Writes  M (adds a JᵀJ where the tree's sparsity has room, as MuJoCo does), qfrc_bias (adds a Jᵀ J̇ q̇)
// J̇ q̇ of a straight piece with unit vector u and end points p0, p1 is u·(a1 - a0) + u̇·(v1 - v0), where v are the velocities of
// the points and a their accelerations at zero qacc.
#pragma once

#include "mjx/model/tendon_path.hpp"
#include "mjx/stage/actuator_damping.hpp"
#include "mjx/stage/same_frames.hpp"
#include "mjx/stage/tendon.hpp"

namespace mjx::inner {

// Whether a spatial tendon with inertia pulls at the body.
template <class M>
bool carries_armature(const M& m, int b) {
    for (int t = 0; t < m.ntendon; ++t) {
        if (negligible(m.tendon_armature[t]) || m.wrap_type[m.tendon_adr[t]] == wrap::joint) continue;
        for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w)
            if (wrap_body(m, w) == b) return true;
    }
    return false;
}

template <class M>
bool tendons_have_armature(const M& m) {
    using Real = typename M::real;
    bool found = false;
    for (int t = 0; t < m.ntendon; ++t) found = found || any(tendon_total_armature(m, t) != Real(0));
    return found;
}

// f(place, entry) for the entries of scale · rowᵀ row that M's lower triangle has room for. Its rows hold only dofs of one chain: couplings
// between branches are left out.
template <class M, class R, class Scale, class F>
void over_outer_product(const M& m, const R& row, const Scale& scale, F&& f) {
    for (int i = row.first; i < row.first + row.count; ++i) {
        const int dof = row.columns[i];
        const auto scaled = row.values[i] * scale;
        int k = row.first;
        for (int c = m.M_rowadr[dof]; c < m.M_rowadr[dof] + m.M_rownnz[dof]; ++c) {
            while (k < i && row.columns[k] < m.M_colind[c]) ++k;
            if (row.columns[k] == m.M_colind[c]) f(c, scaled * row.values[k]);
        }
    }
}

// M += armature JᵀJ.
template <class M, class D>
void tendon_armature(const M& m, D& d) {
    using S = typename D::scalar;
    using Real = typename M::real;
    for (int t = 0; t < m.ntendon; ++t) {
        const Real armature = tendon_total_armature(m, t);
        if (!any(armature != Real(0))) continue;
        over_outer_product(m, tendon_row(m, d, t), armature, [&](int c, const S& entry) { d.M[c] += entry; });
    }
}

// The acceleration of a world point fixed in the body when qacc is zero.
template <class M, class D, class S>
Vec3<S> bias_acceleration(const M& m, const D& d, int body, const Vec3<S>& point) {
    const Vec3<S> arm = point - d.subtree_com[m.body_rootid[body]];
    const Vec3<S> velocity = linear(velocity_at(m, d, body, point));
    Vec3<S> sum = Vec3<S>::zero();
    for_each_dof_of(m, body, [&](int i) {
        const int j = m.dof_jntid[i];
        const bool spins = M::joints::turns_with_body(m.jnt_type[j], i - m.jnt_dofadr[j]);
        const Vec6<S> rate = spins ? cross_motion(d.cvel[m.dof_bodyid[i]], d.cdof[i]) : d.cdof_dot[i];
        const Vec3<S> column = linear(rate) + cross(angular(rate), arm) + cross(angular(d.cdof[i]), velocity);
        sum += column * d.qvel[i];
    });
    return sum;
}

// J̇ q̇ of a tendon. Paths around geoms have no armature: the compiler refuses them.
template <class M, class D>
auto tendon_bias_acceleration(const M& m, const D& d, int t) {
    using S = typename D::scalar;
    S sum(0);
    if (m.wrap_type[m.tendon_adr[t]] == wrap::joint) return sum;
    const auto piece = [&](int s0, int s1, int, int, int, const auto& divisor) {
        const int body0 = m.site_bodyid[s0], body1 = m.site_bodyid[s1];
        if (body0 == body1) return;
        const Vec3<S> p0 = d.site_xpos[s0], p1 = d.site_xpos[s1];
        S length;
        const Vec3<S> u = normalize(Vec3<S>(p1 - p0), length);
        const Vec3<S> dv = linear(velocity_at(m, d, body1, p1)) - linear(velocity_at(m, d, body0, p0));
        const auto apart = length > S(minval_v<S>);
        const Vec3<S> turn = (dv - u * dot(u, dv)) * select(apart, S(S(1) / select(apart, length, S(1))), S(0));
        const Vec3<S> da = bias_acceleration(m, d, body1, p1) - bias_acceleration(m, d, body0, p0);
        sum += (dot(u, da) + dot(turn, dv)) / divisor;
    };
    for_each_stretch(
        m, t, piece, [] {}, [](int) {});
    return sum;
}

template <class M, class D>
void tendon_bias(const M& m, D& d) {
    using Real = typename M::real;
    for (int t = 0; t < m.ntendon; ++t) {
        const Real armature = tendon_total_armature(m, t);
        if (any(armature != Real(0))) add_row(tendon_row(m, d, t), tendon_bias_acceleration(m, d, t) * armature, d.qfrc_bias);
    }
}

}  // namespace mjx::inner
