// Primal solvers: minimize over qacc the Gauss term plus the constraints' cost; shared by Newton and CG.
//
// Reads   M, qLD, qLDiagInv, qfrc_smooth, qacc_smooth, qacc_warmstart, efc_*
// Writes  efc_b, its work, solver_niter, solver_cost, solver_gradient; without derivatives qacc and qfrc_constraint of the islands' dofs
//     cost(a) = (a - qacc_smooth)ᵀ M (a - qacc_smooth)/2 + s(J a - aref),   gradient = M a - qfrc_smooth - Jᵀ force
// (Todorov 2014; MuJoCo, computation chapter.) Each island is solved alone. For packs every lane has its own step length and
// stops by itself; a lane that has stopped, or whose island is another, takes steps of length 0, and blocks that only such lanes have are
// left alone. For duals the iteration runs on the values.
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/solver/lane_islands.hpp"
#include "mjx/solver/line_search.hpp"
#include "mjx/stage/same_frames.hpp"

namespace mjx::inner {

// What primal solvers work on, without derivatives.
template <class S, class M>
struct PrimalWork {
    WorkPlace<M>* at;
    using T = value_part_t<S>;
    template <class U, auto Size>
    using array = WorkArray<U, Size, S, M>;
    array<T, Dim::njmax> jar{at};     // J qacc - aref
    array<T, Dim::njmax> jv{at};      // J search
    array<T, Dim::njmax> weight{at};  // D of the rows in their quadratic zone
    array<T, Dim::njmax> cone0{at};   // the polynomials of elliptic cones along the search
    array<T, Dim::njmax> cone1{at};
    array<T, Dim::njmax> cone2{at};
    array<T, Dim::nv> qacc{at};
    array<T, Dim::nv> Ma{at};  // M qacc
    array<T, Dim::nv> Mv{at};  // M search
    array<T, Dim::nv> grad{at};
    array<T, Dim::nv> Mgrad{at};  // preconditioned gradient
    array<T, Dim::nv> search{at};
    array<T, Dim::nv> gradold{at};
    array<T, Dim::nv> Mgradold{at};
    array<int, Dim::ntree> diagonal{at};  // whether a tree has nothing but its diagonal in M
};

template <class D>
using solver_scalar = value_part_t<typename D::scalar>;

// Free bodies that stand alone have a diagonal M, but what is in the place of M may be another matrix (effective.hpp).
template <class M, class D>
void find_diagonal_trees(const M& m, D& d) {
    using T = solver_scalar<D>;
    for (int t = 0; t < m.ntree; ++t) {
        const int first = m.tree_dofadr[t];
        bool diagonal = stands_alone(m, first);
        if (diagonal)
            for (int i = first + 1; i < first + m.tree_dofnum[t]; ++i)
                for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i] - 1; ++k) diagonal = diagonal && all(part<T>(d.M[k]) == T(0));
        primal(d).diagonal[t] = diagonal;
    }
}

// y = M x over an island's dofs.
template <class M, class D, class X, class Y>
void multiply_M(const M& m, const D& d, int island, const X& x, Y& y) {
    using T = solver_scalar<D>;
    for_each_tree(m, d, island, [&](int tree, int first, int end) {
        if (!primal(d).diagonal[tree]) return multiply_symmetric(m, d.M, x, y, first, end);
        for (int i = first; i < end; ++i) y[i] = part<T>(d.M[m.M_rowadr[i] + i - first]) * x[i];
    });
}

// x ← M⁻¹ x over the dofs of a tree.
template <class M, class D, class X>
void tree_solve_M(const M& m, const D& d, int first, int end, X& x) {
    using T = solver_scalar<D>;
    for (int i = end - 1; i > first; --i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        const T xi = x[i];
        for (int c = 0; c < last; ++c) x[m.M_colind[row + c]] -= part<T>(d.qLD[row + c]) * xi;
    }
    for (int i = first; i < end; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        T xi = x[i] * part<T>(d.qLDiagInv[i]);
        for (int c = 0; c < last; ++c) xi -= part<T>(d.qLD[row + c]) * x[m.M_colind[row + c]];
        x[i] = xi;
    }
}

