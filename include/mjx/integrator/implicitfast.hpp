// ImplicitFast: velocities implicit in damping and actuator forces, but not in Coriolis forces.
//
// Reads   M, qfrc_smooth, qfrc_constraint, what smooth_velocity_derivative reads
// Writes  qvel, qpos, act, time (and qDeriv, qDeriv_upper, qH)
// Without the bias forces M - h D is taken as symmetric and keeps the factorization of M. Bodies that float alone are the exception:
// their 6x6 block is solved in full, gyroscopic forces included, so that a spinning body does not gain energy. Where MuJoCo knows
// from the model that a body's M is diagonal, it keeps the diagonal of D alone, and so does this.
#pragma once

#include "mjx/integrator/implicit.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/stage/tendon_armature.hpp"

namespace mjx::inner {

struct ImplicitFast : IntegratorDefaults {
    static constexpr int type = integrator_type::implicitfast;
    static constexpr const char* name = integrator_names[type];
    template <class S, class M>
    using work = ImplicitWork<S, M>;

    // What is taken implicitly: qDeriv, with bias forces for bodies that float alone.
    template <class M, class D>
    static void implicit_part(const M& m, D& d) {
        smooth_velocity_derivative_without_bias(m, d, true);
        bool floating = false;
        for (int j = 0; j < m.njnt; ++j) floating = floating || is_floating(m, j);
        if (!floating) return;
        const auto bias = borrow<BiasWork>(m, d);
        bias_derivative_terms(m, d, *bias);
        for_each_floating(m, [&](int dof) { subtract_bias_derivative(m, d, *bias, dof, 6); });
    }
    // The system to be solved after that: M - h D in qH and, of bodies that float alone, in `upper`.
    template <class M, class D, class U, class Force>
    static void system(const M& m, D& d, U& upper, Force&) {
        make_implicit(m, d, upper);
        for (int b = 1; b < m.nbody; ++b)
            if (m.body_dofnum[b] > 1 && !is_free_body(m, b) && has_diagonal_inertia(m, b))
                for (int i = m.body_dofadr[b]; i < m.body_dofadr[b] + m.body_dofnum[b]; ++i) keep_diagonal(m, d, i);
    }
    // Whether the lower triangle says all of dof i.
    template <class M>
    static constexpr bool is_symmetric(const M& m, int i) {
        return !is_free_body(m, m.dof_bodyid[i]);
    }

    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        integrate(m, d);
    }
    template <class M, class D>
    static void integrate(const M& m, D& d) {  // one code whatever the solver
        implicit_part(m, d);
        const auto w = borrow<ImplicitWork>(m, d);
        advance_by_system(m, d, w->qacc, [&](auto& qacc) {
            system(m, d, w->upper, qacc);
            for_each_floating(m, [&](int dof) {
                factor_lu(m, d.qH, w->upper, d.qHDiagInv, dof, 6);
                solve_lu(m, d.qH, w->upper, d.qHDiagInv, qacc, dof, 6);
                // the symmetric solve below leaves these dofs alone
                for (int i = dof; i < dof + 6; ++i) {
                    keep_diagonal(m, d, i);
                    d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] = typename D::scalar(1);
                }
            });
            factor_ldl(m, d.qH, d.qHDiagInv);
            solve_ldl(m, d.qH, d.qHDiagInv, qacc);
        });
    }

    template <class M, class D, class Force>
    static bool continuous_force(const M& m, D& d, Force& force) {
        implicit_part(m, d);
        multiply_implicit(m, d, d.qacc, force, [&](int i) { return !is_symmetric(m, i); });
        return true;
    }

  private:
    template <class M>
    static bool is_floating(const M& m, int j) {
        return is_free_body(m, m.jnt_bodyid[j]);
    }
    template <class M, class F>
    static void for_each_floating(const M& m, F&& f) {
        for (int j = 0; j < m.njnt; ++j)
            if (is_floating(m, j)) f(m.jnt_dofadr[j]);
    }
    template <class M, class D>
    static void keep_diagonal(const M& m, D& d, int i) {
        for (int c = m.M_rowadr[i]; c < m.M_rowadr[i] + m.M_rownnz[i] - 1; ++c) d.qH[c] = typename D::scalar(0);
    }
};

}  // namespace mjx::inner
