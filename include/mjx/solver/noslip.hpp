// Noslip: after the main solver, friction forces are improved as if friction were not regularized, at fixed normal forces.
//
// Reads   forces of all rows, efc_b, Y (force_rows.hpp); with derivatives efc_aref, efc_J, qLD
// Writes  the forces, solver_niter; with derivatives efc_force, qacc, qfrc_constraint
// Regularization lets contacts creep; these sweeps of projected Gauss-Seidel with R = 0 over friction alone suppress it (MuJoCo,
// computation chapter, "noslip"). They end before a minimum, so their derivatives are taken step by step: duals sweep in their own
// arithmetic, from the main solver's forces and accelerations with derivatives, and have no use for Y.
#pragma once

#include "mjx/model/facts.hpp"
#include "mjx/solver/force_rows.hpp"
#include "mjx/solver/qcqp.hpp"

namespace mjx::inner {

template <class M>
constexpr bool may_sweep() {
    return may<M>([](const auto& m) { return m.opt.noslip_iterations > 0; });
}

template <class S, class M>
struct NoslipWork {
    WorkPlace<M>* at;
    WorkArray<S, Dim::nv, S, M> response{at};  // M⁻¹ times a force
};

// The rows as a sweep sees them. The residual of row i is offset(i) plus what product() says of its block; edges of a pyramid are its first
// row plus and minus edge() times another.
template <class D>
struct NoslipValues {
    using T = solver_scalar<D>;
    D& d;

    template <class M>
    void begin_island(const M& m, int island) {
        force_reset(m, d, island);
    }
    void begin_block(int) {}
    T& force(int i) { return forces(d).force[i]; }
    T offset(int i) const { return part<T>(d.efc_b[i]); }
    void product(int b, T* p) const { force_product(d, b, p); }
    T gram(int b, int r, int s) const { return forces(d).Y[force_gram(d, b, r, s)]; }
    template <class C>
    T edge(const C&, int) const {
        return T(1);  // friction is in the rows of Y
    }
    void add(int b, const T* delta) { force_add(d, b, delta); }
};
// The same in dual arithmetic: J qacc - aref are the residuals, and a force changes qacc.
template <class M, class D>
struct NoslipDuals {
    using T = typename D::scalar;
    const M& m;
    D& d;
    T own[max_block_dim][max_block_dim];  // the present block's part of J M⁻¹ Jᵀ

    void begin_island(const M&, int) {}
    void begin_block(int b) {
        const int dim = d.block_dim[b];
        for (int r = 0; r < dim; ++r) {
            T unit[max_block_dim]{}, column[max_block_dim];
            unit[r] = T(1);
            accelerate(b, unit);
            block_product<T>(d, b, noslip_work(d).response, column);
            for (int s = 0; s < dim; ++s) own[s][r] = column[s];
        }
    }
    T& force(int i) { return d.efc_force[i]; }
    T offset(int i) const { return -d.efc_aref[i]; }
    void product(int b, T* p) const { block_product<T>(d, b, d.qacc, p); }
    T gram(int, int r, int s) const { return own[r][s]; }
    template <class C>
    T edge(const C& contact, int k) const {
        return part<T>(contact.friction[k - 1]);
    }
    void add(int b, const T* delta) {
        accelerate(b, delta);
        for (int i = 0; i < m.nv; ++i) d.qacc[i] += noslip_work(d).response[i];
    }

