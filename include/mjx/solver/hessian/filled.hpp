// Newton's Hessian where there are many dofs: the entries that the pattern lists for each row, eliminated several rows at a time.
//
// Reads   M, efc_J, the pattern (filled_pattern.hpp)
// Writes  H, L, DiagInv
// The dofs of a body or of a limb are coupled to the same others, so up to six rows are eliminated together and subtracted from up
// to six rows above them at a time (supernodes: Ashcraft & Grimes 1989). The columns of both are compared once for all of them, and
// rows go through registers several entries at once. An entry's terms are subtracted one after another, from the last row
// to the first, so the factor does not depend on which rows went together.
#pragma once

#include "mjx/solver/hessian/add_rows.hpp"
#include "mjx/solver/hessian/filled_pattern.hpp"
#include "mjx/solver/hessian/hessian.hpp"

namespace mjx::inner {

template <class D>
struct FilledHessian {
    using T = value_part_t<typename D::scalar>;
    D& d;
    HessianColumns<typename D::scalar, typename D::model>& columns;

    int rowadr(int i) const { return hessian(d).rowadr[i]; }
    int rownnz(int i) const { return hessian(d).rownnz[i]; }
    int colind(int k) const { return columns[k]; }
    bool in_order(int i, int j) const { return hessian(d).place[i] <= hessian(d).place[j]; }
    int place(int i, int c) const { return rowadr(i) + c; }
    int column(int i, int c) const { return colind(rowadr(i) + c); }

    // Row i of M, or of its factor, as row i of a matrix with the pattern of H.
    template <class M, class From, class To>
    void copy_tree_row(const M& m, int i, const From& from, To& to) const {
        copy_listed_row(m, *this, i, from, to);
    }

    // H += Jᵀ W J for one block: row by row of H, against the columns of the block that come before.
    template <int Dim>
    void add_block(int block, const T (&W)[max_block_dim][max_block_dim], Curvature kind) {
        const int nnz = d.block_nnz[block], adr = d.block_J[block], late = late_columns(block);
        const auto* J = &d.efc_J[adr];
        const std::remove_cvref_t<decltype(*J)>* rows[Dim];
        for (int r = 0; r < Dim; ++r) rows[r] = J + r * nnz;
        for (int c = 0; c < nnz; ++c) {
            T w[Dim];
            weigh_column(J + c, nnz, W, kind, w);
            const int i = d.efc_J_colind[adr + c], diagonal = rowadr(i) + rownnz(i) - 1;
            // the same sum as in add_rows(): which columns follow each other depends on all lanes
            const auto add_entry = [&](T& entry, int k) {
                T sum = entry;
                for (int r = 0; r < Dim; ++r) sum += w[r] * part<T>(J[r * nnz + k]);
                entry = sum;
            };
            if (late == 0 && c < rownnz(i) && colind(diagonal - c) == d.efc_J_colind[adr]) {
                add_rows<Dim>(&hessian(d).H[diagonal - c], rows, w, c + 1);
            } else {
                int at = rowadr(i);
                const auto add = [&](int k, int last) {
                    for (; k <= last; ++k) {
                        while (colind(at) != d.efc_J_colind[adr + k]) ++at;
                        add_entry(hessian(d).H[at], k);
                    }
                };
                if (c < late) add(late, nnz - 1);
                add(c < late ? 0 : late, c);
            }
        }
    }

    // The factor of rows that follow each other starts as a copy of H.
    void start_factor(int first, int last) {
        for (int k = rowadr(first); k < rowadr(last) + rownnz(last); ++k) hessian(d).L[k] = hessian(d).H[k];
    }

    // Eliminates row i and those above it that can go with it, down to `first`. Gives their number.
    template <class X>
    int eliminate(int i, int first, X& x) {
        const int left = i - first + 1, rows = alike_rows(i, left < 6 ? left : 6);
        if (rows == 6) return eliminate_rows<6>(i, x), 6;
        if (rows >= 3) return eliminate_rows<3>(i, x), 3;
        if (rows == 2) return eliminate_rows<2>(i, x), 2;
        return eliminate_rows<1>(i, x), 1;
    }

