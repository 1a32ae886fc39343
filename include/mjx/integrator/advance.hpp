// The end of every step: activations, velocities, positions and time move on.
//
// Reads   the rates given, act, qvel, ctrl, actuator_length, actuator_velocity
// Writes  history, act, qvel, qpos, time, qacc_warmstart; tree_asleep and sleep_qpos where trees come to rest
#pragma once

#include "mjx/integrator/fall_asleep.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/sensor/sensor.hpp"
#include "mjx/stage/activation.hpp"
#include "mjx/stage/history.hpp"

namespace mjx::inner {

// line(q, v, n) for each run of n scalar joints, whose coordinates change as their velocities say, and other(j) for each joint between.
// A robot has mostly such joints: they are taken together instead of being asked one by one.
template <class M, class Line, class Other>
void over_joint_runs(const M& m, Line&& line, Other&& other) {
    const int njnt = m.njnt;
    for (int j = 0; j < njnt; ++j) {
        const int first = j;
        while (j < njnt && M::joints::is_scalar(m.jnt_type[j])) ++j;
        if (j > first) line(int(m.jnt_qposadr[first]), int(m.jnt_dofadr[first]), j - first);
        if (j < njnt) other(j);
    }
}

// qpos ← qpos ⊕ h qvel: rotations turn by the exponential map.
template <class M, class Q, class V, class H>
void integrate_pos(const M& m, Q& qpos, const V& qvel, const H& h) {
    using S = std::remove_cvref_t<decltype(qpos[0])>;
    const auto move = [&](auto j) {
        M::joints::visit(m.jnt_type[j], [&](auto joint) { joint.integrate(qpos, m.jnt_qposadr[j], qvel, m.jnt_dofadr[j], h); });
    };
    if constexpr (is_unrolled<S, M>()) {
        over_joints<S>(m, move);
    } else {
        const auto line = [&](int q, int v, int n) {
            for (int k = 0; k < n; ++k) qpos[q + k] += qvel[v + k] * h;
        };
        over_joint_runs(m, line, move);
    }
}

// dq = to ⊖ from: the velocity that takes one configuration to the other in unit time.
template <class M, class V, class A, class B>
void differentiate_pos(const M& m, V& dq, const A& to, const B& from) {
    const auto line = [&](int q, int v, int n) {
        for (int k = 0; k < n; ++k) dq[v + k] = to[q + k] - from[q + k];
    };
    over_joint_runs(m, line, [&](int j) {
        M::joints::visit(m.jnt_type[j], [&](auto joint) { joint.difference(dq, m.jnt_dofadr[j], to, from, m.jnt_qposadr[j]); });
    });
}

// The next velocities and positions of the trees that are awake; those asleep stay where they are to the last bit.
template <class M, class D, class A, class V, class H>
void move_awake(const M& m, D& d, const A& qacc, const V& velocity, const H& h) {
    for (int i = 0; i < m.nv; ++i)
        if (!dof_sleeps(m, d, i)) d.qvel[i] += qacc[i] * h;
    for (int j = 0; j < m.njnt; ++j)
        if (!dof_sleeps(m, d, m.jnt_dofadr[j]))
            M::joints::visit(m.jnt_type[j], [&](auto joint) { joint.integrate(d.qpos, m.jnt_qposadr[j], velocity, m.jnt_dofadr[j], h); });
}

// qvel += h qacc, then positions follow `velocity`: the new qvel for semi-implicit integrators.
template <class M, class D, class Act, class A, class V>
void advance(const M& m, D& d, const Act& act_dot, const A& qacc, const V& velocity) {
    const auto h = m.opt.timestep;
    record_controls(m, d);
    record_sensors(m, d);
    advance_activation(m, d, act_dot);
    fall_asleep(m, d);
    if (some_sleep(m, d)) {
        move_awake(m, d, qacc, velocity, h);
    } else {
        for (int i = 0; i < m.nv; ++i) d.qvel[i] += qacc[i] * h;
        integrate_pos(m, d.qpos, velocity, h);
    }
    d.time += h;
    for (int i = 0; i < m.nv; ++i) d.qacc_warmstart[i] = d.qacc[i];
}

// A step by the acceleration of a system: solve(qacc) finds it, with all forces in qacc to begin with.
template <class M, class D, class A, class Solve>
void advance_by_system(const M& m, D& d, A& qacc, Solve&& solve) {
    over_dofs<typename D::scalar>(m, [&](auto i) { qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]; });
    solve(qacc);
    advance(m, d, d.act_dot, qacc, d.qvel);
}

}  // namespace mjx::inner
