// Constraint islands: groups of kinematic trees that constraints tie together, solved one after another.
//
// Reads   blocks, efc_J_colind, efc_type
// Writes  nisland, tree_island, island_tree and their places; lists of blocks and runs
// Trees in different islands share no row, so the problem splits; each island converges by itself and the cost of a scene grows
// with the number of islands, not with the square of its dofs. Nothing is copied: an island is a list of trees (ranges of
// dofs), of blocks, and of runs of rows under one law. With the island flag off there is one island. Those of a pack are tied together by
// the constraints of any lane; which are a lane's own, `group` says (lane_islands.hpp).
#pragma once

#include "mjx/constraint/law.hpp"
#include "mjx/math/quad.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/solver/work.hpp"

namespace mjx::inner {

struct LaneTreesSize {
    template <class M>
    constexpr int operator()(const M& m, int lanes) const {
        return lanes > 1 ? m.ntree : 0;
    }
};
inline constexpr LaneTreesSize lane_trees_size;

template <class S, class M>
struct IslandWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<int, Dim::njmax> block{at};  // blocks by island
    array<int, Dim::ntree> blockadr{at};
    array<int, Dim::ntree> blocknum{at};
    array<int, Dim::njmax> run_first{at};  // runs of consecutive rows of one law, by island
    array<int, Dim::njmax> run_last{at};
    array<int, Dim::njmax> run_law{at};
    array<int, Dim::njmax> run_stride{at};
    array<int, Dim::ntree> runadr{at};
    array<int, Dim::ntree> runnum{at};
    array<value_part_t<S>, lane_trees_size> group{at};  // the first tree of a tree's own island in each lane, -1 where it is in none
};

// Lanes that have a block.
template <class D>
auto block_lanes(const D& d, int block) {
    using T = value_part_t<typename D::scalar>;
    return part<T>(d.efc_D[d.block_row[block]]) > T(0);
}
// The first tree of a block, and f(tree) for all of them.
template <class M, class D>
int block_tree(const M& m, const D& d, int block) {
    return m.dof_treeid[d.efc_J_colind[d.block_J[block]]];
}
template <class M, class D, class F>
void for_each_block_tree(const M& m, const D& d, int block, F&& f) {
    if (m.ntree == 1) return f(0);
    int tree = -1;
    for (int k = d.block_J[block]; k < d.block_J[block] + d.block_nnz[block]; ++k)
        if (const int t = m.dof_treeid[d.efc_J_colind[k]]; t != tree) f(tree = t);
}

