// The effective inertia M̂ = M + h D + h² K, in which the Discrete integrator finds its accelerations: what springs, dampers, actuators and
// the drag of a fluid answer to the motion of a step counts as inertia.
//
// Reads   M, qpos, qvel, ten_*, actuator_*, act, ctrl, poses, cvel
// Writes  qH (M̂ as far as it is made of dofs and bodies), the arrays that it is given; qDeriv on the way
// To first order a force f with the slopes -K and -D by position and velocity is f - h K v - (h² K + h D) a at the end of the step: the
// last term goes to the inertia, -h K v to the force. Slopes that would push instead of holding back are left out, so M̂ stays positive.
// What acts along a row r of dofs, a tendon or an output of an actuator, has (h² k + h b) rᵀ r; for most actuators, which drive one dof,
// that is an entry of the diagonal (MuJoCo 3.13, "discrete" in the computation chapter).
#pragma once

#include "mjx/stage/velocity_derivative.hpp"

namespace mjx::inner {

// f(row, h k, h² k + h b) for each tendon and each output of an actuator that holds back along its row.
template <class M, class D, class F>
void for_each_coupling(const M& m, const D& d, F&& f) {
    using S = typename D::scalar;
    const auto h = m.opt.timestep;
    const auto couple = [&](const auto& row, const S& k, const S& b) {
        if (any(k != S(0)) || any(b != S(0))) f(row, S(k * h), S(k * h * h + b * h));
    };
    for (int t = 0; t < m.ntendon; ++t) {
        if (columns_sleep(m, d, m.ten_J_colind, m.ten_J_rowadr[t], m.ten_J_rownnz[t])) continue;
        S k(0), b(0);
        if (!m.opt.disabled(disable::spring) && poly_present(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t])) {
            const S x = tendon_stretch(m, d, t);
            k = select(x != S(0), max(poly_slope(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t], x, Parity::plain), S(0)), S(0));
        }
        const auto damping = tendon_total_damping(m, t);
        if (!m.opt.disabled(disable::damper) && poly_present(damping.linear, damping.poly))
            b = max(poly_slope(damping.linear, damping.poly, d.ten_velocity[t], Parity::even), S(0));
        couple(tendon_row(m, d, t), k, b);
    }
    for (int i = 0; i < m.nactuator && !m.opt.disabled(disable::actuation); ++i) {
        if (actuator_disabled(m, i) || actuator_sleeps(m, d, i)) continue;
        const S k = within_force_limit(m, d, i, max(S(-actuator_length_slope(m, d, i)), S(0)));
        const S b = within_force_limit(m, d, i, max(S(-actuator_force_slope(m, d, i)), S(0)));
        for (int out = m.actuator_outadr[i]; out < m.actuator_outadr[i] + m.actuator_outnum[i]; ++out) couple(moment_row(m, d, out), k, b);
    }
}

// What the joints' own springs and dampers bring: to the diagonal, and to the force.
template <class M, class D, class X, class F>
void add_joint_holding(const M& m, const D& d, X& diagonal, F& force) {
    using S = typename D::scalar;
    const auto h = m.opt.timestep;
    for (int i = 0; i < m.nv && !m.opt.disabled(disable::damper); ++i) {
        const auto b = dof_total_damping(m, i);
        diagonal[i] += max(poly_slope(b.linear, b.poly, d.qvel[i], Parity::even), S(0)) * h;
    }
    for (int j = 0; j < m.njnt && !m.opt.disabled(disable::spring); ++j) {
        if (!poly_present(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j])) continue;
        for_each_displacement(m, d, j, [&](int dof, const auto& x, const S& length) {
            const S k = max(poly_slope(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j], length, Parity::plain), S(0)) * h;
            for (int i = dof; i < dof + x.size; ++i) {
                diagonal[i] += k * h;
                force[i] -= k * d.qvel[i];
            }
        });
    }
}

// qDeriv = d(drag)/d qvel; lift and added mass, which do not hold back, are left out.
template <class M, class D>
bool drag_derivative(const M& m, D& d) {
    if (m.opt.disabled(disable::spring) && m.opt.disabled(disable::damper)) return false;
    bool wet = false;
    const auto start = [&] {
        if (!wet)
            for (int k = 0; k < m.nM; ++k) d.qDeriv[k] = d.qDeriv_upper[k] = typename D::scalar(0);
        wet = true;
    };
    const auto geom = [&](int b, int g) {
        start();
        const auto v = velocity_in_wind(m, d, b, d.geom_xpos[g], d.geom_xmat[g]);
        add_force_derivative(m, d, b, d.geom_xpos[g], d.geom_xmat[g], geom_drag_derivative(m, g, v), true);
    };
    for_each_wet(m, geom, [&](int b) {
        start();
        const auto v = velocity_in_wind(m, d, b, d.xipos[b], d.ximat[b]);
        add_force_derivative(m, d, b, d.xipos[b], d.ximat[b], inertia_box_derivative(m, b, v), false);
    });
    return wet;
}

// M̂ in qH; beyond(row, h² k + h b) says whether it takes a coupling of several dofs. extra[i]: what the diagonal has more than that of M,
// all couplings counted; force[i]: -h K v.
template <class M, class D, class X, class F, class Beyond>
void effective_inertia(const M& m, D& d, bool couplings, X& extra, F& force, Beyond&& beyond) {
    using S = typename D::scalar;
    const auto diagonal = [&](int i) -> S& { return d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1]; };
    for (int i = 0; i < m.nv; ++i) extra[i] = force[i] = S(0);
    for (int k = 0; k < m.nM; ++k) d.qH[k] = d.M[k];
    add_joint_holding(m, d, extra, force);
    if (drag_derivative(m, d))
        for (int i = 0; i < m.nv; ++i) {
            const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
            const bool apart = has_diagonal_inertia(m, m.dof_bodyid[i]);  // as in MuJoCo, where such a body has no other entries
            for (int c = 0; c < last && !apart; ++c) d.qH[row + c] -= d.qDeriv[row + c] * m.opt.timestep;
            extra[i] -= d.qDeriv[row + last] * m.opt.timestep;
        }
    for (int i = 0; i < m.nv; ++i) diagonal(i) += extra[i];
    if (!couplings) return;
    for_each_coupling(m, d, [&](const auto& row, const S& k, const S& s) {
        if (row.count == 1)
            diagonal(row.columns[row.first]) += row.values[row.first] * row.values[row.first] * s;
        else if (!beyond(row, s))
            return;
        add_row(row, S(row_times(row, d.qvel) * -k), force);
        for (int c = row.first; c < row.first + row.count; ++c) extra[row.columns[c]] += row.values[c] * row.values[c] * s;
    });
}

}  // namespace mjx::inner
