// The force of one actuator: gain times input plus bias, and the servo that turns a frame to an orientation.
//
// Reads   actuator_ctrl, act, act_dot, actuator_length, actuator_velocity
// The input is the control, or the last activation of an actuator with dynamics (its value at the end of the step with actearly).
#pragma once

#include "mjx/math/traverse.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/stage/controller.hpp"

namespace mjx::inner {

// Geodesic servo: kp times the rotation from the present orientation to the target, in the local frame, with damping.
template <class M, class D>
void so3_force(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const int ctrl = m.actuator_ctrladr[i], out = m.actuator_outadr[i], act = m.actuator_actadr[i];
    Quat<S> target;
    if (m.actuator_ctrlspec[i] == ctrl_chart::quat) {
        target = normalize(quat_at(d.actuator_ctrl, ctrl));
    } else {
        Vec3<S> rotation;
        for (int k = 0; k < 3; ++k)
            rotation[k] = has_dynamics(m.actuator_dyntype[i]) ? effective_activation(m, d, i, act + k) : d.actuator_ctrl[ctrl + k];
        target = exp_quat(rotation);
    }
    const Vec3<S> error = difference(target, exp_quat(vec3_at(d.actuator_length, out)));
    const auto kp = m.actuator_gainprm[i][0];
    const auto& prm = m.actuator_biasprm[i];
    for (int k = 0; k < 3; ++k) d.actuator_force[out + k] = error[k] * kp + prm[0] + d.actuator_velocity[out + k] * prm[2];
}

// What a gain multiplies: as a rule the control, or the last activation.
struct PlainInput {
    template <class M, class D>
    static auto value(const M& m, const D& d, auto i) {
        using S = typename D::scalar;
        const int count = m.actuator_actnum[i];
        S input(0);
        if (count > 0)
            input = effective_activation(m, d, i, m.actuator_actadr[i] + count - 1);
        else if (m.actuator_ctrlnum[i] > 0)
            input = d.actuator_ctrl[m.actuator_ctrladr[i]];
        return wrapped(m, d, i, input);
    }
    template <class M, class D, class S>
    static S wrapped(const M& m, const D& d, auto i, const S& input) {
        return wrap_setpoint(input, S(d.actuator_length[m.actuator_outadr[i]]), wrap_period(m, i));
    }
};
template <int GainType>
struct Input : PlainInput {};

// A DC motor without current state takes its voltage, whatever other states it has.
template <>
struct Input<gain::dcmotor> : PlainInput {
    template <class M, class D>
    static auto value(const M& m, const D& d, auto i) {
        using S = typename D::scalar;
        const MotorSlots slots = motor_slots(m, i);
        if (slots.current >= 0) return PlainInput::value(m, d, i);
        const S integral = slots.integral >= 0 ? S(d.act[m.actuator_actadr[i] + slots.integral]) : S(0);
        return wrapped(m, d, i, m.actuator_ctrlnum[i] > 0 ? S(motor_voltage(m, d, i, integral)) : S(0));
    }
};

// PID: what depends on the inputs and the integral; the affine bias adds what depends on position and velocity.
template <>
struct Input<gain::pid> : PlainInput {
    template <class M, class D>
    static auto value(const M& m, const D& d, auto i) {
        using S = typename D::scalar;
        using Real = typename M::real;
        const auto& prm = m.actuator_biasprm[i];
        const Vec<S, 4> u = servo_inputs(d.actuator_ctrl, m.actuator_ctrladr[i], m.actuator_ctrlspec[i]);
        const S position = wrapped(m, d, i, S(u[0]));
        S force = u[2] - position * prm[1] - u[1] * prm[2];
        const int count = m.actuator_actnum[i];
        const Real ki = m.actuator_gainprm[i][0];
        if (count > 0 && any(ki > Real(0))) force += effective_activation(m, d, i, m.actuator_actadr[i] + count - 1) * ki;
        return force;
    }
};

template <>
struct Input<gain::controller> {
    template <class M, class D>
    static auto value(const M& m, const D& d, auto i) {
        return controller_force(m, d, i);
    }
};

template <class M, class D>
auto actuator_input(const M& m, const D& d, auto i) {
    typename D::scalar input(0);
    visit_kind<GainKind>(m, i, [&](auto type) { input = Input<type>::value(m, d, i); });
    return input;
}

// A plain motor without states: the force is the control times a constant.
template <class M>
constexpr bool is_motor(const M& m, int i) {
    return is_plain_motor(m.actuator_gaintype[i], m.actuator_biastype[i]) && m.actuator_actnum[i] == 0 && m.actuator_ctrlnum[i] > 0;
}

// A constant times the control, and a bias that goes with position and velocity.
template <class M>
constexpr bool is_affine(const M& m, int i) {
    return m.actuator_gaintype[i] == gain::fixed && m.actuator_biastype[i] == bias::affine && m.actuator_actnum[i] == 0;
}

template <class M, class D, class H>
void general_force(const M& m, D& d, auto i, const H& hooks) {
    using S = typename D::scalar;
    if constexpr (may_have_gain<actuator_fact::rotation, M>())
        if (gain_does<actuator_fact::rotation>(m.actuator_gaintype[i])) return so3_force(m, d, i);
    if constexpr (!M::is_fixed)
        if (is_affine(m, i)) {
            const S gain = Gain<gain::fixed>::value(m, d, i, hooks);
            d.actuator_force[m.actuator_outadr[i]] = gain * Input<gain::fixed>::value(m, d, i) +
                                                     Bias<bias::affine>::value(m, d, i, gain, hooks);
            return;
        }
    const S gain = actuator_gain(m, d, i, hooks);
    const S driven = gain * actuator_input(m, d, i);
    d.actuator_force[m.actuator_outadr[i]] = driven + actuator_bias(m, d, i, gain, hooks);
}

template <class M, class D, class H>
[[gnu::always_inline]] inline void actuator_force(const M& m, D& d, auto i, const H& hooks) {
    const auto motor = known(m, i, [](const auto& all, int k) { return is_motor(all, k); });
    with_truth(
        motor, [&](auto plain) __attribute__((always_inline)) {
            if constexpr (plain)
                d.actuator_force[m.actuator_outadr[i]] = d.actuator_ctrl[m.actuator_ctrladr[i]] * m.actuator_gainprm[i][0];
            else
                general_force(m, d, i, hooks);
        });
}

}  // namespace mjx::inner