// What costs and gradients are divided by before they are held against the tolerance: the island's inertia, or the model's.
template <class T, class M>
T model_cost_scale(const M& m) {
    return T(1) / (part<T>(m.stat.meaninertia) * T(static_cast<value_t<T>>(m.nv)));
}
template <class M, class D>
auto cost_scale(const M& m, const D& d, int island) {
    using T = solver_scalar<D>;
    if (m.opt.disabled(disable::island)) return model_cost_scale<T>(m);
    T sum(0);
    for_each_dof(m, d, island, [&](int i) { sum += part<T>(d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]); });
    return T(1) / sum;
}

// No tolerance below what the scalar can resolve.
template <class T, class Real>
T resolved(const Real& tolerance) {
    return max(part<T>(tolerance), T(8 * epsilon_v<T>));
}

// Forces, weights and the gradient at the current residuals.
template <class M, class D>
void update_constraints(const M& m, D& d, int island) {
    using T = solver_scalar<D>;
    for_each_run(d, island, [&](int which, int first, int last) {
        apply_law<T>(d, which, first, last, primal(d).jar, d.efc_force, primal(d).weight);
    });
    for_each_dof(m, d, island, [&](int i) { primal(d).grad[i] = primal(d).Ma[i] - part<T>(d.qfrc_smooth[i]); });
    for_each_block(d, island, [&](int b) { subtract_block_force<T>(d, b, d.efc_force, primal(d).grad); });
}

template <class M, class D, class A, class B>
auto island_dot(const M& m, const D& d, int island, const A& a, const B& b) {
    return island_sums<solver_scalar<D>, 1>(m, d, island, [&](auto&& at, auto& term) { term[0] = at(a) * at(b); })[0];
}

// The residuals of all rows at an acceleration.
template <class D, class X, class Out>
void residuals(const D& d, const X& qacc, Out& out) {
    using T = solver_scalar<D>;
    jacobian_product<T>(d, qacc, out);
    for (int i = 0; i < d.nefc; ++i) out[i] -= part<T>(d.efc_aref[i]);
}

// Starts from qacc_warmstart where its cost is lower than that of qacc_smooth. Leaves the residuals of the start in jar.
template <class M, class D>
void warm_start(const M& m, D& d) {
    using T = solver_scalar<D>;
    const bool warm = !m.opt.disabled(disable::warmstart);
    if (warm) {
        // places that are free until there are a search and an acceleration
        auto& jar_smooth = primal(d).jv;  // J qacc_smooth - aref
        auto& change = primal(d).qacc;    // qacc_warmstart - qacc_smooth
        for (int b = 0; b < d.nblock; ++b)
            block_rows_products<T>(d, b, d.qacc_smooth, d.qacc_warmstart, [&](int i, const T& smooth, const T& start) {
                const T aref = part<T>(d.efc_aref[i]);
                d.efc_b[i] = jar_smooth[i] = smooth - aref;
                primal(d).jar[i] = start - aref;
            });
        T cost = constraint_cost<T>(d, primal(d).jar);
        const T cost_smooth = constraint_cost<T>(d, jar_smooth);
        for (int i = 0; i < m.nv; ++i) change[i] = part<T>(d.qacc_warmstart[i]) - part<T>(d.qacc_smooth[i]);
        const auto& x = change;
        const auto term = [&](int i, const T& half) {  // of x M x / 2
            return x[i] * (half + T(0.5) * part<T>(d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]) * x[i]);
        };
        for (int i = 0; i < m.nv; ++i) {
            const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1, *columns = &m.M_colind[row];
            const bool both = goes_with_next(m, i, m.nv);
            const int next = both ? m.M_rowadr[i + 1] : row;
            T half(0), half_next(0);
            for (int c = 0; c < last; ++c) {
                const T x_c = x[columns[c]];
                half += part<T>(d.M[row + c]) * x_c;
                half_next += part<T>(d.M[next + c]) * x_c;
            }
            cost += term(i, half);
            if (!both) continue;
            half_next += part<T>(d.M[next + last]) * x[i];
            cost += term(++i, half_next);
        }
        const auto smooth_better = !(cost <= cost_smooth);  // also where neither is a number: the step must see that
        for (int i = 0; i < m.nv; ++i) primal(d).qacc[i] = select(smooth_better, part<T>(d.qacc_smooth[i]), part<T>(d.qacc_warmstart[i]));
        for (int i = 0; i < d.nefc; ++i) primal(d).jar[i] = select(smooth_better, jar_smooth[i], primal(d).jar[i]);
    } else {
        residuals(d, d.qacc_smooth, primal(d).jar);
        for (int i = 0; i < d.nefc; ++i) d.efc_b[i] = primal(d).jar[i];
        for (int i = 0; i < m.nv; ++i) primal(d).qacc[i] = part<T>(d.qacc_smooth[i]);
    }
    if (m.ntree > 1)
        for (int i = 0; i < m.nv; ++i)
            if (d.tree_island[m.dof_treeid[i]] < 0) primal(d).qacc[i] = part<T>(d.qacc_smooth[i]);
}

