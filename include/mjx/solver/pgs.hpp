// PGS: projected Gauss-Seidel in force space, one contact, limit or equality row at a time, accelerated.
//
// Reads   qacc_smooth, qacc_warmstart, efc_*, qLD
// Writes  efc_b, efc_force, qfrc_constraint, qacc, solver_niter, solver_cost, solver_gradient
//     minimize fᵀ (A + R) f/2 + fᵀ b over forces in their bounds and cones,   A = J M⁻¹ Jᵀ,   b = J qacc_smooth - aref
// A visit to a block computes its residual once and updates its rows in turn: edges of a pyramid by clamping, elliptic contacts
// along their ray and then in the friction plane. Blocks come in an order that is random and that a lane's neighbours have no say in.
// After each sweep the forces move on to the best point in the plane of the sweep's correction and the step before (force_step.hpp), so
// the cost falls in every iteration.
// solver_cost is the cost with opposite sign, which rises to the primal's minimum; solver_gradient is what the last iteration
// gained, scaled as the tolerance.
#pragma once

#include "mjx/solver/contact_cache.hpp"
#include "mjx/solver/force_step.hpp"
#include "mjx/solver/noslip.hpp"
#include "mjx/solver/qcqp.hpp"
#include "mjx/solver/solver.hpp"
#include "mjx/solver/unconstrained.hpp"

#include <cstdint>

