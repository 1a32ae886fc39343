// Newton's Hessian H = M + Jᵀ W J: its entries and its factor, in the sparsity of the kinematic trees.
//
// Reads   M, efc_J, weight (W of the rows in a quadratic zone), jar (for the middle zone of elliptic cones), the pattern
// Writes  H, the weights in it, its factor L and DiagInv
// Row i holds columns j ≤ i, the diagonal last; H = LᵀDL is eliminated from the last dof to the first, as M is.
#pragma once

#include "mjx/solver/eliminate_blocks.hpp"
#include "mjx/solver/hessian_pattern.hpp"

namespace mjx::inner {

// The curvature of a block in its own dim rows. It is a full matrix only in the middle zone of an elliptic cone; otherwise row and
// column 0 and the diagonal hold all of it. Lanes in `done` do not care.
enum class Curvature { none, arrow, full };

template <class T, class D, class Weight>
Curvature block_curvature(const D& d, int block, T (&W)[max_block_dim][max_block_dim], const mask_t<T>& done, Weight&& weight) {
    const int row = d.block_row[block], dim = d.block_dim[block], type = d.efc_type[row];
    mask_t<T> counts(false);
    if (type == cnstr::contact_pyramidal) {
        const auto& contact = d.contact[d.efc_id[row]];
        W[0][0] = T(0);
        for (int k = 1; k < dim; ++k) {
            const T plus = weight(row + 2 * k - 2), minus = weight(row + 2 * k - 1);
            const T mu = part<T>(contact.friction[k - 1]), sum = plus + minus;
            counts = counts || plus != T(0) || minus != T(0);
            W[0][0] += sum;
            W[0][k] = W[k][0] = mu * (plus - minus);
            W[k][k] = mu * mu * sum;
        }
        return any(counts && !done) ? Curvature::arrow : Curvature::none;
    }
    for (int r = 0; r < dim; ++r) {
        for (int s = 0; s < dim; ++s) W[r][s] = T(0);
        W[r][r] = weight(row + r);
        counts = counts || W[r][r] != T(0);
    }
    if (type == cnstr::contact_elliptic) {
        const ConeResponse<T> c = cone_response<T>(d, row, primal(d).jar);
        if (any(c.middle && !done)) {
            add_cone_hessian(c, W);
            return Curvature::full;
        }
    }
    return any(counts && !done) ? Curvature::arrow : Curvature::none;
}

// How many columns of a block come after the others in the order of elimination although they are before them in the block: those of
// the first of its two trees, or none.
template <class P, class D>
int late_columns(const P& pattern, const D& d, int block) {
    const int nnz = d.block_nnz[block], *column = &d.efc_J_colind[d.block_J[block]];
    if (pattern.in_order(column[0], column[nnz - 1])) return 0;
    int late = 1;
    while (pattern.in_order(column[0], column[late])) ++late;
    return late;
}

// H += Jᵀ W J for one block: row by row of H, against the columns of the block that come before.
template <class T, int Dim, class P, class D>
void add_block_hessian(const P& pattern, D& d, int block, const T (&W)[max_block_dim][max_block_dim], Curvature kind) {
    const int nnz = d.block_nnz[block], adr = d.block_J[block], late = late_columns(pattern, d, block);
    const auto* J = &d.efc_J[adr];
    const std::remove_cvref_t<decltype(*J)>* rows[Dim];
    for (int r = 0; r < Dim; ++r) rows[r] = J + r * nnz;
    for (int c = 0; c < nnz; ++c) {
        T w[Dim];
        for (int r = 0; r < Dim; ++r) w[r] = W[r][0] * part<T>(J[c]);
        if (kind == Curvature::arrow)
            for (int s = 1; s < Dim; ++s) {
                const T J_s = part<T>(J[s * nnz + c]);
                w[0] += W[0][s] * J_s;
                w[s] += W[s][s] * J_s;
            }
        else
            for (int r = 0; r < Dim; ++r)
                for (int s = 1; s < Dim; ++s) w[r] += W[r][s] * part<T>(J[s * nnz + c]);
        const int i = d.efc_J_colind[adr + c], diagonal = pattern.rowadr(i) + pattern.rownnz(i) - 1;
        const auto entry = [&](int k) {
            T sum = w[0] * part<T>(J[k]);
            for (int r = 1; r < Dim; ++r) sum += w[r] * part<T>(J[r * nnz + k]);
            return sum;
        };
        if (late == 0 && c < pattern.rownnz(i) && pattern.colind(diagonal - c) == d.efc_J_colind[adr]) {
            add_rows<Dim>(&hessian(d).H[diagonal - c], rows, w, c + 1);
        } else {
            int at = pattern.rowadr(i);
            const auto add = [&](int k, int last) {
                for (; k <= last; ++k) {
                    while (pattern.colind(at) != d.efc_J_colind[adr + k]) ++at;
                    hessian(d).H[at] += entry(k);
                }
            };
            if (c < late) add(late, nnz - 1);
            add(c < late ? 0 : late, c);
        }
    }
}

// Row i of M, or of its factor, as row i of a matrix with the pattern of H.
template <class M, class P, class From, class To>
void copy_tree_row(const M& m, const P& pattern, int i, const From& from, To& to) {
    using T = std::remove_cvref_t<decltype(to[0])>;
    const int nnz = pattern.rownnz(i), adr = m.M_rowadr[i], count = m.M_rownnz[i];
    if (nnz == count) {
        for (int k = 0; k < nnz; ++k) to[pattern.place(i, k)] = part<T>(from[adr + k]);
        return;
    }
    int k = 0;
    for (int c = 0; c < nnz; ++c) {
        const bool in_M = m.M_colind[adr + k] == pattern.column(i, c);
        to[pattern.place(i, c)] = in_M ? part<T>(from[adr + k]) : T(0);
        k += in_M;
    }
}

// H += Jᵀ W J for all blocks of an island, with W from the weights of the rows that H does not have yet. Lanes that are done get some
// part of it.
template <bool Fresh, class M, class D, class P, class Mask>
void add_curvature(const M&, D& d, int island, const P& pattern, const Mask& done) {
    using T = value_part_t<typename D::scalar>;
    for_each_block(d, island, [&](int b) {
        T W[max_block_dim][max_block_dim];
        const Curvature kind = block_curvature<T>(d, b, W, done, [&](int i) {
            if constexpr (Fresh)
                return primal(d).weight[i];
            else
                return T(primal(d).weight[i] - hessian(d).weight[i]);
        });
        if (!Fresh && kind == Curvature::none) return;
        for (int i = d.block_row[b]; i < d.block_row[b] + block_rows(d, b); ++i)
            hessian(d).weight[i] = kind == Curvature::none ? T(0) : primal(d).weight[i];
        if (kind == Curvature::none) return;
        switch (d.block_dim[b]) {
            case 1: return add_block_hessian<T, 1>(pattern, d, b, W, kind);
            case 3: return add_block_hessian<T, 3>(pattern, d, b, W, kind);
            case 4: return add_block_hessian<T, 4>(pattern, d, b, W, kind);
            default: return add_block_hessian<T, 6>(pattern, d, b, W, kind);
        }
    });
}
template <class M, class D, class P, class Mask>
void assemble_hessian(const M& m, D& d, int island, const P& pattern, const Mask& done) {
    for_each_dof(m, d, island, [&](int i) { copy_tree_row(m, pattern, i, d.M, hessian(d).H); });
    add_curvature<true>(m, d, island, pattern, done);
}

// H follows the weights of the rows from those in it: few change from one iteration to the next. Not for elliptic cones.
template <class M, class D, class P, class Mask>
void update_hessian(const M& m, D& d, int island, const P& pattern, const Mask& done) {
    add_curvature<false>(m, d, island, pattern, done);
}
template <class D>
bool has_elliptic_blocks(const D& d, int island) {
    bool found = false;
    for_each_run(d, island, [&](int which, int, int) { found = found || which == law::cone; });
    return found;
}

// The factor of rows that follow each other starts as a copy of H.
template <class D, class P>
void copy_rows(D& d, const P& pattern, int first, int last) {
    for (int k = pattern.rowadr(first); k < pattern.rowadr(last) + pattern.rownnz(last); ++k) hessian(d).L[k] = hessian(d).H[k];
}

// H = LᵀDL in L, and x ← L⁻ᵀ x: the elimination of a row hides the latency of its step in x.
template <class M, class D, class P, class X>
void factor_hessian(const M& m, D& d, int island, const P& pattern, X& x) {
    using T = value_part_t<typename D::scalar>;
    for_each_dof_range(m, d, island, [&](int first, int last) { copy_rows(d, pattern, first, last - 1); });
    for (int k = d.island_treeadr[island] + d.island_treenum[island] - 1; k >= d.island_treeadr[island]; --k) {
        const int first = m.tree_dofadr[d.island_tree[k]];
        for (int i = first + m.tree_dofnum[d.island_tree[k]] - 1; i >= first;) i -= eliminate<T>(d, pattern, i, first, x);
    }
}

// The rest of x ← H⁻¹ x: D⁻¹, then L⁻¹.
template <class M, class D, class P, class X>
void finish_solve(const M& m, const D& d, int island, const P& pattern, X& x) {
    for_each_dof(m, d, island, [&](int i) {
        const int adr = pattern.rowadr(i), last = pattern.rownnz(i) - 1;
        auto xi = x[i] * hessian(d).DiagInv[i];
        for (int c = 0; c < last; ++c) xi -= hessian(d).L[adr + c] * x[pattern.colind(adr + c)];
        x[i] = xi;
    });
}

}  // namespace mjx::inner
