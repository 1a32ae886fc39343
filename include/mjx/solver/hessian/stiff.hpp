// Newton's direction where constraints are so stiff that H = M + Jᵀ W J has lost M to rounding.
//
// Reads   qLD, efc_J, weight, jar, grad, H and its factor
// Writes  L, DiagInv
// Weights a million times the inertia leave nothing of it in float: what elimination then finds for dofs that the constraints
// leave free is noise of either sign. The factor of M however is exact, and adding a row to a factor, H + w v vᵀ, keeps the
// accuracy of every pivot, since all terms are positive (Gill, Golub, Murray & Saunders 1974, method C1). That takes several times
// as long as assembling and factoring H, so it is done only where the ordinary factor shows that it is needed.
#pragma once

#include "mjx/solver/hessian/hessian.hpp"

namespace mjx::inner {

// Lanes where elimination has left no trustworthy digits of some pivot.
template <class M, class D, class P>
auto inertia_is_lost(const M& m, const D& d, int island, P& H) {
    using T = value_part_t<typename D::scalar>;
    mask_t<T> lost(false);
    for_each_dof(m, d, island, [&](int i) {
        const T diagonal = hessian(d).H[H.place(i, H.rownnz(i) - 1)];
        lost = lost || !(hessian(d).DiagInv[i] * diagonal * T(256 * epsilon_v<T>) < T(1) && diagonal > T(0));
    });
    return lost;
}

// The factor of H becomes that of H + w v vᵀ. With H = Σ D_j l_j l_jᵀ, l_j the rows of L, one term after another takes its part of v,
// from the last to the first. v is used up.
template <class T, class M, class D, class P, class V>
void add_to_factor(const M& m, D& d, int island, P& H, V& v, T w) {
    for_each_dof_backward(m, d, island, [&](int j) {
        const T v_j = v[j];
        if (!any(v_j != T(0))) return;
        const int last = H.rownnz(j) - 1;
        T& pivot = hessian(d).L[H.place(j, last)];
        const T before = pivot;
        pivot = before + w * v_j * v_j;
        const T share = w * v_j / pivot;
        w *= before / pivot;
        for (int c = 0; c < last; ++c) {
            const int k = H.column(j, c);
            T& entry = hessian(d).L[H.place(j, c)];
            v[k] -= v_j * entry;
            entry += share * v[k];
        }
    });
}

// The same for the row u of a block, u in terms of its own dim rows.
template <class T, class M, class D, class P>
void add_row_to_factor(const M& m, D& d, int island, P& H, int block, const T (&u)[max_block_dim], const T& w) {
    if (!any(w != T(0))) return;
    auto& v = hessian(d).row;
    for (int i = 0; i < m.nv; ++i) v[i] = T(0);  // rows may have columns of trees that are not the island's (dense.hpp)
    const int nnz = d.block_nnz[block], adr = d.block_J[block], dim = d.block_dim[block];
    for (int c = 0; c < nnz; ++c)
        for (int r = 0; r < dim; ++r) v[d.efc_J_colind[adr + c]] += u[r] * part<T>(d.efc_J[adr + r * nnz + c]);
    add_to_factor(m, d, island, H, v, w);
}

// A cone's curvature is a full matrix, W = Σ D_r u_r u_rᵀ: its rows come from elimination. It may be singular.
template <class T, class M, class D, class P>
void add_cone_to_factor(const M& m, D& d, int island, P& H, int block) {
    const int dim = d.block_dim[block];
    T W[max_block_dim][max_block_dim], u[max_block_dim];
    block_curvature<T>(d, block, W, mask_t<T>(false), [&](int i) { return primal(d).weight[i]; });
    T least[max_block_dim];
    for (int r = 0; r < dim; ++r) least[r] = T(16 * epsilon_v<T>) * W[r][r];
    for (int r = 0; r < dim; ++r) {
        const auto counts = W[r][r] > least[r];
        const T w = select(counts, W[r][r], T(0)), inverse = T(1) / select(counts, W[r][r], T(1));
        for (int s = 0; s < dim; ++s) u[s] = s < r ? T(0) : select(counts, W[r][s] * inverse, T(0));
        for (int s = r + 1; s < dim; ++s)
            for (int t = r + 1; t < dim; ++t) W[s][t] -= w * u[s] * u[t];
        add_row_to_factor(m, d, island, H, block, u, w);
    }
}

template <class T, class M, class D, class P>
void add_block_to_factor(const M& m, D& d, int island, P& H, int block) {
    const int row = d.block_row[block], dim = d.block_dim[block];
    if (may_have_cones<D>() && d.efc_type[row] == cnstr::contact_elliptic) return add_cone_to_factor<T>(m, d, island, H, block);
    for (int r = 0; r < block_rows(d, block); ++r) {
        // row r in terms of the block's own, by what each of these gives to it
        T u[max_block_dim];
        for (int s = 0; s < dim; ++s) {
            T p[max_block_dim];
            for (int t = 0; t < dim; ++t) p[t] = T(s == t ? 1 : 0);
            to_rows<T>(d, block, p, [&](int i, const T& value) {
                if (i == row + r) u[s] = value;
            });
        }
        add_row_to_factor(m, d, island, H, block, u, primal(d).weight[row + r]);
    }
}

// x = -H⁻¹ gradient, by way of the factor of M.
template <class M, class D, class P, class X>
void solve_stiff(const M& m, D& d, int island, P& H, X& x) {
    using T = value_part_t<typename D::scalar>;
    for (int i = 0; i < m.nv; ++i) x[i] = T(0);
    for_each_dof(m, d, island, [&](int i) { H.copy_tree_row(m, i, d.qLD, hessian(d).L); });
    for_each_block(d, island, [&](int b) { add_block_to_factor<T>(m, d, island, H, b); });
    for_each_dof(m, d, island, [&](int i) {
        hessian(d).DiagInv[i] = T(1) / hessian(d).L[H.place(i, H.rownnz(i) - 1)];
        x[i] = -primal(d).grad[i];
    });
    for_each_dof_backward(m, d, island, [&](int i) {
        const T x_i = x[i];
        for (int c = 0; c < H.rownnz(i) - 1; ++c) x[H.column(i, c)] -= hessian(d).L[H.place(i, c)] * x_i;
    });
    for_each_dof(m, d, island, [&](int i) {
        T x_i = x[i] * hessian(d).DiagInv[i];
        for (int c = 0; c < H.rownnz(i) - 1; ++c) x_i -= hessian(d).L[H.place(i, c)] * x[H.column(i, c)];
        x[i] = x_i;
    });
}

}  // namespace mjx::inner
