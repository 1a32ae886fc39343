// Newton's Hessian H = M + Jᵀ W J: its pattern, its entries and its factor, in the sparsity of the kinematic trees.
//
// Reads   M, efc_J, sol_weight (W of the rows in a quadratic zone), sol_jar (for the middle zone of elliptic cones)
// Writes  sol_H, sol_old (the weights in it), its factor sol_L and sol_HDiagInv, and sol_H_colind, sol_H_rowadr, sol_H_rownnz where
//         the pattern has fill
// Row i holds columns j ≤ i, the diagonal last; H = LᵀDL is eliminated from the last dof to the first, as M is. A block whose
// columns lie on one path to the root (contacts with the world, limits) couples only ancestors: H then has the pattern of M and
// factors without fill. Other blocks (two limbs, two robots) add columns to the rows of the later chain, up to the root of its
// tree; the pattern is closed by one pass over bit sets (the elimination tree: George & Liu 1981).
#pragma once

#include "mjx/solver/elimination_order.hpp"
#include "mjx/solver/eliminate_blocks.hpp"

namespace mjx {

// Where the entries of H are: as in M, or as listed in Data. Entry c of row i is at place(i, c).
template <class M>
struct TreePattern {
    const M& m;
    int rowadr(int i) const { return m.M_rowadr[i]; }
    int rownnz(int i) const { return m.M_rownnz[i]; }
    int colind(int k) const { return m.M_colind[k]; }
    bool in_order(int, int) const { return true; }
    int place(int i, int c) const { return rowadr(i) + c; }
    int column(int i, int c) const { return colind(rowadr(i) + c); }
};
template <class D>
struct FilledPattern {
    const D& d;
    int rowadr(int i) const { return d.sol_H_rowadr[i]; }
    int rownnz(int i) const { return d.sol_H_rownnz[i]; }
    int colind(int k) const { return d.sol_H_colind[k]; }
    bool in_order(int i, int j) const { return d.sol_H_place[i] <= d.sol_H_place[j]; }
    int place(int i, int c) const { return rowadr(i) + c; }
    int column(int i, int c) const { return colind(rowadr(i) + c); }
};

// Whether all the block's columns are in the row of its last one in M.
template <class M, class D>
bool is_path(const M& m, const D& d, int block) {
    const int nnz = d.block_nnz[block], adr = d.block_J[block], last = d.efc_J_colind[adr + nnz - 1];
    const int row = m.M_rowadr[last], length = m.M_rownnz[last];
    if (nnz > length) return false;
    if (m.M_colind[row + length - nnz] == d.efc_J_colind[adr]) {
        int same = 1;
        while (same < nnz && m.M_colind[row + length - nnz + same] == d.efc_J_colind[adr + same]) ++same;
        if (same == nnz) return true;
    }
    int k = 0;
    for (int c = 0; c < length && k < nnz; ++c) k += m.M_colind[row + c] == d.efc_J_colind[adr + k];
    return k == nnz;
}
template <class M, class D>
bool needs_fill(const M& m, const D& d) {
    for (int b = 0; b < d.nblock[0]; ++b)
        if (!is_path(m, d, b)) return true;
    return false;
}

// Where each dof of an island comes in the order of elimination. Gives the place past the last.
template <class M, class D>
int place_dofs(const M& m, D& d, int island, int first) {
    for_each_dof(m, d, island, [&](int i) {
        d.sol_H_place[i] = first;
        d.sol_H_dof[first++] = i;
    });
    return first;
}

// The columns of each row between two places, an island's, with fill, as bits; both by place.
template <class M, class D>
void make_pattern_bits(const M& m, D& d, int island, int first, int last) {
    const int words = (m.nv + 63) / 64, low = first / 64;
    const auto bit = [](int p) { return std::uint64_t(1) << (p & 63); };
    auto& bits = d.sol_H_bits;
    for (int p = first; p < last; ++p) {
        const int i = d.sol_H_dof[p], parent = m.dof_parentid[i];
        for (int w = low; w <= p / 64; ++w) bits[p * words + w] = 0;
        bits[p * words + p / 64] |= bit(p);
        if (parent >= 0 && m.M_rownnz[i] == m.M_rownnz[parent] + 1) {
            const int q = d.sol_H_place[parent];
            for (int w = low; w <= q / 64; ++w) bits[p * words + w] |= bits[q * words + w];
            continue;
        }
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
            const int q = d.sol_H_place[m.M_colind[k]];
            bits[p * words + q / 64] |= bit(q);
        }
    }
    for_each_block(d, island, [&](int b) {
        const int adr = d.block_J[b], nnz = d.block_nnz[b];
        int end = 0;
        for (int c = 0; c < nnz; ++c)
            if (const int q = d.sol_H_place[d.efc_J_colind[adr + c]]; q > end) end = q;
        for (int c = 0; c < nnz; ++c) {
            const int q = d.sol_H_place[d.efc_J_colind[adr + c]];
            bits[end * words + q / 64] |= bit(q);
        }
    });
    // what is coupled to p is coupled to the largest of its columns once p is eliminated
    for (int p = last - 1; p >= first; --p) {
        int w = p / 64;
        std::uint64_t rest = bits[p * words + w] & (bit(p) - 1);
        while (rest == 0 && w > low) rest = bits[p * words + --w];
        if (rest == 0) continue;
        const int parent = 64 * w + 63 - std::countl_zero(rest);
        bits[parent * words + w] |= rest;
        for (int k = low; k < w; ++k) bits[parent * words + k] |= bits[p * words + k];
    }
}

