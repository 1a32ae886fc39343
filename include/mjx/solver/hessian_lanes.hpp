// Newton's Hessian for packs: the entries of hessian.hpp in a full triangle, so that no entry is searched for.
//
// Reads   M, efc_J, weight, jar
// Writes  H and L (entry (i, j) at i (i + 1)/2 + j), DiagInv, colind, rownnz, bits
// An entry of a pack is a whole register: loads and stores cost as much as the arithmetic, and a search for a column more than
// both. So the columns of row i are listed at the same places as its entries, two columns of a block are added in one pass, and up
// to four rows with the same columns (the hinges of a limb) are eliminated in one pass. Only the pattern's entries are touched.
#pragma once

#include "mjx/solver/hessian_dense.hpp"

namespace mjx::inner {

template <class D>
struct LanePattern {
    D& d;
    static int row(int i) { return i * (i + 1) / 2; }
    // Columns of row i, ascending, the diagonal last.
    const int* columns(int i) const { return &hessian(d).colind[row(i)]; }
    int rownnz(int i) const { return hessian(d).rownnz[i]; }
    int column(int i, int c) const { return columns(i)[c]; }
    int place(int i, int c) const { return row(i) + columns(i)[c]; }
};

// The pattern of M and of all blocks, closed under elimination.
template <class M, class D>
void make_lane_pattern(const M& m, D& d) {
    const auto bit = [](int j) { return std::uint64_t(1) << j; };
    auto& bits = hessian(d).bits;
    make_tree_bits(m, d);
    const auto couple = [&](std::uint64_t columns) { bits[63 - std::countl_zero(columns)] |= columns; };
    for (int b = 0; b < d.nblock; ++b) {
        // not all columns of a block that contacts share: what none of them couples is zero in every lane
        for_each_sharing(d, b, [&](const auto& contact) { couple(contact.dofs); });
        if (d.block_dofs[b] != 0) continue;
        std::uint64_t columns = 0;
        for (int k = d.block_J[b]; k < d.block_J[b] + d.block_nnz[b]; ++k) columns |= bit(d.efc_J_colind[k]);
        couple(columns);
    }
    close_pattern_bits(m, d);
    for (int i = 0; i < m.nv; ++i) {
        int next = LanePattern<D>::row(i);
        for (std::uint64_t rest = bits[i]; rest != 0; rest &= rest - 1) hessian(d).colind[next++] = std::countr_zero(rest);
        hessian(d).rownnz[i] = next - LanePattern<D>::row(i);
    }
}

// The columns of a block that its curvature acts on: for one that contacts share, those of the contacts in the lanes with curvature.
struct BlockColumns {
    int count = 0;
    int dof[max_lane_dofs], place[max_lane_dofs];
};
template <class T, int Dim, class D>
BlockColumns curved_columns(const D& d, int block, const T (&W)[max_block_dim][max_block_dim]) {
    BlockColumns columns;
    const int nnz = d.block_nnz[block], adr = d.block_J[block];
    std::uint64_t dofs = d.block_dofs[block];
    if (dofs != 0) {
        mask_t<T> curved = W[0][0] != T(0);
        for (int r = 1; r < Dim; ++r) curved = curved || W[0][r] != T(0) || W[r][r] != T(0);
        dofs = 0;
        for_each_sharing(d, block, [&](const auto& contact) {
            if (any(curved && contact.active)) dofs |= contact.dofs;
        });
    } else {
        dofs = ~dofs;
    }
    for (int k = 0; k < nnz; ++k) {
        const int dof = d.efc_J_colind[adr + k];
        columns.dof[columns.count] = dof;
        columns.place[columns.count] = k;
        columns.count += int(dofs >> dof & 1);
    }
    return columns;
}

template <class T, int Dim, class D>
void add_block_hessian(const LanePattern<D>&, D& d, int block, const T (&W)[max_block_dim][max_block_dim], Curvature kind) {
    const BlockColumns columns = curved_columns<T, Dim>(d, block, W);
    const int nnz = d.block_nnz[block];
    const auto* J = &d.efc_J[d.block_J[block]];
    const auto row = [&](int c) { return &hessian(d).H[LanePattern<D>::row(columns.dof[c])]; };
    // one sum for an entry, wherever its columns are in the block: that depends on the other lanes
    const auto add = [&](T& entry, const T (&w)[Dim], int k) {
        T sum = entry;
        for (int r = 0; r < Dim; ++r) sum += w[r] * part<T>(J[r * nnz + k]);
        entry = sum;
    };
    T v[Dim], w[Dim];
    int c = 0;
    for (; c + 1 < columns.count; c += 2) {
        weigh_column(J + columns.place[c], nnz, W, kind, v);
        weigh_column(J + columns.place[c + 1], nnz, W, kind, w);
        T *first = row(c), *second = row(c + 1);
        for (int k = 0; k <= c; ++k) {
            const int j = columns.dof[k], from = columns.place[k];
            T sum = first[j], other = second[j];
            for (int r = 0; r < Dim; ++r) {
                const T J_r = part<T>(J[r * nnz + from]);
                sum += v[r] * J_r;
                other += w[r] * J_r;
            }
            first[j] = sum;
            second[j] = other;
        }
        add(second[columns.dof[c + 1]], w, columns.place[c + 1]);
    }
    if (c == columns.count) return;
    weigh_column(J + columns.place[c], nnz, W, kind, w);
    T* last = row(c);
    for (int k = 0; k <= c; ++k) add(last[columns.dof[k]], w, columns.place[k]);
}

template <class D>
void copy_rows(D& d, const LanePattern<D>& pattern, int first, int last) {
    for (int i = first; i <= last; ++i) {
        const int adr = pattern.row(i), *columns = pattern.columns(i);
        for (int c = 0; c < pattern.rownnz(i); ++c) hessian(d).L[adr + columns[c]] = hessian(d).H[adr + columns[c]];
    }
}

// Eliminates rows i, i - 1 ... i - Rows + 1, each of which has the columns of the one before but its own, and x ← L⁻ᵀ x.
template <int Rows, class T, class D, class X>
void eliminate_rows(D& d, const LanePattern<D>& pattern, int i, X& x) {
    const int last = i - Rows + 1, count = pattern.rownnz(last) - 1;
    const int* columns = pattern.columns(last);
    T *a[Rows], inverse[Rows], xa[Rows];
    for (int q = 0; q < Rows; ++q) {
        a[q] = &hessian(d).L[pattern.row(i - q)];
        T l[Rows];
        xa[q] = x[i - q];
        for (int p = 0; p < q; ++p) {
            l[p] = a[p][i - q] * inverse[p];
            xa[q] -= l[p] * xa[p];
        }
        const auto subtract = [&](int j) {
            T sum = a[q][j];
            for (int p = 0; p < q; ++p) sum -= l[p] * a[p][j];
            a[q][j] = sum;
        };
        if (q > 0) {
            for (int c = 0; c < count; ++c) subtract(columns[c]);
            for (int j = last; j <= i - q; ++j) subtract(j);
        }
        x[i - q] = xa[q];
        for (int p = 0; p < q; ++p) a[p][i - q] = l[p];
        inverse[q] = inverse_pivot<T>(d, pattern.row(i - q) + i - q);
        hessian(d).DiagInv[i - q] = inverse[q];
    }
    // the rows above, two at a time
    int c = count - 1;
    for (; c > 0; c -= 2) {
        const int j = columns[c], j2 = columns[c - 1];
        T l[Rows], l2[Rows];
        T *target = &hessian(d).L[pattern.row(j)], *target2 = &hessian(d).L[pattern.row(j2)];
        T sum = target[j], xj = x[j], xj2 = x[j2];
        for (int q = 0; q < Rows; ++q) {
            l[q] = a[q][j] * inverse[q];
            l2[q] = a[q][j2] * inverse[q];
            sum -= l[q] * a[q][j];
            xj -= l[q] * xa[q];
            xj2 -= l2[q] * xa[q];
            a[q][j] = l[q];
        }
        target[j] = sum;
        x[j] = xj;
        x[j2] = xj2;
        for (int k = 0; k < c; ++k) {
            const int at = columns[k];
            T one = target[at], two = target2[at];
            for (int q = 0; q < Rows; ++q) {
                const T entry = a[q][at];
                one -= l[q] * entry;
                two -= l2[q] * entry;
            }
            target[at] = one;
            target2[at] = two;
        }
        for (int q = 0; q < Rows; ++q) a[q][j2] = l2[q];
    }
    if (c < 0) return;
    const int j = columns[0];
    T* target = &hessian(d).L[pattern.row(j)];
    for (int q = 0; q < Rows; ++q) {
        const T l = a[q][j] * inverse[q];
        target[j] -= l * a[q][j];
        x[j] -= l * xa[q];
        a[q][j] = l;
    }
}

template <class T, class D, class X>
int eliminate(D& d, const LanePattern<D>& pattern, int i, int first, X& x) {
    return eliminate_together<T>(d, pattern, i, first, x);
}

// x ← L⁻¹ D⁻¹ x for rows i ... i + Rows - 1, each of which has the columns of the one before and that one: their sums run side
// by side. Each is one sum over ascending columns, so that it does not depend on which columns the other lanes have.
template <int Rows, class D, class X>
void finish_rows(const D& d, const LanePattern<D>& pattern, int i, X& x) {
    using T = value_part_t<typename D::scalar>;
    const int* columns = pattern.columns(i);
    const T* a[Rows];
    T sum[Rows];
    for (int q = 0; q < Rows; ++q) {
        a[q] = &hessian(d).L[pattern.row(i + q)];
        sum[q] = x[i + q] * hessian(d).DiagInv[i + q];
    }
    for (int c = 0; c < pattern.rownnz(i) - 1; ++c) {
        const int j = columns[c];
        for (int q = 0; q < Rows; ++q) sum[q] -= a[q][j] * x[j];
    }
    for (int q = 0; q < Rows; ++q) {
        for (int p = 0; p < q; ++p) sum[q] -= a[q][i + p] * sum[p];
        x[i + q] = sum[q];
    }
}
template <class M, class D, class X>
void finish_solve(const M& m, const D& d, int island, const LanePattern<D>& pattern, X& x) {
    int next = 0;
    for_each_dof(m, d, island, [&](int i) {
        if (i < next) return;
        int rows = 1;
        while (rows < 4 && i + rows < m.nv && pattern.rownnz(i + rows) == pattern.rownnz(i) + rows &&
               pattern.column(i + rows, pattern.rownnz(i + rows) - 2) == i + rows - 1)
            ++rows;
        next = i + rows;
        switch (rows) {
            case 1: return finish_rows<1>(d, pattern, i, x);
            case 2: return finish_rows<2>(d, pattern, i, x);
            case 3: return finish_rows<3>(d, pattern, i, x);
            default: return finish_rows<4>(d, pattern, i, x);
        }
    });
}

}  // namespace mjx::inner
