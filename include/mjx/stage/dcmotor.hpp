// DC motors: electrical and thermal states, an on-board controller, cogging and LuGre friction.
//
// Reads   act, act_dot, actuator_length, actuator_velocity
// A motor has up to five states, in this order, each present when its parameter is: the slew-limited setpoint, the integral of the
// position error, the temperature above ambient, the LuGre bristle, the current. With a current state the force is K·i and
// te di/dt = V/R - K ω/R - i; without one the current is (V - K ω)/R at once. The bristle follows dz/dt = ω - σ0|ω|/g(ω) z
// with the Stribeck curve g (Canudas de Wit et al. 1995); bristle and current are integrated exactly over the step.
#pragma once

#include "mjx/math/vec.hpp"
#include "mjx/model/actuator_kinds.hpp"
#include "mjx/stage/muscle.hpp"

namespace mjx::inner {

// Places of the parameters in the actuator's dynprm, gainprm and biasprm.
namespace motor {
enum dynprm : int { te, current_rate, thermal_resistance, thermal_capacitance, ambient, sigma0, sigma1, slew, integral_max };
enum gainprm : int { resistance, constant, temperature_coefficient, reference_temperature, kp, ki, kd, voltage_max };
enum biasprm : int { cogging, cogging_poles, cogging_phase, coulomb, statical, stribeck };
}  // namespace motor

// Offset of each state from actuator_actadr, or -1.
struct MotorSlots {
    int slew = -1, integral = -1, temperature = -1, bristle = -1, current = -1, count = 0;
};
template <class M>
MotorSlots motor_slots(const M& m, int i) {
    using Real = typename M::real;
    const auto& dyn = m.actuator_dynprm[i];
    const auto& gain = m.actuator_gainprm[i];
    MotorSlots s;
    if (any(dyn[motor::slew] > Real(0))) s.slew = s.count++;
    if (any(gain[motor::ki] > Real(0))) s.integral = s.count++;
    if (any(dyn[motor::thermal_resistance] > Real(0))) s.temperature = s.count++;
    if (any(dyn[motor::sigma0] > Real(0))) s.bristle = s.count++;
    if (any(dyn[motor::te] > Real(0))) s.current = s.count++;
    return s;
}

// Inputs of a servo in the order position, velocity, feedforward, voltage; those it does not have are 0.
template <class U>
auto servo_inputs(const U& ctrl, int first, int spec) {
    using S = std::remove_cvref_t<decltype(ctrl[0])>;
    constexpr int inputs[4] = {ctrl_input::pos, ctrl_input::vel, ctrl_input::ff, ctrl_input::voltage};
    Vec<S, 4> u = Vec<S, 4>::zero();
    for (int k = 0, next = first; k < 4; ++k)
        if (spec & inputs[k]) u[k] = ctrl[next++];
    return u;
}

// The voltage at the terminals: a PID in torque, turned into the voltage that gives this torque at the present speed, plus the
// raw input.
template <class M, class D, class S>
S motor_voltage(const M& m, const D& d, int i, const S& integral) {
    using Real = typename M::real;
    const int spec = m.actuator_ctrlspec[i], out = m.actuator_outadr[i];
    const auto& prm = m.actuator_gainprm[i];
    const Vec<S, 4> u = servo_inputs(d.actuator_ctrl, m.actuator_ctrladr[i], spec);
    if (!(spec & (ctrl_input::pos | ctrl_input::vel | ctrl_input::ff))) return u[3];
    const S velocity = d.actuator_velocity[out];
    const S torque = (u[0] - d.actuator_length[out]) * prm[motor::kp] + (u[1] - velocity) * prm[motor::kd] + integral * prm[motor::ki] +
                     u[2];
    const S voltage = torque * Real(prm[motor::resistance] / prm[motor::constant]) + velocity * prm[motor::constant];
    const S limit(prm[motor::voltage_max]);
    return select(limit > S(0), clamp(voltage, S(-limit), limit), voltage) + u[3];
}

// Winding resistance at the present temperature.
template <class M, class D>
auto motor_resistance(const M& m, const D& d, int i, const MotorSlots& slots) {
    using S = typename D::scalar;
    const auto& dyn = m.actuator_dynprm[i];
    const auto& gain = m.actuator_gainprm[i];
    const S cold(gain[motor::resistance]);
    if (slots.temperature < 0) return cold;
    const S rise = d.act[m.actuator_actadr[i] + slots.temperature];
    const S warmer = rise + dyn[motor::ambient] - gain[motor::reference_temperature];
    return S(cold * (S(1) + warmer * gain[motor::temperature_coefficient]));
}

// Decay rate of the bristle: dz/dt = velocity + rate z.
template <class M, class S>
S bristle_rate(const M& m, int i, const S& velocity) {
    const auto& prm = m.actuator_biasprm[i];
    const S ratio = velocity / at_least_tiny(S(prm[motor::stribeck]));
    const S g = S(prm[motor::coulomb]) + exp(S(-ratio * ratio)) * S(prm[motor::statical] - prm[motor::coulomb]);
    return -abs(velocity) * m.actuator_dynprm[i][motor::sigma0] / at_least_tiny(g);
}

// u within `slew` per second of the setpoint before; writes its rate.
template <class S>
S slew_limit(const S& u, const S& before, const S& slew, const S& h, S& rate) {
    const S step = slew * h, next = clamp(u, S(before - step), S(before + step));
    rate = (next - before) / select(h != S(0), h, S(1));
    return next;
}

// An integrator's input stops driving it beyond ±limit (if there is a limit).
template <class S>
S anti_windup(const S& error, const S& state, const S& limit) {
    const auto limited = limit > S(0);
    const S low = select(limited && state >= limit, min(error, S(0)), error);
    return select(limited && state <= -limit, max(error, S(0)), low);
}

// act_dot of all states. The slew limit replaces the setpoint in actuator_ctrl.
template <class M, class D>
void dcmotor_dynamics(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const MotorSlots slots = motor_slots(m, i);
    const int act = m.actuator_actadr[i], ctrl = m.actuator_ctrladr[i], out = m.actuator_outadr[i];
    const auto& dyn = m.actuator_dynprm[i];
    const S velocity = d.actuator_velocity[out], K(m.actuator_gainprm[i][motor::constant]);
    if (slots.slew >= 0)
        d.actuator_ctrl[ctrl] = slew_limit(d.actuator_ctrl[ctrl], d.act[act + slots.slew], S(dyn[motor::slew]), S(m.opt.timestep),
                                           d.act_dot[act + slots.slew]);
    S integral(0);
    if (slots.integral >= 0) {
        integral = d.act[act + slots.integral];
        const S error = d.actuator_ctrl[ctrl] - d.actuator_length[out];
        d.act_dot[act + slots.integral] = anti_windup(error, integral, S(dyn[motor::integral_max]));
    }
    const S voltage = motor_voltage(m, d, i, integral), R = motor_resistance(m, d, i, slots);
    if (slots.temperature >= 0) {
        const S current = slots.current >= 0 ? d.act[act + slots.current] : S((voltage - K * velocity) / R);
        const S rise = d.act[act + slots.temperature];
        d.act_dot[act + slots.temperature] = (R * current * current - rise / dyn[motor::thermal_resistance]) /
                                             dyn[motor::thermal_capacitance];
    }
    if (slots.bristle >= 0) d.act_dot[act + slots.bristle] = bristle_rate(m, i, velocity) * d.act[act + slots.bristle] + velocity;
    if (slots.current >= 0) {
        const S rate = ((voltage - K * velocity) / R - d.act[act + slots.current]) / dyn[motor::te];
        const S limit(dyn[motor::current_rate]);
        d.act_dot[act + slots.current] = select(limit > S(0), clamp(rate, S(-limit), limit), rate);
    }
}

// The state j at the end of the step.
template <class M, class D, class S>
S dcmotor_next(const M& m, const D& d, int i, int j, const S& act_dot) {
    using Real = typename M::real;
    const MotorSlots slots = motor_slots(m, i);
    const auto& dyn = m.actuator_dynprm[i];
    const Real h = m.opt.timestep;
    const int slot = j - m.actuator_actadr[i];
    const S act = d.act[j];
    if (slot == slots.current) {
        const Real te = at_least_tiny(Real(dyn[motor::te]));
        return act + act_dot * Real(te * (Real(1) - exp(Real(-h / te))));
    }
    if (slot == slots.bristle) {
        const S velocity = d.actuator_velocity[m.actuator_outadr[i]], rate = bristle_rate(m, i, velocity);
        const S decay = exp(S(rate * h));
        const auto moving = abs(rate) > S(minval_v<S>);
        const S input = select(moving, S((decay - S(1)) / select(moving, rate, S(1))), S(h));
        return decay * act + input * velocity;
    }
    const S next = act + act_dot * h, limit(dyn[motor::integral_max]);
    if (slot != slots.integral) return next;
    return select(limit > S(0), clamp(next, S(-limit), limit), next);
}

// What acts on the shaft beside the current: cogging and friction.
template <class M, class D>
auto motor_mechanical_force(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    const MotorSlots slots = motor_slots(m, i);
    const auto& prm = m.actuator_biasprm[i];
    const auto& dyn = m.actuator_dynprm[i];
    S force = sin(S(d.actuator_length[m.actuator_outadr[i]] * prm[motor::cogging_poles] + prm[motor::cogging_phase])) * prm[motor::cogging];
    if (slots.bristle >= 0) {
        const int j = m.actuator_actadr[i] + slots.bristle;
        force -= d.act[j] * dyn[motor::sigma0] + d.act_dot[j] * dyn[motor::sigma1];
    }
    return force;
}

// d(voltage)/d(velocity) of a motor's controller: damping through the map from torque to voltage, and the compensation of back-EMF.
template <class M>
typename M::real motor_voltage_slope(const M& m, int i) {
    using Real = typename M::real;
    if (!(m.actuator_ctrlspec[i] & (ctrl_input::pos | ctrl_input::vel | ctrl_input::ff))) return Real(0);
    const auto& prm = m.actuator_gainprm[i];
    const Real R = at_least_tiny(Real(prm[motor::resistance])), K = prm[motor::constant];
    return K - prm[motor::kd] * R / K;
}

// d(force)/d(velocity) of a DC motor.
template <class M, class D>
auto motor_force_slope(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    using Real = typename M::real;
    const auto& dyn = m.actuator_dynprm[i];
    const MotorSlots slots = motor_slots(m, i);
    const Real K = m.actuator_gainprm[i][motor::constant];
    S slope = S(Real(K * (motor_voltage_slope(m, i) - K))) / at_least_tiny(motor_resistance(m, d, i, slots));
    // with a current state, the part that passes the filter within the step
    if (slots.current >= 0) slope = slope * Real(Real(1) - exp(Real(-m.opt.timestep / dyn[motor::te])));
    return S(slope - max(Real(dyn[motor::sigma1]), Real(0)));
}

// d(force)/d(length): the position loop of its controller, whose torque does not depend on the winding.
template <class M>
typename M::real motor_length_slope(const M& m, int i) {
    using Real = typename M::real;
    if (!(m.actuator_ctrlspec[i] & (ctrl_input::pos | ctrl_input::vel | ctrl_input::ff))) return Real(0);
    const Real kp = m.actuator_gainprm[i][motor::kp];
    if (motor_slots(m, i).current < 0) return -kp;
    return -kp * (Real(1) - exp(Real(-m.opt.timestep / m.actuator_dynprm[i][motor::te])));
}

}  // namespace mjx::inner