// The pattern with fill. False if it does not fit into Data.
template <class M, class D>
bool make_filled_pattern(const M& m, D& d) {
    order_trees(m, d);
    const int words = (m.nv + 63) / 64, capacity = hessian_size(m);
    const auto& bits = d.sol_H_bits;
    int next = 0, first = 0;
    for (int island = 0; island < d.nisland[0]; ++island) {
        const int last = place_dofs(m, d, island, first);
        make_pattern_bits(m, d, island, first, last);
        for (int p = first; p < last; ++p) {
            const int i = d.sol_H_dof[p];
            d.sol_H_rowadr[i] = next;
            for (int w = first / 64; w <= p / 64; ++w)
                for (std::uint64_t rest = bits[p * words + w]; rest != 0; rest &= rest - 1) {
                    if (next == capacity) return false;
                    d.sol_H_colind[next++] = d.sol_H_dof[64 * w + std::countr_zero(rest)];
                }
            d.sol_H_rownnz[i] = next - d.sol_H_rowadr[i];
        }
        first = last;
    }
    return true;
}

// The curvature of a block in its own dim rows. It is a full matrix only in the middle zone of an elliptic cone; otherwise row and
// column 0 and the diagonal hold all of it. Lanes in `done` do not care.
enum class Curvature { none, arrow, full };

template <class T, class D, class Weight>
Curvature block_curvature(const D& d, int block, T (&W)[max_block_dim][max_block_dim], const mask_t<T>& done, Weight&& weight) {
    const int row = d.block_row[block], dim = d.block_dim[block], type = d.efc_type[row];
    mask_t<T> counts(false);
    if (type == cnstr::contact_pyramidal) {
        const auto& contact = d.contact[d.efc_id[row]];
        W[0][0] = T(0);
        for (int k = 1; k < dim; ++k) {
            const T plus = weight(row + 2 * k - 2), minus = weight(row + 2 * k - 1);
            const T mu = part<T>(contact.friction[k - 1]), sum = plus + minus;
            counts = counts || plus != T(0) || minus != T(0);
            W[0][0] += sum;
            W[0][k] = W[k][0] = mu * (plus - minus);
            W[k][k] = mu * mu * sum;
        }
        return any(counts && !done) ? Curvature::arrow : Curvature::none;
    }
    for (int r = 0; r < dim; ++r) {
        for (int s = 0; s < dim; ++s) W[r][s] = T(0);
        W[r][r] = weight(row + r);
        counts = counts || W[r][r] != T(0);
    }
    if (type == cnstr::contact_elliptic) {
        const ConeResponse<T> c = cone_response<T>(d, row, d.sol_jar);
        if (any(c.middle && !done)) {
            add_cone_hessian(c, W);
            return Curvature::full;
        }
    }
    return any(counts && !done) ? Curvature::arrow : Curvature::none;
}

// How many columns of a block come after the others in the order of elimination although they are before them in the block: those of
// the first of its two trees, or none.
template <class P, class D>
int late_columns(const P& pattern, const D& d, int block) {
    const int nnz = d.block_nnz[block], *column = &d.efc_J_colind[d.block_J[block]];
    if (pattern.in_order(column[0], column[nnz - 1])) return 0;
    int late = 1;
    while (pattern.in_order(column[0], column[late])) ++late;
    return late;
}

