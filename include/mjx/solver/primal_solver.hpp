// What CG and Newton share as solvers: a solve from its start to its end, around the directions that each of them takes.
#pragma once

#include "mjx/solver/noslip.hpp"
#include "mjx/solver/solver.hpp"
#include "mjx/solver/unconstrained.hpp"

namespace mjx::inner {

template <class M, class D, class Run>
void solve_primal(const M& m, D& d, Run&& run) {
    if (d.nefc == 0) return solve_unconstrained(m, d);
    const auto w = borrow<SolverWork>(m, d);
    find_islands(m, d);
    find_diagonal_trees(m, d);
    warm_start(m, d);
    run();
    finish_primal(m, d);
}

// Method::descend(m, d) minimizes over every island (solve_islands).
template <class Method>
struct PrimalSolver : SolverDefaults {
    static constexpr bool shares_rows = true, minimizes_cost = true, primal = true;
    template <class S, class M>
    using work = SolverWork<S, M>;

    template <class M, class D>
    static void solve(const M& m, D& d) {
        minimize(m, d);
        noslip_after_primal(m, d);
    }
    // Without noslip, for the Discrete integrator (solver/effective.hpp).
    template <class M, class D>
    static void minimize(const M& m, D& d) {
        solve_primal(m, d, [&] { Method::descend(m, d); });
    }
};

}  // namespace mjx::inner
