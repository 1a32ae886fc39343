// Unconstrained: no constraint forces at all, for models without contacts and limits or to study the smooth dynamics.
//
// Reads   qacc_smooth
// Writes  qacc, qfrc_constraint, solver_niter, nisland, solver_cost, solver_gradient
#pragma once

#include "mjx/solver/solver.hpp"

namespace mjx::inner {

// Without rows the smooth dynamics are the answer.
template <class M, class D>
void solve_unconstrained(const M& m, D& d) {
    using S = typename D::scalar;
    for (int i = 0; i < m.nv; ++i) {
        d.qacc[i] = d.qacc_smooth[i];
        d.qfrc_constraint[i] = S(0);
    }
    d.solver_niter = d.nisland = 0;
    d.solver_cost = d.solver_gradient = S(0);
}

struct Unconstrained : SolverDefaults {
    static constexpr const char* name = "Unconstrained";
    static constexpr bool constrained = false, primal = true;
    static constexpr bool minimizes_cost = true;  // of no rows

    template <class M, class D>
    static void solve(const M& m, D& d) {
        solve_unconstrained(m, d);
    }
};

}  // namespace mjx::inner