namespace mjx::inner {

// Moves a force to where its row comes to rest, or to a bound: by minus the residual times the inverse of the diagonal. Gives the change. A
// force at its bound is exactly there, since a residual of any size pushes it, and what rounding leaves would count as a gain.
template <class T, class D>
T move_row(D& d, int row, int which, const T& residual) {
    T& f = forces(d).force[row];
    const T free = -residual * forces(d).inverse[row], from = f;
    if (which == law::huber) {
        const T loss = part<T>(d.efc_frictionloss[row]);
        f = clamp(T(from + free), T(-loss), loss);
        return f - from;
    }
    const T change = which == law::unilateral ? T(max(free, T(-from))) : free;
    f += change;
    return change;
}

// f(row) for each of `rows`: one after the other in the code if their number is a constant.
template <class F>
[[gnu::always_inline]] inline void over_rows(auto rows, F&& f) {
    if constexpr (std::is_same_v<decltype(rows), int>)
        for (int r = 0; r < rows; ++r) f(r);
    else
        unrolled<decltype(rows)::value>(f);
}

// Row by row: `rows` of them with their residuals q and coupling(i, j), the entry of A between two of them. Gives their changes, and the
// drop in cost.
template <class T, class D, class Coupling>
[[gnu::always_inline]] inline T update_rows(D& d, int row, auto rows, int which, T* q, Coupling&& coupling, T* change) {
    T saved(0);
    const auto update = [&](auto j) __attribute__((always_inline)) {
        const T moved = change[j] = move_row(d, row + j, which, q[j]);
        saved -= moved * (T(0.5) * (coupling(j, j) + part<T>(d.efc_R[row + j])) * moved + q[j]);
        const auto couple = [&](auto i) __attribute__((always_inline)) {
            if (i > j) q[i] += coupling(i, j) * moved;
        };
        over_rows(rows, couple);
    };
    over_rows(rows, update);
    return saved;
}
template <class T, class D>
T row_offset(const D& d, int row) {
    return part<T>(d.efc_b[row]) + part<T>(d.efc_R[row]) * forces(d).force[row];
}

// A block of single rows, and the edges of a pyramid: rows 2 k and 2 k + 1 are the block's first row plus and minus its row k + 1. p is the
// block's Y z, A its own part of A. Gives the change of its own forces, and the drop in cost.
template <class T, class D>
[[gnu::always_inline]] inline T update_singles(D& d, int row, auto dim, int which, const T* p, const T* A, T* delta) {
    T q[max_block_dim];
    for (int r = 0; r < dim; ++r) q[r] = row_offset<T>(d, row + r) + p[r];
    const auto coupling = [&](int i, int j) { return A[i * dim + j]; };
    return update_rows(d, row, dim, which, q, coupling, delta);
}
template <class T, class D>
[[gnu::always_inline]] inline T update_pyramid(D& d, int row, auto dim, auto edges, const T* p, const T* A, T* delta) {
    T q[max_force_rows], change[max_force_rows]{};  // zeros where a compiler cannot see that all are written
    for (int k = 1; k < dim; ++k) {
        q[2 * k - 2] = row_offset<T>(d, row + 2 * k - 2) + (p[0] + p[k]);
        q[2 * k - 1] = row_offset<T>(d, row + 2 * k - 1) + (p[0] - p[k]);
    }
    const auto coupling = [&](int i, int j) __attribute__((always_inline)) {
        const int k = i / 2 + 1, l = j / 2 + 1;
        const T first = j % 2 == 0 ? A[0] + A[l] : A[0] - A[l];
        const T other = j % 2 == 0 ? A[k * dim] + A[k * dim + l] : A[k * dim] - A[k * dim + l];
        return i % 2 == 0 ? T(first + other) : T(first - other);
    };
    const T saved = update_rows(d, row, edges, law::unilateral, q, coupling, change);
    pyramid_to_base(dim, change, delta);
    return saved;
}

// The normal force at the best point along the ray of a contact's force; from zero, along the ray on which the cost falls fastest.
template <class T, class C>
T normal_along_ray(const T (&A)[max_block_dim][max_block_dim], const T (&residual)[max_block_dim], const T (&old)[max_block_dim],
                   const C& contact, int dim) {
    const T tiny(minval_v<T>);
    T slide(0), ray[max_block_dim];
    for (int j = 1; j < dim; ++j) {
        const T scaled = residual[j] * part<T>(contact.friction[j - 1]);
        slide += scaled * scaled;
    }
    slide = sqrt(slide);
    const auto at_zero = old[0] < T(static_cast<value_t<T>>(1e-10));
    const auto slides = slide > tiny;
    ray[0] = select(at_zero, T(1), old[0]);
    for (int j = 1; j < dim; ++j) {
        const T mu_j = part<T>(contact.friction[j - 1]);
        const T steepest = select(slides, -mu_j * mu_j * residual[j] / select(slides, slide, T(1)), T(0));
        ray[j] = select(at_zero, steepest, old[j]);
    }
    T curvature(0), slope(0);
    for (int r = 0; r < dim; ++r) {
        T Av(0);
        for (int s = 0; s < dim; ++s) Av += A[r][s] * ray[s];
        curvature += ray[r] * Av;
        slope += ray[r] * residual[r];
    }
    const T length = -slope / max(curvature, T(tiny * tiny));
    return select(at_zero, max(length, T(0)), old[0] * (T(1) + max(length, T(-1))));
}

// An elliptic contact: first along the ray of its force, then friction at fixed normal force. Gives the drop in cost.
template <class T, class D>
T update_cone(D& d, int row, int dim, const T* p, const T* own, T* delta) {
    const auto& contact = d.contact[d.efc_id[row]];
    const T tiny(minval_v<T>);
    T A[max_block_dim][max_block_dim], old[max_block_dim]{}, f[max_block_dim], residual[max_block_dim];
    for (int r = 0; r < dim; ++r) {
        old[r] = f[r] = forces(d).force[row + r];
        for (int s = 0; s < dim; ++s) A[r][s] = own[r * dim + s];
        A[r][r] += part<T>(d.efc_R[row + r]);
        residual[r] = part<T>(d.efc_b[row + r]) + part<T>(d.efc_R[row + r]) * old[r] + p[r];
    }
    f[0] = normal_along_ray(A, residual, old, contact, dim);
    // friction at this normal force
    T Ac[max_friction_dim][max_friction_dim]{}, bc[max_friction_dim]{}, mu[max_friction_dim]{}, v[max_friction_dim]{};
    for (int j = 1; j < dim; ++j) {
        bc[j - 1] = residual[j] + A[j][0] * (f[0] - old[0]);
        mu[j - 1] = part<T>(contact.friction[j - 1]);
        for (int k = 1; k < dim; ++k) {
            Ac[j - 1][k - 1] = A[j][k];
            bc[j - 1] -= A[j][k] * old[k];
        }
    }
    solve_qcqp(Ac, bc, mu, f[0], dim - 1, v);
    const auto pressed = f[0] >= tiny;
    for (int j = 1; j < dim; ++j) f[j] = select(pressed, v[j - 1], T(0));
    T change(0);
    for (int r = 0; r < dim; ++r) {
        T half(0);
        for (int s = 0; s < dim; ++s) half += A[r][s] * (f[s] - old[s]);
        change += (f[r] - old[r]) * (T(0.5) * half + residual[r]);
    }
    // a step uphill (the friction part is approximate) is not taken
    const auto take = change <= T(0) && part<T>(d.efc_D[row]) > T(0);
    for (int r = 0; r < dim; ++r) {
        forces(d).force[row + r] = select(take, f[r], old[r]);
        delta[r] = forces(d).force[row + r] - old[r];
    }
    return select(take, -change, T(0));
}

template <class T, class D>
T update_block(D& d, int b) {
    const int row = d.block_row[b], type = d.efc_type[row], which = law_of(type);
    const T* const A = &forces(d).Y[force_gram(d, b, 0, 0)];
    T p[max_block_dim], delta[max_block_dim], saved(0);
    force_product(d, b, p);
    if (may_have_cones<D>() && which == law::cone) {
        saved = update_cone(d, row, d.block_dim[b], p, A, delta);
        force_add(d, b, delta);
        return saved;
    }
    with_force_dim(d.block_dim[b], [&](auto dim, auto edges) {
        saved = type == cnstr::contact_pyramidal ? update_pyramid(d, row, dim, edges, p, A, delta)
                                                 : update_singles(d, row, dim, which, p, A, delta);
        mask_t<T> moved(false);
        for (int r = 0; r < dim; ++r) moved = delta[r] != T(0) || moved;
        if (any(moved)) force_add(d, b, dim, delta);
    });
    return saved;
}

// Inverses of the diagonal of A + R. Lanes without a row have none, and no force.
template <class T, class D>
void invert_diagonal(D& d) {
    for (int b = 0; b < d.nblock; ++b) {
        const int row = d.block_row[b], dim = d.block_dim[b], step = dim + 1;
        const T* const A = &forces(d).Y[force_gram(d, b, 0, 0)];
        const auto invert = [&](int i, const T& diagonal) {
            const auto there = part<T>(d.efc_D[i]) > T(0);
            forces(d).inverse[i] = select(there, T(1) / (diagonal + part<T>(d.efc_R[i])), T(0));
            forces(d).force[i] = select(there, forces(d).force[i], T(0));
        };
        if (is_pyramid(d, b)) {
            for (int k = 1; k < dim; ++k) {
                invert(row + 2 * k - 2, A[0] + (T(2) * A[k] + A[k * step]));
                invert(row + 2 * k - 1, A[0] + (A[k * step] - T(2) * A[k]));
            }
        } else {
            for (int r = 0; r < dim; ++r) invert(row + r, A[r * step]);
        }
    }
}

// Forces at qacc_warmstart, or none where those are worse.
template <class M, class D>
void warm_start_forces(const M& m, D& d) {
    using T = solver_scalar<D>;
    residuals(d, d.qacc_smooth, forces(d).before);
    for (int i = 0; i < d.nefc; ++i) d.efc_b[i] = forces(d).before[i];
    if (m.opt.disabled(disable::warmstart)) {
        for (int i = 0; i < d.nefc; ++i) forces(d).force[i] = T(0);
        return;
    }
    residuals(d, d.qacc_warmstart, forces(d).force);
    Ignored weight;
    apply_laws<T>(d, forces(d).force, forces(d).force, weight);
    T cost(0);
    for_each_island(m, d, [&](int island, const mask_t<T>& lanes) {
        force_reset(m, d, island);
        cost += select(lanes, force_cost(m, d, island), T(0));
    });
    const auto worse = cost > T(0);
    for (int i = 0; i < d.nefc; ++i) forces(d).force[i] = select(worse, T(0), forces(d).force[i]);
}

// Of a block, whatever other blocks there are: its kind, what it belongs to, and which of several contacts of two geoms it is.
template <class D>
std::uint64_t block_key(const D& d, int b) {
    const int row = d.block_row[b], type = d.efc_type[row], id = d.efc_id[row];
    std::uint64_t key = static_cast<std::uint64_t>(type + 1) << 56;
    if (type < cnstr::contact_frictionless) {
        key += static_cast<std::uint64_t>(id);
    } else {
        const auto& contact = d.contact[id];
        int twin = 0;
        while (twin < id && d.contact[id - twin - 1].geom1 == contact.geom1 && d.contact[id - twin - 1].geom2 == contact.geom2) ++twin;
        key += (static_cast<std::uint64_t>(contact.geom1 + 1) << 28) + (static_cast<std::uint64_t>(contact.geom2 + 1) << 6) +
               static_cast<std::uint64_t>(twin & 63);
    }
    return key;
}

// The order of sweeps: random, since in an order of the rows' own errors travel along those that are coupled in that order, and another
// after a few sweeps; between, the steps after sweeps are those of conjugate gradients with one preconditioner. As when cards are shuffled
// backward, some blocks go before the others, both in the order they had. Which of two comes first follows from these two alone: a lane,
// whose own blocks alone matter to it, is swept the same whatever blocks its neighbours bring.
template <class D>
class SweepOrder {
  public:
    SweepOrder(D& d, int island) : block_(forces(d).order.data()), spare_(forces(d).spare.data()), key_(forces(d).key.data()) {
        for_each_block(d, island, [&](int b) {
            block_[count_++] = b;
            key_[b] = mixed(mixed(block_key(d, b)));
        });
        for (int pass = 0; pass < passes_at_first; ++pass) shuffle();
    }
    void next_sweep() {
        if (++sweeps_ % sweeps_alike == 0) shuffle();
    }
    int count() const { return count_; }
    int operator[](int k) const { return block_[k]; }

