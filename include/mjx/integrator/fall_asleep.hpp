// Putting trees to sleep: see stage/sleep.hpp for what it means.
//
// Reads   the state, blocks of constraint rows
// Writes  tree_asleep, sleep_qpos; qvel and qacc of trees that fall asleep; nisland and its tables
// A tree that no constraint ties to others sleeps when it has been at rest for long enough, an island when all its trees have.
#pragma once

#include "mjx/model/facts.hpp"
#include "mjx/solver/island.hpp"
#include "mjx/stage/sleep.hpp"

namespace mjx::inner {

template <class S, class M>
struct AsleepWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<S, Dim::nq> qpos{at};  // the state, while the forward pass is made at rest
    array<S, Dim::nv> qvel{at};
};

// Puts the tree into the group that wakes together, before `next`.
template <class M, class D>
void put_to_sleep(const M& m, D& d, int tree, int next) {
    using S = typename D::scalar;
    d.tree_asleep[tree] = next;
    for (int i = m.tree_dofadr[tree]; i < m.tree_dofadr[tree] + m.tree_dofnum[tree]; ++i) d.qvel[i] = d.qacc[i] = S(0);
    for_each_coordinate(m, tree, [&](int i) { d.sleep_qpos[i] = d.qpos[i]; });
}

template <class M, class D>
void fall_asleep(const M& m, D& d) {
    if (!may_sleep(m, d)) return;
    // without islands nobody knows who rests on whom
    if (d.nefc > 0 && m.opt.disabled(disable::island)) return;
    bool ready = false;
    for (int t = 0; t < m.ntree; ++t) {
        int& count = d.tree_asleep[t];
        if (count >= 0) continue;
        if (!at_rest(m, d, t, m.opt.sleep_tolerance))
            count = tree_awake;
        else if (count < tree_ready)
            ++count;
        ready = ready || count == tree_ready;
    }
    if (!ready) return;

    const auto lists = borrow<IslandWork>(m, d);
    find_islands(m, d);
    for (int island = 0; island < d.nisland; ++island) {
        const int first = d.island_treeadr[island], last = first + d.island_treenum[island] - 1;
        bool all_ready = true;
        for (int k = first; k <= last; ++k) all_ready = all_ready && d.tree_asleep[d.island_tree[k]] == tree_ready;
        if (!all_ready) continue;
        for (int k = first; k <= last; ++k) put_to_sleep(m, d, d.island_tree[k], d.island_tree[k < last ? k + 1 : first]);
    }
    for (int t = 0; t < m.ntree; ++t)
        if (d.tree_island[t] < 0 && d.tree_asleep[t] == tree_ready) put_to_sleep(m, d, t, t);
}

// After a reset, puts the trees that start asleep to sleep where the model has them, in the islands they form there; forward() computes
// every stage at the present state. The state may have been set since: what was moved wakes at once. Trees that touch one that does not
// start asleep stay awake.
template <class M, class D, class Forward>
void start_asleep(const M& m, D& d, const Forward& forward) {
    using S = typename D::scalar;
    if constexpr (!may<M>([](const auto& fixed) { return fixed.opt.enabled(enable::sleep); })) return;
    if (!may_sleep(m, d)) return;
    bool pending = false;
    for (int t = 0; t < m.ntree; ++t) pending = pending || d.tree_asleep[t] == tree_starts_asleep;
    if (!pending) return;
    const auto w = borrow<AsleepWork>(m, d);
    for (int i = 0; i < m.nq; ++i) {
        w->qpos[i] = d.qpos[i];
        d.qpos[i] = S(m.qpos0[i]);
    }
    for (int i = 0; i < m.nv; ++i) {
        w->qvel[i] = d.qvel[i];
        d.qvel[i] = S(0);
    }
    forward();
    for (int t = 0; t < m.ntree; ++t)
        if (d.tree_asleep[t] == tree_starts_asleep) d.tree_asleep[t] = tree_ready;
    fall_asleep(m, d);
    for (int i = 0; i < m.nq; ++i) d.qpos[i] = w->qpos[i];
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = w->qvel[i];
}

}  // namespace mjx::inner