// Whether a model is known to have one tree at compile time.
template <class M>
constexpr bool has_one_tree() {
    if constexpr (M::is_fixed)
        return M::ntree == 1;
    else
        return false;
}
// f(tree, its first dof, the dof past its last) for each tree of the island.
template <class M, class D, class F>
void for_each_tree(const M& m, const D& d, int island, F&& f) {
    if constexpr (has_one_tree<M>()) return f(0, 0, m.nv);
    const int end = d.island_treeadr[island] + d.island_treenum[island];
    for (int k = d.island_treeadr[island]; k < end; ++k) {
        const int tree = d.island_tree[k], first = m.tree_dofadr[tree];
        f(tree, first, first + m.tree_dofnum[tree]);
    }
}
// f(first, past the last) for each stretch of dofs of the island that follow each other. Trees in the order of their ids do.
template <class M, class D, class F>
[[gnu::always_inline]] inline void for_each_dof_range(const M& m, const D& d, int island, F&& f) {
    if constexpr (has_one_tree<M>()) return f(0, m.nv);
    const int end = d.island_treeadr[island] + d.island_treenum[island];
    for (int k = d.island_treeadr[island]; k < end;) {
        const int first = m.tree_dofadr[d.island_tree[k]];
        int last = first;
        do last += m.tree_dofnum[d.island_tree[k++]];
        while (k < end && m.tree_dofadr[d.island_tree[k]] == last);
        f(first, last);
    }
}
// f(i) for each dof of the island, tree by tree.
template <class M, class D, class F>
void for_each_dof(const M& m, const D& d, int island, F&& f) {
    for_each_dof_range(m, d, island, [&](int first, int last) {
        for (int i = first; i < last; ++i) f(i);
    });
}
// Sums over an island's dofs of N terms each, which f(at, term) writes, with at(x) for x of a dof. A dof goes to one of four sums by its
// number, so that one addition does not wait for another, and other lanes have no say in which. Plain numbers go several at a time, but not
// in kernels, whose registers hold one each.
template <class T, int N, class M, class D, class F>
Vec<T, N> island_sums(const M& m, const D& d, int island, F&& f) {
    using Numbers = side_by_side<T, in_kernel_v<M>>;
    using V = typename Numbers::type;
    constexpr int width = Numbers::width;
    V sum[N][4 / width]{};
    const auto add = [&](int i, int first, int last) __attribute__((always_inline)) {
        unrolled<4 / width>([&](auto q) __attribute__((always_inline)) {
            const int k = i + q * width;
            const auto at = [&](const auto& x) __attribute__((always_inline)) {
                using X = std::remove_cvref_t<decltype(x[0])>;
                V v{};
                if constexpr (width == 1)
                    v = part<T>(x[k]);
                else if (std::is_same_v<X, T> && first <= k && k + width <= last)
                    std::memcpy(static_cast<void*>(&v), &x[k], sizeof v);
                else
                    for (int j = 0; j < width; ++j) v[j] = first <= k + j && k + j < last ? part<T>(x[k + j]) : T(0);
                return v;
            };
            if (k + width <= first || k >= last) return;
            V term[N];
            f(at, term);
            unrolled<N>([&](auto n) { sum[n][q] += term[n]; });
        });
    };
    for_each_dof_range(
        m, d, island, [&](int first, int last) __attribute__((always_inline)) {
            int i = first & ~3;
            if (i < first) add(i, first, last), i += 4;
            for (; i + 4 <= last; i += 4) add(i, i, i + 4);
            if (i < last) add(i, first, last);
        });
    const auto number = [&](int n, int b) {
        if constexpr (width == 1)
            return sum[n][b];
        else
            return sum[n][b / width][b % width];
    };
    Vec<T, N> result;
    for (int n = 0; n < N; ++n) result[n] = (number(n, 0) + number(n, 1)) + (number(n, 2) + number(n, 3));
    return result;
}
// The same as for_each_dof, backward.
template <class M, class D, class F>
void for_each_dof_backward(const M& m, const D& d, int island, F&& f) {
    for (int k = d.island_treeadr[island] + d.island_treenum[island] - 1; k >= d.island_treeadr[island]; --k) {
        const int first = m.tree_dofadr[d.island_tree[k]], last = first + m.tree_dofnum[d.island_tree[k]];
        for (int i = last - 1; i >= first; --i) f(i);
    }
}
template <class D, class F>
void for_each_block(const D& d, int island, F&& f) {
    const auto& w = islands(d);
    const int first = w.blockadr[island], last = first + w.blocknum[island], *block = w.block.data();
    for (int k = first; k < last; ++k) f(block[k]);
}
// f(law, first row, row past the last), or f(law, first row, row past the last, stride)
template <class D, class F>
void for_each_run(const D& d, int island, F&& f) {
    const auto& w = islands(d);
    const int begin = w.runadr[island], end = begin + w.runnum[island];
    const int *law = w.run_law.data(), *first = w.run_first.data(), *last = w.run_last.data(), *stride = w.run_stride.data();
    for (int k = begin; k < end; ++k)
        if constexpr (requires { f(law[k], first[k], last[k], stride[k]); })
            f(law[k], first[k], last[k], stride[k]);
        else
            f(law[k], first[k], last[k]);
}

// The representative of a tree's group; tree_island serves as the links while groups form.
template <class D>
int group_of(D& d, int tree) {
    while (d.tree_island[tree] != tree) tree = d.tree_island[tree] = d.tree_island[d.tree_island[tree]];
    return tree;
}
template <class M, class D>
void join_trees(const M& m, D& d, int tree, int dof) {
    const int a = group_of(d, tree), b = group_of(d, m.dof_treeid[dof]);
    if (a < b)
        d.tree_island[b] = a;
    else
        d.tree_island[a] = b;
}

// Groups of trees, each named by its first tree; trees without constraints become -1.
template <class M, class D>
void group_trees(const M& m, D& d) {
    const bool split = !m.opt.disabled(disable::island);
    for (int t = 0; t < m.ntree; ++t) {
        d.tree_island[t] = t;
        islands(d).blocknum[t] = 0;
    }
    int any_tree = -1;
    for (int b = 0; b < d.nblock; ++b) {
        const int adr = d.block_J[b], nnz = d.block_nnz[b], tree = m.dof_treeid[d.efc_J_colind[adr]];
        for (int c = 1; c < nnz; ++c)
            if (m.dof_treeid[d.efc_J_colind[adr + c]] != tree) join_trees(m, d, tree, d.efc_J_colind[adr + c]);
        if (!split && any_tree >= 0) join_trees(m, d, any_tree, d.efc_J_colind[adr]);
        any_tree = tree;
    }
    for (int t = 0; t < m.ntree; ++t) d.tree_island[t] = group_of(d, t);
    for (int b = 0; b < d.nblock; ++b) ++islands(d).blocknum[d.tree_island[block_tree(m, d, b)]];
}

