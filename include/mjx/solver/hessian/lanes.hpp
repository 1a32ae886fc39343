// Newton's Hessian for packs: a full triangle, so that no entry is searched for.
//
// Reads   M, efc_J, weight, jar
// Writes  H and L (entry (i, j) at i (i + 1)/2 + j), DiagInv, colind, rownnz, bits
// An entry of a pack is a whole register: loads and stores cost as much as the arithmetic, and a search for a column more than
// both. So the columns of row i are listed at the same places as its entries, two columns of a block are added in one pass, and up
// to four rows with the same columns (the hinges of a limb) are eliminated in one pass. Only the pattern's entries are touched.
#pragma once

#include "mjx/solver/hessian/dense.hpp"

namespace mjx::inner {

constexpr int lane_row(int i) { return i * (i + 1) / 2; }

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
        int next = lane_row(i);
        for (std::uint64_t rest = bits[i]; rest != 0; rest &= rest - 1) hessian(d).colind[next++] = std::countr_zero(rest);
        hessian(d).rownnz[i] = next - lane_row(i);
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

template <class D>
struct LaneHessian {
    using T = value_part_t<typename D::scalar>;
    D& d;
    static int row(int i) { return lane_row(i); }
    // Columns of row i, ascending, the diagonal last.
    const int* columns(int i) const { return &hessian(d).colind[row(i)]; }
    int rownnz(int i) const { return hessian(d).rownnz[i]; }
    int column(int i, int c) const { return columns(i)[c]; }
    int place(int i, int c) const { return row(i) + columns(i)[c]; }

    // Row i of M, or of its factor, as row i of a matrix with the pattern of H.
    template <class M, class From, class To>
    void copy_tree_row(const M& m, int i, const From& from, To& to) const {
        copy_listed_row(m, *this, i, from, to);
    }

    template <int Dim>
    void add_block(int block, const T (&W)[max_block_dim][max_block_dim], Curvature kind) {
        const BlockColumns curved = curved_columns<T, Dim>(d, block, W);
        const int nnz = d.block_nnz[block];
        const auto* J = &d.efc_J[d.block_J[block]];
        const auto entries = [&](int c) { return &hessian(d).H[row(curved.dof[c])]; };
        // one sum for an entry, wherever its columns are in the block: that depends on the other lanes
        const auto add = [&](T& entry, const T(&w)[Dim], int k) {
            T sum = entry;
            for (int r = 0; r < Dim; ++r) sum += w[r] * part<T>(J[r * nnz + k]);
            entry = sum;
        };
        T v[Dim], w[Dim];
        int c = 0;
        for (; c + 1 < curved.count; c += 2) {
            weigh_column(J + curved.place[c], nnz, W, kind, v);
            weigh_column(J + curved.place[c + 1], nnz, W, kind, w);
            T *first = entries(c), *second = entries(c + 1);
            for (int k = 0; k <= c; ++k) {
                const int j = curved.dof[k], from = curved.place[k];
                T sum = first[j], other = second[j];
                for (int r = 0; r < Dim; ++r) {
                    const T J_r = part<T>(J[r * nnz + from]);
                    sum += v[r] * J_r;
                    other += w[r] * J_r;
                }
                first[j] = sum;
                second[j] = other;
            }
            add(second[curved.dof[c + 1]], w, curved.place[c + 1]);
        }
        if (c == curved.count) return;
        weigh_column(J + curved.place[c], nnz, W, kind, w);
        T* last = entries(c);
        for (int k = 0; k <= c; ++k) add(last[curved.dof[k]], w, curved.place[k]);
    }

    // L = H for rows first ... last.
    void start_factor(int first, int last) {
        for (int i = first; i <= last; ++i) {
            const int adr = row(i), *at = columns(i);
            for (int c = 0; c < rownnz(i); ++c) hessian(d).L[adr + at[c]] = hessian(d).H[adr + at[c]];
        }
    }

