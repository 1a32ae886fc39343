// Sleep: kinematic trees that have come to rest are left alone until something disturbs them (enable flag `sleep`).
//
// Reads   the state, sleep_qpos, contact, blocks of constraint rows
// Writes  tree_asleep
// tree_asleep holds, for a tree that is awake, a negative count: it rises with every step the tree spends below sleep_tolerance
// and at -1 the tree is ready. Trees of one constraint island fall asleep together (integrator/fall_asleep.hpp); then
// tree_asleep is the next tree of the group, in a cycle, so that waking one wakes all. While asleep a tree has no velocity and no
// acceleration, its coordinates are sleep_qpos, it makes no contacts with other sleeping or fixed bodies and no constraint
// rows, its actuators exert nothing, and its sensors of forces and accelerations keep their last reading.
// Trees wake when qpos, qvel or an applied force is set, when an awake tree or a mocap body touches them, and when a constraint
// ties them to an awake tree or to another group (MuJoCo, computation chapter, "Sleeping islands"). A control does not wake.
// Everything smooth is computed for all trees: with unchanged coordinates it gives what it gave before.
// Trees that hang on a mocap body do not sleep. Lanes of a pack fall asleep at different times, so packs do not sleep at all.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/model/equality_kinds.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/model/transmission_kinds.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

inline constexpr int tree_ready = -1;           // at rest for long enough
inline constexpr int tree_awake = -11;          // ten steps of rest from ready
inline constexpr int tree_starts_asleep = -12;  // falls asleep in the first forward pass after a reset

template <class M, class D>
bool may_sleep(const M& m, const D&) {
    if constexpr (lanes_v<typename D::scalar> > 1)
        return false;
    else
        return m.opt.enabled(enable::sleep);
}
template <class M, class D>
bool tree_sleeps(const M& m, const D& d, int tree) {
    return may_sleep(m, d) && d.tree_asleep[tree] >= 0;
}
template <class M, class D>
bool dof_sleeps(const M& m, const D& d, int dof) {
    return tree_sleeps(m, d, m.dof_treeid[dof]);
}
template <class M, class D>
bool some_sleep(const M& m, const D& d) {
    if (!may_sleep(m, d)) return false;
    for (int t = 0; t < m.ntree; ++t)
        if (d.tree_asleep[t] >= 0) return true;
    return false;
}

// Bodies are awake, asleep, or fixed in the world; those that a mocap body carries count as awake.
enum class Wakefulness { fixed, asleep, awake };
template <class M, class D>
Wakefulness body_wakefulness(const M& m, const D& d, int body) {
    const int tree = m.body_treeid[body];
    if (tree >= 0) return tree_sleeps(m, d, tree) ? Wakefulness::asleep : Wakefulness::awake;
    return m.body_mocapid[m.body_rootid[body]] >= 0 ? Wakefulness::awake : Wakefulness::fixed;
}
// Two bodies of which neither is awake have nothing to do with each other.
template <class M, class D>
bool neither_awake(const M& m, const D& d, int body1, int body2) {
    return may_sleep(m, d) && body_wakefulness(m, d, body1) != Wakefulness::awake && body_wakefulness(m, d, body2) != Wakefulness::awake;
}
// Whether all dofs in `count` columns are asleep.
template <class M, class D, class Columns>
bool columns_sleep(const M& m, const D& d, const Columns& columns, int first, int count) {
    if (!may_sleep(m, d) || count == 0) return false;
    for (int k = first; k < first + count; ++k)
        if (!dof_sleeps(m, d, columns[k])) return false;
    return true;
}

// f(i) for the coordinates of a tree.
template <class M, class F>
void for_each_coordinate(const M& m, int tree, F&& f) {
    const int dof = m.tree_dofadr[tree], last = m.dof_jntid[dof + m.tree_dofnum[tree] - 1];
    for (int i = m.jnt_qposadr[m.dof_jntid[dof]]; i < m.jnt_qposadr[last] + M::joints::nq(m.jnt_type[last]); ++i) f(i);
}

// Whether nothing pushes a tree that is allowed to sleep and no dof moves faster than the tolerance.
template <class M, class D, class Real>
bool at_rest(const M& m, const D& d, int tree, const Real& tolerance) {
    using S = typename D::scalar;
    const int policy = m.tree_sleep_policy[tree], body = m.tree_bodyadr[tree], dof = m.tree_dofadr[tree];
    if (policy == sleep_policy::never || policy == sleep_policy::auto_never) return false;
    if (m.body_mocapid[m.body_rootid[body]] >= 0) return false;
    for (int b = body; b < body + m.tree_bodynum[tree]; ++b)
        for (int k = 0; k < 6; ++k)
            if (any(d.xfrc_applied[b][k] != S(0))) return false;
    for (int i = dof; i < dof + m.tree_dofnum[tree]; ++i) {
        if (any(d.qfrc_applied[i] != S(0))) return false;
        const S speed = abs(d.qvel[i]) * m.dof_length[i];
        if (any(speed != S(0)) && any(speed >= S(tolerance))) return false;
    }
    return true;
}

