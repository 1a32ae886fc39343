// Composite rigid body algorithm: the joint-space inertia matrix M (Featherstone 2008, ch. 6.2).
//
// Reads   cinert, cdof
// Writes  crb, M
// M[i][j] = cdof_j · (crb of i's body) cdof_i for each ancestor j of i; other entries of the lower triangle are zero.
#pragma once

#include "mjx/data/work.hpp"
#include "mjx/math/fours.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/stage/actuator_damping.hpp"
#include "mjx/stage/same_frames.hpp"

namespace mjx::inner {

// The row of a dof that stands alone.
template <class M, class D>
void diagonal_row(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const int b = m.dof_bodyid[i], which = m.dof_alone[i], row = m.M_rowadr[i], own = m.M_rownnz[i] - 1;
    for (int c = 0; c < own; ++c) d.M[row + c] = S(0);
    d.M[row + own] = S((which > 3 ? m.body_mass[b] : m.body_inertia[b][which - 1]) + dof_total_armature(m, i));
}

template <class S, class M>
struct CrbaWork {
    WorkPlace<M>* at;
    WorkArray<Vec6<S>, Dim::nv, S, M> momentum{at};  // of what a dof carries when it moves
};

#ifdef __AVX__
// Rows of dof i and of the next, which it moves: they have their ancestors in common.
template <class M, class D>
[[gnu::always_inline]] inline void two_rows(const M& m, D& d, int i, int moving, const Vec6<double>& upper, const Vec6<double>& lower) {
    const int own = m.M_rownnz[i] - 1, *columns = &m.M_colind[m.M_rowadr[i]];
    double *const row = &d.M[m.M_rowadr[i]], *const next = &d.M[m.M_rowadr[i + 1]];
    for (int c = 0; c < moving; ++c) row[c] = upper[3 + c], next[c] = lower[3 + c];
    const DoublePair upper0 = load_two(upper.e), upper1 = load_two(upper.e + 2), upper2 = load_two(upper.e + 4), lower0 = load_two(lower.e),
                     lower1 = load_two(lower.e + 2), lower2 = load_two(lower.e + 4);
    for (int c = moving; c <= own; ++c) {
        const double* axis = d.cdof[columns[c]].e;
        const DoublePair axis0 = load_two(axis), axis1 = load_two(axis + 2), axis2 = load_two(axis + 4),
                         a = (axis0 * upper0 + axis1 * upper1) + axis2 * upper2, b = (axis0 * lower0 + axis1 * lower1) + axis2 * lower2,
                         sums = __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
        row[c] = sums[0];
        next[c] = sums[1];
    }
    row[own] += dof_total_armature(m, i);
    next[own + 1] = dot_of_pairs(d.cdof[i + 1], lower) + dof_total_armature(m, i + 1);
}

// What follows the composite inertias' first values, in registers: momenta four at a time, and products of two numbers each.
template <class M, class D>
void crba_in_fours(const M& m, D& d) {
    for (int b = m.nbody - 1; b > 0; --b) {
        const int parent = m.body_parentid[b];
        if (parent > 0) add_in_quads(d.crb[parent], d.crb[b]);
    }
    const auto w = borrow<CrbaWork>(m, d);
    auto& momentum = w->momentum;
    const auto carried = [&](int i) __attribute__((always_inline)) { return &d.crb[m.dof_bodyid[i]]; };
    over_fours(
        0, m.nv, [&](int i) __attribute__((always_inline)) {
            if (stands_alone(m, i) && stands_alone(m, i + 1) && stands_alone(m, i + 2) && stands_alone(m, i + 3)) return;
            store_four(load_four(*carried(i), *carried(i + 1), *carried(i + 2), *carried(i + 3)) *
                           load_four(d.cdof[i], d.cdof[i + 1], d.cdof[i + 2], d.cdof[i + 3]),
                       momentum[i], momentum[i + 1], momentum[i + 2], momentum[i + 3]);
        });
    for (int i = 0; i < m.nv; ++i) {
        if (stands_alone(m, i)) {
            diagonal_row(m, d, i);
            continue;
        }
        const int own = m.M_rownnz[i] - 1, first = m.M_rowadr[i], *columns = &m.M_colind[first];
        double* const row = &d.M[first];
        const int moving = m.dof_worldaxis[columns[0]] < 0 ? 0 : own < 3 ? own : 3;
        if (own >= 3 && goes_with_next(m, i, m.nv) && !stands_alone(m, i + 1)) {
            two_rows(m, d, i, moving, momentum[i], momentum[i + 1]);
            ++i;
            continue;
        }
        for (int c = 0; c < moving; ++c) row[c] = momentum[i][3 + c];
        for (int c = moving; c < own; ++c) row[c] = dot_of_pairs(d.cdof[columns[c]], momentum[i]);
        row[own] = dot_of_pairs(d.cdof[i], momentum[i]) + dof_total_armature(m, i);
    }
}
#endif

template <class M, class D>
void crba(const M& m, D& d) {
    using S = typename D::scalar;
    for (int b = 0; b < m.nbody; ++b) d.crb[b] = d.cinert[b];
    if constexpr (in_fours<M, D>())
        if (m.nv >= 4) return crba_in_fours(m, d);
    over_bodies_back<S>(m, [&](auto b) {
        if (m.body_parentid[b] > 0) d.crb[m.body_parentid[b]] += d.crb[b];
    });

    // two rows at a time along chains: they have their ancestors in common
    over_dof_pairs<S>(m, [&](auto i, auto rows) {
        if (stands_alone(m, i)) {
            for (int r = 0; r < rows; ++r) diagonal_row(m, d, i + r);
            return;
        }
        const int own = m.M_rownnz[i] - 1, first = m.M_rowadr[i];
        Vec6<S> momentum[rows];
        for (int r = 0; r < rows; ++r) momentum[r] = d.crb[m.dof_bodyid[i + r]] * d.cdof[i + r];
        // the first ancestors may translate along the world's axes: a free joint's dofs 0, 1, 2
        const int moving = m.dof_worldaxis[m.M_colind[first]] < 0 ? 0 : own < 3 ? own : 3;
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < moving; ++c) d.M[m.M_rowadr[i + r] + c] = momentum[r][3 + c];
        for (int c = moving; c < own; ++c) {
            const Vec6<S> axis = d.cdof[m.M_colind[first + c]];
            for (int r = 0; r < rows; ++r) d.M[m.M_rowadr[i + r] + c] = dot(axis, momentum[r]);
        }
        for (int r = 0; r < rows; ++r) {
            const int row = m.M_rowadr[i + r];
            if (r == 1) d.M[row + own] = dot(d.cdof[i], momentum[r]);
            d.M[row + own + r] = dot(d.cdof[i + r], momentum[r]) + dof_total_armature(m, i + r);
        }
    });
}

}  // namespace mjx::inner
