// The gains and biases of actuators, one struct for each kind (model/actuator_kinds.hpp): their value, and the slopes of the force with
// velocity and length that implicit integrators ask for.
//
// Reads   actuator_ctrl, ctrl, act, act_dot, actuator_length, actuator_velocity
// force = gain · input + bias. The index i is an int, or a constant when the loop over a fixed model's actuators is straight-line code
// (math/traverse.hpp).
#pragma once

#include "mjx/scalar/dual.hpp"
#include "mjx/stage/activation.hpp"

namespace mjx::inner {

// Activation j as the force sees it.
template <class M, class D>
auto effective_activation(const M& m, const D& d, int i, int j) {
    using S = typename D::scalar;
    return m.actuator_actearly[i] ? S(next_activation(m, d, i, j, d.act_dot[j])) : S(d.act[j]);
}

// What a gain that depends on velocity multiplies.
template <class M, class D>
auto plain_input(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    return has_dynamics(m.actuator_dyntype[i]) ? S(effective_activation(m, d, i, m.actuator_actadr[i] + m.actuator_actnum[i] - 1))
                                               : S(d.ctrl[m.actuator_ctrladr[i]]);
}

// A gain: value(), slope() = d(gain · input)/d(velocity) and, unless it is zero, length_slope() = d(gain · input)/d(length).
template <int Type>
struct Gain;

// A gain or a bias that does not change with velocity.
struct Level {
    template <class M, class D>
    static auto slope(const M&, const D&, int) {
        return typename D::scalar(0);
    }
};
// Orientation servos, PIDs and controllers, whose input is a force already (stage/actuator_force.hpp).
struct UnitGain : Level {
    template <class M, class D, class H>
    static auto value(const M&, const D&, auto, const H&) {
        return typename D::scalar(1);
    }
};
template <>
struct Gain<gain::so3> : UnitGain {};
template <>
struct Gain<gain::pid> : UnitGain {};
template <>
struct Gain<gain::controller> : UnitGain {};

template <>
struct Gain<gain::fixed> : Level {
    template <class M, class D, class H>
    static auto value(const M& m, const D&, auto i, const H&) {
        return typename D::scalar(m.actuator_gainprm[i][0]);
    }
};

template <>
struct Gain<gain::affine> {
    template <class M, class D, class H>
    static auto value(const M& m, const D& d, auto i, const H&) {
        using S = typename D::scalar;
        const int out = m.actuator_outadr[i];
        const auto& prm = m.actuator_gainprm[i];
        return S(prm[0] + S(d.actuator_length[out]) * prm[1] + S(d.actuator_velocity[out]) * prm[2]);
    }
    template <class M, class D>
    static auto slope(const M& m, const D& d, int i) {
        using S = typename D::scalar;
        return S(S(m.actuator_gainprm[i][2]) * plain_input(m, d, i));
    }
    template <class M, class D>
    static auto length_slope(const M& m, const D& d, int i) {
        using S = typename D::scalar;
        return S(S(m.actuator_gainprm[i][1]) * plain_input(m, d, i));
    }
};

template <>
struct Gain<gain::muscle> {
    template <class M, class D, class H>
    static auto value(const M& m, const D& d, auto i, const H&) {
        using S = typename D::scalar;
        const int out = m.actuator_outadr[i];
        return muscle_gain(S(d.actuator_length[out]), S(d.actuator_velocity[out]), m.actuator_lengthrange[out], m.actuator_acc0[out],
                           m.actuator_gainprm[i]);
    }
    template <class M, class D>
    static auto slope(const M& m, const D& d, int i) {
        using S = typename D::scalar;
        const int out = m.actuator_outadr[i];
        return S(muscle_gain_velocity(S(d.actuator_length[out]), S(d.actuator_velocity[out]), m.actuator_lengthrange[out],
                                      m.actuator_acc0[out], m.actuator_gainprm[i]) *
                 plain_input(m, d, i));
    }
    template <class M, class D>
    static auto length_slope(const M& m, const D& d, int i) {
        using S = typename D::scalar;
        using L = dual<S, 1>;
        const int out = m.actuator_outadr[i];
        const L gain = muscle_gain(L::variable(S(d.actuator_length[out]), 0), L(S(d.actuator_velocity[out])), m.actuator_lengthrange[out],
                                   m.actuator_acc0[out], m.actuator_gainprm[i]);
        return S(gain.partial[0] * plain_input(m, d, i));
    }
};

template <>
struct Gain<gain::dcmotor> {
    template <class M, class D, class H>
    static auto value(const M& m, const D& d, auto i, const H&) {
        using S = typename D::scalar;
        const MotorSlots slots = motor_slots(m, i);
        const S K(m.actuator_gainprm[i][motor::constant]);
        return slots.current >= 0 ? K : S(K / at_least_tiny(motor_resistance(m, d, i, slots)));
    }
    template <class M, class D>
    static auto slope(const M& m, const D& d, int i) {
        return motor_force_slope(m, d, i);
    }
    template <class M, class D>
    static auto length_slope(const M& m, const D&, int i) {
        return typename D::scalar(motor_length_slope(m, i));
    }
};

template <>
struct Gain<gain::user> : Level {
    template <class M, class D, class H>
    static auto value(const M& m, const D& d, auto i, const H& hooks) {
        return hook::act_gain::call(m, d, hooks, i);
    }
};

// A bias: value(), which may depend on the gain, slope() = d(bias)/d(velocity) and, unless it is zero, length_slope().
template <int Type>
struct Bias;

template <>
struct Bias<bias::none> : Level {
    template <class M, class D, class S, class H>
    static S value(const M&, const D&, auto, const S&, const H&) {
        return S(0);
    }
};

template <>
struct Bias<bias::affine> {
    template <class M, class D, class S, class H>
    static S value(const M& m, const D& d, auto i, const S&, const H&) {
        const int out = m.actuator_outadr[i];
        const auto& prm = m.actuator_biasprm[i];
        return prm[0] + S(d.actuator_length[out]) * prm[1] + S(d.actuator_velocity[out]) * prm[2];
    }
    template <class M, class D>
    static auto slope(const M& m, const D&, int i) {
        return typename D::scalar(m.actuator_biasprm[i][2]);
    }
    template <class M, class D>
    static auto length_slope(const M& m, const D&, int i) {
        return typename D::scalar(m.actuator_biasprm[i][1]);
    }
};

template <>
struct Bias<bias::so3> : Bias<bias::none> {  // part of the servo's force; its damping is like an affine bias's
    template <class M, class D>
    static auto slope(const M& m, const D& d, int i) {
        return Bias<bias::affine>::slope(m, d, i);
    }
    template <class M, class D>
    static auto length_slope(const M& m, const D& d, int i) {
        return Bias<bias::affine>::length_slope(m, d, i);
    }
};

template <>
struct Bias<bias::muscle> : Level {
    template <class M, class D, class S, class H>
    static S value(const M& m, const D& d, auto i, const S&, const H&) {
        const int out = m.actuator_outadr[i];
        return muscle_bias(S(d.actuator_length[out]), m.actuator_lengthrange[out], m.actuator_acc0[out], m.actuator_biasprm[i]);
    }
    template <class M, class D>
    static auto length_slope(const M& m, const D& d, int i) {
        using S = typename D::scalar;
        const int out = m.actuator_outadr[i];
        const auto length = dual<S, 1>::variable(S(d.actuator_length[out]), 0);
        return S(muscle_bias(length, m.actuator_lengthrange[out], m.actuator_acc0[out], m.actuator_biasprm[i]).partial[0]);
    }
};

template <>
struct Bias<bias::dcmotor> : Level {
    // back-EMF; with a current state it is part of that state's dynamics
    template <class M, class D, class S, class H>
    static S value(const M& m, const D& d, auto i, const S& gain, const H&) {
        const S velocity = d.actuator_velocity[m.actuator_outadr[i]];
        return motor_slots(m, i).current >= 0 ? S(0) : S(-gain * velocity * m.actuator_gainprm[i][motor::constant]);
    }
};

template <>
struct Bias<bias::user> : Level {
    template <class M, class D, class S, class H>
    static S value(const M& m, const D& d, auto i, const S&, const H& hooks) {
        return hook::act_bias::call(m, d, hooks, i);
    }
};

template <class M, class D, class H>
[[gnu::always_inline]] inline auto actuator_gain(const M& m, const D& d, auto i, const H& hooks) {
    typename D::scalar gain(0);
    visit_kind<GainKind>(m, i, [&](auto type) { gain = Gain<type>::value(m, d, i, hooks); });
    return gain;
}
template <class M, class D, class H, class S>
[[gnu::always_inline]] inline S actuator_bias(const M& m, const D& d, auto i, const S& gain, const H& hooks) {
    S bias(0);
    visit_kind<BiasKind>(m, i, [&](auto type) { bias = Bias<type>::value(m, d, i, gain, hooks); });
    return bias;
}

// d(force)/d(velocity) of one actuator, without its limits.
template <class M, class D>
auto actuator_force_slope(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    S bias_slope(0), gain_slope(0);
    visit_kind<BiasKind>(m, i, [&](auto type) { bias_slope = Bias<type>::slope(m, d, i); });
    visit_kind<GainKind>(m, i, [&](auto type) { gain_slope = Gain<type>::slope(m, d, i); });
    return S(bias_slope + gain_slope);
}
// d(force)/d(length), likewise.
template <class M, class D>
auto actuator_length_slope(const M& m, const D& d, int i) {
    typename D::scalar slope(0);
    visit_kind<BiasKind>(m, i, [&](auto type) {
        if constexpr (requires { Bias<type>::length_slope(m, d, i); }) slope += Bias<type>::length_slope(m, d, i);
    });
    visit_kind<GainKind>(m, i, [&](auto type) {
        if constexpr (requires { Gain<type>::length_slope(m, d, i); }) slope += Gain<type>::length_slope(m, d, i);
    });
    return slope;
}

}  // namespace mjx::inner
