// ImplicitFast: velocities implicit in damping and actuator forces, but not in Coriolis forces.
//
// Reads   M, qfrc_smooth, qfrc_constraint, what smooth_velocity_derivative reads
// Writes  qvel, qpos, act, time (and qDeriv, qDeriv_upper, qH, qH_upper)
// Without the bias forces M - h D is taken as symmetric and keeps the factorization of M. Bodies that float alone are the exception:
// their 6x6 block is solved in full, gyroscopic forces included, so that a spinning body does not gain energy.
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/math/sparse_lu.hpp"
#include "mjx/stage/velocity_derivative.hpp"

namespace mjx {

struct ImplicitFast {
    static constexpr int type = integrator_type::implicitfast;
    static constexpr const char* name = "implicitfast";

    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        const auto h = m.opt.timestep;
        smooth_velocity_derivative_without_bias(m, d, true);
        bool floating = false;
        for (int j = 0; j < m.njnt; ++j) floating = floating || is_floating(m, j);
        if (floating) {
            bias_derivative_terms(m, d);
            for_each_floating(m, [&](int dof) { subtract_bias_derivative(m, d, dof, 6); });
        }

        for (int k = 0; k < m.nM; ++k) {
            d.qH[k] = d.M[k] - d.qDeriv[k] * h;
            d.qH_upper[k] = d.M[k] - d.qDeriv_upper[k] * h;
        }
        for (int i = 0; i < m.nv; ++i) d.work_nv[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        for_each_floating(m, [&](int dof) {
            factor_lu(m, d.qH, d.qH_upper, d.qHDiagInv, dof, 6);
            solve_lu(m, d.qH, d.qH_upper, d.qHDiagInv, d.work_nv, dof, 6);
            // the symmetric solve below leaves these dofs alone
            for (int i = dof; i < dof + 6; ++i) make_identity_row(m, d, i);
        });
        factor_ldl(m, d.qH, d.qHDiagInv);
        solve_ldl(m, d.qH, d.qHDiagInv, d.work_nv);
        advance(m, d, d.act_dot, d.work_nv, d.qvel);
    }

  private:
    template <class M>
    static bool is_floating(const M& m, int j) {
        return m.jnt_type[j] == jnt::free && is_free_body(m, m.jnt_bodyid[j]);
    }
    template <class M, class F>
    static void for_each_floating(const M& m, F&& f) {
        for (int j = 0; j < m.njnt; ++j)
            if (is_floating(m, j)) f(m.jnt_dofadr[j]);
    }
    template <class M, class D>
    static void make_identity_row(const M& m, D& d, int i) {
        using S = typename D::scalar;
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        for (int c = 0; c < last; ++c) d.qH[row + c] = S(0);
        d.qH[row + last] = S(1);
    }
};

}  // namespace mjx