// Moves along the search direction by alpha (0 in lanes that have stopped).
template <class M, class D, class T>
void advance_primal(const M& m, D& d, int island, const T& alpha) {
    for_each_dof(m, d, island, [&](int i) {
        primal(d).qacc[i] += alpha * primal(d).search[i];
        primal(d).Ma[i] += alpha * primal(d).Mv[i];
    });
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i) primal(d).jar[i] += alpha * primal(d).jv[i];
    });
}

// Products of the search direction with M and J.
template <class M, class D>
void multiply_search(const M& m, D& d, int island) {
    multiply_M(m, d, island, primal(d).search, primal(d).Mv);
    for_each_block(d, island, [&](int b) { block_rows_product<solver_scalar<D>>(d, b, primal(d).search, primal(d).jv); });
}

// Lanes whose start leaves less than a tenth of the force that it asks of the constraints: hardly anything changed since the last step.
template <class M, class D>
auto starts_close(const M& m, const D& d, int island) {
    using T = solver_scalar<D>;
    const Vec<T, 2> sums = island_sums<T, 2>(m, d, island, [&](auto&& at, auto& term) {
        const auto left = at(primal(d).grad), asked = at(primal(d).Ma) - at(d.qfrc_smooth);
        term[0] = left * left;
        term[1] = asked * asked;
    });
    return sums[0] < T(0.01) * sums[1];
}

// Zones for a first step. The start is the last step's solution: what a row that only pushes had as its residual there, before the
// reference followed the velocity that it gained, says how it pushed then, and its residual without constraints how it would be pushed now,
// since the start knows nothing of new controls. The sum of the one and half of the other tells whether it is taken to push, or the one
// alone where the start is close. (Of weights from 0.1 to 5, with the reference's stiffness and without, a half is about the best: 5% fewer
// iterations than if either residual tells.) Lanes in `exact` keep the zones of the start, and so their numbers. Writes the weights of
// these zones, and the gradient of the cost that is quadratic with them. Gives the lanes that have the zones of the start.
template <class M, class D, class Mask>
mask_t<solver_scalar<D>> guess_zones(const M& m, D& d, int island, const Mask& exact, const Mask& close) {
    using T = solver_scalar<D>;
    const T step = part<T>(m.opt.timestep), share = select(close, T(0), T(0.5));
    mask_t<T> same(true);
    for_each_run(d, island, [&](int which, int first, int last) {
        if (which != law::unilateral) return;
        for (int i = first; i < last; ++i) {
            const T x = primal(d).jar[i], gained = step * (x + part<T>(d.efc_aref[i]));
            const T guess = x - part<T>(d.efc_KBIP[i][1]) * gained + share * part<T>(d.efc_b[i]);
            const T weight = select(select(exact, x, guess) < T(0), part<T>(d.efc_D[i]), T(0));
            same = same && weight == primal(d).weight[i];
            primal(d).weight[i] = weight;
            d.efc_force[i] = -weight * x;
        }
    });
    if (all(same)) return same;
    for_each_dof(m, d, island, [&](int i) { primal(d).grad[i] = primal(d).Ma[i] - part<T>(d.qfrc_smooth[i]); });
    for_each_block(d, island, [&](int b) { subtract_block_force<T>(d, b, d.efc_force, primal(d).grad); });
    return same;
}