  private:
    static constexpr int passes_at_first = 6, sweeps_alike = 3;
    int *block_, *spare_;
    std::uint64_t* key_;
    int count_ = 0, sweeps_ = 0, bit_ = 0;

    static std::uint64_t mixed(std::uint64_t key) { return (key ^ (key >> 31)) * 0x9e3779b97f4a7c15u; }  // splitmix64's constant
    void shuffle() {
        bit_ = (bit_ + 63) % 64;  // the highest are mixed best
        int before = 0, after = 0;
        for (int k = 0; k < count_; ++k) {
            const int b = block_[k], goes_after = static_cast<int>(key_[b] >> bit_ & 1);
            block_[before] = spare_[after] = b;
            after += goes_after;
            before += 1 - goes_after;
        }
        for (int k = 0; k < after; ++k) block_[before + k] = spare_[k];
    }
};

// `Cached`: contacts start from the forces of the step before (contact_cache.hpp) instead of those at qacc_warmstart.
template <bool Cached>
struct BasicPGS : SolverDefaults {
    static constexpr int type = Cached ? solver_type::cached_pgs : solver_type::pgs;
    static constexpr const char* name = solver_names[type];
    static constexpr bool remembers_contacts = Cached, minimizes_cost = true;
    template <class S, class M>
    using work = ForceWork<S, M>;