// Wakes a tree and those asleep with it.
template <class M, class D>
void wake_tree(const M& m, D& d, int tree, int count) {
    while (tree < m.ntree && d.tree_asleep[tree] >= 0) {
        const int next = d.tree_asleep[tree];
        d.tree_asleep[tree] = count;
        tree = next;
    }
}
template <class M, class D>
bool asleep_together(const M& m, const D& d, int tree1, int tree2) {
    for (int k = 0, t = tree1; k < m.ntree && t >= 0 && t < m.ntree; ++k, t = d.tree_asleep[t])
        if (t == tree2) return true;
    return false;
}

// Coordinates that went through text or another program come back with the last bits changed; that disturbs nobody.
template <class S>
auto differs(const S& x, const S& y) {
    return !(abs(x - y) <= (S(1) + abs(y)) * value_t<S>(4 * epsilon_v<S>));
}

// Wakes the trees whose coordinates, velocities or applied forces the user has set.
template <class M, class D>
void wake_disturbed(const M& m, D& d) {
    if (!may_sleep(m, d)) return;
    for (int t = 0; t < m.ntree; ++t) {
        if (d.tree_asleep[t] < 0) continue;
        bool still = at_rest(m, d, t, 0);
        for_each_coordinate(m, t, [&](int i) { still = still && !any(differs(d.qpos[i], d.sleep_qpos[i])); });
        if (!still) wake_tree(m, d, t, tree_awake);
    }
}

// Whether an equality constraint makes no rows: what it ties is fixed or asleep, and asleep together.
template <class M, class D>
bool equality_sleeps(const M& m, const D& d, int e) {
    if (!some_sleep(m, d)) return false;
    if (ties_tendons(m.eq_type[e])) {
        const int t1 = m.eq_obj1id[e], t2 = m.eq_obj2id[e];
        const auto tree = [&](int t) { return m.dof_treeid[m.ten_J_colind[m.ten_J_rowadr[t]]]; };
        const auto sleeps = [&](int t) { return columns_sleep(m, d, m.ten_J_colind, m.ten_J_rowadr[t], m.ten_J_rownnz[t]); };
        return sleeps(t1) && (t2 < 0 || (sleeps(t2) && asleep_together(m, d, tree(t1), tree(t2))));
    }
    const auto body = equality_bodies(m, e);
    const int tree1 = m.body_treeid[body[0]], tree2 = m.body_treeid[body[1]];
    return neither_awake(m, d, body[0], body[1]) && (tree1 < 0 || tree2 < 0 || asleep_together(m, d, tree1, tree2));
}

// An actuator sleeps with the tree it acts on; one between two sites also where neither of them can move. A reference site is not asked.
template <class M, class D>
bool actuator_sleeps(const M& m, const D& d, int i) {
    const int type = m.actuator_trntype[i], id = m.actuator_trnid[i][0], second = m.actuator_trnid[i][1];
    if (drives_tendon(type)) return columns_sleep(m, d, m.ten_J_colind, m.ten_J_rowadr[id], m.ten_J_rownnz[id]);
    const int body = transmission_body(m, i);
    if (second >= 0 && !drives_site(type)) return neither_awake(m, d, body, m.site_bodyid[second]);
    return body_wakefulness(m, d, body) == Wakefulness::asleep;
}

// Wakes what a contact or a row ties to something awake: sleeping partners make neither. Says whether any tree woke; then there
// may be more contacts and rows, and they must be made again.
template <class M, class D>
bool wake_coupled(const M& m, D& d) {
    if (!some_sleep(m, d)) return false;
    bool woke = false;
    const auto wake = [&](int tree, int count) {
        if (tree < 0 || d.tree_asleep[tree] < 0) return;
        wake_tree(m, d, tree, count);
        woke = true;
    };
    for (int c = 0; c < d.ncon; ++c) {
        const int tree1 = m.body_treeid[m.geom_bodyid[d.contact[c].geom1]];
        const int tree2 = m.body_treeid[m.geom_bodyid[d.contact[c].geom2]];
        const auto count = [&](int tree) { return tree >= 0 && d.tree_asleep[tree] < 0 ? d.tree_asleep[tree] : tree_awake; };
        wake(tree1, count(tree2));
        wake(tree2, count(tree1));
    }
    for (int b = 0; b < d.nblock; ++b)
        for (int k = d.block_J[b]; k < d.block_J[b] + d.block_nnz[b]; ++k) wake(m.dof_treeid[d.efc_J_colind[k]], tree_awake);
    return woke;
}

}  // namespace mjx::inner
