// Inverse dynamics: the forces that, together with the passive and constraint forces, produce the acceleration qacc.
//
// Reads   qacc, M, qfrc_bias, qfrc_passive, efc_* (after the position and velocity stages)
// Writes  qfrc_inverse, efc_force, qfrc_constraint
// The constraints' forces are functions of the acceleration, row by row (contact by contact), so no iteration is needed (Todorov 2014).
// With the invdiscrete flag qacc is the finite difference (v' - v)/h of an integrator's step; it is first turned into the
// acceleration the integrator started from: M qacc = (M - h D) (v' - v)/h, with D what that integrator treats implicitly. The steps
// of RK4 have no such relation, and the flag no effect on them.
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/solver/finish.hpp"
#include "mjx/stage/acceleration.hpp"
#include "mjx/stage/actuator_damping.hpp"
#include "mjx/stage/velocity_derivative.hpp"

namespace mjx::inner {

template <class S, class M>
struct InverseWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<S, Dim::nv> given{at};  // forces or accelerations, as they were given
    array<value_part_t<S>, Dim::njmax> force{at};  // of the rows
    array<value_part_t<S>, Dim::nv> constraint{at};
    array<value_part_t<S>, Dim::nv> inertia{at};  // M qacc
};

// y = (M - h D) x with the derivatives in qDeriv (lower triangle) and, for rows where `full`, qDeriv_upper.
template <class M, class D, class X, class Y, class Full>
void multiply_implicit(const M& m, const D& d, const X& x, Y& y, Full&& full) {
    const auto h = m.opt.timestep;
    for (int i = 0; i < m.nv; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        auto sum = (d.M[row + last] - d.qDeriv[row + last] * h) * x[i];
        for (int c = 0; c < last; ++c) {
            const int j = m.M_colind[row + c];
            const auto lower = d.M[row + c] - d.qDeriv[row + c] * h;
            sum += lower * x[j];
            y[j] += (full(i) ? d.M[row + c] - d.qDeriv_upper[row + c] * h : lower) * x[i];
        }
        y[i] = sum;
    }
}

// qacc from the finite difference of velocities to the continuous acceleration, in place.
template <class M, class D>
void continuous_acceleration(const M& m, D& d) {
    auto& force = d.qfrc_inverse;
    const auto h = m.opt.timestep;
    if (m.opt.integrator == integrator_type::implicit) {
        smooth_velocity_derivative(m, d);
        multiply_implicit(m, d, d.qacc, force, [](int) { return true; });
    } else if (m.opt.integrator == integrator_type::implicitfast) {
        const auto floating = [&](int i) { return is_free_body(m, m.dof_bodyid[i]); };
        smooth_velocity_derivative_without_bias(m, d, true);
        const auto bias = borrow<BiasWork>(m, d);
        bias_derivative_terms(m, d, *bias);
        for (int j = 0; j < m.njnt; ++j)
            if (floating(m.jnt_dofadr[j])) subtract_bias_derivative(m, d, *bias, m.jnt_dofadr[j], 6);
        multiply_implicit(m, d, d.qacc, force, floating);
    } else {
        using S = typename D::scalar;
        const mask_t<S> damped(implicitly_damped(m));
        multiply_symmetric(m, d.M, d.qacc, force);
        if (!m.opt.disabled(disable::eulerdamp))  // as in MuJoCo, even where dampers are disabled
            for (int i = 0; i < m.nv; ++i) {
                const auto b = dof_total_damping(m, i);
                force[i] += select(damped, S(poly_slope(b.linear, b.poly, d.qvel[i], Parity::even)), S(0)) * h * d.qacc[i];
            }
    }
    solve_ldl(m, d.qLD, d.qLDiagInv, force);
    for (int i = 0; i < m.nv; ++i) d.qacc[i] = force[i];
}

// Forces and torques at qacc; the position and velocity stages have run.
template <class M, class D>
void inverse(const M& m, D& d) {
    using S = typename D::scalar;
    const auto w = borrow<InverseWork>(m, d);
    const bool discrete = m.opt.enabled(enable::invdiscrete) && m.opt.integrator != integrator_type::rk4;
    if (discrete) {
        for (int i = 0; i < m.nv; ++i) w->given[i] = d.qacc[i];
        continuous_acceleration(m, d);
    }
    if (d.nefc == 0)
        for (int i = 0; i < m.nv; ++i) d.qfrc_constraint[i] = S(0);
    else
        forces_at_qacc(m, d);
    multiply_symmetric(m, d.M, d.qacc, d.qfrc_inverse);
    for (int i = 0; i < m.nv; ++i) d.qfrc_inverse[i] += d.qfrc_bias[i] - d.qfrc_passive[i] - d.qfrc_constraint[i];
    if (some_sleep(m, d))
        for (int i = 0; i < m.nv; ++i)
            if (dof_sleeps(m, d, i)) d.qfrc_inverse[i] = S(0);
    if (discrete)
        for (int i = 0; i < m.nv; ++i) d.qacc[i] = w->given[i];
}

// How far forward and inverse dynamics disagree, without changing the results of forward: the norms of the difference in
// constraint forces and in the forces that are not passive.
template <class M, class D>
auto compare_forward_inverse(const M& m, D& d) {
    using S = typename D::scalar;
    using T = value_part_t<S>;
    Vec<T, 2> norms = Vec<T, 2>::zero();
    if (d.nefc == 0) return norms;
    const auto w = borrow<InverseWork>(m, d);
    Ignored weight;
    jacobian_product<T>(d, d.qacc, w->force);
    for (int i = 0; i < d.nefc; ++i) w->force[i] -= part<T>(d.efc_aref[i]);
    apply_laws<T>(d, w->force, w->force, weight);
    jacobian_transpose_product<T>(m, d, w->force, w->constraint);
    for (int i = 0; i < m.nv; ++i) w->given[i] = d.qfrc_applied[i] + d.qfrc_actuator[i];
    add_applied_forces(m, d, w->given);
    multiply_symmetric(m, d.M, d.qacc, w->inertia);
    for (int i = 0; i < m.nv; ++i) {
        const T constraint = part<T>(d.qfrc_constraint[i]) - w->constraint[i];
        const T inverse_force = w->inertia[i] + part<T>(d.qfrc_bias[i]) - part<T>(d.qfrc_passive[i]) - w->constraint[i];
        const T applied = part<T>(w->given[i]) - inverse_force;
        norms[0] += constraint * constraint;
        norms[1] += applied * applied;
    }
    return Vec<T, 2>{{sqrt(norms[0]), sqrt(norms[1])}};
}

}  // namespace mjx::inner
