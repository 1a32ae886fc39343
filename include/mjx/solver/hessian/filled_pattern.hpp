// The pattern of Newton's Hessian H = M + Jᵀ W J where there are many dofs: which entries it has, and where.
//
// Reads   the model's tree, blocks, efc_J_colind
// Writes  the places of the Hessian's entries: columns, rowadr, rownnz, place, dof, bits
// A block whose columns lie on one path to the root (contacts with the world, limits) couples only ancestors: H then has the
// pattern of M and factors without fill. Other blocks (two limbs, two robots) add columns to the rows of the later chain, up to the
// root of its tree; the pattern is closed by one pass over bit sets (the elimination tree: George & Liu 1981).
#pragma once

#include "mjx/solver/hessian/elimination_order.hpp"
#include "mjx/solver/hessian/work.hpp"

namespace mjx::inner {

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
    for (int b = 0; b < d.nblock; ++b)
        if (!is_path(m, d, b)) return true;
    return false;
}

// Where each dof of an island comes in the order of elimination. Gives the place past the last.
template <class M, class D>
int place_dofs(const M& m, D& d, int island, int first) {
    for_each_dof(m, d, island, [&](int i) {
        hessian(d).place[i] = first;
        hessian(d).dof[first++] = i;
    });
    return first;
}

// The columns of each row between two places, an island's, with fill, as bits; both by place.
template <class M, class D>
void make_pattern_bits(const M& m, D& d, int island, int first, int last) {
    const int words = (m.nv + 63) / 64, low = first / 64;
    const auto bit = [](int p) { return std::uint64_t(1) << (p & 63); };
    auto& bits = hessian(d).bits;
    for (int p = first; p < last; ++p) {
        const int i = hessian(d).dof[p], parent = m.dof_parentid[i];
        for (int w = low; w <= p / 64; ++w) bits[p * words + w] = 0;
        bits[p * words + p / 64] |= bit(p);
        if (parent >= 0 && m.M_rownnz[i] == m.M_rownnz[parent] + 1) {
            const int q = hessian(d).place[parent];
            for (int w = low; w <= q / 64; ++w) bits[p * words + w] |= bits[q * words + w];
            continue;
        }
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
            const int q = hessian(d).place[m.M_colind[k]];
            bits[p * words + q / 64] |= bit(q);
        }
    }
    for_each_block(d, island, [&](int b) {
        const int adr = d.block_J[b], nnz = d.block_nnz[b];
        int end = 0;
        for (int c = 0; c < nnz; ++c)
            if (const int q = hessian(d).place[d.efc_J_colind[adr + c]]; q > end) end = q;
        for (int c = 0; c < nnz; ++c) {
            const int q = hessian(d).place[d.efc_J_colind[adr + c]];
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

// The pattern of an island with fill, its dofs at the places from `first` on and its entries from `next` on; both move on. False if it does
// not fit into Data.
template <class M, class D>
bool fill_island(const M& m, D& d, int island, HessianColumns<typename D::scalar, M>& columns, int& first, int& next) {
    const int words = (m.nv + 63) / 64, capacity = hessian_size(m), last = place_dofs(m, d, island, first);
    const auto& bits = hessian(d).bits;
    make_pattern_bits(m, d, island, first, last);
    for (int p = first; p < last; ++p) {
        const int i = hessian(d).dof[p];
        hessian(d).rowadr[i] = next;
        for (int w = first / 64; w <= p / 64; ++w)
            for (std::uint64_t rest = bits[p * words + w]; rest != 0; rest &= rest - 1) {
                if (next == capacity) return false;
                columns[next++] = hessian(d).dof[64 * w + std::countr_zero(rest)];
            }
        hessian(d).rownnz[i] = next - hessian(d).rowadr[i];
    }
    first = last;
    return true;
}
template <class M, class D>
bool make_filled_pattern(const M& m, D& d, HessianColumns<typename D::scalar, M>& columns) {
    order_trees(m, d);
    int first = 0, next = 0;
    for (int island = 0; island < d.nisland; ++island)
        if (!fill_island(m, d, island, columns, first, next)) return false;
    return true;
}

// The pattern of M, for islands whose blocks couple nothing else.
template <class M, class D>
void make_tree_pattern(const M& m, D& d, HessianColumns<typename D::scalar, M>& columns) {
    for (int i = 0; i < m.nv; ++i) {
        hessian(d).place[i] = i;
        hessian(d).rowadr[i] = m.M_rowadr[i];
        hessian(d).rownnz[i] = m.M_rownnz[i];
    }
    for (int k = 0; k < m.nM; ++k) columns[k] = m.M_colind[k];
}
template <class M, class D>
bool make_pattern(const M& m, D& d, HessianColumns<typename D::scalar, M>& columns) {
    if (needs_fill(m, d)) return make_filled_pattern(m, d, columns);
    make_tree_pattern(m, d, columns);
    return true;
}
// The same for one island, in the order of elimination that it has by itself.
template <class M, class D>
bool make_island_pattern(const M& m, D& d, int island, HessianColumns<typename D::scalar, M>& columns) {
    bool fill = false;
    for_each_block(d, island, [&](int b) { fill = fill || !is_path(m, d, b); });
    int first = 0, next = 0;
    if (!fill) return make_tree_pattern(m, d, columns), true;
    order_island(m, d, island);
    return fill_island(m, d, island, columns, first, next);
}

}  // namespace mjx::inner