// Numbers the groups and lists their trees and blocks. Groups are named by their first tree, so one pass suffices.
template <class M, class D>
void number_islands(const M& m, D& d) {
    int found = 0, blocks = 0;
    for (int t = 0; t < m.ntree; ++t) {
        const int group = d.tree_island[t];
        if (group != t) {
            // the group's first tree has been numbered: follow it
            d.tree_island[t] = d.tree_island[group];
            continue;
        }
        const int count = islands(d).blocknum[t];
        d.tree_island[t] = count ? found : -1;
        if (!count) continue;
        islands(d).blocknum[found] = 0;
        d.island_treenum[found] = 0;
        islands(d).blockadr[found] = blocks;
        blocks += count;
        ++found;
    }
    d.nisland = found;
    for (int t = 0; t < m.ntree; ++t)
        if (d.tree_island[t] >= 0) ++d.island_treenum[d.tree_island[t]];
    for (int k = 0, adr = 0; k < found; ++k) {
        d.island_treeadr[k] = adr;
        adr += d.island_treenum[k];
        d.island_treenum[k] = 0;
    }
    for (int t = 0; t < m.ntree; ++t)
        if (const int k = d.tree_island[t]; k >= 0) d.island_tree[d.island_treeadr[k] + d.island_treenum[k]++] = t;
    for (int b = 0; b < d.nblock; ++b) {
        const int k = d.tree_island[block_tree(m, d, b)];
        islands(d).block[islands(d).blockadr[k] + islands(d).blocknum[k]++] = b;
    }
}

// How many sums the rows of a block are spread over when a run of them is added up: a divisor of their number, up to four.
template <class D>
int block_stride(const D& d, int block) {
    if (d.efc_type[d.block_row[block]] != cnstr::contact_pyramidal) return 1;
    return d.block_dim[block] % 2 == 1 ? 4 : 2;
}

// Neighbouring blocks of an island under one law and of one stride become one run of rows. Its runs start where its blocks do.
template <class D>
void make_runs(D& d, int island) {
    int runs = islands(d).runadr[island] = islands(d).blockadr[island];
    for_each_block(d, island, [&](int b) {
        const int row = d.block_row[b], which = law_of(d.efc_type[row]), stride = block_stride(d, b);
        if (runs > islands(d).runadr[island] && islands(d).run_law[runs - 1] == which && islands(d).run_stride[runs - 1] == stride &&
            islands(d).run_last[runs - 1] == row) {
            islands(d).run_last[runs - 1] = row + block_rows(d, b);
            return;
        }
        islands(d).run_first[runs] = row;
        islands(d).run_last[runs] = row + block_rows(d, b);
        islands(d).run_stride[runs] = stride;
        islands(d).run_law[runs++] = which;
    });
    islands(d).runnum[island] = runs - islands(d).runadr[island];
}

// Takes the blocks that no lane but those in `done` has off the island's list: their rows stay as they are. find_islands() lists
// all again.
template <class D, class Mask>
void retire_blocks(D& d, int island, const Mask& done) {
    const int first = islands(d).blockadr[island];
    int kept = 0;
    for_each_block(d, island, [&](int b) {
        islands(d).block[first + kept] = b;
        kept += int(any(block_lanes(d, b) && !done));
    });
    if (kept == islands(d).blocknum[island]) return;
    islands(d).blocknum[island] = kept;
    make_runs(d, island);
}

// Groups the trees of each lane. Names of groups spread along blocks until they are the least on both sides of each.
template <class M, class D>
void group_lanes(const M& m, D& d) {
    using T = value_part_t<typename D::scalar>;
    const auto name = [](int tree) { return T(static_cast<value_t<T>>(tree)); };
    auto& group = islands(d).group;
    for (int t = 0; t < m.ntree; ++t) group[t] = T(-1);
    for (int b = 0; b < d.nblock; ++b) {
        const auto lanes = block_lanes(d, b);
        for_each_block_tree(m, d, b, [&](int t) { group[t] = select(lanes, name(t), group[t]); });
    }
    if (m.opt.disabled(disable::island)) {
        T least = name(m.ntree);
        for (int t = m.ntree - 1; t >= 0; --t) least = select(group[t] >= T(0), name(t), least);
        for (int t = 0; t < m.ntree; ++t) group[t] = select(group[t] >= T(0), least, group[t]);
        return;
    }
    for (bool changes = m.ntree > 1; changes;) {
        changes = false;
        for (int b = 0; b < d.nblock; ++b) {
            const auto lanes = block_lanes(d, b);
            T least = name(m.ntree);
            for_each_block_tree(m, d, b, [&](int t) { least = min(least, group[t]); });
            for_each_block_tree(m, d, b, [&](int t) {
                const mask_t<T> moves = lanes && group[t] > least;
                group[t] = select(moves, least, group[t]);
                changes = changes || any(moves);
            });
        }
    }
}

template <class M, class D>
void find_islands(const M& m, D& d) {
    if constexpr (lanes_v<typename D::scalar> > 1) group_lanes(m, d);
    if (m.ntree == 1) {
        d.nisland = 1;
        d.tree_island[0] = d.island_tree[0] = d.island_treeadr[0] = islands(d).blockadr[0] = 0;
        d.island_treenum[0] = 1;
        islands(d).blocknum[0] = d.nblock;
        for (int b = 0; b < d.nblock; ++b) islands(d).block[b] = b;
    } else {
        group_trees(m, d);
        number_islands(m, d);
    }
    for (int island = 0; island < d.nisland; ++island) make_runs(d, island);
}

}  // namespace mjx::inner
