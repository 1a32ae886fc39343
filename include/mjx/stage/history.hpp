// Histories: ring buffers of past controls and sensor values, read back with a delay.
//
// Reads and writes  history
// A buffer of n samples of dim numbers is laid out as MuJoCo's: user slot (time of the last sample taken at intervals), cursor
// (the newest sample), n times, n samples. Reading holds the sample before, or interpolates linearly or by a cubic spline with
// Catmull-Rom slopes; outside the recorded times the nearest sample holds. Lanes may be at different times and go one by one.
#pragma once

#include "mjx/math/vec.hpp"

namespace mjx::inner {

// One lane of one buffer. Samples are counted from the oldest (0) to the newest (n - 1).
template <class D>
struct HistoryLane {
    using S = typename D::scalar;
    using T = lane_t<S>;
    D& d;
    int adr, n, dim, k;

    T get(int slot) const { return lane(d.history[adr + slot], k); }
    void set(int slot, const T& x) const { set_lane(d.history[adr + slot], k, x); }
    int cursor() const { return static_cast<int>(value_of(get(1))); }
    int place(int sample) const { return (cursor() + 1 + sample) % n; }
    T time(int sample) const { return get(2 + place(sample)); }
    T value(int sample, int c) const { return get(2 + n + place(sample) * dim + c); }

    // The first sample not older than t: 0 if all are newer, n if all are older.
    int find(const T& t) const {
        int first = 0;
        while (first < n && time(first) < t) ++first;
        return first;
    }
    // Number c of the buffer at time t.
    T read(const T& t, int interpolation, int c) const {
        const T tiny(minval_v<T>);
        if (t <= time(0) + tiny) return value(0, c);
        if (t >= time(n - 1) - tiny) return value(n - 1, c);
        const int hi = find(t), lo = hi - 1;
        if (abs(t - time(hi)) < tiny) return value(hi, c);
        if (interpolation == 0) return value(lo, c);
        const T span = time(hi) - time(lo), a = (t - time(lo)) / span, y0 = value(lo, c), y1 = value(hi, c);
        if (interpolation == 1) return y0 + a * (y1 - y0);
        const T slope0 = lo > 0 ? T((y1 - value(lo - 1, c)) / (time(hi) - time(lo - 1))) : T(0);
        const T slope1 = hi < n - 1 ? T((value(hi + 1, c) - y0) / (time(hi + 1) - time(lo))) : T(0);
        const T a2 = a * a, a3 = a2 * a;
        return (T(2) * a3 - T(3) * a2 + T(1)) * y0 + (a3 - T(2) * a2 + a) * span * slope0 + (T(3) * a2 - T(2) * a3) * y1 +
               (a3 - a2) * span * slope1;
    }
    // Makes room for a sample at time t and returns its place; the oldest sample goes. A sample at that very time is replaced.
    int insert(const T& t) const {
        const int at = find(t);
        if (at < n && abs(t - time(at)) < T(minval_v<T>)) return place(at);
        if (at == n) {
            const int next = (cursor() + 1) % n;
            set(1, T(value_t<T>(next)));
            set(2 + next, t);
            return next;
        }
        for (int s = 0; s < at - 1; ++s) {
            set(2 + place(s), time(s + 1));
            for (int c = 0; c < dim; ++c) set(2 + n + place(s) * dim + c, value(s + 1, c));
        }
        const int slot = place(at > 0 ? at - 1 : 0);
        set(2 + slot, t);
        return slot;
    }
};

// Number c of the buffer at time t, in every lane.
template <class D, class S>
S history_read(const D& d, int adr, int n, int dim, const S& t, int interpolation, int c) {
    S result(0);
    for (int k = 0; k < lanes_v<S>; ++k) set_lane(result, k, HistoryLane<const D>{d, adr, n, dim, k}.read(lane(t, k), interpolation, c));
    return result;
}
// Records values[first ..] at time t in the lanes of the mask.
template <class D, class S, class V>
void history_insert(D& d, int adr, int n, int dim, const S& t, const V& values, int first, const mask_t<S>& mask) {
    for_each_lane(mask, lanes_v<S>, [&](int k) {
        const HistoryLane<D> buffer{d, adr, n, dim, k};
        const int slot = buffer.insert(lane(t, k));
        for (int c = 0; c < dim; ++c) buffer.set(2 + n + slot * dim + c, lane(values[first + c], k));
    });
}

// Records the controls of this step, before time moves on.
template <class M, class D>
void record_controls(const M& m, D& d) {
    using S = typename D::scalar;
    if (m.nhistory == 0) return;
    for (int i = 0; i < m.nactuator; ++i)
        if (const int n = m.actuator_history[i][0]; n > 0)
            history_insert(d, m.actuator_historyadr[i], n, 1, S(d.time), d.ctrl, m.actuator_ctrladr[i], mask_t<S>(true));
}

// An empty past: zeros at the n steps before time 0, or, for a sensor with a period, at the ticks before its phase.
template <class D, class S>
void history_reset(D& d, int adr, int n, int dim, const S& dt, const S& period, const S& phase, const mask_t<S>& mask) {
    const auto periodic = period > S(0);
    const S start = select(phase == S(0), S(-period), phase);
    const auto put = [&](int slot, const S& x) { d.history[adr + slot] = select(mask, x, d.history[adr + slot]); };
    put(0, select(periodic, start, S(-dt)));
    put(1, S(value_t<S>(n - 1)));
    for (int s = 0; s < n; ++s) {
        const S steps = (start - period * value_t<S>(n - 1 - s)) / dt;
        put(2 + s, select(periodic, S(-floor(S(-steps)) * dt), S(-dt * value_t<S>(n - s))));
    }
    for (int e = 0; e < n * dim; ++e) put(2 + n + e, S(0));
}

// The histories of all actuators and sensors, in the lanes of the mask, as at the start.
template <class M, class D>
void reset_history(const M& m, D& d, const mask_t<typename D::scalar>& mask) {
    using S = typename D::scalar;
    const S dt(m.opt.timestep);
    for (int i = 0; i < m.nactuator; ++i) {
        const int n = m.actuator_history[i][0];
        if (n == 0) continue;
        history_reset(d, m.actuator_historyadr[i], n, 1, dt, S(0), S(0), mask);
        d.history[m.actuator_historyadr[i]] = select(mask, S(0), d.history[m.actuator_historyadr[i]]);
    }
    for (int i = 0; i < m.nsensor; ++i) {
        const int n = m.sensor_history[i][0];
        if (n == 0) continue;
        const S period(m.sensor_interval[i][0]), phase(m.sensor_interval[i][1]);
        history_reset(d, m.sensor_historyadr[i], n, m.sensor_dim[i], dt, period, phase, mask);
    }
}

}  // namespace mjx::inner
