// CG: nonlinear conjugate gradients preconditioned with the inertia. No Hessian: cheap iterations, more of them.
//
// Reads   M, qLD, qfrc_smooth, qacc_smooth, qacc_warmstart, efc_*
// Writes  efc_b, efc_force, qfrc_constraint, qacc, solver_niter, solver_cost, solver_gradient
// The conjugate direction is that of Hager & Zhang (2005), as in MuJoCo.
#pragma once

#include "mjx/solver/primal_solver.hpp"

namespace mjx::inner {

template <class M, class D>
struct ConjugateGradient {
    using T = solver_scalar<D>;
    static constexpr bool quadratic = false;
    const M& m;
    D& d;
    int island;

    void precondition() {
        auto &x = primal(d).Mgrad, &gradient = primal(d).grad;
        for_each_tree(m, d, island, [&](int tree, int first, int end) {
            for (int i = first; i < end; ++i) x[i] = primal(d).diagonal[tree] ? gradient[i] * part<T>(d.qLDiagInv[i]) : gradient[i];
            if (!primal(d).diagonal[tree]) tree_solve_M(m, d, first, end, x);
        });
    }
    // The cost is strongly convex in the norm of M: the optimum is at most gradᵀ M⁻¹ grad / 2 below.
    mask_t<T> begin(const T& scale, const T& tolerance, const mask_t<T>& done) {
        precondition();
        for_each_dof(m, d, island, [&](int i) { primal(d).search[i] = -primal(d).Mgrad[i]; });
        return done || T(0.5) * scale * island_dot(m, d, island, primal(d).grad, primal(d).Mgrad) < tolerance;
    }
    void remember() {
        for_each_dof(m, d, island, [&](int i) {
            primal(d).gradold[i] = primal(d).grad[i];
            primal(d).Mgradold[i] = primal(d).Mgrad[i];
        });
    }
    mask_t<T> next(const T&, const T&, const mask_t<T>& done) {
        precondition();
        const Vec<T, 6> sums = island_sums<T, 6>(m, d, island, [&](auto&& at, auto& term) {
            const auto g = at(primal(d).grad), Mg = at(primal(d).Mgrad), s = at(primal(d).search);
            const auto y = g - at(primal(d).gradold), My = Mg - at(primal(d).Mgradold);
            term[0] = s * y;
            term[1] = y * My;
            term[2] = y * Mg;
            term[3] = s * g;
            term[4] = s * s;
            term[5] = g * g;
        });
        const T dy = sums[0], yMy = sums[1], yMg = sums[2], dg = sums[3], dd = sums[4], gg = sums[5];
        const auto lost = dy < T(minval_v<T>);
        const T safe = select(lost, T(1), dy);
        const T hager_zhang = (yMg - T(2) * (yMy / safe) * dg) / safe;
        const T floor_beta = T(-1) / max(sqrt(dd) * min(sqrt(gg), T(0.01)), T(minval_v<T>));
        const T beta = select(lost, T(0), max(hager_zhang, floor_beta));
        for_each_dof(m, d, island, [&](int i) { primal(d).search[i] = beta * primal(d).search[i] - primal(d).Mgrad[i]; });
        return done;
    }
};

struct CG : PrimalSolver<CG> {
    static constexpr int type = solver_type::cg;
    static constexpr const char* name = solver_names[type];

    template <class M, class D>
    static void descend(const M& m, D& d) {
        solve_islands(m, d, [&](int island, auto&& solve) { solve(ConjugateGradient<M, D>{m, d, island}); });
    }
};

}  // namespace mjx::inner