// H += Jᵀ W J for one block: row by row of H, against the columns of the block that come before.
template <class T, int Dim, class P, class D>
void add_block_hessian(const P& pattern, D& d, int block, const T (&W)[max_block_dim][max_block_dim], Curvature kind) {
    const int nnz = d.block_nnz[block], adr = d.block_J[block], late = late_columns(pattern, d, block);
    const auto* J = &d.efc_J[adr];
    for (int c = 0; c < nnz; ++c) {
        T w[Dim];
        for (int r = 0; r < Dim; ++r) w[r] = W[r][0] * part<T>(J[c]);
        if (kind == Curvature::arrow)
            for (int s = 1; s < Dim; ++s) {
                const T J_s = part<T>(J[s * nnz + c]);
                w[0] += W[0][s] * J_s;
                w[s] += W[s][s] * J_s;
            }
        else
            for (int r = 0; r < Dim; ++r)
                for (int s = 1; s < Dim; ++s) w[r] += W[r][s] * part<T>(J[s * nnz + c]);
        const int i = d.efc_J_colind[adr + c], diagonal = pattern.rowadr(i) + pattern.rownnz(i) - 1;
        const auto entry = [&](int k) {
            T sum = w[0] * part<T>(J[k]);
            for (int r = 1; r < Dim; ++r) sum += w[r] * part<T>(J[r * nnz + k]);
            return sum;
        };
        if (late == 0 && c < pattern.rownnz(i) && pattern.colind(diagonal - c) == d.efc_J_colind[adr]) {
            T* __restrict target = &d.sol_H[diagonal - c];
            for (int k = 0; k <= c; ++k) target[k] += entry(k);
        } else {
            int at = pattern.rowadr(i);
            const auto add = [&](int k, int last) {
                for (; k <= last; ++k) {
                    while (pattern.colind(at) != d.efc_J_colind[adr + k]) ++at;
                    d.sol_H[at] += entry(k);
                }
            };
            if (c < late) add(late, nnz - 1);
            add(c < late ? 0 : late, c);
        }
    }
}

// Row i of M, or of its factor, as row i of a matrix with the pattern of H.
template <class M, class P, class From, class To>
void copy_tree_row(const M& m, const P& pattern, int i, const From& from, To& to) {
    using T = std::remove_cvref_t<decltype(to[0])>;
    const int nnz = pattern.rownnz(i), adr = m.M_rowadr[i], count = m.M_rownnz[i];
    if (nnz == count) {
        for (int k = 0; k < nnz; ++k) to[pattern.place(i, k)] = part<T>(from[adr + k]);
        return;
    }
    int k = 0;
    for (int c = 0; c < nnz; ++c) {
        const bool in_M = m.M_colind[adr + k] == pattern.column(i, c);
        to[pattern.place(i, c)] = in_M ? part<T>(from[adr + k]) : T(0);
        k += in_M;
    }
}

// H += Jᵀ W J for all blocks of an island, with W from the weights of the rows that H does not have yet. Lanes that are done get some
// part of it.
template <bool Fresh, class M, class D, class P, class Mask>
void add_curvature(const M&, D& d, int island, const P& pattern, const Mask& done) {
    using T = value_part_t<typename D::scalar>;
    for_each_block(d, island, [&](int b) {
        T W[max_block_dim][max_block_dim];
        const Curvature kind = block_curvature<T>(d, b, W, done, [&](int i) {
            if constexpr (Fresh)
                return d.sol_weight[i];
            else
                return T(d.sol_weight[i] - d.sol_old[i]);
        });
        if (!Fresh && kind == Curvature::none) return;
        for (int i = d.block_row[b]; i < d.block_row[b] + block_rows(d, b); ++i)
            d.sol_old[i] = kind == Curvature::none ? T(0) : d.sol_weight[i];
        if (kind == Curvature::none) return;
        switch (d.block_dim[b]) {
            case 1: return add_block_hessian<T, 1>(pattern, d, b, W, kind);
            case 3: return add_block_hessian<T, 3>(pattern, d, b, W, kind);
            case 4: return add_block_hessian<T, 4>(pattern, d, b, W, kind);
            default: return add_block_hessian<T, 6>(pattern, d, b, W, kind);
        }
    });
}
template <class M, class D, class P, class Mask>
void assemble_hessian(const M& m, D& d, int island, const P& pattern, const Mask& done) {
    for_each_dof(m, d, island, [&](int i) { copy_tree_row(m, pattern, i, d.M, d.sol_H); });
    add_curvature<true>(m, d, island, pattern, done);
}

// H follows the weights of the rows from those in sol_old: few change from one iteration to the next. Not for elliptic cones.
template <class M, class D, class P, class Mask>
void update_hessian(const M& m, D& d, int island, const P& pattern, const Mask& done) {
    add_curvature<false>(m, d, island, pattern, done);
}
template <class D>
bool has_elliptic_blocks(const D& d, int island) {
    bool found = false;
    for_each_run(d, island, [&](int which, int, int) { found = found || which == law::cone; });
    return found;
}

