// Derivative of the smooth forces with respect to the velocities: qDeriv = d(qfrc_passive + qfrc_actuator - qfrc_bias)/d qvel.
//
// Reads   what the passive, actuation and rne stages read, and actuator_force
// Writes  qDeriv (lower triangle at M_colind, diagonal included), qDeriv_upper (entry (column, row) at the same place)
// Only pairs of dofs on one chain are kept, as in MuJoCo (mjd_smooth_vel): a tendon's or actuator's coupling of two branches is left
// out, and so are the dependence of LuGre friction and temperature on velocity and the ends of a motor's voltage range.
#pragma once

#include "mjx/stage/actuation.hpp"
#include "mjx/stage/bias_derivative.hpp"
#include "mjx/stage/fluid_derivative.hpp"
#include "mjx/stage/spring_damper.hpp"
#include "mjx/stage/tendon.hpp"
#include "mjx/stage/tendon_armature.hpp"

namespace mjx::inner {

template <class S, class M>
struct FrameWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<Vec6<S>, Dim::nv> J{at};  // columns of the Jacobian of a frame
};

// qDeriv += slope · rowᵀ row
template <class M, class D, class R, class S>
void add_outer_product(const M& m, D& d, const R& row, const S& slope) {
    over_outer_product(m, row, slope, [&](int c, const S& entry) {
        d.qDeriv[c] += entry;
        d.qDeriv_upper[c] += entry;
    });
}

// A slope of an actuator's force, which is none where the force is at its limit.
template <class M, class D, class S>
S within_force_limit(const M& m, const D& d, int i, const S& slope) {
    if (!m.actuator_forcelimited[i]) return slope;
    const int out = m.actuator_outadr[i];
    const S low(m.actuator_forcerange[i][0]), high(m.actuator_forcerange[i][1]), force = d.actuator_force[out];
    // a torque scaled to its limit is at it but for rounding
    const S limit = high * (value_t<S>(1) - 4 * epsilon_v<S>);
    const bool torque = gain_does<actuator_fact::rotation>(m.actuator_gaintype[i]);
    const auto clamped = torque ? norm(vec3_at(d.actuator_force, out)) >= limit : force <= low || force >= high;
    return select(clamped, S(0), slope);
}

template <class M, class D>
void add_actuator_derivative(const M& m, D& d) {
    using S = typename D::scalar;
    if (m.opt.disabled(disable::actuation)) return;
    for (int i = 0; i < m.nactuator; ++i) {
        if (actuator_disabled(m, i)) continue;
        const int out = m.actuator_outadr[i];
        const S slope = within_force_limit(m, d, i, S(actuator_force_slope(m, d, i)));
        if (!any(slope != S(0))) continue;
        for (int k = 0; k < m.actuator_outnum[i]; ++k) add_outer_product(m, d, moment_row(m, d, out + k), slope);
    }
}

// qDeriv += Jᵀ B J, with J the Jacobian of a frame fixed in `body` in its own axes and B = d force / d velocity there. With
// `symmetric`, B's symmetric part only.
template <class M, class D, class S>
void add_force_derivative(const M& m, D& d, int body, const Vec3<S>& pos, const Mat3<S>& axes, const Mat6<S>& B, bool symmetric) {
    const auto slope = [&](int r, int c) { return symmetric ? S((B(r, c) + B(c, r)) * value_t<S>(0.5)) : B(r, c); };
    const Vec3<S> arm = pos - d.subtree_com[m.body_rootid[body]];
    const int chain = m.B_rowadr[body];
    const auto w = borrow<FrameWork>(m, d);
    for (int a = 0; a < m.B_rownnz[body]; ++a) {
        const int i = m.B_colind[chain + a], row = m.M_rowadr[i];
        const Vec3<S> spin = angular(d.cdof[i]);
        w->J[i] = into_frame(axes, spatial(spin, Vec3<S>(linear(d.cdof[i]) + cross(spin, arm))));
        Vec6<S> left = Vec6<S>::zero(), right = Vec6<S>::zero();
        for (int r = 0; r < 6; ++r)
            for (int c = 0; c < 6; ++c) {
                left[c] += w->J[i][r] * slope(r, c);
                right[r] += slope(r, c) * w->J[i][c];
            }
        for (int b = 0; b <= a; ++b) {
            const Vec6<S>& other = w->J[m.B_colind[chain + b]];
            d.qDeriv[row + b] += dot(left, other);
            d.qDeriv_upper[row + b] += dot(other, right);
        }
    }
}

