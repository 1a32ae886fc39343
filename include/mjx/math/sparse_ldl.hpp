// LᵀDL factorization of a symmetric matrix with the sparsity of a kinematic tree (Featherstone 2008, ch. 6.5).
//
// Row i holds the columns of i's ancestors and, last, the diagonal. Ancestors of an ancestor are a prefix of the row, so row j
// lines up with the first M_rownnz[j] entries of row i: every update is a run of consecutive multiply-adds, with no fill-in.
#pragma once

#include "mjx/scalar/scalar.hpp"

namespace mjx {

// A = LᵀDL in place: L below the diagonal (unit diagonal implied), D on it; inverse[i] = 1/D[i].
template <class M, class A, class V>
void factor_ldl(const M& m, A& a, V& inverse) {
    for (int i = m.nv - 1; i >= 0; --i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        const auto d_inv = value_t<decltype(a[0])>(1) / a[row + last];
        inverse[i] = d_inv;
        for (int c = last - 1; c >= 0; --c) {
            const int j = m.M_colind[row + c], target = m.M_rowadr[j];
            const auto l = a[row + c] * d_inv;
            for (int k = 0; k <= c; ++k) a[target + k] -= l * a[row + k];
            a[row + c] = l;
        }
    }
}

// x ← A⁻¹ x with the factors of A.
template <class M, class A, class V, class X>
void solve_ldl(const M& m, const A& a, const V& inverse, X& x) {
    for (int i = m.nv - 1; i >= 0; --i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        const auto xi = x[i];
        for (int c = 0; c < last; ++c) x[m.M_colind[row + c]] -= a[row + c] * xi;
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
