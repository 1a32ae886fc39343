// Newton's Hessian for packs: a full triangle, so that no entry is searched for.
//
// Reads   M, efc_J, weight, jar
// Writes  H and L (entry (i, j) at i (i + 1)/2 + j), DiagInv, colind, rownnz, bits, below
// An entry of a pack is a whole register: loads and stores cost as much as the arithmetic, and a search for a column more than
// both. So the columns of row i are listed at the same places as its entries, two columns of a block are added in one pass, and up
// to four rows with the same columns (the hinges of a limb) are eliminated in one pass. Only the pattern's entries are touched.
#pragma once

#include "mjx/math/traverse.hpp"
#include "mjx/solver/hessian/bit_pattern.hpp"
#include "mjx/solver/hessian/hessian.hpp"

namespace mjx::inner {

// Where row i of a triangle starts.
constexpr int triangle_row(int i) { return i * (i + 1) / 2; }

// The columns of each row, and for each column the rows below that have it. Rows of L are zero outside of the pattern: a row below need
// not have all columns of a group.
template <class M, class D>
void list_columns(const M& m, D& d) {
    using T = value_part_t<typename D::scalar>;
    auto& store = hessian(d);
    for (int i = 0; i < m.nv; ++i) {
        store.below[i] = 0;
        int next = triangle_row(i);
        for (std::uint64_t rest = ~store.bits[i] & ((std::uint64_t(1) << i) - 1); rest != 0; rest &= rest - 1)
            store.L[triangle_row(i) + std::countr_zero(rest)] = T(0);
        for (std::uint64_t rest = store.bits[i]; rest != 0; rest &= rest - 1) {
            const int j = std::countr_zero(rest);
            store.colind[next++] = j;
            store.below[j] |= std::uint64_t(1) << i;
        }
        store.rownnz[i] = next - triangle_row(i);
    }
}

// The pattern of M and of an island's blocks, closed under elimination.
template <class M, class D>
void make_lane_pattern(const M& m, D& d, int island) {
    std::uint64_t grown = 0;
    make_tree_bits(m, d);
    for_each_block(d, island, [&](int b) {
        // not all columns of a block that contacts share: what none of them couples is zero in every lane
        for_each_sharing(d, b, [&](const auto& contact) { couple(d, contact.dofs, grown); });
        if (d.block_dofs[b] == 0) couple(d, column_bits(d, b), grown);
    });
    close_pattern_bits(d, grown);
    list_columns(m, d);
}

// The columns of a block that its curvature acts on, and where their entries are: for a block that contacts share, those of the contacts in
// the lanes with curvature.
template <class S>
struct BlockColumns {
    int count = 0;
    std::uint64_t bits;
    std::ptrdiff_t dof[max_lane_dofs];
    const S* entries[max_lane_dofs];  // that of the first row; the others follow by the number of columns
};
template <class T, int Dim, class D>
[[gnu::always_inline]] inline void list_curved_columns(const D& d, int block, const T (&W)[max_block_dim][max_block_dim],
                                                       BlockColumns<typename D::scalar>& columns) {
    const int nnz = d.block_nnz[block], *dof = &d.efc_J_colind[d.block_J[block]];
    const auto* J = &d.efc_J[d.block_J[block]];
    std::uint64_t dofs = d.block_dofs[block];
    if (dofs != 0) {
        mask_t<T> curved = W[0][0] != T(0);
        for (int r = 1; r < Dim; ++r) curved = curved || W[0][r] != T(0) || W[r][r] != T(0);
        dofs = 0;
        for_each_sharing(d, block, [&](const auto& contact) {
            if (any(curved && contact.active)) dofs |= contact.dofs;
        });
    } else {
        dofs = column_bits(d, block);
    }
    columns.bits = dofs;
    int count = 0;  // in a register
    for (int k = 0; k < nnz; ++k) {
        columns.dof[count] = dof[k];
        columns.entries[count] = J + k;
        count += int(dofs >> dof[k] & 1);
    }
    columns.count = count;
}

template <class D>
struct LaneHessian {
    using T = value_part_t<typename D::scalar>;
    D& d;
    std::uint64_t changed = 0;  // rows of H that are not those of the last factor
    static int row(int i) { return triangle_row(i); }
    // Columns of row i, ascending, the diagonal last.
    const int* columns(int i) const { return &hessian(d).colind[row(i)]; }
    int rownnz(int i) const { return hessian(d).rownnz[i]; }
    int column(int i, int c) const { return columns(i)[c]; }
    int place(int i, int c) const { return row(i) + columns(i)[c]; }

