// Newton's Hessian of one environment with few dofs: whole rows, with zeros where dofs are not coupled.
//
// Reads   M, efc_J, weight, jar
// Writes  H, L, DiagInv, bits (the columns of each row)
// Up to a few dozen dofs it costs more to find an entry than to carry some zeros along: rows are padded to whole registers of the machine,
// an entry's place follows from its indices, and sums run over registers. What rows add to the padding of others is never read.
// Whole rows that a row does not touch are left out by its bits, and columns of trees before those of the island by where rows start. An
// entry's terms are subtracted one after another, from the last row to the first, so the factor does not depend on which rows are
// eliminated together.
#pragma once

#include "mjx/math/traverse.hpp"
#include "mjx/solver/hessian/add_rows.hpp"
#include "mjx/solver/hessian/bit_pattern.hpp"
#include "mjx/solver/hessian/hessian.hpp"

namespace mjx::inner {

// Whether a block is a contact with what does not move: its columns are the dofs above its last one, which M couples already. A contact of
// two bodies that move has no dofs that move both, so its first column is not where the chain of the last one starts.
template <class M, class D>
bool is_chain_contact(const M& m, const D& d, int block) {
    if (d.efc_type[d.block_row[block]] < cnstr::contact_frictionless) return false;
    const int first = d.block_J[block], last = first + d.block_nnz[block] - 1;
    return d.efc_J_colind[first] == m.M_colind[m.M_rowadr[d.efc_J_colind[last]]];
}
template <class M, class D>
void make_dense_pattern(const M& m, D& d) {
    std::uint64_t grown = 0;
    make_tree_bits(m, d);
    for (int b = 0; b < d.nblock; ++b)
        if (d.block_nnz[b] > 1 && !is_chain_contact(m, d, b)) couple(d, column_bits(d, b), grown);
    close_pattern_bits(d, grown);
}

// Every row has all columns up to its own.
template <class D>
struct DenseHessian {
    using T = value_part_t<typename D::scalar>;
    static constexpr int width = 4;  // whatever the machine: programs may be linked of parts compiled for different ones
    static_assert(width % row_width<T> == 0);
    D& d;
    int start = 0;  // the column that rows start at
    // Rows k width ... (k + 1) width - 1 have (k + 1) width places each.
    static int row(int i) {
        const int k = static_cast<int>(static_cast<unsigned>(i) / width);
        return width * (k + 1) * (i - width / 2 * k);
    }
    static int length(int i) { return static_cast<int>(static_cast<unsigned>(i) / width + 1) * width; }
    int rownnz(int i) const { return i + 1 - start; }
    int column(int, int c) const { return start + c; }
    int place(int i, int c) const { return row(i) + start + c; }

    template <class M>
    DenseHessian of_island(const M& m, int island) const {
        int first = m.nv;
        for_each_tree(m, d, island, [&](int, int dof, int) { first = dof < first ? dof : first; });
        return {d, first / width * width};
    }

    template <class M, class From, class To>
    void copy_tree_row(const M& m, int i, const From& from, To& to) const {
        T* const entries = &to[row(i)];
        const int adr = m.M_rowadr[i], count = m.M_rownnz[i];
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(from[0])>, T>)
            if (count == i + 1 && adr + length(i) <= m.nM) {  // every column there is, and what follows it to the padding
                for (int k = 0; k < length(i); k += width) std::memcpy(entries + k, &from[adr + k], width * sizeof(T));
                return;
            }
        for (int k = start; k < length(i); ++k) entries[k] = T(0);
        for (int k = adr; k < adr + count; ++k) entries[m.M_colind[k]] = part<T>(from[k]);
    }
    template <int Dim>
    void add_block(int block, const T (&W)[max_block_dim][max_block_dim], Curvature kind) {
        const int nnz = d.block_nnz[block], *dof = &d.efc_J_colind[d.block_J[block]], end = length(dof[nnz - 1]);
        const auto* J = &d.efc_J[d.block_J[block]];
        T* const H = hessian(d).H.data();
        if (Dim == 1 && nnz == 1) {  // a limit or dry friction of a joint
            const T entry = part<T>(J[0]);
            H[row(dof[0]) + dof[0]] += W[0][0] * entry * entry;
            return;
        }
        T rows[Dim][max_lane_dofs];
        const T* from[Dim];
        for (int r = 0; r < Dim; ++r) from[r] = rows[r] + start;
        for (int k = start; k < end; ++k)
            for (int r = 0; r < Dim; ++r) rows[r][k] = T(0);
        for (int c = 0; c < nnz; ++c)
            for (int r = 0; r < Dim; ++r) rows[r][dof[c]] = part<T>(J[r * nnz + c]);
        // two rows of H at a time: they read the block's once
        const int begin = start;
        int c = 0;
        for (; c + 2 <= nnz; c += 2) {
            T w[2][Dim];
            weigh_column(J + c, nnz, W, kind, w[0]);
            weigh_column(J + c + 1, nnz, W, kind, w[1]);
            T *const low = H + row(dof[c]) + begin, *const high = H + row(dof[c + 1]) + begin;
            const int shared = length(dof[c]) - begin;
            add_whole_rows(low, high, from, w[0], w[1], shared);
            add_whole_rows(high, from, w[1], length(dof[c + 1]) - begin, shared);
        }
        if (c == nnz) return;
        T w[Dim];
        weigh_column(J + c, nnz, W, kind, w);
        add_whole_rows(H + row(dof[c]) + begin, from, w, length(dof[c]) - begin);
    }

