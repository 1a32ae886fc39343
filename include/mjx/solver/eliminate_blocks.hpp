// Elimination in Newton's Hessian for islands of many trees, where most of the factor is fill: in blocks of rows and columns.
//
// Reads   sol_H, the pattern
// Writes  sol_L, sol_HDiagInv
// The dofs of a body are coupled to the same others, so up to six rows are eliminated together and subtracted from up to six rows
// above them at a time (supernodes: Ashcraft & Grimes 1989). The columns of both are compared once for all of them.
#pragma once

#include "mjx/data/data.hpp"

namespace mjx {

// One over the diagonal entry of the factor at place k. Where rounding has used up the Hessian's own (stiff contacts, float), what is
// left is noise of either sign, and the least that the entry can be known to is taken.
template <class T, class D>
T inverse_pivot(const D& d, int k) {
    return T(1) / max(d.sol_L[k], max(T(epsilon_v<T>) * d.sol_H[k], T(minval_v<T>)));
}

// How many rows from row i upward, each the parent of the one before, have the same columns apart from their own, up to `most`.
template <class P>
int alike_rows(const P& pattern, int i, int most) {
    const int adr = pattern.rowadr(i), last = pattern.rownnz(i) - 1;
    int rows = 1;
    while (rows < most && rows <= last && pattern.colind(adr + last - rows) == i - rows && pattern.rownnz(i - rows) == last + 1 - rows) ++rows;
    return rows;
}

// target[q] -= Σ_r l[r] a[r][k + q] for N numbers.
template <int N, int G, class T>
[[gnu::always_inline]] inline void subtract_rows(T* __restrict target, T* const (&a)[G], int k, const T (&l)[G]) {
    T sum[N];
    for (int q = 0; q < N; ++q) sum[q] = l[0] * a[0][k + q];
    for (int r = 1; r < G; ++r)
        for (int q = 0; q < N; ++q) sum[q] += l[r] * a[r][k + q];
    for (int q = 0; q < N; ++q) target[q] -= sum[q];
}

// What is left of the rows a, down from their column c, is subtracted from the rows of columns c, c - 1 ... c - rows + 1, which have the
// same columns: stretches of columns that follow each other in both are found once and go through registers.
template <int G, class T, class D, class P>
void subtract_from(D& d, const P& pattern, int adr, int c, int rows, T* const (&a)[G], const T (&l)[6][G]) {
    constexpr int chunk = 6;  // a free body's
    const int j = pattern.colind(adr + c), to = pattern.rowadr(j);
    for (int k = 0, at = 0; k <= c;) {
        while (pattern.colind(to + at) != pattern.colind(adr + k)) ++at;
        int length = 1;
        while (k + length <= c && pattern.colind(to + at + length) == pattern.colind(adr + k + length)) ++length;
        for (int s = 0; s < rows; ++s) {
            T* const target = &d.sol_L[pattern.rowadr(j - s)] + at;
            const int end = k + length <= c - s ? length : c - s + 1 - k;
            int q = 0;
            for (; q + chunk <= end; q += chunk) subtract_rows<chunk>(target + q, a, k + q, l[s]);
            for (; q < end; ++q) subtract_rows<1>(target + q, a, k + q, l[s]);
        }
        k += length;
        at += length;
    }
}

// Eliminates rows i, i - 1 ... i - G + 1, each the parent of the one before with the same columns. x ← L⁻ᵀ x on the way.
template <class T, int G, class D, class P, class X>
void eliminate_rows(D& d, const P& pattern, int i, X& x) {
    const int adr = pattern.rowadr(i), last = pattern.rownnz(i) - 1;
    T* a[G];
    T inverse[G];
    for (int r = 0; r < G; ++r) a[r] = &d.sol_L[pattern.rowadr(i - r)];
    for (int r = 0; r < G; ++r) {
        d.sol_HDiagInv[i - r] = inverse[r] = inverse_pivot<T>(d, pattern.rowadr(i - r) + last - r);
        for (int s = r + 1; s < G; ++s) {
            const T l = a[r][last - s] * inverse[r];
            for (int k = 0; k <= last - s; ++k) a[s][k] -= l * a[r][k];
            x[i - s] -= l * x[i - r];
            a[r][last - s] = l;
        }
    }
    for (int c = last - G; c >= 0;) {
        const int j = pattern.colind(adr + c);
        int rows = alike_rows(pattern, j, 6);
        while (rows > 1 && (rows > c + 1 || pattern.colind(adr + c - rows + 1) != j - rows + 1)) --rows;
        T l[6][G];
        for (int s = 0; s < rows; ++s)
            for (int r = 0; r < G; ++r) {
                l[s][r] = a[r][c - s] * inverse[r];
                x[j - s] -= l[s][r] * x[i - r];
            }
        subtract_from<G>(d, pattern, adr, c, rows, a, l);
        for (int s = 0; s < rows; ++s)
            for (int r = 0; r < G; ++r) a[r][c - s] = l[s][r];
        c -= rows;
    }
}

// Eliminates row i and those above it that can go with it, down to `first`. Gives their number.
template <class T, class D, class P, class X>
int eliminate_block(D& d, const P& pattern, int i, int first, X& x) {
    const int left = i - first + 1, rows = alike_rows(pattern, i, left < 6 ? left : 6);
    if (rows == 6) return eliminate_rows<T, 6>(d, pattern, i, x), 6;
    if (rows >= 3) return eliminate_rows<T, 3>(d, pattern, i, x), 3;
    if (rows == 2) return eliminate_rows<T, 2>(d, pattern, i, x), 2;
    return eliminate_rows<T, 1>(d, pattern, i, x), 1;
}

}  // namespace mjx
