// Sensors: each in the stage whose results it reads, with cutoff, and through its delay or sampling interval if it has one.
//
// Reads   what the sensors need
// Writes  sensordata; history when the step ends; cacc, cfrc_int, cfrc_ext and subtree velocities when a sensor asks for them
// sensor_pos, sensor_vel and sensor_acc run after the position, velocity and acceleration stages. A delayed sensor reads its
// history; a sensor with an interval is computed at its ticks and read from the history in between.
#pragma once

#include "mjx/model/facts.hpp"
#include "mjx/sensor/acceleration.hpp"
#include "mjx/stage/history.hpp"
#include "mjx/stage/hooks.hpp"
#include "mjx/stage/post.hpp"
#include "mjx/stage/sleep.hpp"

#include <utility>

namespace mjx::inner {

template <class S, class M>
struct RecordWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<S, Dim::nsensordata> values{at};  // on their way into a delay
};

// Clamps the values of sensor i to its cutoff: both ways for real numbers, from above for positive ones.
template <class M, class S>
void apply_cutoff(const M& m, int i, S* out) {
    using Real = typename M::real;
    const Real cutoff = m.sensor_cutoff[i];
    const int data = m.sensor_datatype[i];
    if (!any(cutoff > Real(0)) || sensor_does<sensor_fact::own_cutoff>(m.sensor_type[i])) return;
    const auto cuts = S(cutoff) > S(0);
    for (int k = 0; k < m.sensor_dim[i]; ++k) {
        if (data == datatype::real) out[k] = select(cuts, clamp(out[k], S(-cutoff), S(cutoff)), out[k]);
        if (data == datatype::positive) out[k] = select(cuts, min(out[k], S(cutoff)), out[k]);
    }
}

template <class M, class D>
Wakefulness object_wakefulness(const M& m, const D& d, int type, int id) {
    const auto known = [](bool asleep) { return asleep ? Wakefulness::asleep : Wakefulness::awake; };
    switch (type) {
        case obj::unknown:
        case obj::mesh: return Wakefulness::awake;
        case obj::joint: return body_wakefulness(m, d, m.jnt_bodyid[id]);
        case obj::tendon: return known(columns_sleep(m, d, m.ten_J_colind, m.ten_J_rowadr[id], m.ten_J_rownnz[id]));
        case obj::actuator: return known(actuator_sleeps(m, d, id));
        default: return body_wakefulness(m, d, body_of(m, type, id));
    }
}

// Whether a sensor of the acceleration stage keeps its reading: the contacts it would read are not made while what it is
// attached to sleeps. A site's volume may contain anything.
template <class M, class D>
bool sensor_sleeps(const M& m, const D& d, int i) {
    if (!some_sleep(m, d)) return false;
    const int type1 = m.sensor_objtype[i], type2 = m.sensor_reftype[i];
    const bool at_site = type1 == obj::site || type2 == obj::site;
    if (at_site && sensor_does<sensor_fact::volume>(m.sensor_type[i])) return false;
    const Wakefulness first = object_wakefulness(m, d, type1, m.sensor_objid[i]);
    const Wakefulness second = object_wakefulness(m, d, type2, m.sensor_refid[i]);
    if (type1 == obj::unknown) return second == Wakefulness::asleep;
    if (type2 == obj::unknown) return first == Wakefulness::asleep;
    return first != Wakefulness::awake && second != Wakefulness::awake;
}

void read_sensor(sensor<sens::user>, const auto&, const auto&, int, auto*) {}  // the hook's

// Sensors that are computed together: those that need positions, velocities or accelerations (needs::), and those that are delayed.
template <int Needs>
struct SensorsOf {
    static constexpr bool has(const auto& m, int i) { return m.sensor_needstage[i] == Needs; }
};
struct DelayedSensors {
    static constexpr bool has(const auto& m, int i) {
        using Real = std::remove_cvref_t<decltype(m.sensor_delay[i])>;
        return m.sensor_history[i][0] > 0 && any(m.sensor_delay[i] > Real(0));
    }
};
// Which ones they are is known of fixed models alone: one function reads the sensors of all others.
struct AnySensors {
    static constexpr bool has(const auto&, int) { return true; }
};
template <class Sensors, class M>
using known_sensors = std::conditional_t<M::is_fixed, Sensors, AnySensors>;
// Whether a model may have a sensor for which fact(type) holds among them.
template <class Sensors, class M, class Fact>
constexpr bool may_have_sensor(Fact fact) {
    return may<M>([&](const auto& m) {
        bool found = false;
        for (int i = 0; i < m.nsensor; ++i) found = found || (Sensors::has(m, i) && fact(m.sensor_type[i]));
        return found;
    });
}

// The row of the table that has the sensor's type says which function reads it.
template <class Sensors, class M, class D, class S, std::size_t... Row>
void read_by_type(const M& m, D& d, int i, S* out, std::index_sequence<Row...>) {
    const int own = m.sensor_type[i];
    const auto read = [&](auto constant) {
        constexpr int kind = decltype(constant)::value;
        if constexpr (may_have_sensor<Sensors, M>([](int type) { return type == kind; }))
            if (own == kind) return read_sensor(sensor<kind>{}, m, d, i, out), true;
        return false;
    };
    (void)(read(std::integral_constant<int, sensor_kinds[Row].type>{}) || ...);
}

template <class Sensors, class M, class D, class S>
void compute_sensor(const M& m, D& d, int i, S* out) {
    if (m.sensor_needstage[i] != needs::acc || !sensor_sleeps(m, d, i))
        read_by_type<Sensors>(m, d, i, out, std::make_index_sequence<nsensor_kinds>{});
    apply_cutoff(m, i, out);
}