    // Row i of M, or of its factor, as row i of a matrix with the pattern of H.
    template <class M, class From, class To>
    void copy_tree_row(const M& m, int i, const From& from, To& to) {
        T* const entries = &to[row(i)];
        std::uint64_t rest = hessian(d).bits[i];
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
            entries[m.M_colind[k]] = part<T>(from[k]);
            rest ^= std::uint64_t(1) << m.M_colind[k];
        }
        for (; rest != 0; rest &= rest - 1) entries[std::countr_zero(rest)] = T(0);
        changed |= std::uint64_t(1) << i;
    }

    // H += Jᵀ W J for the rows of `Width` columns of a block, from column c of `curved` on. An entry is one sum, wherever its columns are
    // in the block: that depends on the other lanes.
    template <int Dim, int Width>
    void add_columns(const BlockColumns<typename D::scalar>& curved, int c, std::ptrdiff_t nnz, const T (&W)[max_block_dim][max_block_dim],
                     Curvature kind) {
        T w[Width][Dim];
        T* rows[Width];
        unrolled<Width>([&](auto q) {
            weigh_column(curved.entries[c + q], nnz, W, kind, w[q]);
            rows[q] = &hessian(d).H[row(static_cast<int>(curved.dof[c + q]))];
        });
        const auto add = [&](int k, auto first) {
            const auto* J = curved.entries[k];
            const std::ptrdiff_t j = curved.dof[k];
            T J_k[Dim];
            unrolled<Dim>([&](auto r) { J_k[r] = part<T>(J[r * nnz]); });
            unrolled<Width - first>([&](auto p) {
                constexpr int q = first + p;
                T sum = rows[q][j];
                unrolled<Dim>([&](auto r) { sum += w[q][r] * J_k[r]; });
                rows[q][j] = sum;
            });
        };
        for (int k = 0; k < c; ++k) add(k, std::integral_constant<int, 0>{});
        unrolled<Width>([&](auto q) { add(c + q, q); });
    }
    template <int Dim>
    void add_block(int block, const T (&W)[max_block_dim][max_block_dim], Curvature kind) {
        constexpr int width = Dim > 3 ? 2 : 4;
        BlockColumns<typename D::scalar> curved;
        list_curved_columns<T, Dim>(d, block, W, curved);
        changed |= curved.bits;
        const std::ptrdiff_t nnz = d.block_nnz[block];
        int c = curved.count & 1;  // what does not fill a pass comes first, where rows are short
        if (c == 1) add_columns<Dim, 1>(curved, 0, nnz, W, kind);
        if (width > 2 && (curved.count & 2) != 0) {
            add_columns<Dim, 2>(curved, c, nnz, W, kind);
            c += 2;
        }
        for (; c < curved.count; c += width) add_columns<Dim, width>(curved, c, nnz, W, kind);
    }

    // Rows of L start from those of H as they are eliminated.
    void start_factor(int, int) {}

    // The rows below a group of rows that have a part in it: where they are, and the multiples of them that it loses.
    template <int Rows>
    struct RowsBelow {
        int count = 0;
        const T* row[max_lane_dofs];
        T multiple[max_lane_dofs][Rows];
    };

    // Columns of a pass: what there are registers for with four rows.
    static constexpr int most_columns = sizeof(T) == 64 ? 6 : 4;

