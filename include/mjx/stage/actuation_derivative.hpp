// How actuator forces and activations change with lengths, velocities, activations and controls.
//
// Reads   ctrl, act, actuator_length, actuator_velocity, actuator_moment, qfrc_actuator
// An actuator is a function of a few numbers of its own: its lengths, velocities, activations and controls. Plain motors are
// differentiated by hand, every other actuator by running it alone on duals of these numbers, four at a time; so muscles, DC motors and
// servos need no formulas of their own. Lengths change with the position as velocities do with the velocity, by the moment; only that of a
// ball, its rotation vector along the gear, by Jr⁻¹ (math/quat_derivative.hpp). Where the moment itself changes with the position, the
// columns of the position are left to derivative/bent_terms.hpp. Actuators of a tendon whose force is limited share the limit: each
// answers to the numbers of all.
#pragma once

#include "mjx/math/quat_derivative.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/stage/actuation.hpp"
#include "mjx/stage/passive_derivative.hpp"

namespace mjx::inner {

// What the functions of an actuator look for in a Data, for duals.
template <class S>
struct ActuatorDuals {
    static constexpr int width = 4;
    using scalar = dual<S, width>;
    scalar time{};
    Array<scalar> ctrl, actuator_ctrl, act, act_dot, actuator_length, actuator_velocity, actuator_force;

