// The order in which Newton eliminates the trees of an island: it decides how much the factor of the Hessian fills.
//
// Reads   islands, blocks
// Writes  island_tree (the trees of each island in their new order)
// Bodies of a heap touch few others, but eliminating one ties all its neighbours together, and in the order of their ids almost
// everything ends up tied to everything: the cost of a factor is then cubic in the number of bodies. Minimum degree (Tinney &
// Walker 1967; George & Liu 1989) always eliminates a tree that is tied to the fewest others, which keeps most of a heap apart until the
// end. The graph has one node per tree, its edges as bits. Elimination starts from the last tree of the list.
#pragma once

#include "mjx/constraint/lane_rows.hpp"
#include "mjx/solver/island.hpp"

#include <bit>
#include <cstdint>

namespace mjx::inner {

struct TreeBitsSize {
    template <class M>
    constexpr int operator()(const M& m, int) const {
        return m.ntree * ((m.ntree + 63) / 64);
    }
};
inline constexpr TreeBitsSize tree_bits_size;

template <class S, class M>
struct OrderWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<int, Dim::ntree> number{at};  // of a tree within its island
    array<int, Dim::ntree> degree{at};  // how many others a tree is tied to
    array<int, Dim::ntree> order{at};
    array<std::uint64_t, tree_bits_size> bits{at};  // which
};

// The two trees of a block, in the order of its columns; the same twice if it has one. False if it has more.
template <class M, class D>
bool block_trees(const M& m, const D& d, int block, int& first, int& second) {
    const int adr = d.block_J[block], nnz = d.block_nnz[block];
    first = m.dof_treeid[d.efc_J_colind[adr]];
    second = m.dof_treeid[d.efc_J_colind[adr + nnz - 1]];
    if (second - first < 2) return true;
    for (int c = 1; c < nnz - 1; ++c)
        if (const int tree = m.dof_treeid[d.efc_J_colind[adr + c]]; tree != first && tree != second) return false;
    return true;
}

// The graph of an island's trees, numbered as they are listed: row k of bits says which trees share a row with tree k. False if some
// row is shared by three.
template <class M, class D>
bool make_tree_graph(const M& m, D& d, int island, int n, int words) {
    const int* tree = &d.island_tree[d.island_treeadr[island]];
    auto& bits = order_work(d).bits;
    auto& number = order_work(d).number;
    for (int k = 0; k < n; ++k) number[tree[k]] = k;
    for (int w = 0; w < n * words; ++w) bits[w] = 0;
    bool pairs = true;
    for_each_block(d, island, [&](int b) {
        int first = 0, second = 0;
        pairs = pairs && block_trees(m, d, b, first, second);
        if (!pairs || first == second) return;
        const int a = number[first], c = number[second];
        bits[a * words + c / 64] |= std::uint64_t(1) << (c & 63);
        bits[c * words + a / 64] |= std::uint64_t(1) << (a & 63);
    });
    return pairs;
}

// Takes node k out of the graph: its neighbours become neighbours of each other.
template <class D>
void eliminate_node(D& d, int k, int words) {
    auto& bits = order_work(d).bits;
    auto& degree = order_work(d).degree;
    const auto bit = [](int j) { return std::uint64_t(1) << (j & 63); };
    for (int w = 0; w < words; ++w)
        for (std::uint64_t rest = bits[k * words + w]; rest != 0; rest &= rest - 1) {
            const int j = 64 * w + std::countr_zero(rest);
            for (int v = 0; v < words; ++v) bits[j * words + v] |= bits[k * words + v];
            bits[j * words + j / 64] &= ~bit(j);
            bits[j * words + k / 64] &= ~bit(k);
            degree[j] = 0;
            for (int v = 0; v < words; ++v) degree[j] += std::popcount(bits[j * words + v]);
        }
}

// Of nodes of the same degree the last listed goes first, so that an island without ties between its trees stays as it is.
template <class M, class D>
void order_island(const M& m, D& d, int island) {
    const int n = d.island_treenum[island], words = (n + 63) / 64;
    if (n < 3 || !make_tree_graph(m, d, island, n, words)) return;
    auto& degree = order_work(d).degree;
    int* tree = &d.island_tree[d.island_treeadr[island]];
    auto& order = order_work(d).order;
    constexpr int gone = 1 << 30;
    for (int k = 0; k < n; ++k) {
        degree[k] = 0;
        for (int w = 0; w < words; ++w) degree[k] += std::popcount(order_work(d).bits[k * words + w]);
    }
    for (int left = n - 1; left >= 0; --left) {
        int least = n - 1;
        for (int k = n - 2; k >= 0; --k)
            if (degree[k] < degree[least]) least = k;
        eliminate_node(d, least, words);
        degree[least] = gone;
        order[left] = tree[least];
    }
    for (int k = 0; k < n; ++k) tree[k] = order[k];
}

// Islands of all lanes of a pack together keep the order of ids: a lane's must not depend on its neighbours' contacts. With few dofs one
// environment keeps it too.
template <class M, class D>
void order_trees(const M& m, D& d) {
    if (lanes_v<typename D::scalar> == 1 && m.nv > max_lane_dofs)
        for (int island = 0; island < d.nisland; ++island) order_island(m, d, island);
}

}  // namespace mjx::inner
