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
        const auto h = m.opt.timestep;
        for (int k = 0; k < m.nM; ++k) {
            d.qH[k] = d.M[k] - d.qDeriv[k] * h;
            upper[k] = d.M[k] - d.qDeriv_upper[k] * h;
        }
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
        implicit_part(m, d);
        const auto w = borrow<ImplicitWork>(m, d);
        for (int i = 0; i < m.nv; ++i) w->qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        system(m, d, w->upper, w->qacc);
        for_each_floating(m, [&](int dof) {
            factor_lu(m, d.qH, w->upper, d.qHDiagInv, dof, 6);
            solve_lu(m, d.qH, w->upper, d.qHDiagInv, w->qacc, dof, 6);
            // the symmetric solve below leaves these dofs alone
            for (int i = dof; i < dof + 6; ++i) {
                keep_diagonal(m, d, i);
                d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] = typename D::scalar(1);
            }
        });
        factor_ldl(m, d.qH, d.qHDiagInv);
        solve_ldl(m, d.qH, d.qHDiagInv, w->qacc);
        advance(m, d, d.act_dot, w->qacc, d.qvel);
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
    // A leaf on the world (or on a body fixed to it) at its own centre of mass, with axes along the principal ones, one rotation at
    // most and last, and no tendon with inertia attached: MuJoCo's "simple" body.
    template <class M>
    static bool has_diagonal_inertia(const M& m, int b) {
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
};

}  // namespace mjx::inner
