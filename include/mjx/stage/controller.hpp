// The PID controller of MuJoCo's plugin mujoco.pid: force = kp e + kd de/dt + ki ∫e dt, where e = set point - length.
//
// Reads   actuator_ctrl, act, act_dot, actuator_length, actuator_velocity, time
// Writes  act_dot of its own states
// The set point is the control, or the activation of an actuator with dynamics, which then has a rate as well. The controller's own states
// stand before that activation: the integral of the error, which includes that of the present step and may be bounded, and the set point
// of the step before where its rate is bounded. Before the first step there is none, and the set point may be anywhere. The plugin has no
// derivatives with velocity for implicit integrators, so neither has this.
#pragma once

#include "mjx/stage/gain.hpp"

namespace mjx::inner {

// Where its states are in act, or -1.
struct ControllerStates {
    int integral, setpoint;
};
template <class M>
ControllerStates controller_states(const M& m, int i) {
    using Real = typename M::real;
    const int first = m.actuator_actadr[i], own = m.actuator_actnum[i] - has_dynamics(m.actuator_dyntype[i]);
    const bool slews = any(m.actuator_gainprm[i][controller::has_slewmax] != Real(0));
    return {own > int(slews) ? first : -1, slews ? first + own - 1 : -1};
}

template <class M, class D>
auto controller_setpoint(const M& m, const D& d, int i, bool early) {
    using S = typename D::scalar;
    const int u = m.actuator_ctrladr[i], last = m.actuator_actadr[i] + m.actuator_actnum[i] - 1;
    S setpoint(0);
    if (has_dynamics(m.actuator_dyntype[i]))
        setpoint = early ? S(next_activation(m, d, i, last, d.act_dot[last])) : S(d.act[last]);
    else if (m.actuator_ctrllimited[u])  // also where the flag clampctrl is disabled
        setpoint = clamp(d.actuator_ctrl[u], S(m.actuator_ctrlrange[u][0]), S(m.actuator_ctrlrange[u][1]));
    else
        setpoint = d.actuator_ctrl[u];
    const int state = controller_states(m, i).setpoint;
    if (state < 0) return setpoint;
    const S before = d.act[state], step(m.actuator_gainprm[i][controller::slewmax] * m.opt.timestep);
    return select(d.time > S(0), clamp(setpoint, S(before - step), S(before + step)), setpoint);
}

// The integral at the end of the step, for the error of its beginning.
template <class M, class D, class S>
S controller_integral(const M& m, const D& d, int i, const S& error) {
    using Real = typename M::real;
    const int state = controller_states(m, i).integral;
    if (state < 0) return S(0);
    const auto& prm = m.actuator_gainprm[i];
    const S integral = d.act[state] + error * m.opt.timestep;
    if (!any(prm[controller::has_imax] != Real(0))) return integral;
    const S bound(prm[controller::imax] / select(prm[controller::ki] != Real(0), prm[controller::ki], Real(1)));
    return clamp(integral, S(-bound), bound);
}

template <class M, class D>
void controller_rate(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const ControllerStates states = controller_states(m, i);
    const S setpoint = controller_setpoint(m, d, i, false);
    const S integral = controller_integral(m, d, i, S(setpoint - d.actuator_length[m.actuator_outadr[i]]));
    if (states.integral >= 0) d.act_dot[states.integral] = (integral - d.act[states.integral]) / m.opt.timestep;
    if (states.setpoint >= 0) d.act_dot[states.setpoint] = (setpoint - d.act[states.setpoint]) / m.opt.timestep;
}

template <class M, class D>
auto controller_force(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    const int out = m.actuator_outadr[i], last = m.actuator_actadr[i] + m.actuator_actnum[i] - 1;
    const auto& prm = m.actuator_gainprm[i];
    const S error = controller_setpoint(m, d, i, m.actuator_actearly[i]) - d.actuator_length[out];
    const S rate = has_dynamics(m.actuator_dyntype[i]) ? S(d.act_dot[last]) : S(0);
    return S(error * prm[controller::kp] + (rate - d.actuator_velocity[out]) * prm[controller::kd] +
             controller_integral(m, d, i, error) * prm[controller::ki]);
}

}  // namespace mjx::inner