// Lanes in which a sensor with an interval has reached its next tick.
template <class M, class D>
auto sensor_tick(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    return mask_t<S>(d.history[m.sensor_historyadr[i]] + m.sensor_interval[i][0] <= d.time);
}

// The sensor's present value, or what its history says.
template <class Sensors, class M, class D>
void compute_or_read_sensor(const M& m, D& d, int i) {
    using S = typename D::scalar;
    using Real = typename M::real;
    const int samples = m.sensor_history[i][0], dim = m.sensor_dim[i], adr = m.sensor_adr[i];
    S* const out = d.sensordata.data() + adr;
    const bool delayed = samples > 0 && any(m.sensor_delay[i] > Real(0));
    const bool at_intervals = samples > 0 && any(m.sensor_interval[i][0] > Real(0));
    if (!delayed) compute_sensor<Sensors>(m, d, i, out);
    if (!delayed && !at_intervals) return;
    const auto read = delayed ? mask_t<S>(true) : mask_t<S>(!sensor_tick(m, d, i));
    if (!any(read)) return;
    const S time = d.time - m.sensor_delay[i];
    for (int k = 0; k < dim; ++k) {
        const S past = history_read(d, m.sensor_historyadr[i], samples, dim, time, m.sensor_history[i][1], k);
        out[k] = select(read, past, out[k]);
    }
}

// What some sensor of the stage needs beyond the stage itself.
template <class M, class D, class P>
void prepare_sensors(const M& m, D& d, int at, P&& wanted) {
    bool velocities = false, post = false;
    for (int i = 0; i < m.nsensor; ++i) {
        if (m.sensor_needstage[i] != at || !wanted(i)) continue;
        velocities = velocities || (at == needs::vel && sensor_does<sensor_fact::subtree_vel>(m.sensor_type[i]));
        post = post || (at == needs::acc && sensor_does<sensor_fact::post>(m.sensor_type[i]));
    }
    if constexpr (may_have_sensor<SensorsOf<needs::vel>, M>(sensor_does<sensor_fact::subtree_vel>))
        if (velocities) subtree_vel(m, d);
    if constexpr (may_have_sensor<SensorsOf<needs::acc>, M>(sensor_does<sensor_fact::post>))
        if (post) rne_post_constraint(m, d);
}

template <int at, class M, class D, class H>
void sensor_stage(const M& m, D& d, const H& hooks) {
    using S = typename D::scalar;
    if (m.nsensor == 0 || m.opt.disabled(disable::sensor)) return;
    prepare_sensors(m, d, at, [](int) { return true; });
    bool user = false;
    for (int i = 0; i < m.nsensor; ++i) {
        if (m.sensor_needstage[i] != at) continue;
        if (!sensor_does<sensor_fact::own>(m.sensor_type[i])) {
            compute_or_read_sensor<known_sensors<SensorsOf<at>, M>>(m, d, i);
            continue;
        }
        user = true;
        for (int k = 0; k < m.sensor_dim[i]; ++k) d.sensordata[m.sensor_adr[i] + k] = S(0);
    }
    if (!user) return;
    hook::sensor::call(m, d, hooks, at);
    for (int i = 0; i < m.nsensor; ++i)
        if (sensor_does<sensor_fact::own>(m.sensor_type[i]) && m.sensor_needstage[i] == at)
            apply_cutoff(m, i, d.sensordata.data() + m.sensor_adr[i]);
}

template <class M, class D, class H = no_hooks>
void sensor_pos(const M& m, D& d, const H& hooks = {}) {
    sensor_stage<needs::pos>(m, d, hooks);
}
template <class M, class D, class H = no_hooks>
void sensor_vel(const M& m, D& d, const H& hooks = {}) {
    sensor_stage<needs::vel>(m, d, hooks);
}
template <class M, class D, class H = no_hooks>
void sensor_acc(const M& m, D& d, const H& hooks = {}) {
    sensor_stage<needs::acc>(m, d, hooks);
}

// Records the sensors that have a history, before time moves on: delayed ones at their present value.
template <class M, class D>
void record_sensors(const M& m, D& d) {
    using S = typename D::scalar;
    using Real = typename M::real;
    if (m.nhistory == 0) return;
    const auto delayed = [&](int i) { return DelayedSensors::has(m, i); };
    // accelerations that an undelayed sensor has asked for are those of the beginning of the step, also behind the stages of RK4
    const auto w = borrow<RecordWork>(m, d);
    bool known = false;
    for (int i = 0; i < m.nsensor; ++i)
        known = known || (m.sensor_needstage[i] == needs::acc && sensor_does<sensor_fact::post>(m.sensor_type[i]) && !delayed(i));
    prepare_sensors(m, d, needs::vel, delayed);
    if (!known) prepare_sensors(m, d, needs::acc, delayed);
    for (int i = 0; i < m.nsensor; ++i) {
        const int samples = m.sensor_history[i][0], dim = m.sensor_dim[i], adr = m.sensor_adr[i];
        if (samples == 0) continue;
        const Real interval = m.sensor_interval[i][0];
        mask_t<S> due(true);
        if (any(interval > Real(0))) {
            due = sensor_tick(m, d, i);
            S& last = d.history[m.sensor_historyadr[i]];
            last = select(due, S(last + interval), last);
        }
        for (int k = 0; k < dim; ++k) w->values[adr + k] = d.sensordata[adr + k];
        if (delayed(i) && any(due)) compute_sensor<known_sensors<DelayedSensors, M>>(m, d, i, w->values.data() + adr);
        history_insert(d, m.sensor_historyadr[i], samples, dim, S(d.time), w->values, adr, due);
    }
}

}  // namespace mjx::inner