// The factor starts as a copy of H.
template <class D, class P>
void copy_row(D& d, const P& pattern, int i) {
    const int adr = pattern.rowadr(i);
    for (int k = adr; k < adr + pattern.rownnz(i); ++k) d.sol_L[k] = d.sol_H[k];
}

// target[place of source's column] -= value(k) for the first count columns of row i, in the row of its column j.
template <class D, class P, class F>
void subtract_row(D& d, const P& pattern, int i, int j, int count, F&& value) {
    const int adr = pattern.rowadr(i), to = pattern.rowadr(j);
    auto* __restrict target = &d.sol_L[to];
    if (pattern.rownnz(j) == count) {
        for (int k = 0; k < count; ++k) target[k] -= value(k);
        return;
    }
    for (int k = 0, at = 0; k < count; ++k, ++at) {
        while (pattern.colind(to + at) != pattern.colind(adr + k)) ++at;
        target[at] -= value(k);
    }
}

// Eliminates row i, and with it row i - 1 if that is its parent with the same columns: both are then subtracted in one pass, which
// halves the work of finding and touching the rows above. x ← L⁻ᵀ x on the way. Gives the number of rows eliminated.
template <class T, class D, class P, class X>
int eliminate(D& d, const P& pattern, int i, int first, X& x) {
    const int adr = pattern.rowadr(i), last = pattern.rownnz(i) - 1;
    T* a = &d.sol_L[adr];
    const T inverse_a = inverse_pivot<T>(d, adr + last);
    const auto xa = x[i];
    d.sol_HDiagInv[i] = inverse_a;
    if (i == first || last == 0 || pattern.colind(adr + last - 1) != i - 1 || pattern.rownnz(i - 1) != last) {
        for (int c = last - 1; c >= 0; --c) {
            const T l = a[c] * inverse_a;
            const int j = pattern.colind(adr + c);
            x[j] -= l * xa;
            subtract_row(d, pattern, i, j, c + 1, [&](int k) { return l * a[k]; });
            a[c] = l;
        }
        return 1;
    }
    T* b = &d.sol_L[pattern.rowadr(i - 1)];
    const T parent = a[last - 1] * inverse_a;
    for (int k = 0; k < last; ++k) b[k] -= parent * a[k];
    a[last - 1] = parent;
    x[i - 1] -= parent * xa;
    const T inverse_b = inverse_pivot<T>(d, pattern.rowadr(i - 1) + last - 1);
    const auto xb = x[i - 1];
    d.sol_HDiagInv[i - 1] = inverse_b;
    for (int c = last - 2; c >= 0; --c) {
        const T la = a[c] * inverse_a, lb = b[c] * inverse_b;
        const int j = pattern.colind(adr + c);
        x[j] -= la * xa + lb * xb;
        subtract_row(d, pattern, i, j, c + 1, [&](int k) { return la * a[k] + lb * b[k]; });
        a[c] = la;
        b[c] = lb;
    }
    return 2;
}

// H = LᵀDL in sol_L, and x ← L⁻ᵀ x: the elimination of a row hides the latency of its step in x.
template <class M, class D, class P, class X>
void factor_hessian(const M& m, D& d, int island, const P& pattern, X& x) {
    using T = value_part_t<typename D::scalar>;
    for_each_dof(m, d, island, [&](int i) { copy_row(d, pattern, i); });
    const auto range = [&](int first, int last) {
        for (int i = last; i >= first;) i -= eliminate<T>(d, pattern, i, first, x);
    };
    if (m.ntree == 1) return range(0, m.nv - 1);
    const bool many = lanes_v<T> == 1 && d.island_treenum[island] > 2;
    for (int k = d.island_treeadr[island] + d.island_treenum[island] - 1; k >= d.island_treeadr[island]; --k) {
        const int first = m.tree_dofadr[d.island_tree[k]], last = first + m.tree_dofnum[d.island_tree[k]] - 1;
        if (!many) range(first, last);
        if constexpr (lanes_v<T> == 1)
            for (int i = last; many && i >= first;) i -= eliminate_block<T>(d, pattern, i, first, x);
    }
}

// The rest of x ← H⁻¹ x: D⁻¹, then L⁻¹.
template <class M, class D, class P, class X>
void finish_solve(const M& m, const D& d, int island, const P& pattern, X& x) {
    for_each_dof(m, d, island, [&](int i) {
        const int adr = pattern.rowadr(i), last = pattern.rownnz(i) - 1;
        auto xi = x[i] * d.sol_HDiagInv[i];
        for (int c = 0; c < last; ++c) xi -= d.sol_L[adr + c] * x[pattern.colind(adr + c)];
        x[i] = xi;
    });
}

}  // namespace mjx