    // Entries of `Width` columns in the rows i ... i - Rows + 1 of L: what H has, less what the rows below and those of the group before
    // take, in that order. The sums stay in registers.
    template <int Width, int Rows>
    void eliminate_columns(int i, const int* list, const RowsBelow<Rows>& below, const T (&within)[Rows][Rows]) {
        auto& store = hessian(d);
        std::ptrdiff_t at[Width];
        T sum[Rows][Width];
        unrolled<Width>([&](auto c) { at[c] = list[c]; });
        unrolled<Rows>([&](auto q) {
            const T* from = &store.H[row(i - q)];
            unrolled<Width>([&](auto c) { sum[q][c] = from[at[c]]; });
        });
        for (int p = 0; p < below.count; ++p) {
            const T *a = below.row[p], *multiple = below.multiple[p];
            unrolled<Width>([&](auto c) {
                const T entry = a[at[c]];
                unrolled<Rows>([&](auto q) { sum[q][c] -= multiple[q] * entry; });
            });
        }
        unrolled<Rows>([&](auto q) {
            T* to = &store.L[row(i - q)];
            unrolled<Width>([&](auto c) {
                unrolled<q>([&](auto p) { sum[q][c] -= within[p][q] * sum[p][c]; });
                to[at[c]] = sum[q][c];
            });
        });
    }

    // Eliminates rows i, i - 1 ... i - Rows + 1, each of which has the columns of the one before but its own, and x ← L⁻ᵀ x.
    template <int Rows, class X>
    void eliminate_rows(int i, X& x) {
        auto& store = hessian(d);
        const int last = i - Rows + 1, count = rownnz(last) - 1;
        RowsBelow<Rows> below;
        T xa[Rows], own[Rows][Rows], within[Rows][Rows];  // entries (i - q, i - r) at q, r, and the multiples of rows q that rows r lose
        std::uint64_t rows = 0;
        unrolled<Rows>([&](auto q) {
            rows |= store.below[i - q];
            xa[q] = x[i - q];
            unrolled<q + 1>([&](auto r) { own[r][q] = store.H[row(i - r) + i - q]; });
        });
        for (rows &= ~std::uint64_t(1) << i; rows != 0;) {
            const int p = 63 - std::countl_zero(rows);
            rows ^= std::uint64_t(1) << p;
            const T *a = &store.L[row(p)], inverse = store.DiagInv[p], x_p = x[p];
            T entry[Rows], multiple[Rows];
            unrolled<Rows>([&](auto q) {
                entry[q] = a[i - q];
                multiple[q] = entry[q] * inverse;
                below.multiple[below.count][q] = multiple[q];
                xa[q] -= multiple[q] * x_p;
                unrolled<q + 1>([&](auto r) { own[r][q] -= multiple[r] * entry[q]; });
            });
            below.row[below.count++] = a;
        }
        unrolled<Rows>([&](auto q) {
            unrolled<q>([&](auto p) {
                xa[q] -= within[p][q] * xa[p];
                unrolled<Rows - q>([&](auto r) { own[q][q + r] -= within[p][q] * own[p][q + r]; });
            });
            const T inverse = inverse_pivot(own[q][q], store.H[row(i - q) + i - q]);
            store.DiagInv[i - q] = inverse;
            x[i - q] = xa[q];
            unrolled<Rows - q>([&](auto r) {
                store.L[row(i - q) + i - q - r] = own[q][q + r];
                within[q][q + r] = own[q][q + r] * inverse;
            });
        });
        const int* list = columns(last);
        for (int left = count; left > 0;) {
            const int passes = (left + most_columns - 1) / most_columns, width = (left + passes - 1) / passes;
            unrolled<most_columns>([&](auto k) {
                if (width == k + 1) eliminate_columns<k + 1>(i, list, below, within);
            });
            list += width;
            left -= width;
        }
    }

    // x ← L⁻ᵀ x for row i of a factor that is there.
    template <class X>
    void pass_row(int i, X& x) const {
        const auto& store = hessian(d);
        T x_i = x[i];
        for (std::uint64_t rows = store.below[i] & ~std::uint64_t(1) << i; rows != 0;) {
            const int p = 63 - std::countl_zero(rows);
            rows ^= std::uint64_t(1) << p;
            x_i -= store.L[row(p) + i] * store.DiagInv[p] * x[p];
        }
        x[i] = x_i;
    }

    // Rows that H has as before, and that no row below them that changed has a part in, stay as they are.
    template <class X>
    int eliminate(int i, int first, X& x) {
        const std::uint64_t own = std::uint64_t(1) << i;
        if ((changed & own) == 0) {
            pass_row(i, x);
            return 1;
        }
        const int rows = eliminate_together(d, *this, i, first, x);
        changed |= hessian(d).bits[i];
        changed &= ~(own * 2 - (own >> (rows - 1)));  // these rows are done
        return rows;
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
