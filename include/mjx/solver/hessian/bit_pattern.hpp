// The pattern of Newton's Hessian with up to 64 dofs: the columns of a row are the bits of a word.
//
// Reads   M's pattern, blocks
// Writes  bits (the columns of each row)
// dense.hpp and lanes.hpp keep their entries each in its own way and have this in common, with the choice of the rows that go together.
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/solver/hessian/work.hpp"
#include "mjx/solver/work.hpp"

#include <bit>
#include <cstdint>

namespace mjx::inner {

// Couples dofs in the pattern. Rows that get columns by it are added to `grown`.
template <class D>
void couple(D& d, std::uint64_t columns, std::uint64_t& grown) {
    const int last = 63 - std::countl_zero(columns);
    auto& bits = hessian(d).bits[last];
    grown |= static_cast<std::uint64_t>((columns & ~bits) != 0) << last;
    bits |= columns;
}
// What is coupled to dof i is coupled to the largest of its columns once i is eliminated. Trees by themselves are closed, so only rows that
// have grown pass on what they have.
template <class D>
void close_pattern_bits(D& d, std::uint64_t grown) {
    while (grown != 0) {
        const int i = 63 - std::countl_zero(grown);
        const std::uint64_t own = std::uint64_t(1) << i, rest = hessian(d).bits[i] & (own - 1);
        grown ^= own;
        if (rest != 0) couple(d, rest, grown);
    }
}
// What M couples to each dof, itself among it.
template <class M, class Bits>
constexpr void find_tree_bits(const M& m, Bits& all) {
    std::uint64_t above = 0;  // the row before, in a register: most rows have its columns
    for (int i = 0; i < m.nv; ++i) {
        const int adr = m.M_rowadr[i], last = m.M_rownnz[i] - 1, before = last > 0 ? m.M_colind[adr + last - 1] : 0;
        std::uint64_t bits = std::uint64_t(1) << i;
        if (last > 0 && m.M_rownnz[before] == last)
            bits |= before == i - 1 ? above : all[before];
        else
            for (int k = adr; k < adr + last; ++k) bits |= std::uint64_t(1) << m.M_colind[k];
        all[i] = above = bits;
    }
}
// The same of a fixed model, as a table.
template <class M>
struct TreeBits {
    std::uint64_t row[max_lane_dofs]{};
    constexpr TreeBits() { find_tree_bits(constants_t<M>{}, row); }
};
template <class M>
constexpr bool has_tree_bits() {
    if constexpr (M::is_fixed && !in_kernel_v<M>)
        return M::nv <= max_lane_dofs;
    else
        return false;
}
template <class M, class D>
void make_tree_bits(const M& m, D& d) {
    auto& bits = hessian(d).bits;
    if constexpr (has_tree_bits<M>()) {
        static constexpr TreeBits<M> table;
        for (int i = 0; i < m.nv; ++i) bits[i] = table.row[i];
    } else {
        find_tree_bits(m, bits);
    }
}
template <class D>
std::uint64_t column_bits(const D& d, int block) {
    std::uint64_t columns = 0;
    for (int k = d.block_J[block]; k < d.block_J[block] + d.block_nnz[block]; ++k) columns |= std::uint64_t(1) << d.efc_J_colind[k];
    return columns;
}

// The most rows that are eliminated together: one in kernels, elsewhere four, of which a fixed model may have fewer.
template <class M>
constexpr int most_together() {
    if constexpr (in_kernel_v<M>) return 1;
    if constexpr (M::is_fixed)
        return M::nv < 4 ? M::nv : 4;
    else
        return 4;
}
// Eliminates row i and the rows before it that go with it, as the bits of their columns tell; gives how many.
template <class D, class P, class X>
int eliminate_together(D& d, P& H, int i, int first, X& x) {
    constexpr int most = most_together<typename D::model>();
    int rows = 1;
    while (rows < most && i - rows >= first &&
           (hessian(d).bits[i - rows] ^ hessian(d).bits[i - rows + 1]) == std::uint64_t(1) << (i - rows + 1))
        ++rows;
    unrolled<most>([&](auto k) {
        if (rows == k + 1) H.template eliminate_rows<k + 1>(i, x);
    });
    return rows;
}

}  // namespace mjx::inner
