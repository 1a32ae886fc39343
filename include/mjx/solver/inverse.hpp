// Inverse dynamics: the forces that, together with the passive and constraint forces, produce the acceleration qacc.
//
// Reads   qacc, M, qfrc_bias, qfrc_passive, efc_* (after the position and velocity stages)
// Writes  qfrc_inverse, efc_force, qfrc_constraint
// The constraints' forces are functions of the acceleration, row by row (contact by contact), so no iteration is needed (Todorov 2014).
// With the invdiscrete flag qacc is the finite difference (v' - v)/h of an integrator's step; it is first turned into the
// acceleration a that the integrator started from. How they are related the integrator knows, continuous_force(m, d, force): M a is
// (M - h D) (v' - v)/h, with D what it treats implicitly. The steps of RK4 have no such relation, and the flag no effect on them.
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/solver/finish.hpp"
#include "mjx/stage/acceleration.hpp"

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

// Forces and torques at qacc; the position and velocity stages have run.
template <class M, class D>
void inverse_at_qacc(const M& m, D& d) {
    using S = typename D::scalar;
    if (d.nefc == 0)
        for (int i = 0; i < m.nv; ++i) d.qfrc_constraint[i] = S(0);
    else
        forces_at_qacc(m, d);
    multiply_symmetric(m, d.M, d.qacc, d.qfrc_inverse);
    for (int i = 0; i < m.nv; ++i) d.qfrc_inverse[i] += d.qfrc_bias[i] - d.qfrc_passive[i] - d.qfrc_constraint[i];
    if (some_sleep(m, d))
        for (int i = 0; i < m.nv; ++i)
            if (dof_sleeps(m, d, i)) d.qfrc_inverse[i] = S(0);
}

// The same at qacc or, with the invdiscrete flag, at the acceleration from which a step of the integrator makes (v' - v)/h = qacc.
template <class Integrator, class M, class D>
void inverse(const M& m, D& d) {
    static_assert(
        requires { Integrator::continuous_force(m, d, d.qfrc_inverse); },
        "inverse dynamics ask the integrator for continuous_force(m, d, force): integrator/integrator.hpp says what it is");
    if constexpr (requires { Integrator::inverse(m, d); }) return Integrator::inverse(m, d);
    auto& force = d.qfrc_inverse;
    const auto w = borrow<InverseWork>(m, d);
    for (int i = 0; i < m.nv; ++i) w->given[i] = d.qacc[i];
    if (m.opt.enabled(enable::invdiscrete) && Integrator::continuous_force(m, d, force)) {
        solve_ldl(m, d.qLD, d.qLDiagInv, force);
        for (int i = 0; i < m.nv; ++i) d.qacc[i] = force[i];
    }
    inverse_at_qacc(m, d);
    for (int i = 0; i < m.nv; ++i) d.qacc[i] = w->given[i];
}

// How far forward and inverse dynamics disagree, without changing the results of forward: the norms of the difference in
// constraint forces and in the forces that are not passive. An integrator whose qacc is no acceleration to start from is to be named.
template <class Integrator = void, class M, class D>
auto compare_forward_inverse(const M& m, D& d) {
    using S = typename D::scalar;
    using T = value_part_t<S>;
    Vec<T, 2> norms = Vec<T, 2>::zero();
    if (d.nefc == 0) return norms;
    const auto w = borrow<InverseWork>(m, d);
    if constexpr (requires { Integrator::inverse(m, d); }) {
        for (int i = 0; i < d.nefc; ++i) w->force[i] = part<T>(d.efc_force[i]);
        for (int i = 0; i < m.nv; ++i) w->constraint[i] = part<T>(d.qfrc_constraint[i]);
        for (int i = 0; i < m.nv; ++i) w->given[i] = d.qfrc_applied[i] + d.qfrc_actuator[i];
        add_applied_forces(m, d, w->given);
        Integrator::inverse(m, d);
        for (int i = 0; i < m.nv; ++i) {
            const T constraint = w->constraint[i] - part<T>(d.qfrc_constraint[i]), applied = part<T>(w->given[i] - d.qfrc_inverse[i]);
            norms[0] += constraint * constraint;
            norms[1] += applied * applied;
        }
        for (int i = 0; i < d.nefc; ++i) d.efc_force[i] = S(w->force[i]);
        for (int i = 0; i < m.nv; ++i) d.qfrc_constraint[i] = S(w->constraint[i]);
        return Vec<T, 2>{{sqrt(norms[0]), sqrt(norms[1])}};
    }
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