// Whether a body floats alone, with what is fixed to it: it has the only joint of its tree, a free one.
template <class M>
constexpr bool is_free_body(const M& m, int body) {
    if (m.body_jntnum[body] != 1 || !M::joints::floats(m.jnt_type[m.body_jntadr[body]])) return false;
    return m.tree_dofnum[m.dof_treeid[m.body_dofadr[body]]] == 6;
}

// A leaf on the world (or on a body fixed to it) at its own centre of mass, with axes along the principal ones, one rotation at
// most and last, and no tendon with inertia attached: MuJoCo's "simple" body.
template <class M>
bool has_diagonal_inertia(const M& m, int b) {
    using Real = typename M::real;
    const int parent = m.body_parentid[b];
    const bool rooted = parent == 0 || (m.body_parentid[parent] == 0 && m.body_dofnum[parent] == 0);
    const bool leaf = b + 1 == m.nbody || m.body_parentid[b + 1] != b;
    if (!rooted || !leaf || m.body_sameframe[b] != sameframe::body) return false;
    const int first = m.body_jntadr[b], count = m.body_jntnum[b];
    for (int j = first; j < first + count; ++j) {
        const int kind = m.jnt_type[j];
        int along = 0;
        for (int k = 0; k < 3; ++k) along += any(abs(m.jnt_axis[j][k]) > Real(value_t<Real>(1e-14)));
        const bool offset = any(dot(m.jnt_pos[j], m.jnt_pos[j]) != Real(0));
        if (!M::joints::decoupled(kind) || offset) return false;
        if ((M::joints::turns(kind) && j + 1 < first + count) || (M::joints::is_scalar(kind) && along != 1)) return false;
    }
    return !carries_armature(m, b);
}

// `symmetric`: fluid forces enter symmetrically, except on free bodies.
template <class M, class D>
void add_passive_derivative(const M& m, D& d, bool symmetric) {
    const bool dampers = !m.opt.disabled(disable::damper);
    if (m.opt.disabled(disable::spring) && !dampers) return;
    const auto geom = [&](int b, int g) {
        const auto v = velocity_in_wind(m, d, b, d.geom_xpos[g], d.geom_xmat[g]);
        const bool halves = symmetric && !is_free_body(m, m.body_rootid[b]);
        add_force_derivative(m, d, b, d.geom_xpos[g], d.geom_xmat[g], geom_fluid_derivative(m, g, v), halves);
    };
    for_each_wet(m, geom, [&](int b) {
        const auto v = velocity_in_wind(m, d, b, d.xipos[b], d.ximat[b]);
        add_force_derivative(m, d, b, d.xipos[b], d.ximat[b], inertia_box_derivative(m, b, v), false);
    });
    if (!dampers) return;
    for (int i = 0; i < m.nv; ++i) {
        const auto b = dof_total_damping(m, i);
        const auto slope = poly_slope(b.linear, b.poly, d.qvel[i], Parity::even);
        d.qDeriv[m.M_rowadr[i] + m.M_rownnz[i] - 1] -= slope;
        d.qDeriv_upper[m.M_rowadr[i] + m.M_rownnz[i] - 1] -= slope;
    }
    for (int t = 0; t < m.ntendon; ++t) {
        const auto b = tendon_total_damping(m, t);
        if (!poly_present(b.linear, b.poly)) continue;
        add_outer_product(m, d, tendon_row(m, d, t), -poly_slope(b.linear, b.poly, d.ten_velocity[t], Parity::even));
    }
}

// qDeriv without the bias forces.
template <class M, class D>
void smooth_velocity_derivative_without_bias(const M& m, D& d, bool symmetric) {
    using S = typename D::scalar;
    for (int k = 0; k < m.nM; ++k) d.qDeriv[k] = d.qDeriv_upper[k] = S(0);
    add_actuator_derivative(m, d);
    add_passive_derivative(m, d, symmetric);
}

template <class M, class D>
void smooth_velocity_derivative(const M& m, D& d) {
    smooth_velocity_derivative_without_bias(m, d, false);
    const auto w = borrow<BiasWork>(m, d);
    bias_derivative_terms(m, d, *w);
    subtract_bias_derivative(m, d, *w, 0, m.nv);
}

}  // namespace mjx::inner