    template <class M>
    explicit ActuatorDuals(const M& m) {
        for (auto* each : {&ctrl, &actuator_ctrl}) each->resize(m.nu);
        for (auto* each : {&act, &act_dot}) each->resize(m.na);
        for (auto* each : {&actuator_length, &actuator_velocity, &actuator_force}) each->resize(m.nout);
    }
};

// Where a variable of an actuator is found: a length or velocity of one of its outputs, an activation or a control.
struct ActuatorVariable {
    enum Kind { length, velocity, activation, control } kind;
    int index;
};
template <class M>
ActuatorVariable actuator_variable(const M& m, int i, int k) {
    const int outs = m.actuator_outnum[i], acts = m.actuator_actnum[i];
    if (k < outs) return {ActuatorVariable::length, m.actuator_outadr[i] + k};
    if (k < 2 * outs) return {ActuatorVariable::velocity, m.actuator_outadr[i] + k - outs};
    if (k < 2 * outs + acts) return {ActuatorVariable::activation, m.actuator_actadr[i] + k - 2 * outs};
    return {ActuatorVariable::control, m.actuator_ctrladr[i] + k - 2 * outs - acts};
}
template <class M>
int actuator_variables(const M& m, int i) {
    return 2 * m.actuator_outnum[i] + m.actuator_actnum[i] + m.actuator_ctrlnum[i];
}

// The tendon whose limit of forces actuator i shares with others, or -1.
template <class M>
constexpr int limiting_tendon(const M& m, int i) {
    if (!drives_tendon(m.actuator_trntype[i])) return -1;
    const int tendon = m.actuator_trnid[i][0];
    return m.tendon_actfrclimited[tendon] ? tendon : -1;
}
// f(output) for the outputs that answer to the numbers of actuator i: its own, and those it shares a limit with.
template <class M, class F>
void for_each_answer(const M& m, int i, F&& f) {
    const int tendon = limiting_tendon(m, i);
    for (int o = 0; o < m.actuator_outnum[i] && tendon < 0; ++o) f(m.actuator_outadr[i] + o);
    if (tendon >= 0) for_each_puller(m, tendon, [&](int k) { f(m.actuator_outadr[k]); });
}

// Sets the numbers of actuator i, of which first ... first + width - 1 are variables.
template <class M, class D, class S>
void take_actuator(const M& m, const D& d, int i, int first, ActuatorDuals<S>& x) {
    using L = typename ActuatorDuals<S>::scalar;
    const int count = actuator_variables(m, i);
    for (int k = 0; k < count; ++k) {
        const ActuatorVariable v = actuator_variable(m, i, k);
        const auto set = [&](L& to, const S& value) { to = k >= first && k < first + x.width ? L::variable(value, k - first) : L(value); };
        if (v.kind == ActuatorVariable::length) set(x.actuator_length[v.index], d.actuator_length[v.index]);
        if (v.kind == ActuatorVariable::velocity) set(x.actuator_velocity[v.index], d.actuator_velocity[v.index]);
        if (v.kind == ActuatorVariable::activation) set(x.act[v.index], d.act[v.index]);
        if (v.kind == ActuatorVariable::control) {
            set(x.ctrl[v.index], d.ctrl[v.index]);
            x.actuator_ctrl[v.index] = x.ctrl[v.index];
            if (m.actuator_ctrllimited[v.index] && !m.opt.disabled(disable::clampctrl))
                x.actuator_ctrl[v.index] = clamp(x.ctrl[v.index], L(m.actuator_ctrlrange[v.index][0]), L(m.actuator_ctrlrange[v.index][1]));
        }
    }
    const int out = m.actuator_outadr[i];
    for (int k = 0; k < m.actuator_outnum[i]; ++k) x.actuator_force[out + k] = L(0);
    if (m.actuator_actnum[i] > 0) activation_rate(m, x, i, no_hooks{});
    if (!actuator_disabled(m, i)) actuator_force(m, x, i, no_hooks{});
}

// Runs actuator i with variables first ... first + width - 1 as the derivatives: rates in `x.act_dot`, forces of all that answer in
// `x.actuator_force`.
template <class M, class D, class S>
void run_actuator(const M& m, const D& d, int i, int first, ActuatorDuals<S>& x) {
    x.time = typename ActuatorDuals<S>::scalar(d.time);
    take_actuator(m, d, i, first, x);
    if (const int tendon = limiting_tendon(m, i); tendon >= 0) {
        for_each_puller(m, tendon, [&](int k) {
            if (k != i) take_actuator(m, d, k, actuator_variables(m, k), x);
        });
        limit_tendon_force(m, x, tendon);
        for_each_puller(m, tendon, [&](int k) {
            if (m.actuator_forcelimited[k]) limit_actuator_force(m, x, k);
        });
    } else if (m.actuator_forcelimited[i]) {
        limit_actuator_force(m, x, i);
    }
    add_mechanical_force(m, x, i);
}

// Whether the moment of an actuator changes with the position.
template <class M>
constexpr bool has_bent_moment(const M& m, int i) {
    const int kind = m.actuator_trntype[i];
    if (drives_tendon(kind)) return is_bent_tendon(m, m.actuator_trnid[i][0]);
    return !drives_joint(kind) || (gears_in_parent(kind) && !M::joints::is_scalar(m.jnt_type[m.actuator_trnid[i][0]]));
}

// The derivative of output `out` of actuator i by the dofs of its moment.
template <class M, class D>
auto length_slope(const M& m, const D& d, int i, int out, int k) {
    using S = typename D::scalar;
    const auto row = moment_row(m, d, out);
    const int j = m.actuator_trnid[i][0];
    if (drives_tendon(m.actuator_trntype[i]) || M::joints::is_scalar(m.jnt_type[j])) return S(row.values[row.first + k]);
    if (!M::joints::is_rotation(m.jnt_type[j])) return S(0);
    const Mat3<S> by = inverse_right_jacobian(log_quat(normalize(quat_at(d.qpos, m.jnt_qposadr[j]))));
    return S(transpose_mul(by, Vec3<S>::from(vec3_at(m.actuator_gear[out], 0)))[row.columns[row.first + k] - m.jnt_dofadr[j]]);
}

// The derivative of a plain motor's force by its control, which may be beyond its range.
template <class M, class D>
auto motor_slope(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    const int u = m.actuator_ctrladr[i];
    const S slope = S(m.actuator_gainprm[i][0]);
    if (!m.actuator_ctrllimited[u] || m.opt.disabled(disable::clampctrl)) return slope;
    const auto inside = d.ctrl[u] >= S(m.actuator_ctrlrange[u][0]) && d.ctrl[u] <= S(m.actuator_ctrlrange[u][1]);
    return select(inside, slope, S(0));
}

// by(i, column) -= d qfrc_actuator and rate(j, column) += d act_dot, or with `next` the activation after the step. The columns are those of
// q, v, act and ctrl in this order.
template <class M, class D, class S, class G, class R>
void add_actuation_derivative(const M& m, const D& d, ActuatorDuals<S>& x, bool next, G&& by, R&& rate) {
    if (m.opt.disabled(disable::actuation)) {
        for (int j = 0; j < m.na && next; ++j) rate(j, 2 * m.nv + j) += S(1);
        return;
    }
    // f(column, weight) for the columns a variable depends on
    const auto over_columns = [&](int i, const ActuatorVariable& v, auto&& f) {
        if (v.kind == ActuatorVariable::activation) return f(2 * m.nv + v.index, S(1));
        if (v.kind == ActuatorVariable::control) return f(2 * m.nv + m.na + v.index, S(1));
        if (v.kind == ActuatorVariable::length && has_bent_moment(m, i)) return;
        const auto row = moment_row(m, d, v.index);
        for (int k = 0; k < row.count; ++k) {
            if (v.kind == ActuatorVariable::velocity)
                f(m.nv + row.columns[row.first + k], S(row.values[row.first + k]));
            else
                f(row.columns[row.first + k], length_slope(m, d, i, v.index, k));
        }
    };
    const auto add_force = [&](int i, int out, const ActuatorVariable& v, const S& slope) {
        if (is_nothing(slope)) return;
        const auto row = moment_row(m, d, out);
        for (int k = row.first; k < row.first + row.count; ++k) {
            const S scale = -row.values[k] * slope * dof_share(m, d, row.columns[k]);
            over_columns(i, v, [&](int column, const S& weight) { by(row.columns[k], column) += scale * weight; });
        }
    };
    for (int i = 0; i < m.nactuator; ++i) {
        const int out = m.actuator_outadr[i], act = m.actuator_actadr[i], count = actuator_variables(m, i);
        if (is_motor(m, i) && !m.actuator_forcelimited[i] && limiting_tendon(m, i) < 0) {
            if (!actuator_disabled(m, i)) add_force(i, out, {ActuatorVariable::control, m.actuator_ctrladr[i]}, motor_slope(m, d, i));
            continue;
        }
        for (int first = 0; first < count; first += x.width) {
            run_actuator(m, d, i, first, x);
            for (int k = first; k < count && k < first + x.width; ++k) {
                const ActuatorVariable v = actuator_variable(m, i, k);
                for_each_answer(m, i, [&](int o) { add_force(i, o, v, x.actuator_force[o].partial[k - first]); });
                for (int j = act; j < act + m.actuator_actnum[i]; ++j) {
                    const auto idle = typename ActuatorDuals<S>::scalar(0);
                    const auto& speed = actuator_disabled(m, i) ? idle : x.act_dot[j];
                    const S slope = (next ? next_activation(m, x, i, j, speed) : speed).partial[k - first];
                    over_columns(i, v, [&](int column, const S& weight) { rate(j, column) += slope * weight; });
                }
            }
        }
    }
}

}  // namespace mjx::inner