// How far a solve has come: its gradient, the lanes that are through with it, and those that want every digit.
template <class T>
struct PrimalProgress {
    T scale, tolerance;
    mask_t<T> done, retired = done, to_the_end = mask_t<T>(false);
    T gradient = T(0);
    int iteration = 0;
    bool multiplied = false;  // the products of the search direction are there already

    template <class M, class D>
    void measure(const M& m, const D& d, int island) {
        gradient = scale * sqrt(island_dot(m, d, island, primal(d).grad, primal(d).grad));
    }
    // Moves by alpha along the search direction, of which the method remembers the gradient.
    template <class M, class D>
    void move(const M& m, D& d, int island, const T& alpha) {
        advance_primal(m, d, island, alpha);
        update_constraints(m, d, island);
        if constexpr (lanes_v<T> > 1)
            for_each_dof(m, d, island, [&](int i) { primal(d).grad[i] = select(done, primal(d).gradold[i], primal(d).grad[i]); });
        measure(m, d, island);
    }
    // Leaves the blocks alone that only lanes that are done have, and gives the others their next direction.
    template <class D, class Next>
    void turn(D& d, int island, Next&& next) {
        if (all(done)) return;
        if constexpr (lanes_v<T> > 1)
            if (any(done && !retired)) {
                retire_blocks(d, island, done);
                retired = done;
            }
        done = next(scale, tolerance, done);
    }
};

// The first step of a method of quadratic convergence, to the minimum of guessed zones: about one and a half steps fewer follow. A guess
// may raise the cost, though by no more than twice what it promised to save: it has more of the zones right all the same. A start that is
// close knows the zones better, and its step is to lower the cost. Gives the lanes that are done.
template <class Method, class M, class D>
mask_t<solver_scalar<D>> first_step(const M& m, D& d, int island, Method& method, PrimalProgress<solver_scalar<D>>& at) {
    using T = solver_scalar<D>;
    const mask_t<T> done = at.done;
    method.remember();
    const mask_t<T> close = starts_close(m, d, island), exact = guess_zones(m, d, island, at.to_the_end, close);
    method.begin(at.scale, at.tolerance, done);
    multiply_search(m, d, island);
    const LineQuadratic<T> line = prepare_line<T>(m, d, island);
    const T rise = evaluate(d, island, line, T(1)).cost, allowed = select(close && exact, T(0), -line.slope);
    const T alpha = select(!done && !at.to_the_end && rise < allowed, T(1), T(0));
    ++at.iteration;
    // nobody moves, and the zones are those of the start: the next direction would be this one
    if (all(exact || done) && all(alpha == T(0))) {
        at.multiplied = true;
        return method.settled(at.scale, at.tolerance, done, method.expected_gain());
    }
    at.move(m, d, island, alpha);
    at.done = done || at.gradient < at.tolerance;
    at.turn(d, island, [&](const auto&... progress) { return method.next(progress...); });
    return at.done;
}

// A step along the direction that the method gave, and its next direction.
template <class Method, class M, class D>
void next_step(const M& m, D& d, int island, Method& method, PrimalProgress<solver_scalar<D>>& at) {
    using T = solver_scalar<D>;
    if (!at.multiplied) multiply_search(m, d, island);
    at.multiplied = false;
    const LineQuadratic<T> line = prepare_line<T>(m, d, island);
    const T length = sqrt(line.length_square), before = at.gradient;
    at.done = at.done || length < T(minval_v<T>);
    T saved;
    const T gtol = at.tolerance * part<T>(m.opt.ls_tolerance) * length / at.scale;
    T alpha = line_search(m, d, island, line, Method::quadratic, gtol, mask_t<T>(!at.done), saved);
    // a step that is lost in the rounding of qacc leads nowhere, whatever it would save, unless every digit is asked for
    const T size = select(at.to_the_end, T(0), sqrt(island_dot(m, d, island, primal(d).qacc, primal(d).qacc)));
    at.done = at.done || abs(alpha) * length <= T(16 * epsilon_v<T>) * size;
    alpha = select(at.done, T(0), alpha);
    if (all(at.done)) return;
    method.remember();
    at.move(m, d, island, alpha);
    ++at.iteration;
    const auto goes_on = at.to_the_end && at.gradient < T(0.5) * before;
    at.done = at.done || (at.scale * saved < at.tolerance && !goes_on) || at.gradient < at.tolerance;
    at.turn(d, island, [&](const auto&... progress) { return method.next(progress...); });
}