    template <class M, class D>
    static void solve(const M& m, D& d) {
        settle(m, d);
        if (Cached) remember_contacts(d);
    }
    template <class M, class D>
    static void settle(const M& m, D& d) {
        if (d.nefc == 0) return solve_unconstrained(m, d);
        const auto w = borrow<ForceWork>(m, d);
        find_islands(m, d);
        make_force_rows(m, d);
        warm_start_forces(m, d);
        if (Cached && !m.opt.disabled(disable::warmstart)) use_cache(m, d);
        invert_diagonal<solver_scalar<D>>(d);
        d.solver_niter = 0;
        d.solver_cost = d.solver_gradient = typename D::scalar(0);
        for_each_island(m, d, [&](int island, const auto& lanes) { solve_island(m, d, island, lanes); });
        finish_forces_with_noslip(m, d);
    }

  private:
    template <class M, class D>
    static void use_cache(const M& m, D& d) {
        using T = solver_scalar<D>;
        for (int b = 0; b < d.nblock; ++b) {
            const int row = d.block_row[b], dim = d.block_dim[b];
            if (d.efc_type[row] < cnstr::contact_frictionless) continue;
            const Vec6<T> f = cached_force(d, b) * part<T>(m.opt.warm_start_factor);
            if (!is_pyramid(d, b)) {
                for (int r = 0; r < dim; ++r) forces(d).force[row + r] = f[r];
                continue;
            }
            const auto& contact = d.contact[d.efc_id[row]];
            for (int k = 1; k < dim; ++k) {
                const T share = f[0] / T(static_cast<value_t<T>>(dim - 1)), tangent = f[k] / part<T>(contact.friction[k - 1]);
                forces(d).force[row + 2 * k - 2] = max(T(0.5) * (share + tangent), T(0));
                forces(d).force[row + 2 * k - 1] = max(T(0.5) * (share - tangent), T(0));
            }
        }
    }

    // Lanes whose island is another stay as they are.
    template <class M, class D, class Mask>
    static void solve_island(const M& m, D& d, int island, const Mask& lanes) {
        using S = typename D::scalar;
        using T = solver_scalar<D>;
        const T scale = cost_scale(m, d, island), tolerance = resolved<T>(m.opt.tolerance);
        begin_force_steps(m, d, island);
        mask_t<T> done(!lanes);
        T gain(0);
        ForceSteps<T> steps;
        SweepOrder order(d, island);
        int iteration = 0;
        while (!all(done) && iteration < m.opt.iterations) {
            gain = T(0);
            for (int k = 0; k < order.count(); ++k) gain += update_block<T>(d, order[k]);
            gain += take_force_step(m, d, island, done, gain, steps);
            done = done || gain * scale < tolerance;
            order.next_sweep();
            ++iteration;
        }
        if (iteration > d.solver_niter) d.solver_niter = iteration;
        d.solver_cost -= S(select(lanes, force_cost(m, d, island), T(0)));
        d.solver_gradient = max(d.solver_gradient, S(select(lanes, gain * scale, T(0))));
    }
};

using PGS = BasicPGS<false>;
using CachedPGS = BasicPGS<true>;

}  // namespace mjx::inner
