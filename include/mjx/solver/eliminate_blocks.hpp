// Elimination in Newton's Hessian, several rows at a time.
//
// Reads   H, the pattern
// Writes  L, DiagInv
// The dofs of a body or of a limb are coupled to the same others, so up to six rows are eliminated together and subtracted from up
// to six rows above them at a time (supernodes: Ashcraft & Grimes 1989). The columns of both are compared once for all of them, and
// rows go through registers several entries at once. An entry's terms are subtracted one after another, from the last row
// to the first, so the factor does not depend on which rows went together.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/solver/add_rows.hpp"
#include "mjx/solver/work.hpp"

namespace mjx::inner {

// One over the diagonal entry of the factor at place k. Where rounding has used up the Hessian's own (stiff contacts, float), what is
// left is noise of either sign, and the least that the entry can be known to is taken.
template <class T, class D>
T inverse_pivot(const D& d, int k) {
    return T(1) / max(hessian(d).L[k], max(T(epsilon_v<T>) * hessian(d).H[k], T(minval_v<T>)));
}

// How many rows from row i upward, each the parent of the one before, have the same columns apart from their own, up to `most`.
template <class P>
int alike_rows(const P& pattern, int i, int most) {
    const int adr = pattern.rowadr(i), last = pattern.rownnz(i) - 1;
    int rows = 1;
    while (rows < most && rows <= last && pattern.colind(adr + last - rows) == i - rows &&
           pattern.rownnz(i - rows) == last + 1 - rows)
        ++rows;
    return rows;
}

// What is left of the rows a, from their column c up, is subtracted from the rows of columns c, c - 1 ... c - rows + 1, which have the
// same columns and others: stretches of columns that follow each other in both are found once.
template <int G, class T, class D, class P>
void subtract_stretches(D& d, const P& pattern, int adr, int c, int rows, T* const (&a)[G], const T (&minus)[G]) {
    const int j = pattern.colind(adr + c), to = pattern.rowadr(j);
    for (int k = 0, at = 0, length = 1; k <= c; k += length, at += length, length = 1) {
        while (pattern.colind(to + at) != pattern.colind(adr + k)) ++at;
        while (k + length <= c && pattern.colind(to + at + length) == pattern.colind(adr + k + length)) ++length;
        const T* from[G];
        for (int r = 0; r < G; ++r) from[r] = a[r] + k;
        for (int s = 0; s < rows; ++s) {
            T w[G];
            for (int r = 0; r < G; ++r) w[r] = minus[r] * a[r][c - s];
            add_rows<G>(&hessian(d).L[pattern.rowadr(j - s)] + at, from, w, k + length <= c - s ? length : c - s + 1 - k);
        }
    }
}

// Eliminates rows i, i - 1 ... i - G + 1, each the parent of the one before with the same columns. x ← L⁻ᵀ x on the way.
template <class T, int G, class D, class P, class X>
void eliminate_rows(D& d, const P& pattern, int i, X& x) {
    const int adr = pattern.rowadr(i), last = pattern.rownnz(i) - 1, above = last - G + 1;
    T *a[G], minus[G];  // minus one over the pivots
    for (int r = 0; r < G; ++r) a[r] = &hessian(d).L[pattern.rowadr(i - r)];
    for (int r = 0; r < G; ++r) {
        hessian(d).DiagInv[i - r] = inverse_pivot<T>(d, pattern.rowadr(i - r) + last - r);
        minus[r] = -hessian(d).DiagInv[i - r];
        const T* from[1] = {a[r]};
        for (int s = r + 1; s < G; ++s) {
            const T w[1] = {a[r][last - s] * minus[r]};
            add_rows<1>(a[s], from, w, last - s + 1);
            x[i - s] += w[0] * x[i - r];
            a[r][last - s] = -w[0];
        }
    }
    for (int c = above - 1; c >= 0;) {
        const int j = pattern.colind(adr + c);
        int rows = 1;
        if (pattern.rownnz(j) == c + 1) {
            T w[G];
            for (int r = 0; r < G; ++r) w[r] = minus[r] * a[r][c];
            add_rows<G>(&hessian(d).L[pattern.rowadr(j)], a, w, c + 1);
        } else {
            rows = alike_rows(pattern, j, 6);
            while (rows > 1 && (rows > c + 1 || pattern.colind(adr + c - rows + 1) != j - rows + 1)) --rows;
            subtract_stretches(d, pattern, adr, c, rows, a, minus);
        }
        c -= rows;
    }
    for (int r = 0; r < G; ++r)
        for (int c = 0; c < above; ++c) a[r][c] *= hessian(d).DiagInv[i - r];
    for (int c = 0; c < above; ++c) {
        auto& xj = x[pattern.colind(adr + c)];
        for (int r = 0; r < G; ++r) xj -= a[r][c] * x[i - r];
    }
}

// Eliminates row i and those above it that can go with it, down to `first`. Gives their number.
template <class T, class D, class P, class X>
int eliminate(D& d, const P& pattern, int i, int first, X& x) {
    const int left = i - first + 1, rows = alike_rows(pattern, i, left < 6 ? left : 6);
    if (rows == 6) return eliminate_rows<T, 6>(d, pattern, i, x), 6;
    if (rows >= 3) return eliminate_rows<T, 3>(d, pattern, i, x), 3;
    if (rows == 2) return eliminate_rows<T, 2>(d, pattern, i, x), 2;
    return eliminate_rows<T, 1>(d, pattern, i, x), 1;
}

}  // namespace mjx::inner
