// Initial states, and the checks that return a broken environment to one.
//
// Reads   qpos, qvel, qacc, act
// Writes  the state; warning counters
// A value that is not finite or beyond 1e10 counts as a warning of that lane and, unless autoreset is disabled, resets it.
// Other lanes are untouched. As in MuJoCo, positions and velocities are looked at where a step begins and accelerations where they are
// known; beyond that, no step leaves a state that is not finite without a warning.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/math/quad.hpp"
#include "mjx/stage/history.hpp"
#include "mjx/stage/sleep.hpp"

#include <limits>

namespace mjx::inner {

// Returns the lanes of the mask to qpos0, at rest, without controls and applied forces.
template <class M, class D>
void reset_lanes(const M& m, D& d, const mask_t<typename D::scalar>& mask) {
    using S = typename D::scalar;
    const auto clear = [&](S * x, int count) __attribute__((noinline)) {
        for (int i = 0; i < count; ++i) x[i] = select(mask, S(0), x[i]);
    };
    clear(&d.time, 1);
    clear(d.qvel.data(), m.nv);
    clear(d.act.data(), m.na);
    clear(d.history.data(), m.nhistory);
    clear(d.qacc_warmstart.data(), m.nv);
    clear(d.ctrl.data(), m.nu);
    clear(d.qfrc_applied.data(), m.nv);
    for (int b = 0; b < m.nbody; ++b) clear(d.xfrc_applied[b].e, 6);
    clear(d.userdata.data(), m.nuserdata);
    clear(d.qacc.data(), m.nv);
    clear(d.act_dot.data(), m.na);
    clear(d.sensordata.data(), m.nsensordata);
    for (int i = 0; i < m.nq; ++i) d.qpos[i] = select(mask, S(m.qpos0[i]), d.qpos[i]);
    for (int b = 0; b < m.nbody; ++b) {
        const int mocap = m.body_mocapid[b];
        if (mocap < 0) continue;
        for (int k = 0; k < 3; ++k) d.mocap_pos[mocap][k] = select(mask, S(m.body_pos[b][k]), d.mocap_pos[mocap][k]);
        for (int k = 0; k < 4; ++k) d.mocap_quat[mocap][k] = select(mask, S(m.body_quat[b][k]), d.mocap_quat[mocap][k]);
    }
    reset_history(m, d, mask);
    // remembered contacts are moved where none will be found
    using T = value_part_t<S>;
    for (int c = 0; c < d.ncache; ++c) d.cache[c].cell[0] = select(mask, T(forgotten_cell_v<T>), d.cache[c].cell[0]);
    // constraints are switched for all lanes together
    if (!all(mask)) return;
    for (int e = 0; e < m.neq; ++e) d.eq_active[e] = m.eq_active0[e];
    for (int t = 0; t < m.ntree; ++t)
        d.tree_asleep[t] = may_sleep(m, d) && m.tree_sleep_policy[t] == sleep_policy::init ? tree_starts_asleep : tree_awake;
}

template <class M, class D>
void reset(const M& m, D& d) {
    reset_lanes(m, d, mask_t<typename D::scalar>(true));
    for (auto& count : d.warning) count = 0;
    for (auto& info : d.warning_info) info = 0;
}

// The lanes of the mask go to keyframe k; to the state at rest if there is none, as in MuJoCo.
template <class M, class D>
void reset_lanes_to_keyframe(const M& m, D& d, int k, const mask_t<typename D::scalar>& mask) {
    using S = typename D::scalar;
    reset_lanes(m, d, mask);
    if (k < 0 || k >= m.nkey) return;
    const auto set = [&](S& x, const auto& key) { x = select(mask, S(key), x); };
    set(d.time, m.key_time[k]);
    for (int i = 0; i < m.nq; ++i) set(d.qpos[i], m.key_qpos[k * m.nq + i]);
    for (int i = 0; i < m.nv; ++i) set(d.qvel[i], m.key_qvel[k * m.nv + i]);
    for (int i = 0; i < m.na; ++i) set(d.act[i], m.key_act[k * m.na + i]);
    for (int i = 0; i < m.nu; ++i) set(d.ctrl[i], m.key_ctrl[k * m.nu + i]);
    for (int i = 0; i < m.nmocap; ++i) {
        for (int c = 0; c < 3; ++c) set(d.mocap_pos[i][c], m.key_mpos[k * m.nmocap + i][c]);
        for (int c = 0; c < 4; ++c) set(d.mocap_quat[i][c], m.key_mquat[k * m.nmocap + i][c]);
    }
}
template <class M, class D>
void reset_keyframe(const M& m, D& d, int k) {
    reset(m, d);
    reset_lanes_to_keyframe(m, d, k, mask_t<typename D::scalar>(true));
}

template <class D>
void warn(D& d, int which, const mask_t<typename D::scalar>& mask) {
    constexpr int lanes = lanes_v<typename D::scalar>;
    for_each_lane(mask, lanes, [&](int k) { ++d.warning[which * lanes + k]; });
}

template <class S>
inline constexpr value_t<S> huge_v = value_t<S>(1e10);
template <class S, class V>
[[gnu::noinline, gnu::cold]] mask_t<S> find_bad_lanes(const V& values, int count, value_t<S> bound = huge_v<S>) {
    mask_t<S> good(true);  // a NaN is not below any bound
    for (int i = 0; i < count; ++i) good = good & (abs(values[i]) < S(bound));
    return !good;
}
// Lanes in which some value is not a number one can go on with. As a rule there is none, and the sum of squares says so.
template <class S, class V>
mask_t<S> bad_lanes(const V& values, int count) {
    RoughSquares<S> squares;
    squares.add(values, count);
    return squares.below(huge_v<S> * huge_v<S>) ? mask_t<S>(false) : find_bad_lanes<S>(values, count);
}

// The same, where these values are bad: the first of them is remembered.
template <class D, class V>
void warn_of(D& d, int which, const mask_t<typename D::scalar>& mask, const V& values, int count,
             value_t<typename D::scalar> bound = huge_v<typename D::scalar>) {
    using S = typename D::scalar;
    for_each_lane(mask, lanes_v<S>, [&](int k) {
        int i = 0;
        while (i + 1 < count && abs(value_of(lane(values[i], k))) < bound) ++i;
        d.warning_info[which * lanes_v<S> + k] = i;
    });
    warn(d, which, mask);
}

// Returns the lanes that were bad; they are reset unless autoreset is off.
template <class M, class D, class V>
auto check(const M& m, D& d, const V& values, int count, int which) {
    const auto bad = bad_lanes<typename D::scalar>(values, count);
    if (any(bad)) {
        warn_of(d, which, bad, values, count);
        if (!m.opt.disabled(disable::autoreset)) reset_lanes(m, d, bad);
    }
    return bad;
}

// Where a step begins.
template <class M, class D>
void check_state(const M& m, D& d) {
    using S = typename D::scalar;
    RoughSquares<S> squares;
    squares.add(d.qpos, m.nq);
    squares.add(d.qvel, m.nv);
    if (squares.below(huge_v<S> * huge_v<S>)) return;
    check(m, d, d.qpos, m.nq, warning::badqpos);
    check(m, d, d.qvel, m.nv, warning::badqvel);
}

// What a step leaves behind. An integrator can lose what the accelerations before it did not show.
template <class M, class D>
void check_result(const M& m, D& d) {
    using S = typename D::scalar;
    constexpr value_t<S> endless = std::numeric_limits<value_t<S>>::infinity();
    RoughSquares<S> squares;
    squares.add(d.qpos, m.nq);
    squares.add(d.qvel, m.nv);
    squares.add(d.act, m.na);
    if (squares.below(endless)) return;
    const auto find = [](const auto& values, int count) { return find_bad_lanes<S>(values, count, endless); };
    const mask_t<S> qpos = find(d.qpos, m.nq), qvel = find(d.qvel, m.nv), act = find(d.act, m.na), bad = qpos || qvel || act;
    if (!any(bad)) return;
    if (any(qpos)) warn_of(d, warning::badqpos, qpos, d.qpos, m.nq, endless);
    if (any(qvel)) warn_of(d, warning::badqvel, qvel, d.qvel, m.nv, endless);
    if (any(act)) warn_of(d, warning::badact, act, d.act, m.na, endless);
    if (!m.opt.disabled(disable::autoreset)) reset_lanes(m, d, bad);
}

}  // namespace mjx::inner
