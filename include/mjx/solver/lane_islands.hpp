// The islands of a pack, walked by what is an island in its lanes.
//
// Reads   islands, blocks, efc_D
// Writes  the lists of an island while it is walked
// Contacts of one lane may tie trees together that are apart in another. An island of the pack has the trees and blocks of all lanes
// together; a lane however is to sum, step and stop over its own island alone, as it does without neighbours. So each set of trees that is
// an island in some lane is visited by itself, with the lanes that have it, and solvers leave the other lanes as they are. Where lanes are
// alike, that is one visit for all of them. A lane's islands come in the order of their first trees.
#pragma once

#include "mjx/solver/hessian/elimination_order.hpp"

namespace mjx::inner {

// Lists the trees and blocks of an island anew: those that are asked for.
template <class M, class D, class Trees, class Blocks>
void list_island(const M& m, D& d, int island, Trees&& has_tree, Blocks&& has_block) {
    int* const trees = &d.island_tree[d.island_treeadr[island]];
    int* const blocks = &islands(d).block[islands(d).blockadr[island]];
    int tree_count = 0, block_count = 0;
    for (int t = 0; t < m.ntree; ++t)
        if (d.tree_island[t] == island && has_tree(t)) trees[tree_count++] = t;
    for (int b = 0; b < d.nblock; ++b)
        if (const int t = block_tree(m, d, b); d.tree_island[t] == island && has_tree(t) && has_block(b)) blocks[block_count++] = b;
    d.island_treenum[island] = tree_count;
    islands(d).blocknum[island] = block_count;
    make_runs(d, island);
}

// Lanes in which the trees of the block are tied as by it, if no block before it ties the same two: those are then counted already.
template <class M, class D, class Mask>
bool tying_lanes(const M& m, const D& d, int block, Mask& lanes) {
    int first = 0, second = 0;
    const bool pair = block_trees(m, d, block, first, second);
    if (pair && first == second) return false;
    lanes = block_lanes(d, block);
    for (int b = 0; b < d.nblock && pair; ++b) {
        int a = 0, c = 0;
        if (b == block || !block_trees(m, d, b, a, c) || a != first || c != second) continue;
        if (b < block) return false;
        lanes = lanes || block_lanes(d, b);
    }
    return true;
}

// Lanes that have the same island from tree `first` on as lane k. Where the order of elimination follows from the ties (filled.hpp), these
// are the same too.
template <class M, class D>
auto lanes_alike(const M& m, const D& d, int first, int k) {
    using T = value_part_t<typename D::scalar>;
    const auto& group = islands(d).group;
    const int island = d.tree_island[first];
    const auto agree = [&](const mask_t<T>& has) { return lane(has, k) ? has : !has; };
    const T name(static_cast<value_t<T>>(first));
    mask_t<T> alike(true);
    int trees = 0;
    for (int t = first; t < m.ntree; ++t) {
        if (d.tree_island[t] != island) continue;
        alike = alike && agree(group[t] == name);
        trees += lane(group[t] == name, k);
    }
    if (m.nv <= max_lane_dofs || trees < 3) return alike;
    for (int b = 0; b < d.nblock; ++b) {
        mask_t<T> tied(false);
        if (lane(group[block_tree(m, d, b)] == name, k) && tying_lanes(m, d, b, tied)) alike = alike && agree(tied);
    }
    return alike;
}

// f(island, lanes) for the islands of packs.
template <class M, class D, class F>
void for_each_lane_island(const M& m, D& d, F&& f) {
    using T = value_part_t<typename D::scalar>;
    const auto& group = islands(d).group;
    bool parted = false;
    for (int first = 0; first < m.ntree; ++first) {
        const int island = d.tree_island[first];
        const T name(static_cast<value_t<T>>(first));
        if (island < 0) continue;
        mask_t<T> left = group[first] == name;
        if (!parted && d.island_treenum[island] == 1 && any(left)) {
            f(island, left);
            continue;
        }
        while (any(left)) {
            int k = 0;
            while (!lane(left, k)) ++k;
            const mask_t<T> lanes = left && lanes_alike(m, d, first, k);
            parted = true;
            list_island(
                m, d, island, [&](int t) { return lane(group[t], k) == static_cast<value_t<T>>(first); },
                [&](int b) { return any(lanes && block_lanes(d, b)); });
            f(island, lanes);
            left = left && !lanes;
        }
    }
    for (int island = 0; island < d.nisland && parted; ++island)
        list_island(
            m, d, island, [](int) { return true; }, [](int) { return true; });
}

// f(island, lanes) for every island, with its lists of trees, blocks and runs, and the lanes that it is an island of.
template <class M, class D, class F>
void for_each_island(const M& m, D& d, F&& f) {
    if constexpr (lanes_v<typename D::scalar> > 1)
        for_each_lane_island(m, d, f);
    else
        for (int island = 0; island < d.nisland; ++island) f(island, true);
}

}  // namespace mjx::inner
