// Constraint islands: groups of kinematic trees that constraints tie together, solved one after another.
//
// Reads   blocks, efc_J_colind, efc_type
// Writes  nisland, tree_island, island_*, run_*
// Trees in different islands share no row, so the problem splits; each island converges by itself and the cost of a scene grows
// with the number of islands, not with the square of its dofs. Nothing is copied: an island is a list of trees (ranges of
// dofs), of blocks, and of runs of rows under one law. With the island flag off there is one island.
#pragma once

#include "mjx/constraint/law.hpp"

namespace mjx::inner {

// f(first, past the last) for each stretch of dofs of the island that follow each other. Trees in the order of their ids do.
template <class M, class D, class F>
void for_each_dof_range(const M& m, const D& d, int island, F&& f) {
    if constexpr (M::is_fixed)
        if (m.ntree == 1) return f(0, m.nv);
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
// The same, backward.
template <class M, class D, class F>
void for_each_dof_backward(const M& m, const D& d, int island, F&& f) {
    for (int k = d.island_treeadr[island] + d.island_treenum[island] - 1; k >= d.island_treeadr[island]; --k) {
        const int first = m.tree_dofadr[d.island_tree[k]], last = first + m.tree_dofnum[d.island_tree[k]];
        for (int i = last - 1; i >= first; --i) f(i);
    }
}
template <class D, class F>
void for_each_block(const D& d, int island, F&& f) {
    for (int k = d.island_blockadr[island]; k < d.island_blockadr[island] + d.island_blocknum[island]; ++k) f(d.island_block[k]);
}
// f(law, first row, row past the last)
template <class D, class F>
void for_each_run(const D& d, int island, F&& f) {
    for (int k = d.island_runadr[island]; k < d.island_runadr[island] + d.island_runnum[island]; ++k)
        f(d.run_law[k], d.run_first[k], d.run_last[k]);
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
        d.island_blocknum[t] = 0;
    }
    int any_tree = -1;
    for (int b = 0; b < d.nblock; ++b) {
        const int adr = d.block_J[b], nnz = d.block_nnz[b], tree = m.dof_treeid[d.efc_J_colind[adr]];
        for (int c = 1; c < nnz; ++c) join_trees(m, d, tree, d.efc_J_colind[adr + c]);
        if (!split && any_tree >= 0) join_trees(m, d, any_tree, d.efc_J_colind[adr]);
        any_tree = tree;
    }
    for (int t = 0; t < m.ntree; ++t) d.tree_island[t] = group_of(d, t);
    for (int b = 0; b < d.nblock; ++b) ++d.island_blocknum[d.tree_island[m.dof_treeid[d.efc_J_colind[d.block_J[b]]]]];
}

// Numbers the groups and lists their trees and blocks. Groups are named by their first tree, so one pass suffices.
template <class M, class D>
void number_islands(const M& m, D& d) {
    int islands = 0, blocks = 0;
    for (int t = 0; t < m.ntree; ++t) {
        const int group = d.tree_island[t];
        if (group != t) {
            // the group's first tree has been numbered: follow it
            d.tree_island[t] = d.tree_island[group];
            continue;
        }
        const int count = d.island_blocknum[t];
        d.tree_island[t] = count ? islands : -1;
        if (!count) continue;
        d.island_blocknum[islands] = 0;
        d.island_treenum[islands] = 0;
        d.island_blockadr[islands] = blocks;
        blocks += count;
        ++islands;
    }
    d.nisland = islands;
    for (int t = 0; t < m.ntree; ++t)
        if (d.tree_island[t] >= 0) ++d.island_treenum[d.tree_island[t]];
    for (int k = 0, adr = 0; k < islands; ++k) {
        d.island_treeadr[k] = adr;
        adr += d.island_treenum[k];
        d.island_treenum[k] = 0;
    }
    for (int t = 0; t < m.ntree; ++t)
        if (const int k = d.tree_island[t]; k >= 0) d.island_tree[d.island_treeadr[k] + d.island_treenum[k]++] = t;
    for (int b = 0; b < d.nblock; ++b) {
        const int k = d.tree_island[m.dof_treeid[d.efc_J_colind[d.block_J[b]]]];
        d.island_block[d.island_blockadr[k] + d.island_blocknum[k]++] = b;
    }
}

// Neighbouring blocks of an island under one law become one run of rows. Its runs start where its blocks do.
template <class D>
void make_runs(D& d, int island) {
    int runs = d.island_runadr[island] = d.island_blockadr[island];
    for_each_block(d, island, [&](int b) {
        const int row = d.block_row[b], which = law_of(d.efc_type[row]);
        if (runs > d.island_runadr[island] && d.run_law[runs - 1] == which && d.run_last[runs - 1] == row) {
            d.run_last[runs - 1] = row + block_rows(d, b);
            return;
        }
        d.run_first[runs] = row;
        d.run_last[runs] = row + block_rows(d, b);
        d.run_law[runs++] = which;
    });
    d.island_runnum[island] = runs - d.island_runadr[island];
}

// Takes the blocks that no lane but those in `done` has off the island's list: their rows stay as they are. find_islands() lists
// all again.
template <class D, class Mask>
void retire_blocks(D& d, int island, const Mask& done) {
    using T = value_part_t<typename D::scalar>;
    const int first = d.island_blockadr[island];
    int kept = 0;
    for_each_block(d, island, [&](int b) {
        d.island_block[first + kept] = b;
        kept += int(any(part<T>(d.efc_D[d.block_row[b]]) > T(0) && !done));
    });
    if (kept == d.island_blocknum[island]) return;
    d.island_blocknum[island] = kept;
    make_runs(d, island);
}

template <class M, class D>
void find_islands(const M& m, D& d) {
    if (m.ntree == 1) {
        d.nisland = 1;
        d.tree_island[0] = d.island_tree[0] = d.island_treeadr[0] = d.island_blockadr[0] = 0;
        d.island_treenum[0] = 1;
        d.island_blocknum[0] = d.nblock;
        for (int b = 0; b < d.nblock; ++b) d.island_block[b] = b;
    } else {
        group_trees(m, d);
        number_islands(m, d);
    }
    for (int island = 0; island < d.nisland; ++island) make_runs(d, island);
}

}  // namespace mjx::inner