  private:
    // response = M⁻¹ Jᵀ p for the block's rows
    void accelerate(int b, const T* p) {
        for (int i = 0; i < m.nv; ++i) noslip_work(d).response[i] = T(0);
        block_transpose<T>(d, b, p, noslip_work(d).response);
        solve_ldl(m, d.qLD, d.qLDiagInv, noslip_work(d).response);
    }
};

template <class T>
struct NoslipStep {
    T saved;
    T delta[max_block_dim];
};

// A row of dry friction. Lanes that are done stay as they are, here and below.
template <class D, class Rows, class T = typename Rows::T>
NoslipStep<T> noslip_row(const D& d, Rows& rows, int b, const mask_t<T>& done) {
    const int row = d.block_row[b];
    T p[max_block_dim];
    rows.product(b, p);
    const T residual = rows.offset(row) + p[0], A = max(rows.gram(b, 0, 0), T(minval_v<T>));
    const T loss = part<T>(d.efc_frictionloss[row]), f = rows.force(row);
    NoslipStep<T> step;
    rows.force(row) = select(done, f, clamp(T(f - residual / A), T(-loss), loss));
    step.delta[0] = rows.force(row) - f;
    step.saved = -step.delta[0] * (T(0.5) * step.delta[0] * A + residual);
    return step;
}

// A pyramid: each pair of opposing edges shares what it has, so that its normal force stays.
template <class D, class Rows, class T = typename Rows::T>
NoslipStep<T> noslip_pyramid(const D& d, Rows& rows, int b, const mask_t<T>& done) {
    const int row = d.block_row[b], dim = d.block_dim[b];
    const auto& contact = d.contact[d.efc_id[row]];
    NoslipStep<T> step{T(0), {}};
    T p[max_block_dim];
    rows.product(b, p);
    for (int r = 0; r < dim; ++r) step.delta[r] = T(0);
    for (int k = 1; k < dim; ++k) {
        const int plus = row + 2 * k - 2, minus = plus + 1;
        const T mu = rows.edge(contact, k);
        const T mid = T(0.5) * (rows.force(plus) + rows.force(minus)), y = T(0.5) * (rows.force(plus) - rows.force(minus));
        // cost along y: f+ = mid + y, f- = mid - y
        const T slope = rows.offset(plus) - rows.offset(minus) + T(2) * mu * p[k];
        const T curvature = T(4) * mu * mu * rows.gram(b, k, k);
        const auto flat = curvature < T(minval_v<T>);
        const T best = select(flat, T(0), clamp(T(y - slope / select(flat, T(1), curvature)), T(-mid), mid));
        const T change = select(done, T(0), T(best - y));
        rows.force(plus) = select(done, rows.force(plus), T(mid + best));
        rows.force(minus) = select(done, rows.force(minus), T(mid - best));
        step.saved -= change * (slope + T(0.5) * curvature * change);
        step.delta[k] = T(2) * mu * change;
        for (int r = 0; r < dim; ++r) p[r] += rows.gram(b, r, k) * step.delta[k];
    }
    return step;
}

// An elliptic contact: friction within its ellipsoid.
template <class D, class Rows, class T = typename Rows::T>
NoslipStep<T> noslip_cone(const D& d, Rows& rows, int b, const mask_t<T>& done) {
    const int row = d.block_row[b], n = d.block_dim[b] - 1;
    const auto& contact = d.contact[d.efc_id[row]];
    const T tiny(static_cast<value_t<T>>(1e-10));
    T p[max_block_dim], A[max_friction_dim][max_friction_dim]{}, bc[max_friction_dim]{}, mu[max_friction_dim]{};
    T residual[max_friction_dim]{}, v[max_friction_dim]{};
    rows.product(b, p);
    for (int j = 0; j < n; ++j) {
        residual[j] = bc[j] = rows.offset(row + 1 + j) + p[j + 1];
        mu[j] = part<T>(contact.friction[j]);
        for (int k = 0; k < n; ++k) A[j][k] = rows.gram(b, j + 1, k + 1);
        A[j][j] = max(A[j][j], tiny);
        for (int k = 0; k < n; ++k) bc[j] -= A[j][k] * rows.force(row + 1 + k);
    }
    const T normal = rows.force(row);
    solve_qcqp(A, bc, mu, normal, n, v, tiny);  // friction that few dofs can move stays as it is, as in MuJoCo
    NoslipStep<T> step{T(0), {}};
    T change[max_friction_dim], cost(0);
    for (int j = 0; j < n; ++j) change[j] = select(normal < T(minval_v<T>), T(0), v[j]) - rows.force(row + 1 + j);
    for (int j = 0; j < n; ++j) {
        T half(0);
        for (int k = 0; k < n; ++k) half += A[j][k] * change[k];
        cost += change[j] * (T(0.5) * half + residual[j]);
    }
    const auto take = cost <= tiny && !done;
    step.delta[0] = T(0);
    for (int j = 0; j < n; ++j) {
        step.delta[j + 1] = select(take, change[j], T(0));
        rows.force(row + 1 + j) += step.delta[j + 1];
    }
    step.saved = select(take, -cost, T(0));
    return step;
}

template <class M, class D, class Rows>
void noslip_sweeps(const M& m, D& d, Rows rows) {
    using T = typename Rows::T;
    const T tolerance = resolved<T>(m.opt.noslip_tolerance), scale = model_cost_scale<T>(m);
    int most = 0;
    for_each_island(m, d, [&](int island, const auto& lanes) {
        rows.begin_island(m, island);
        mask_t<T> done(!lanes);
        int iteration = 0;
        while (!all(done) && iteration < m.opt.noslip_iterations) {
            T saved(0);
            for_each_run(d, island, [&](int, int first, int last) {
                for (int i = first; i < last && iteration == 0; ++i) saved += T(0.5) * rows.force(i) * rows.force(i) * part<T>(d.efc_R[i]);
            });
            for_each_block(d, island, [&](int b) {
                const int type = d.efc_type[d.block_row[b]];
                const bool huber = law_of(type) == law::huber, pyramid = type == cnstr::contact_pyramidal;
                if (!huber && !pyramid && type != cnstr::contact_elliptic) return;
                rows.begin_block(b);
                const NoslipStep<T> step = huber     ? noslip_row(d, rows, b, done)
                                           : pyramid ? noslip_pyramid(d, rows, b, done)
                                                     : noslip_cone(d, rows, b, done);
                saved += step.saved;
                rows.add(b, step.delta);
            });
            done = done || saved * scale < tolerance;
            ++iteration;
        }
        if (iteration > most) most = iteration;
    });
    d.solver_niter += most;
}

// After a solver in force space, whose rows are made: noslip and the end of the solve.
template <class M, class D>
void finish_forces_with_noslip(const M& m, D& d) {
    using S = typename D::scalar;
    const bool sweeps = m.opt.noslip_iterations > 0;
    if constexpr (has_derivative<S>) {
        finish_forces(m, d);
        if (!sweeps) return;
        noslip_sweeps(m, d, NoslipDuals<M, D>{m, d, {}});
        jacobian_transpose_product<S>(m, d, d.efc_force, d.qfrc_constraint);
    } else {
        if (sweeps) noslip_sweeps(m, d, NoslipValues<D>{d});
        finish_forces(m, d);
    }
}

// The same after a primal solver.
template <class M, class D>
void sweep_after_primal(const M& m, D& d) {
    using S = typename D::scalar;
    using T = solver_scalar<D>;
    if constexpr (has_derivative<S>) {
        const auto w = borrow<SolverWork>(m, d);
        find_islands(m, d);
        noslip_sweeps(m, d, NoslipDuals<M, D>{m, d, {}});
        jacobian_transpose_product<S>(m, d, d.efc_force, d.qfrc_constraint);
    } else {
        const auto w = borrow<ForceWork>(m, d);
        find_islands(m, d);
        for (int i = 0; i < d.nefc; ++i) w->force[i] = part<T>(d.efc_force[i]);
        make_force_rows(m, d);
        finish_forces_with_noslip(m, d);
    }
}
template <class M, class D>
void noslip_after_primal(const M& m, D& d) {
    if constexpr (may_sweep<M>())
        if (m.opt.noslip_iterations > 0 && d.nefc > 0) sweep_after_primal(m, d);
}

}  // namespace mjx::inner