// Minimizes over one island. Method gives directions: begin(), then next() after each step. Gains are quadratic in the gradient, so
// the last one a scalar can resolve leaves a gradient of the root of its precision. A method of quadratic convergence gets below
// that in a step or two: with zero tolerance it goes on for as long as the gradient falls.
template <class Method, class M, class D>
int solve_island(const M& m, D& d, int island, const mask_t<solver_scalar<D>>& lanes, Method& method, solver_scalar<D>& total_gradient) {
    using T = solver_scalar<D>;
    PrimalProgress<T> at{cost_scale(m, d, island), resolved<T>(m.opt.tolerance), mask_t<T>(!lanes)};
    if (Method::quadratic) at.to_the_end = part<T>(m.opt.tolerance) <= T(0);
    multiply_M(m, d, island, primal(d).qacc, primal(d).Ma);
    update_constraints(m, d, island);
    at.measure(m, d, island);
    at.done = at.done || at.gradient < at.tolerance;
    at.turn(d, island, [&](const T& scale, const T& tolerance, const mask_t<T>& done) {
        if constexpr (Method::quadratic)
            if (m.opt.cone != cone::elliptic && !all(at.to_the_end)) return first_step(m, d, island, method, at);
        return method.begin(scale, tolerance, done);
    });
    while (!all(at.done) && at.iteration < m.opt.iterations) next_step(m, d, island, method, at);
    total_gradient = max(total_gradient, select(lanes, at.gradient, T(0)));
    return at.iteration;
}

// The Gauss term of the cost.
template <class M, class D>
auto gauss_cost(const M& m, const D& d, int island) {
    using T = solver_scalar<D>;
    return T(0.5) * island_sums<T, 1>(m, d, island, [&](auto&& at, auto& term) {
               term[0] = (at(primal(d).Ma) - at(d.qfrc_smooth)) * (at(primal(d).qacc) - at(d.qacc_smooth));
           })[0];
}

// Keeps what was found for an island in its lanes: the next may be one of other lanes with the same trees.
template <class M, class D, class Mask>
void keep_solution(const M& m, D& d, int island, const Mask& lanes) {
    using S = typename D::scalar;
    if constexpr (!has_derivative<S>)
        for_each_dof(m, d, island, [&](int i) {
            d.qacc[i] = select(lanes, primal(d).qacc[i], d.qacc[i]);
            d.qfrc_constraint[i] = select(lanes, S(primal(d).Ma[i] - d.qfrc_smooth[i] - primal(d).grad[i]), d.qfrc_constraint[i]);
        });
}

// Every island in turn; with_method(island, solve) calls solve(method) with the method for it.
template <class M, class D, class WithMethod>
void solve_islands(const M& m, D& d, WithMethod&& with_method) {
    using S = typename D::scalar;
    using T = solver_scalar<D>;
    T cost(0), gradient(0);
    d.solver_niter = 0;
    for_each_island(m, d, [&](int island, const mask_t<T>& lanes) {
        with_method(island, [&](auto method) {
            const int iterations = solve_island(m, d, island, lanes, method, gradient);
            if (iterations > d.solver_niter) d.solver_niter = iterations;
        });
        cost += select(lanes, gauss_cost(m, d, island), T(0));
        keep_solution(m, d, island, lanes);
    });
    d.solver_cost = S(cost + constraint_cost<T>(d, primal(d).jar));
    d.solver_gradient = S(gradient);
}
}  // namespace mjx::inner