    // The rest of x ← H⁻¹ x: D⁻¹, then L⁻¹.
    template <class M, class X>
    void finish_solve(const M& m, int island, X& x) const {
        for_each_dof(m, d, island, [&](int i) {
            const int adr = rowadr(i), last = rownnz(i) - 1;
            auto xi = x[i] * hessian(d).DiagInv[i];
            for (int c = 0; c < last; ++c) xi -= hessian(d).L[adr + c] * x[colind(adr + c)];
            x[i] = xi;
        });
    }

  private:
    // How many columns of a block come after the others in the order of elimination although they are before them in the block: those of
    // the first of its two trees, or none.
    int late_columns(int block) const {
        const int nnz = d.block_nnz[block], *column = &d.efc_J_colind[d.block_J[block]];
        if (in_order(column[0], column[nnz - 1])) return 0;
        int late = 1;
        while (in_order(column[0], column[late])) ++late;
        return late;
    }

    // How many rows from row i upward, each the parent of the one before, have the same columns apart from their own, up to `most`.
    int alike_rows(int i, int most) const {
        const int adr = rowadr(i), last = rownnz(i) - 1;
        int rows = 1;
        while (rows < most && rows <= last && colind(adr + last - rows) == i - rows && rownnz(i - rows) == last + 1 - rows) ++rows;
        return rows;
    }

    // What is left of the rows a, from their column c up, is subtracted from the rows of columns c, c - 1 ... c - rows + 1, which have the
    // same columns and others: stretches of columns that follow each other in both are found once.
    template <int G>
    void subtract_stretches(int adr, int c, int rows, T* const (&a)[G], const T (&minus)[G]) {
        const int j = colind(adr + c), to = rowadr(j);
        for (int k = 0, at = 0, length = 1; k <= c; k += length, at += length, length = 1) {
            while (colind(to + at) != colind(adr + k)) ++at;
            while (k + length <= c && colind(to + at + length) == colind(adr + k + length)) ++length;
            const T* from[G];
            for (int r = 0; r < G; ++r) from[r] = a[r] + k;
            for (int s = 0; s < rows; ++s) {
                T w[G];
                for (int r = 0; r < G; ++r) w[r] = minus[r] * a[r][c - s];
                add_rows<G>(&hessian(d).L[rowadr(j - s)] + at, from, w, k + length <= c - s ? length : c - s + 1 - k);
            }
        }
    }

    // Eliminates rows i, i - 1 ... i - G + 1, each the parent of the one before with the same columns. x ← L⁻ᵀ x on the way.
    template <int G, class X>
    void eliminate_rows(int i, X& x) {
        const int adr = rowadr(i), last = rownnz(i) - 1, above = last - G + 1;
        T *a[G], minus[G];  // minus one over the pivots
        for (int r = 0; r < G; ++r) a[r] = &hessian(d).L[rowadr(i - r)];
        for (int r = 0; r < G; ++r) {
            hessian(d).DiagInv[i - r] = inverse_pivot<T>(d, rowadr(i - r) + last - r);
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
            const int j = colind(adr + c);
            int rows = 1;
            if (rownnz(j) == c + 1) {
                T w[G];
                for (int r = 0; r < G; ++r) w[r] = minus[r] * a[r][c];
                add_rows<G>(&hessian(d).L[rowadr(j)], a, w, c + 1);
            } else {
                rows = alike_rows(j, 6);
                while (rows > 1 && (rows > c + 1 || colind(adr + c - rows + 1) != j - rows + 1)) --rows;
                subtract_stretches(adr, c, rows, a, minus);
            }
            c -= rows;
        }
        for (int r = 0; r < G; ++r)
            for (int c = 0; c < above; ++c) a[r][c] *= hessian(d).DiagInv[i - r];
        for (int c = 0; c < above; ++c) {
            auto& xj = x[colind(adr + c)];
            for (int r = 0; r < G; ++r) xj -= a[r][c] * x[i - r];
        }
    }
};

}  // namespace mjx::inner
