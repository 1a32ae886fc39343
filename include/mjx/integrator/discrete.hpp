// Discrete: springs, dampers, servos, drag and constraints at the end of the step, found together. For stiff things at large steps.
//
// Reads   qacc, which is (v' - v)/h
// Writes  qvel, qpos, act, time
// v' = v + h a with M̂ a = f - h K v + Jᵀ λ in the effective inertia M̂ = M + h D + h² K, and λ of rows whose reference is that of the end
// of the step (MuJoCo 3.13, "discrete"). The work is done by the solver, as InEffectiveInertia has it: qacc, qacc_smooth, efc_* and
// qfrc_constraint of forward() are those of the step, and inverse dynamics is its inverse, whatever the invdiscrete flag says.
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/integrator/integrator.hpp"
#include "mjx/solver/effective.hpp"

namespace mjx::inner {

struct Discrete : IntegratorDefaults {
    static constexpr int type = integrator_type::discrete;
    static constexpr const char* name = integrator_names[type];
    template <class S, class M>
    using work = EffectiveWork<S, M>;
    template <class Solver>
    using solver = InEffectiveInertia<Solver>;

    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        advance(m, d, d.act_dot, d.qacc, d.qvel);
    }

    // Inverse dynamics: qfrc_inverse = M̂ qacc + h K v + bias - passive - constraint.
    template <class M, class D>
    static void inverse(const M& m, D& d) {
        using S = typename D::scalar;
        const bool couplings = m.opt.solver == solver_type::newton || m.opt.solver == solver_type::cg;
        const auto w = borrow<EffectiveWork>(m, d);
        effective_inertia(m, d, couplings, w->extra, w->spring, [](const auto&, const S&) { return true; });
        make_end_rows(m, d, *w);
        if (d.nefc > 0)
            forces_at_qacc(m, d);
        else
            for (int i = 0; i < m.nv; ++i) d.qfrc_constraint[i] = S(0);
        multiply_symmetric(m, d.qH, d.qacc, d.qfrc_inverse);
        if (couplings)
            for_each_coupling(m, d, [&](const auto& row, const S&, const S& s) {
                if (row.count > 1) add_row(row, S(row_times(row, d.qacc) * s), d.qfrc_inverse);
            });
        for_each_spinning(m, d, couplings, *w, [&](int dof, const mask_t<S>& alone) {
            for (int i = dof; i < dof + 6; ++i) {
                S sum(0);
                for (int j = dof; j < dof + 6; ++j) {
                    const int row = i < j ? j : i, k = m.M_rowadr[row] + (i < j ? i : j) - dof;
                    sum += (i < j ? w->spin_upper[k] : w->spin_lower[k]) * d.qacc[j];
                }
                d.qfrc_inverse[i] = select(alone, sum, d.qfrc_inverse[i]);
            }
        });
        for (int i = 0; i < m.nv; ++i) d.qfrc_inverse[i] += d.qfrc_bias[i] - w->spring[i] - d.qfrc_passive[i] - d.qfrc_constraint[i];
        if (some_sleep(m, d))
            for (int i = 0; i < m.nv; ++i)
                if (dof_sleeps(m, d, i)) d.qfrc_inverse[i] = S(0);
    }
    template <class M, class D, class Force>
    static bool continuous_force(const M&, const D&, const Force&) {
        return false;
    }
};

}  // namespace mjx::inner
