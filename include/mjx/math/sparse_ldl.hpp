// LᵀDL factorization of a symmetric matrix with the sparsity of a kinematic tree (Featherstone 2008, ch. 6.5).
//
// Row i holds the columns of i's ancestors and, last, the diagonal. Ancestors of an ancestor are a prefix of the row, so the row
// of an ancestor j lines up with the first M_rownnz[j] entries of row i, and there is no fill-in. Dofs are numbered depth first:
// those below i are the dof_subtreenum[i] - 1 that follow it.
#pragma once

#include "mjx/scalar/scalar.hpp"

namespace mjx {

// Subtracts from entries [c, c + Width) of row i what the rows of the dofs below i contribute: Σ_k L_ki D_k L_kc. The sums
// stay in registers.
template <int Width, class M, class A>
void eliminate_below(const M& m, A& a, int i, int c) {
    const int row = m.M_rowadr[i], own = m.M_rownnz[i] - 1;
    std::remove_cvref_t<decltype(a[0])> sum[Width];
    for (int w = 0; w < Width; ++w) sum[w] = a[row + c + w];
    for (int k = i + 1; k < i + m.dof_subtreenum[i]; ++k) {
        const int below = m.M_rowadr[k];
        const auto scale = a[below + own] * a[below + m.M_rownnz[k] - 1];
        for (int w = 0; w < Width; ++w) sum[w] -= scale * a[below + c + w];
    }
    for (int w = 0; w < Width; ++w) a[row + c + w] = sum[w];
}

// A = LᵀDL in place: L below the diagonal (unit diagonal implied), D on it; inverse[i] = 1/D[i]. From the leaves to the root,
// each row gathers from the rows below it.
template <class M, class A, class V>
void factor_ldl(const M& m, A& a, V& inverse) {
    for (int i = m.nv - 1; i >= 0; --i) {
        const int row = m.M_rowadr[i], count = m.M_rownnz[i];
        int c = 0;
        if (m.dof_subtreenum[i] > 1) {
            for (; c + 8 <= count; c += 8) eliminate_below<8>(m, a, i, c);
            if (c + 4 <= count) eliminate_below<4>(m, a, i, c), c += 4;
            if (c + 2 <= count) eliminate_below<2>(m, a, i, c), c += 2;
            if (c < count) eliminate_below<1>(m, a, i, c);
        }
        const auto d_inv = value_t<decltype(a[0])>(1) / a[row + count - 1];
        inverse[i] = d_inv;
        for (c = 0; c < count - 1; ++c) a[row + c] *= d_inv;
    }
}

// x ← A⁻¹ x with the factors of A: Lᵀ from the leaves, D, then L from the root.
template <class M, class A, class V, class X>
void solve_ldl(const M& m, const A& a, const V& inverse, X& x) {
    for (int i = m.nv - 1; i >= 0; --i) {
        const int own = m.M_rownnz[i] - 1;
        auto xi = x[i];
        for (int k = i + 1; k < i + m.dof_subtreenum[i]; ++k) xi -= a[m.M_rowadr[k] + own] * x[k];
        x[i] = xi;
    }
    for (int i = 0; i < m.nv; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        auto xi = x[i] * inverse[i];
        for (int c = 0; c < last; ++c) xi -= a[row + c] * x[m.M_colind[row + c]];
        x[i] = xi;
    }
}

// y = A x for a symmetric A stored as its lower triangle.
template <class M, class A, class X, class Y>
void multiply_symmetric(const M& m, const A& a, const X& x, Y& y) {
    for (int i = 0; i < m.nv; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        auto yi = a[row + last] * x[i];
        for (int c = 0; c < last; ++c) {
            const int j = m.M_colind[row + c];
            yi += a[row + c] * x[j];
            y[j] += a[row + c] * x[i];
        }
        y[i] = yi;
    }
}

}  // namespace mjx
