// Newton's Hessian H = M + Jᵀ W J: how it is assembled and factored, whatever form it is kept in.
//
// Reads   M, efc_J, weight (W of the rows in a quadratic zone), jar (for the middle zone of elliptic cones), the pattern
// Writes  H, the weights in it, its factor L and DiagInv
// Row i holds columns j ≤ i, the diagonal last; H = LᵀDL is eliminated from the last dof to the first, as M is.
#pragma once

#include "mjx/solver/hessian/work.hpp"
#include "mjx/solver/island.hpp"

#include <concepts>

namespace mjx::inner {

// The curvature of a block in its own dim rows. It is a full matrix only in the middle zone of an elliptic cone; otherwise row and
// column 0 and the diagonal hold all of it. Lanes in `done` do not care.
enum class Curvature { none, arrow, full };

// A form of the Hessian: where its entries are, and what is done row by row. filled.hpp lists the entries of each row, for models with many
// dofs; dense.hpp has whole rows, for one environment with few; lanes.hpp has a full triangle of packs. Entry c of row i, ascending with
// the diagonal last, is that of column(i, c) and lies at place(i, c) of H and of its factor L.
template <class H>
concept hessian_form = requires(H h, int i, typename H::T* x, const typename H::T (&W)[max_block_dim][max_block_dim]) {
    { h.rownnz(i) } -> std::same_as<int>;
    { h.column(i, i) } -> std::same_as<int>;
    { h.place(i, i) } -> std::same_as<int>;
    h.template add_block<1>(i, W, Curvature{});  // H += Jᵀ W J for a block
    h.start_factor(i, i);  // L = H for rows that follow each other
    { h.eliminate(i, i, x) } -> std::same_as<int>;  // some rows of L and x ← L⁻ᵀ x from row i down; how many
    // and two templates over the model, which only their use can check:
    // copy_tree_row(m, i, from, to)     row i of a matrix with the pattern of M as row i of one with that of H
    // finish_solve(m, island, x)        x ← L⁻¹ D⁻¹ x
};

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
    if (may_have_cones<D>() && type == cnstr::contact_elliptic) {
        const ConeResponse<T> c = cone_response<T>(d, row, primal(d).jar);
        if (any(c.middle && !done)) {
            add_cone_hessian(c, W);
            return Curvature::full;
        }
    }
    return any(counts && !done) ? Curvature::arrow : Curvature::none;
}

// W times a column of a block.
template <class T, int Dim, class J>
void weigh_column(const J* column, std::ptrdiff_t nnz, const T (&W)[max_block_dim][max_block_dim], Curvature kind, T (&w)[Dim]) {
    for (int r = 0; r < Dim; ++r) w[r] = W[r][0] * part<T>(column[0]);
    if (kind == Curvature::arrow)
        for (int s = 1; s < Dim; ++s) {
            const T J_s = part<T>(column[s * nnz]);
            w[0] += W[0][s] * J_s;
            w[s] += W[s][s] * J_s;
        }
    else
        for (int r = 0; r < Dim; ++r)
            for (int s = 1; s < Dim; ++s) w[r] += W[r][s] * part<T>(column[s * nnz]);
}

// Row i of M, or of its factor, as row i of a matrix with the pattern of H.
template <class M, class P, class From, class To>
void copy_listed_row(const M& m, const P& H, int i, const From& from, To& to) {
    using T = typename P::T;
    const int nnz = H.rownnz(i), adr = m.M_rowadr[i], count = m.M_rownnz[i];
    if (nnz == count) {
        for (int k = 0; k < nnz; ++k) to[H.place(i, k)] = part<T>(from[adr + k]);
        return;
    }
    int k = 0;
    for (int c = 0; c < nnz; ++c) {
        const bool in_M = m.M_colind[adr + k] == H.column(i, c);
        to[H.place(i, c)] = in_M ? part<T>(from[adr + k]) : T(0);
        k += in_M;
    }
}

// Whether H has other weights for rows of a block than they have now, in lanes that are not done.
template <class D, class Mask>
bool weights_changed(const D& d, int block, const Mask& done) {
    using T = value_part_t<typename D::scalar>;
    mask_t<T> changed(false);
    for (int i = d.block_row[block]; i < d.block_row[block] + block_rows(d, block); ++i)
        changed = changed || primal(d).weight[i] != hessian(d).weight[i];
    return any(changed && !done);
}

// H += Jᵀ W J for all blocks of an island, with W from the weights of the rows that H does not have yet. Lanes that are done get some
// part of it.
template <bool Fresh, class D, class P, class Mask>
void add_curvature(D& d, int island, P& H, const Mask& done) {
    using T = value_part_t<typename D::scalar>;
    for_each_block(d, island, [&](int b) {
        if constexpr (!Fresh && lanes_v<T> > 1)
            if (!weights_changed(d, b, done)) return;
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
        visit_dim<typename D::model>(d.block_dim[b], [&](auto dim) { H.template add_block<dim>(b, W, kind); });
    });
}
template <class M, class D, class P, class Mask>
void assemble_hessian(const M& m, D& d, int island, P& H, const Mask& done) {
    for_each_dof(m, d, island, [&](int i) { H.copy_tree_row(m, i, d.M, hessian(d).H); });
    add_curvature<true>(d, island, H, done);
}

// H follows the weights of the rows from those in it: few change from one iteration to the next. Not for elliptic cones.
template <class D, class P, class Mask>
void update_hessian(D& d, int island, P& H, const Mask& done) {
    add_curvature<false>(d, island, H, done);
}
template <class D>
bool has_elliptic_blocks(const D& d, int island) {
    bool found = false;
    if constexpr (!may_have_cones<D>()) return found;
    for_each_run(d, island, [&](int which, int, int) { found = found || which == law::cone; });
    return found;
}

// H = LᵀDL in L, and x ← L⁻ᵀ x: the elimination of a row hides the latency of its step in x.
template <class M, class D, hessian_form P, class X>
void factor_hessian(const M& m, D& d, int island, P& H, X& x) {
    for_each_dof_range(m, d, island, [&](int first, int last) { H.start_factor(first, last - 1); });
    auto* const numbers = &x[0];  // one code for all kinds of arrays
    for (int k = d.island_treeadr[island] + d.island_treenum[island] - 1; k >= d.island_treeadr[island]; --k) {
        const int first = m.tree_dofadr[d.island_tree[k]];
        for (int i = first + m.tree_dofnum[d.island_tree[k]] - 1; i >= first;) i -= H.eliminate(i, first, numbers);
    }
}

// One over a diagonal entry of the factor. Where rounding has used up the Hessian's own (stiff contacts, float), what is left is noise of
// either sign, and the least that the entry can be known to is taken.
template <class T>
T inverse_pivot(const T& pivot, const T& own) {
    return T(1) / max(pivot, max(T(epsilon_v<T>) * own, T(minval_v<T>)));
}
template <class T, class D>
T inverse_pivot(const D& d, int k) {
    return inverse_pivot<T>(hessian(d).L[k], hessian(d).H[k]);
}

}  // namespace mjx::inner
