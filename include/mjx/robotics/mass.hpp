// The inertia matrix M as people use it: dense, times a vector, its inverse times a vector, and half of that.
//
// Reads   M, qLD, qLDiagInv (the factors of M = LᵀDL; forward_inertia computes them)
// The half solve is D^(-1/2) L⁻ᵀ y: its square is yᵀ M⁻¹ y, so that J M⁻¹ Jᵀ = Y Yᵀ for rows Y that are half solves of J's
// (mj_solveM2). The inertia that a task with Jacobian J feels is Λ = (J M⁻¹ Jᵀ)⁻¹ (Khatib 1987).
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/robotics/answer.hpp"

namespace mjx::inner {

template <class M, class D, class J>
void mass_matrix(const M& m, const D& d, J& out) {
    clear_matrix(out, m.nv, m.nv);
    over_dofs<typename D::scalar>(m, [&](auto i) {
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) out(i, m.M_colind[k]) = out(m.M_colind[k], i) = d.M[k];
    });
}

// out = M x.
template <class M, class D, class X, class Y>
void multiply_mass(const M& m, const D& d, const X& x, Y& out) {
    multiply_symmetric(m, d.M, x, out);
}

// out = M⁻¹ x; both may be the same.
template <class M, class D, class X, class Y>
void solve_mass(const M& m, const D& d, const X& x, Y& out) {
    for (int i = 0; i < m.nv; ++i) out[i] = x[i];
    solve_ldl(m, d.qLD, d.qLDiagInv, out);
}

// out = D^(-1/2) L⁻ᵀ x; both may be the same.
template <class M, class D, class X, class Y>
void half_solve_mass(const M& m, const D& d, const X& x, Y& out) {
    using S = typename D::scalar;
    for (int i = 0; i < m.nv; ++i) out[i] = x[i];
    for (int i = m.nv - 1; i >= 0; --i) {
        const int row = m.M_rowadr[i];
        const S y = out[i];
        for (int c = 0; c < m.M_rownnz[i] - 1; ++c) out[m.M_colind[row + c]] -= d.qLD[row + c] * y;
        out[i] = y * sqrt(d.qLDiagInv[i]);
    }
}

// Row r of a matrix as a vector.
template <class J>
struct MatrixRow {
    J& matrix;
    int row;
    decltype(auto) operator[](int i) const { return matrix(row, i); }
};
template <class J>
MatrixRow(J&, int) -> MatrixRow<J>;

// a ← a⁻¹ for a symmetric, positive matrix of n rows, by a Cholesky factor. Directions whose pivot is nothing but rounding, in which
// the task cannot move, get no inertia.
template <class A>
void invert_symmetric(A& a, int n) {
    using S = std::remove_cvref_t<decltype(a(0, 0))>;
    using V = value_t<S>;
    S largest(0);
    for (int i = 0; i < n; ++i) largest = max(largest, S(a(i, i)));
    for (int i = 0; i < n; ++i) {  // L below the diagonal, 1/L(i, i) on it
        for (int j = 0; j <= i; ++j) {
            S sum = a(i, j);
            for (int k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
            if (j < i) {
                a(i, j) = sum * a(j, j);
                continue;
            }
            const auto flat = sum <= largest * (V(100) * epsilon_v<S>);
            a(i, i) = select(flat, S(0), S(1) / sqrt(select(flat, S(1), sum)));
        }
    }
    for (int i = 0; i < n; ++i)  // L⁻¹ in the same place
        for (int j = 0; j < i; ++j) {
            S sum(0);
            for (int k = j; k < i; ++k) sum -= a(i, k) * a(k, j);
            a(i, j) = sum * a(i, i);
        }
    for (int i = 0; i < n; ++i)  // L⁻ᵀ L⁻¹: row i needs the rows from i on
        for (int j = 0; j <= i; ++j) {
            S sum(0);
            for (int k = i; k < n; ++k) sum += a(k, i) * a(k, j);
            a(j, i) = sum;
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) a(i, j) = a(j, i);
}

// out = (J M⁻¹ Jᵀ)⁻¹ for a J of `rows` rows, which is used up: its rows become their half solves.
template <class M, class D, class J, class Out>
void operational_inertia(const M& m, const D& d, J& jacobian, int rows, Out& out) {
    using S = typename D::scalar;
    for (int r = 0; r < rows; ++r) {
        const MatrixRow row{jacobian, r};
        half_solve_mass(m, d, row, row);
    }
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c <= r; ++c) {
            S sum(0);
            for (int i = 0; i < m.nv; ++i) sum += jacobian(r, i) * jacobian(c, i);
            out(r, c) = out(c, r) = sum;
        }
    invert_symmetric(out, rows);
}

}  // namespace mjx::inner
