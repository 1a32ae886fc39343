// Newton's Hessian of one environment with few dofs: the entries of hessian.hpp in whole rows, with zeros where dofs are not coupled.
//
// Reads   M, efc_J, weight, jar
// Writes  H, L, DiagInv, bits (the columns of each row)
// Up to a few dozen dofs it costs more to find an entry than to carry some zeros along: rows are padded to whole registers of the machine,
// an entry's place follows from its indices, and sums run over registers. What rows add to the padding of others is never read.
// Whole rows that a row does not touch are left out by its bits. An entry's terms are subtracted one after another, from the
// last row to the first, so the factor does not depend on which rows are eliminated together.
#pragma once

#include "mjx/constraint/lane_rows.hpp"
#include "mjx/solver/hessian.hpp"

namespace mjx::inner {

// Whether a model's dofs are known to be few at compile time.
template <class M>
constexpr bool has_few_dofs() {
    if constexpr (M::is_fixed)
        return M::nv <= max_lane_dofs;
    else
        return false;
}

// Every row has all columns up to its own.
template <class D>
struct DensePattern {
    using T = value_part_t<typename D::scalar>;
    static constexpr int width = 4;  // whatever the machine: programs may be linked of parts compiled for different ones
    static_assert(width % row_width<T> == 0);
    D& d;
    // Rows k width ... (k + 1) width - 1 have (k + 1) width places each.
    static int row(int i) {
        const int k = static_cast<int>(static_cast<unsigned>(i) / width);
        return width * (k + 1) * (i - width / 2 * k);
    }
    static int length(int i) { return static_cast<int>(static_cast<unsigned>(i) / width + 1) * width; }
    static int rownnz(int i) { return i + 1; }
    static int column(int, int c) { return c; }
    static int place(int i, int c) { return row(i) + c; }
};

// What is coupled to dof i is coupled to the largest of its columns once i is eliminated.
template <class M, class D>
void close_pattern_bits(const M& m, D& d) {
    for (int i = m.nv - 1; i > 0; --i) {
        const std::uint64_t rest = hessian(d).bits[i] & ((std::uint64_t(1) << i) - 1);
        if (rest != 0) hessian(d).bits[63 - std::countl_zero(rest)] |= rest;
    }
}
template <class M, class D>
void make_tree_bits(const M& m, D& d) {
    for (int i = 0; i < m.nv; ++i) {
        const int adr = m.M_rowadr[i], last = m.M_rownnz[i] - 1, before = last > 0 ? m.M_colind[adr + last - 1] : 0;
        std::uint64_t bits = std::uint64_t(1) << i;
        if (last > 0 && m.M_rownnz[before] == last)
            bits |= hessian(d).bits[before];
        else
            for (int k = adr; k < adr + last; ++k) bits |= std::uint64_t(1) << m.M_colind[k];
        hessian(d).bits[i] = bits;
    }
}
template <class M, class D>
void make_dense_pattern(const M& m, D& d) {
    make_tree_bits(m, d);
    for (int b = 0; b < d.nblock; ++b) {
        std::uint64_t columns = 0;
        for (int k = d.block_J[b]; k < d.block_J[b] + d.block_nnz[b]; ++k) columns |= std::uint64_t(1) << d.efc_J_colind[k];
        hessian(d).bits[63 - std::countl_zero(columns)] |= columns;
    }
    close_pattern_bits(m, d);
}

// W times a column of a block.
template <class T, int Dim, class J>
void weigh_column(const J* column, int nnz, const T (&W)[max_block_dim][max_block_dim], Curvature kind, T (&w)[Dim]) {
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

template <class T, int Dim, class D>
void add_block_hessian(const DensePattern<D>& pattern, D& d, int block, const T (&W)[max_block_dim][max_block_dim], Curvature kind) {
    const int nnz = d.block_nnz[block], *column = &d.efc_J_colind[d.block_J[block]], length = pattern.length(column[nnz - 1]);
    const auto* J = &d.efc_J[d.block_J[block]];
    T rows[Dim][max_lane_dofs];
    const T* row[Dim];
    for (int r = 0; r < Dim; ++r) row[r] = rows[r];
    for (int k = 0; k < length; ++k)
        for (int r = 0; r < Dim; ++r) rows[r][k] = T(0);
    for (int c = 0; c < nnz; ++c)
        for (int r = 0; r < Dim; ++r) rows[r][column[c]] = part<T>(J[r * nnz + c]);
    for (int c = 0; c < nnz; ++c) {
        T w[Dim];
        weigh_column(J + c, nnz, W, kind, w);
        add_whole_rows(&hessian(d).H[pattern.row(column[c])], row, w, pattern.length(column[c]));
    }
}

template <class M, class D, class From, class To>
void copy_tree_row(const M& m, const DensePattern<D>& pattern, int i, const From& from, To& to) {
    using T = typename DensePattern<D>::T;
    T* row = &to[pattern.row(i)];
    for (int k = 0; k < pattern.length(i); ++k) row[k] = T(0);
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) row[m.M_colind[k]] = part<T>(from[k]);
}
template <class D>
void copy_rows(D& d, const DensePattern<D>& pattern, int first, int last) {
    const int adr = pattern.row(first);
    std::memcpy(&hessian(d).L[adr], &hessian(d).H[adr], static_cast<std::size_t>(pattern.row(last + 1) - adr) * sizeof hessian(d).H[adr]);
}

// Eliminates rows i, i - 1 ... i - Rows + 1, each of which has the columns of the one before but its own, and x ← L⁻ᵀ x. The rows are
// left as D L: finish_solve() divides once for a row.
template <int Rows, class T, class D, class X>
void eliminate_rows(D& d, const DensePattern<D>& pattern, int i, X& x) {
    if (i + 1 < Rows) __builtin_unreachable();  // fixed models of fewer dofs do without this code
    T *a[Rows], minus[Rows];  // minus one over the pivots
    for (int r = 0; r < Rows; ++r) a[r] = &hessian(d).L[pattern.row(i - r)];
    for (int r = 0; r < Rows; ++r) {
        minus[r] = -inverse_pivot<T>(d, pattern.place(i - r, i - r));
        hessian(d).DiagInv[i - r] = -minus[r];
        T* const from[1] = {a[r]};
        for (int s = r + 1; s < Rows; ++s) {
            const T w[1] = {a[r][i - s] * minus[r]};
            add_whole_rows(a[s], from, w, pattern.length(i - s));
            x[i - s] += w[0] * x[i - r];
        }
    }
    const int last = i - Rows + 1;
    for (std::uint64_t rest = hessian(d).bits[last] & ((std::uint64_t(1) << last) - 1); rest != 0; rest &= rest - 1) {
        const int j = std::countr_zero(rest);
        T w[Rows];
        auto x_j = x[j];
        for (int r = 0; r < Rows; ++r) {
            w[r] = a[r][j] * minus[r];
            x_j += w[r] * x[i - r];
        }
        x[j] = x_j;
        add_whole_rows(&hessian(d).L[pattern.row(j)], a, w, pattern.length(j));
    }
}

// Eliminates row i and the rows before it that go with it, as the bits of their columns tell; gives how many.
template <class T, class D, class P, class X>
int eliminate_together(D& d, const P& pattern, int i, int first, X& x) {
    int rows = 1;
    while (rows < 4 && i - rows >= first &&
           (hessian(d).bits[i - rows] ^ hessian(d).bits[i - rows + 1]) == std::uint64_t(1) << (i - rows + 1))
        ++rows;
    switch (rows) {
        case 1: eliminate_rows<1, T>(d, pattern, i, x); break;
        case 2: eliminate_rows<2, T>(d, pattern, i, x); break;
        case 3: eliminate_rows<3, T>(d, pattern, i, x); break;
        default: eliminate_rows<4, T>(d, pattern, i, x); break;
    }
    return rows;
}
template <class T, class D, class X>
int eliminate(D& d, const DensePattern<D>& pattern, int i, int first, X& x) {
    return eliminate_together<T>(d, pattern, i, first, x);
}

// The rest of x ← H⁻¹ x.
template <class M, class D, class X>
void finish_solve(const M& m, const D& d, int island, const DensePattern<D>& pattern, X& x) {
    for_each_dof(m, d, island, [&](int i) {
        const auto* row = &hessian(d).L[pattern.row(i)];
        auto x_i = x[i];
        for (std::uint64_t rest = hessian(d).bits[i] & ((std::uint64_t(1) << i) - 1); rest != 0; rest &= rest - 1) {
            const int j = std::countr_zero(rest);
            x_i -= row[j] * x[j];
        }
        x[i] = x_i * hessian(d).DiagInv[i];
    });
}

}  // namespace mjx::inner
