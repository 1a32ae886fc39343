// LU factorization of a matrix with the (symmetric) sparsity of a kinematic tree but different upper and lower values.
//
// The lower triangle is stored by rows of M_colind with the diagonal; entry c of row i in `upper` is the one at (column, i).
// Eliminating from the last dof to the first only touches entries between ancestors of the pivot, so there is no fill-in: the
// same order as LᵀDL (Featherstone 2008, ch. 6.5). No pivoting: the matrix is an inertia plus a small change.
#pragma once

#include "mjx/scalar/scalar.hpp"

namespace mjx::inner {

// Factors dofs first .. first + count - 1, which must be whole trees. inverse[i] = 1/pivot; columns of `upper` come scaled by it.
template <class M, class A, class B, class V>
void factor_lu(const M& m, A& lower, B& upper, V& inverse, int first, int count) {
    for (int i = first + count - 1; i >= first; --i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        const auto pivot = value_t<decltype(lower[0])>(1) / lower[row + last];
        inverse[i] = pivot;
        for (int c = 0; c < last; ++c) {
            const int target = m.M_rowadr[m.M_colind[row + c]];
            const auto u = upper[row + c] * pivot;
            for (int k = 0; k <= c; ++k) lower[target + k] -= u * lower[row + k];
            for (int k = c + 1; k < last; ++k) upper[m.M_rowadr[m.M_colind[row + k]] + c] -= u * lower[row + k];
            upper[row + c] = u;
        }
    }
}

// x ← A⁻¹ x for these dofs.
template <class M, class A, class B, class V, class X>
void solve_lu(const M& m, const A& lower, const B& upper, const V& inverse, X& x, int first, int count) {
    for (int i = first + count - 1; i >= first; --i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        const auto xi = x[i];
        for (int c = 0; c < last; ++c) x[m.M_colind[row + c]] -= upper[row + c] * xi;
    }
    for (int i = first; i < first + count; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        auto xi = x[i];
        for (int c = 0; c < last; ++c) xi -= lower[row + c] * x[m.M_colind[row + c]];
        x[i] = xi * inverse[i];
    }
}

}  // namespace mjx::inner
