// Activations: how the states of actuators move on, one struct for each kind of dynamics (model/actuator_kinds.hpp), and the setpoints
// that live on a circle.
//
// Reads   act, act_dot, actuator_length, actuator_velocity
// Writes  act
// Filters with an exact form are integrated exactly for a control held over the step: act' = act + act_dot τ (1 - exp(-h/τ)).
// A servo on a rotation (a ball joint, or a site with a reference) has setpoints modulo one turn: of all equivalent ones, the
// nearest to the present length counts.
#pragma once

#include "mjx/model/facts.hpp"
#include "mjx/model/transmission_kinds.hpp"
#include "mjx/stage/dcmotor.hpp"
#include "mjx/stage/hooks.hpp"
#include "mjx/stage/muscle.hpp"

#include <numbers>
#include <utility>

namespace mjx::inner {

// Actuators are switched off by group, at run time.
template <class M>
constexpr bool actuator_disabled(const M& m, int i) {
    const int group = m.actuator_group[i];
    return group >= 0 && group <= 30 && (m.opt.disableactuator & (1 << group)) != 0;
}

template <class S>
S round_half_up(const S& x) {
    return floor(S(x + S(0.5)));
}

// One turn of a position servo's transmission in units of its length; 0 for actuators whose setpoint is not on a circle.
template <class M>
typename M::real wrap_period(const M& m, auto i) {
    using Real = typename M::real;
    const int type = m.actuator_trntype[i];
    const bool at_site = drives_site(type) && m.actuator_trnid[i][1] >= 0;
    if (!at_site && !(drives_joint(type) && M::joints::is_rotation(m.jnt_type[m.actuator_trnid[i][0]]))) return Real(0);
    const int dyntype = m.actuator_dyntype[i];
    const bool servo = (!has_dynamics(dyntype) || dyn_does<actuator_fact::setpoint>(dyntype)) &&
                       is_position_servo(m.actuator_gaintype[i], m.actuator_biastype[i], m.actuator_gainprm[i], m.actuator_biasprm[i]);
    if (!servo && !gain_does<actuator_fact::servo>(m.actuator_gaintype[i])) return Real(0);

    const auto& gear = m.actuator_gear[m.actuator_outadr[i]];
    const Vec3<Real> push{{gear[0], gear[1], gear[2]}}, turn{{gear[3], gear[4], gear[5]}};
    const Real turn_length(2 * std::numbers::pi_v<value_t<Real>>);
    if (!at_site) return turn_length * norm(push);
    return all(dot(push, push) == Real(0)) ? turn_length * norm(turn) : Real(0);
}

// The setpoint equivalent to u that is nearest to `near`; u itself if there is no period.
template <class S, class R>
S wrap_setpoint(const S& u, const S& near, const R& period) {
    if (!any(period > R(0))) return u;
    const auto round = S(period) > S(0);
    const S safe = select(round, S(period), S(1));
    return u - select(round, S(safe * round_half_up(S((u - near) / safe))), S(0));
}

// Rates of a PID's states: the slew-limited setpoint, then the integral of the position error.
template <class M, class D>
void pid_dynamics(const M& m, D& d, int i) {
    using S = typename D::scalar;
    using Real = typename M::real;
    const int ctrl = m.actuator_ctrladr[i];
    const auto& prm = m.actuator_dynprm[i];
    const auto period = wrap_period(m, i);
    int j = m.actuator_actadr[i];
    if (any(prm[1] > Real(0))) {
        const S setpoint = wrap_setpoint(d.actuator_ctrl[ctrl], S(d.act[j]), period);
        d.actuator_ctrl[ctrl] = slew_limit(setpoint, S(d.act[j]), S(prm[1]), S(m.opt.timestep), d.act_dot[j]);
        ++j;
    }
    if (any(m.actuator_gainprm[i][0] > Real(0))) {
        const S length = d.actuator_length[m.actuator_outadr[i]];
        const S error = wrap_setpoint(d.actuator_ctrl[ctrl], length, period) - length;
        d.act_dot[j] = anti_windup(error, S(d.act[j]), S(prm[0]));
    }
}

// The dynamics of an activation: rate() writes act_dot, which is zero before, and next() gives the state j at the end of the step.
template <int Type>
struct Dynamics;

struct PlainState {
    template <class M, class D, class S>
    static S next(const M& m, const D& d, int i, int j, const S& act_dot) {
        return within_range(m, i, S(d.act[j] + act_dot * m.opt.timestep));
    }
    template <class M, class S>
    static S within_range(const M& m, int i, const S& act) {
        return m.actuator_actlimited[i] ? clamp(act, S(m.actuator_actrange[i][0]), S(m.actuator_actrange[i][1])) : act;
    }
    template <class M>
    static int last(const M& m, int i) {
        return m.actuator_actadr[i] + m.actuator_actnum[i] - 1;
    }
};

template <>
struct Dynamics<dyn::none> : PlainState {
    static void rate(const auto&, auto&, auto, const auto&) {}
};

template <>
struct Dynamics<dyn::integrator> : PlainState {
    static void rate(const auto& m, auto& d, auto i, const auto&) {
        const int n = m.actuator_ctrlnum[i], first = last(m, i) - n + 1;
        for (int k = 0; k < n; ++k) d.act_dot[first + k] = d.actuator_ctrl[m.actuator_ctrladr[i] + k];
    }
};

template <>
struct Dynamics<dyn::filter> : PlainState {
    template <class M, class D, class H>
    static void rate(const M& m, D& d, auto i, const H&) {
        const int j = last(m, i);
        d.act_dot[j] = (d.actuator_ctrl[m.actuator_ctrladr[i]] - d.act[j]) / at_least_tiny(typename M::real(m.actuator_dynprm[i][0]));
    }
};

template <>
struct Dynamics<dyn::filterexact> : Dynamics<dyn::filter> {
    template <class M, class D, class S>
    static S next(const M& m, const D& d, int i, int j, const S& act_dot) {
        using Real = typename M::real;
        const Real tau = at_least_tiny(Real(m.actuator_dynprm[i][0])), h = m.opt.timestep;
        return within_range(m, i, S(d.act[j] + act_dot * Real(tau * (Real(1) - exp(Real(-h / tau))))));
    }
};

template <>
struct Dynamics<dyn::muscle> : PlainState {
    static void rate(const auto& m, auto& d, auto i, const auto&) {
        const int j = last(m, i);
        d.act_dot[j] = muscle_dynamics(d.actuator_ctrl[m.actuator_ctrladr[i]], d.act[j], m.actuator_dynprm[i]);
    }
};

template <>
struct Dynamics<dyn::dcmotor> {
    static void rate(const auto& m, auto& d, auto i, const auto&) { dcmotor_dynamics(m, d, i); }
    template <class M, class D, class S>
    static S next(const M& m, const D& d, int i, int j, const S& act_dot) {
        return dcmotor_next(m, d, i, j, act_dot);
    }
};

template <>
struct Dynamics<dyn::pid> : PlainState {
    static void rate(const auto& m, auto& d, auto i, const auto&) { pid_dynamics(m, d, i); }
};

template <>
struct Dynamics<dyn::user> : PlainState {
    static void rate(const auto& m, auto& d, auto i, const auto& hooks) { d.act_dot[last(m, i)] = hook::act_dyn::call(m, d, hooks, i); }
};

// The kinds of an actuator's parts: how many there are, and where a model has those of its actuators.
struct DynamicsKind {
    static constexpr int count = ndyn_kinds;
    static constexpr const auto& of(const auto& m) { return m.actuator_dyntype; }
};
struct GainKind {
    static constexpr int count = ngain_kinds;
    static constexpr const auto& of(const auto& m) { return m.actuator_gaintype; }
};
struct BiasKind {
    static constexpr int count = nbias_kinds;
    static constexpr const auto& of(const auto& m) { return m.actuator_biastype; }
};
template <class Kind, class M>
constexpr bool may_have_kind(int kind) {
    return may<M>([&](const auto& m) {
        bool found = false;
        for (int i = 0; i < m.nactuator; ++i) found = found || Kind::of(m)[i] == kind;
        return found;
    });
}

template <unsigned Fact, class M>
constexpr bool may_have_gain() {
    return may<M>([](const auto& m) {
        bool found = false;
        for (int i = 0; i < m.nactuator; ++i) found = found || gain_does<Fact>(m.actuator_gaintype[i]);
        return found;
    });
}

// Calls f with the kind of actuator i as a constant.
template <class Kind, class M, class F>
[[gnu::always_inline]] constexpr void visit_kind(const M& m, auto i, F&& f) {
    const int kind = Kind::of(m)[i];
    const auto visit = [&](auto constant) {
        if constexpr (may_have_kind<Kind, M>(constant))
            if (kind == constant) return f(constant), true;
        return false;
    };
    [&]<int... K>(std::integer_sequence<int, K...>) {
        (void)(visit(std::integral_constant<int, K>{}) || ...);
    }(std::make_integer_sequence<int, Kind::count>{});
}

// The activation at the end of the step, from its rate now.
template <class M, class D, class S>
S next_activation(const M& m, const D& d, int i, int j, const S& act_dot) {
    S next(0);
    visit_kind<DynamicsKind>(m, i, [&](auto type) { next = Dynamics<type>::next(m, d, i, j, act_dot); });
    return next;
}

// act ← act + h act_dot for all actuators, in the exact form where there is one. Setpoints kept in act return to their nearest
// equivalent: an SO(3) setpoint of more than half a turn to the shorter rotation.
template <class M, class D, class A>
void advance_activation(const M& m, D& d, const A& act_dot) {
    using S = typename D::scalar;
    if (m.na == 0 || m.opt.disabled(disable::actuation)) return;
    for (int i = 0; i < m.nactuator; ++i) {
        const int first = m.actuator_actadr[i], count = m.actuator_actnum[i];
        for (int j = first; j < first + count; ++j) d.act[j] = next_activation(m, d, i, j, actuator_disabled(m, i) ? S(0) : S(act_dot[j]));
        if (!dyn_does<actuator_fact::setpoint>(m.actuator_dyntype[i])) continue;

        const auto period = wrap_period(m, i);
        const int last = first + count - 1;
        if (!gain_does<actuator_fact::rotation>(m.actuator_gaintype[i])) {
            d.act[last] = wrap_setpoint(d.act[last], d.actuator_length[m.actuator_outadr[i]], period);
            continue;
        }
        const S angle = norm(Vec3<S>{{d.act[first], d.act[first + 1], d.act[first + 2]}});
        const S pi(std::numbers::pi_v<value_t<S>>), turn = pi + pi;
        const auto beyond = angle > pi;
        const S safe = select(beyond, angle, S(1));
        const S scale = select(beyond, S((safe - turn * round_half_up(S(safe / turn))) / safe), S(1));
        for (int k = 0; k < 3; ++k) d.act[first + k] *= scale;
    }
}

}  // namespace mjx::inner