    // L = H for rows first ... last.
    void start_factor(int first, int last) {
        const int adr = row(first);
        std::memcpy(&hessian(d).L[adr], &hessian(d).H[adr], static_cast<std::size_t>(row(last + 1) - adr) * sizeof hessian(d).H[adr]);
    }

    // Eliminates rows i, i - 1 ... i - Rows + 1, each of which has the columns of the one before but its own, and x ← L⁻ᵀ x. The rows are
    // left as D L: finish_solve() divides once for a row.
    template <int Rows, class X>
    void eliminate_rows(int i, X& x) {
        auto& store = hessian(d);
        T *const L = store.L.data(), *a[Rows];
        for (int r = 0; r < Rows; ++r) a[r] = L + row(i - r) + start;
        // First what the rows are to each other, in registers: every pivot waits for the one before, and nothing else has to. Entries
        // (i - r, i - s) at r, s, the multiples of rows r that rows s get, and minus one over the pivots.
        T own[Rows][Rows], within[Rows][Rows], minus[Rows];
        std::remove_cvref_t<decltype(x[0])> xa[Rows];
        unrolled<Rows>([&](auto r) {
            xa[r] = x[i - r];
            unrolled<Rows - r>([&](auto s) { own[r][r + s] = a[r][i - (r + s) - start]; });
        });
        unrolled<Rows>([&](auto r) {
            const T inverse = inverse_pivot<T>(own[r][r], store.H[row(i - r) + i - r]);
            store.DiagInv[i - r] = inverse;
            minus[r] = -inverse;
            unrolled<Rows - r - 1>([&](auto k) {
                constexpr int s = r + 1 + k;
                within[r][s] = own[r][s] * minus[r];
                unrolled<Rows - s>([&](auto t) { own[s][s + t] += within[r][s] * own[r][s + t]; });
                xa[s] += within[r][s] * xa[r];
            });
            x[i - r] = xa[r];
        });
        unrolled<Rows - 1>([&](auto k) {
            constexpr int s = k + 1;
            T *from[s], w[s];
            for (int r = 0; r < s; ++r) from[r] = a[r], w[r] = within[r][s];
            add_whole_rows(a[s], from, w, length(i - s) - start);
        });
        const int last = i - Rows + 1;
        for (std::uint64_t rest = store.bits[last] & ((std::uint64_t(1) << last) - 1); rest != 0; rest &= rest - 1) {
            const int j = std::countr_zero(rest);
            T w[Rows];
            auto x_j = x[j];
            for (int r = 0; r < Rows; ++r) {
                w[r] = a[r][j - start] * minus[r];
                x_j += w[r] * xa[r];
            }
            x[j] = x_j;
            add_whole_rows(L + row(j) + start, a, w, length(j) - start);
        }
    }

    template <class X>
    int eliminate(int i, int first, X& x) {
        return eliminate_together(d, *this, i, first, x);
    }

    // x ← L⁻¹ D⁻¹ x for rows i ... i + Rows - 1, each of which has the columns of the one before and its own.
    template <int Rows, class X>
    void finish_rows(int i, X& x) const {
        const auto& store = hessian(d);
        const T* l[Rows];
        std::remove_cvref_t<decltype(x[0])> own[Rows];
        unrolled<Rows>([&](auto r) {
            l[r] = &store.L[row(i + r)];
            own[r] = x[i + r];
        });
        for (std::uint64_t rest = store.bits[i] & ((std::uint64_t(1) << i) - 1); rest != 0; rest &= rest - 1) {
            const int j = std::countr_zero(rest);
            const auto x_j = x[j];
            unrolled<Rows>([&](auto r) { own[r] -= l[r][j] * x_j; });
        }
        unrolled<Rows>([&](auto r) {
            unrolled<r>([&](auto s) { own[r] -= l[r][i + s] * own[s]; });
            x[i + r] = own[r] = own[r] * store.DiagInv[i + r];
        });
    }
    // The rest of x ← H⁻¹ x.
    template <class M, class X>
    void finish_solve(const M& m, int island, X& x) const {
        constexpr int most = most_together<M>();
        const auto& bits = hessian(d).bits;
        for_each_dof_range(m, d, island, [&](int first, int last) {
            for (int i = first; i < last;) {
                int rows = 1;
                while (rows < most && i + rows < last && (bits[i + rows] ^ bits[i + rows - 1]) == std::uint64_t(1) << (i + rows)) ++rows;
                unrolled<most>([&](auto k) {
                    if (rows == k + 1) finish_rows<k + 1>(i, x);
                });
                i += rows;
            }
        });
    }
};

}  // namespace mjx::inner
