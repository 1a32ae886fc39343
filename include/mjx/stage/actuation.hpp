// Actuation: activation rates, actuator forces and what they do to the joints.
//
// Reads   ctrl, history, act, actuator_length, actuator_velocity, actuator_moment, qfrc_gravcomp, time
// Writes  actuator_ctrl, act_dot, actuator_force, qfrc_actuator; warning badctrl
// Controls are read (with their delay), clamped, and all set to 0 in a lane where one is not a number. Forces are limited per
// tendon (all its actuators together), per actuator, and per joint, in this order. MuJoCo, computation chapter, "Actuation model".
#pragma once

#include "mjx/stage/actuator_force.hpp"
#include "mjx/stage/history.hpp"
#include "mjx/stage/reset.hpp"
#include "mjx/stage/sleep.hpp"
#include "mjx/stage/transmission.hpp"

namespace mjx::inner {

template <class M, class D>
void read_controls(const M& m, D& d) {
    using S = typename D::scalar;
    using Real = typename M::real;
    for (int u = 0; u < m.nu; ++u) d.actuator_ctrl[u] = d.ctrl[u];
    for (int i = 0; m.nhistory > 0 && i < m.nactuator; ++i) {
        const int samples = m.actuator_history[i][0];
        if (samples == 0 || !any(m.actuator_delay[i] != Real(0))) continue;
        const S time = d.time - m.actuator_delay[i];
        d.actuator_ctrl[m.actuator_ctrladr[i]] = history_read(d, m.actuator_historyadr[i], samples, 1, time, m.actuator_history[i][1], 0);
    }
    if (!m.opt.disabled(disable::clampctrl))
        for (int u = 0; u < m.nu; ++u)
            if (m.actuator_ctrllimited[u])
                d.actuator_ctrl[u] = clamp(d.actuator_ctrl[u], S(m.actuator_ctrlrange[u][0]), S(m.actuator_ctrlrange[u][1]));
    const auto bad = bad_lanes<S>(d.actuator_ctrl, m.nu);
    if (!any(bad)) return;
    warn_of(d, warning::badctrl, bad, d.actuator_ctrl, m.nu);
    for (int u = 0; u < m.nu; ++u) d.actuator_ctrl[u] = select(bad, S(0), d.actuator_ctrl[u]);
}

template <class M, class D, class H>
void activation_rate(const M& m, D& d, auto i, const H& hooks) {
    using S = typename D::scalar;
    const int first = m.actuator_actadr[i];
    for (int j = first; j < first + m.actuator_actnum[i]; ++j) d.act_dot[j] = S(0);
    visit_kind<DynamicsKind>(m, i, [&](auto type) { Dynamics<type>::rate(m, d, i, hooks); });
    visit_kind<GainKind>(m, i, [&](auto type) {
        if constexpr (gain_does<actuator_fact::states>(type)) controller_rate(m, d, i);
    });
}

// f(i) for the actuators that pull a tendon.
template <class M, class F>
void for_each_puller(const M& m, int tendon, F&& f) {
    for (int i = 0; i < m.nactuator; ++i)
        if (actuator_drives(m, i, obj::tendon, tendon)) f(i);
}

// Scales the forces of a tendon's actuators down to the range their sum must keep.
template <class M, class D>
void limit_tendon_force(const M& m, D& d, int tendon) {
    using S = typename D::scalar;
    S total(0);
    for_each_puller(m, tendon, [&](int i) { total += d.actuator_force[m.actuator_outadr[i]]; });
    const S allowed = clamp(total, S(m.tendon_actfrcrange[tendon][0]), S(m.tendon_actfrcrange[tendon][1]));
    const auto over = total != S(0) && allowed != total;
    const S scale = select(over, S(allowed / select(over, total, S(1))), S(1));
    for_each_puller(m, tendon, [&](int i) { d.actuator_force[m.actuator_outadr[i]] *= scale; });
}

// An actuator's own limit; an orientation servo keeps the direction of its torque.
template <class M, class D>
void limit_actuator_force(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const S low(m.actuator_forcerange[i][0]), high(m.actuator_forcerange[i][1]);
    const int out = m.actuator_outadr[i];
    if (gain_does<actuator_fact::rotation>(m.actuator_gaintype[i])) {
        const S length = norm(vec3_at(d.actuator_force, out));
        const auto over = length > high;
        const S scale = select(over, S(high / select(over, length, S(1))), S(1));
        for (int k = 0; k < 3; ++k) d.actuator_force[out + k] *= scale;
    } else {
        for (int k = 0; k < m.actuator_outnum[i]; ++k) d.actuator_force[out + k] = clamp(d.actuator_force[out + k], low, high);
    }
}

// What acts beside the force, limited or not.
template <class M, class D>
void add_mechanical_force(const M& m, D& d, int i) {
    if (bias_does<actuator_fact::mechanical>(m.actuator_biastype[i]) && !actuator_disabled(m, i))
        d.actuator_force[m.actuator_outadr[i]] += motor_mechanical_force(m, d, i);
}

// qfrc_actuator = momentᵀ force, plus the gravity compensation that joints charge to their actuators, within joint limits.
template <class M, class D>
void joint_actuator_forces(const M& m, D& d) {
    using S = typename D::scalar;
    for (int i = 0; i < m.nv; ++i) d.qfrc_actuator[i] = S(0);
    for (int out = 0; out < m.nout; ++out) add_row(moment_row(m, d, out), d.actuator_force[out], d.qfrc_actuator);
    for (int j = 0; j < m.njnt; ++j) {
        const int dof = m.jnt_dofadr[j];
        if (m.jnt_actgravcomp[j])
            for (int k = 0; k < M::joints::nv(m.jnt_type[j]); ++k) d.qfrc_actuator[dof + k] += d.qfrc_gravcomp[dof + k];
        if (m.jnt_actfrclimited[j])
            d.qfrc_actuator[dof] = clamp(d.qfrc_actuator[dof], S(m.jnt_actfrcrange[j][0]), S(m.jnt_actfrcrange[j][1]));
    }
}

// Actuators of sleeping trees do nothing and keep their activation.
template <class M, class D>
void rest_actuators(const M& m, D& d) {
    using S = typename D::scalar;
    if (!may_sleep(m, d)) return;
    for (int i = 0; i < m.nactuator; ++i) {
        if (!actuator_sleeps(m, d, i)) continue;
        for (int k = 0; k < m.actuator_outnum[i]; ++k) d.actuator_force[m.actuator_outadr[i] + k] = S(0);
        for (int k = 0; k < m.actuator_actnum[i]; ++k) d.act_dot[m.actuator_actadr[i] + k] = S(0);
    }
}

template <class M, class D, class H = no_hooks>
void actuation(const M& m, D& d, const H& hooks = {}) {
    using S = typename D::scalar;
    for (int out = 0; out < m.nout; ++out) d.actuator_force[out] = S(0);
    if (m.nactuator == 0 || m.opt.disabled(disable::actuation)) {
        for (int i = 0; i < m.nv; ++i) d.qfrc_actuator[i] = S(0);
        return;
    }
    read_controls(m, d);
    over_actuators<S>(m, [&](auto i) {
        with_truth(known(m, i, [](const auto& all, int k) { return all.actuator_actnum[k] > 0; }), [&](auto has_states) {
            if constexpr (has_states) activation_rate(m, d, i, hooks);
        });
        if (!actuator_disabled(m, i)) actuator_force(m, d, i, hooks);
    });
    for (int t = 0; t < m.ntendon; ++t)
        if (m.tendon_actfrclimited[t]) limit_tendon_force(m, d, t);
    for (int i = 0; i < m.nactuator; ++i) {
        if (m.actuator_forcelimited[i]) limit_actuator_force(m, d, i);
        add_mechanical_force(m, d, i);
    }
    rest_actuators(m, d);
    joint_actuator_forces(m, d);
}

}  // namespace mjx::inner
