// Noslip: after the main solver, friction forces are improved as if friction were not regularized, at fixed normal forces.
//
// Reads   sol_jar (forces of all rows), efc_b, Y (dual_rows.hpp)
// Writes  sol_jar, solver_niter
// Regularization lets contacts creep; these sweeps of projected Gauss-Seidel with R = 0 over friction alone suppress it (MuJoCo,
// computation chapter, "noslip").
#pragma once

#include "mjx/solver/dual_rows.hpp"
#include "mjx/solver/qcqp.hpp"

namespace mjx {

template <class T>
struct NoslipStep {
    T saved;
    T delta[max_block_dim];
};

// A row of dry friction.
template <class T, class D>
NoslipStep<T> noslip_row(D& d, int b) {
    const int row = d.block_row[b];
    T p[max_block_dim];
    dual_product(d, b, p);
    const T residual = part<T>(d.efc_b[row]) + p[0], A = max(d.sol_H[dual_gram(d, b, 0, 0)], T(minval_v<T>));
    const T loss = part<T>(d.efc_frictionloss[row]), f = d.sol_jar[row];
    NoslipStep<T> step;
    d.sol_jar[row] = clamp(f - residual / A, T(-loss), loss);
    step.delta[0] = d.sol_jar[row] - f;
    step.saved = -step.delta[0] * (T(0.5) * step.delta[0] * A + residual);
    return step;
}

// A pyramid: each pair of opposing edges shares what it has, so that its normal force stays.
template <class T, class D>
NoslipStep<T> noslip_pyramid(D& d, int b) {
    const int row = d.block_row[b], dim = d.block_dim[b];
    const auto& contact = d.contact[d.efc_id[row]];
    NoslipStep<T> step{T(0), {}};
    T p[max_block_dim];
    dual_product(d, b, p);
    for (int r = 0; r < dim; ++r) step.delta[r] = T(0);
    for (int k = 1; k < dim; ++k) {
        const int plus = row + 2 * k - 2, minus = plus + 1;
        const T mu = part<T>(contact.friction[k - 1]);
        const T mid = T(0.5) * (d.sol_jar[plus] + d.sol_jar[minus]), y = T(0.5) * (d.sol_jar[plus] - d.sol_jar[minus]);
        // cost along y: f+ = mid + y, f- = mid - y
        const T slope = part<T>(d.efc_b[plus]) - part<T>(d.efc_b[minus]) + T(2) * mu * p[k];
        const T curvature = T(4) * mu * mu * d.sol_H[dual_gram(d, b, k, k)];
        const auto flat = curvature < T(minval_v<T>);
        const T best = select(flat, T(0), clamp(y - slope / select(flat, T(1), curvature), T(-mid), mid));
        const T change = best - y;
        d.sol_jar[plus] = mid + best;
        d.sol_jar[minus] = mid - best;
        step.saved -= change * (slope + T(0.5) * curvature * change);
        step.delta[k] = T(2) * mu * change;
        for (int r = 0; r < dim; ++r) p[r] += d.sol_H[dual_gram(d, b, r, k)] * step.delta[k];
    }
    return step;
}

// An elliptic contact: friction within its ellipsoid.
template <class T, class D>
NoslipStep<T> noslip_cone(D& d, int b) {
    const int row = d.block_row[b], n = d.block_dim[b] - 1;
    const auto& contact = d.contact[d.efc_id[row]];
    const T tiny(static_cast<value_t<T>>(1e-10));
    T p[max_block_dim], A[max_friction_dim][max_friction_dim]{}, bc[max_friction_dim]{}, mu[max_friction_dim]{};
    T residual[max_friction_dim]{}, v[max_friction_dim]{};
    dual_product(d, b, p);
    for (int j = 0; j < n; ++j) {
        residual[j] = bc[j] = part<T>(d.efc_b[row + 1 + j]) + p[j + 1];
        mu[j] = part<T>(contact.friction[j]);
        for (int k = 0; k < n; ++k) A[j][k] = d.sol_H[dual_gram(d, b, j + 1, k + 1)];
        A[j][j] = max(A[j][j], tiny);
        for (int k = 0; k < n; ++k) bc[j] -= A[j][k] * d.sol_jar[row + 1 + k];
    }
    const T normal = d.sol_jar[row];
    solve_qcqp(A, bc, mu, normal, n, v, tiny);  // friction that few dofs can move stays as it is, as in MuJoCo
    NoslipStep<T> step{T(0), {}};
    T change[max_friction_dim], cost(0);
    for (int j = 0; j < n; ++j) change[j] = select(normal < T(minval_v<T>), T(0), v[j]) - d.sol_jar[row + 1 + j];
    for (int j = 0; j < n; ++j) {
        T half(0);
        for (int k = 0; k < n; ++k) half += A[j][k] * change[k];
        cost += change[j] * (T(0.5) * half + residual[j]);
    }
    const auto take = cost <= tiny;
    step.delta[0] = T(0);
    for (int j = 0; j < n; ++j) {
        step.delta[j + 1] = select(take, change[j], T(0));
        d.sol_jar[row + 1 + j] += step.delta[j + 1];
    }
    step.saved = select(take, -cost, T(0));
    return step;
}

// Sweeps over the forces in sol_jar; the dual rows must have been made.
template <class M, class D>
void noslip(const M& m, D& d) {
    using T = solver_scalar<D>;
    if (m.opt.noslip_iterations <= 0) return;
    const T tolerance = resolved<T>(m.opt.noslip_tolerance), scale = model_cost_scale<T>(m);
    int most = 0;
    for (int island = 0; island < d.nisland[0]; ++island) {
        dual_reset(m, d, island);
        mask_t<T> done(false);
        int iteration = 0;
        while (!all(done) && iteration < m.opt.noslip_iterations) {
            T saved(0);
            for_each_run(d, island, [&](int, int first, int last) {
                for (int i = first; i < last; ++i) {
                    d.sol_old[i] = d.sol_jar[i];
                    if (iteration == 0) saved += T(0.5) * d.sol_jar[i] * d.sol_jar[i] * part<T>(d.efc_R[i]);
                }
            });
            for_each_block(d, island, [&](int b) {
                const int type = d.efc_type[d.block_row[b]];
                NoslipStep<T> step;
                if (law_of(type) == law::huber)
                    step = noslip_row<T>(d, b);
                else if (type == cnstr::contact_pyramidal)
                    step = noslip_pyramid<T>(d, b);
                else if (type == cnstr::contact_elliptic)
                    step = noslip_cone<T>(d, b);
                else
                    return;
                saved += step.saved;
                dual_add(d, b, step.delta);
            });
            for_each_run(d, island, [&](int, int first, int last) {
                for (int i = first; i < last; ++i) d.sol_jar[i] = select(done, d.sol_old[i], d.sol_jar[i]);
            });
            done = done || saved * scale < tolerance;
            ++iteration;
        }
        if (iteration > most) most = iteration;
    }
    d.solver_niter[0] += most;
}

// The same after a primal solver.
template <class M, class D>
void noslip_after_primal(const M& m, D& d) {
    using T = solver_scalar<D>;
    if (m.opt.noslip_iterations <= 0) return;
    if constexpr (lanes_v<T> > 1) find_islands(m, d);  // the solver has left blocks out
    for (int i = 0; i < d.nefc[0]; ++i) d.sol_jar[i] = part<T>(d.efc_force[i]);
    make_dual_rows(m, d);
    noslip(m, d);
    finish_dual(m, d);
}

}  // namespace mjx