    // What rows a that are through leave in the `count` rows above them, two at a time.
    template <int Rows, class X>
    [[gnu::always_inline]] void subtract_above(const int* list, int count, T* const (&a)[Rows], const T (&inverse)[Rows],
                                               const T (&xa)[Rows], X& x) {
        int c = count - 1;
        for (; c > 0; c -= 2) {
            const int j = list[c], j2 = list[c - 1];
            T l[Rows], l2[Rows];
            T *target = &hessian(d).L[row(j)], *target2 = &hessian(d).L[row(j2)];
            T sum = target[j], xj = x[j], xj2 = x[j2];
            for (int q = 0; q < Rows; ++q) {
                l[q] = a[q][j] * inverse[q];
                l2[q] = a[q][j2] * inverse[q];
                sum -= l[q] * a[q][j];
                xj -= l[q] * xa[q];
                xj2 -= l2[q] * xa[q];
            }
            target[j] = sum;
            x[j] = xj;
            x[j2] = xj2;
            for (int k = 0; k < c; ++k) {
                const int at = list[k];
                T one = target[at], two = target2[at];
                for (int q = 0; q < Rows; ++q) {
                    const T entry = a[q][at];
                    one -= l[q] * entry;
                    two -= l2[q] * entry;
                }
                target[at] = one;
                target2[at] = two;
            }
        }
        if (c < 0) return;
        const int j = list[0];
        T* target = &hessian(d).L[row(j)];
        for (int q = 0; q < Rows; ++q) {
            const T l = a[q][j] * inverse[q];
            target[j] -= l * a[q][j];
            x[j] -= l * xa[q];
        }
    }

    // Eliminates rows i, i - 1 ... i - Rows + 1, each of which has the columns of the one before but its own, and x ← L⁻ᵀ x.
    template <int Rows, class X>
    void eliminate_rows(int i, X& x) {
        const int last = i - Rows + 1, count = rownnz(last) - 1;
        const int* list = columns(last);
        T *a[Rows], inverse[Rows], xa[Rows];
        for (int q = 0; q < Rows; ++q) {
            a[q] = &hessian(d).L[row(i - q)];
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
                for (int c = 0; c < count; ++c) subtract(list[c]);
                for (int j = last; j <= i - q; ++j) subtract(j);
            }
            x[i - q] = xa[q];
            inverse[q] = inverse_pivot<T>(d, row(i - q) + i - q);
            hessian(d).DiagInv[i - q] = inverse[q];
        }
        subtract_above(list, count, a, inverse, xa, x);
    }

    template <class X>
    int eliminate(int i, int first, X& x) {
        return eliminate_together(d, *this, i, first, x);
    }

    // x ← L⁻¹ D⁻¹ x for rows i ... i + Rows - 1, each of which has the columns of the one before and that one: their sums run side
    // by side. Each is one sum over ascending columns, so that it does not depend on which columns the other lanes have.
    template <int Rows, class X>
    void finish_rows(int i, X& x) const {
        const int* list = columns(i);
        const T* a[Rows];
        T sum[Rows];
        for (int q = 0; q < Rows; ++q) {
            a[q] = &hessian(d).L[row(i + q)];
            sum[q] = x[i + q];
        }
        for (int c = 0; c < rownnz(i) - 1; ++c) {
            const int j = list[c];
            for (int q = 0; q < Rows; ++q) sum[q] -= a[q][j] * x[j];
        }
        for (int q = 0; q < Rows; ++q) {
            for (int p = 0; p < q; ++p) sum[q] -= a[q][i + p] * x[i + p];
            x[i + q] = sum[q] * hessian(d).DiagInv[i + q];
        }
    }
    template <class M, class X>
    void finish_solve(const M& m, int island, X& x) const {
        int next = 0;
        for_each_dof(m, d, island, [&](int i) {
            if (i < next) return;
            int rows = 1;
            while (rows < 4 && i + rows < m.nv && rownnz(i + rows) == rownnz(i) + rows &&
                   column(i + rows, rownnz(i + rows) - 2) == i + rows - 1)
                ++rows;
            next = i + rows;
            switch (rows) {
                case 1: return finish_rows<1>(i, x);
                case 2: return finish_rows<2>(i, x);
                case 3: return finish_rows<3>(i, x);
                default: return finish_rows<4>(i, x);
            }
        });
    }
};

}  // namespace mjx::inner
