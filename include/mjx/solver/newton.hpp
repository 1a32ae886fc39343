// Newton: each direction solves with the Hessian M + Jᵀ W J of the current zones. Converges in a few iterations.
//
// Reads   M, qLD, qfrc_smooth, qacc_smooth, qacc_warmstart, efc_*
// Writes  efc_b, efc_force, qfrc_constraint, qacc, solver_niter, solver_cost, solver_gradient
// The Hessian follows the rows that change zone and is factored anew: in the trees' sparsity that is cheaper than rank-one updates of
// the factor. Where a row's weight is taken back, the rounding of what it had added stays: weights are at most some thousand times
// the inertia they act on, so the direction does not suffer. Where they are more than the scalar can hold beside the inertia, stiff.hpp
// finds the direction.
#pragma once

#include "mjx/solver/cg.hpp"  // where the Hessian would be too large
#include "mjx/solver/hessian/dense.hpp"
#include "mjx/solver/hessian/filled.hpp"
#include "mjx/solver/hessian/lanes.hpp"
#include "mjx/solver/hessian/stiff.hpp"
#include "mjx/solver/primal_solver.hpp"

namespace mjx::inner {

template <class M, class D, hessian_form P>
struct NewtonMethod {
    using T = solver_scalar<D>;
    static constexpr bool quadratic = true;
    const M& m;
    D& d;
    int island;
    P H;  // the Hessian, in the form for this model
    bool follows = false;  // the Hessian can be updated

    // The direction -H⁻¹ gradient. With digits to spare a step is taken however small its expected gain, and leaves a gradient of rounding;
    // where the tolerance is all that the scalar resolves, lanes that expect less are done.
    mask_t<T> direction(const T& scale, const T& tolerance, const mask_t<T>& done) {
        if (follows)
            update_hessian(d, island, H, done);
        else
            assemble_hessian(m, d, island, H, done);
        for_each_dof(m, d, island, [&](int i) { primal(d).search[i] = -primal(d).grad[i]; });
        factor_hessian(m, d, island, H, primal(d).search);
        H.finish_solve(m, island, primal(d).search);
        T decrement = expected_gain();
        const mask_t<T> lost = !done && (!(decrement > T(0)) || inertia_is_lost(m, d, island, H));
        if (any(lost)) {
            auto& stiff = primal(d).Mv;  // a place that is free until the search is multiplied
            solve_stiff(m, d, island, H, stiff);
            for_each_dof(m, d, island, [&](int i) { primal(d).search[i] = select(lost, stiff[i], primal(d).search[i]); });
            decrement = expected_gain();
            // beyond the scalar's range there is no descent left to be found: such a lane stays where it is
            const mask_t<T> stays = lost && !(decrement > T(0));
            for_each_dof(m, d, island, [&](int i) { primal(d).search[i] = select(stays, T(0), primal(d).search[i]); });
        }
        return settled(scale, tolerance, done, decrement);
    }
    // Lanes that are done, or expect less of the direction than the scalar resolves where that is more than the tolerance.
    mask_t<T> settled(const T& scale, const T& tolerance, const mask_t<T>& done, const T& decrement) {
        return done || (scale * decrement < tolerance && part<T>(m.opt.tolerance) > T(0) && part<T>(m.opt.tolerance) < tolerance);
    }
    // What the quadratic model expects of the whole step.
    T expected_gain() { return T(-0.5) * island_dot(m, d, island, primal(d).grad, primal(d).search); }
    mask_t<T> begin(const T& scale, const T& tolerance, const mask_t<T>& done) {
        // as in MuJoCo, the first step is skipped only if the gradient is small as well
        direction(scale, tolerance, done);
        follows = m.opt.cone != cone::elliptic && !has_elliptic_blocks(d, island);  // by the model: blocks may be those of other lanes
        return done;
    }
    void remember() {
        if constexpr (lanes_v<T> > 1) for_each_dof(m, d, island, [&](int i) { primal(d).gradold[i] = primal(d).grad[i]; });
    }
    mask_t<T> next(const T& scale, const T& tolerance, const mask_t<T>& done) { return direction(scale, tolerance, done); }
};

struct Newton : PrimalSolver<Newton> {
    static constexpr int type = solver_type::newton;
    static constexpr const char* name = solver_names[type];

    // By the form of the Hessian that the model is small or sparse enough for. Islands of packs may have trees in common, so the pattern of
    // each is made when it is solved.
    template <class M, class D>
    static void descend(const M& m, D& d) {
        constexpr bool lanes = lanes_v<typename D::scalar> > 1;
        if (has_few_dofs<M>() || m.nv <= max_lane_dofs) {
            if constexpr (lanes) {
                run(m, d, [&](int island) {
                    make_lane_pattern(m, d, island);
                    return LaneHessian<D>{d};
                });
            } else {
                make_dense_pattern(m, d);
                run(m, d, [&](int island) { return DenseHessian<D>{d}.of_island(m, island); });
            }
        } else if constexpr (!has_few_dofs<M>()) {
            auto& columns = hessian(d).colind;
            if constexpr (lanes)
                solve_islands(m, d, [&](int island, auto&& solve) {
                    if (make_island_pattern(m, d, island, columns))
                        solve(method(m, d, island, FilledHessian<D>{d, columns}));
                    else
                        solve(ConjugateGradient<M, D>{m, d, island});
                });
            else if (make_pattern(m, d, columns))
                run(m, d, [&](int) { return FilledHessian<D>{d, columns}; });
            else
                CG::descend(m, d);
        }
    }

  private:
    template <class M, class D, class P>
    static auto method(const M& m, D& d, int island, const P& H) {
        return NewtonMethod<M, D, P>{m, d, island, H, false};
    }
    // form(island) gives the Hessian.
    template <class M, class D, class Form>
    static void run(const M& m, D& d, Form&& form) {
        solve_islands(m, d, [&](int island, auto&& solve) { solve(method(m, d, island, form(island))); });
    }
};

}  // namespace mjx::inner
