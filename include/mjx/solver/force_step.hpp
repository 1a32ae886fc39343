// After a sweep of a solver in force space: the best point in the plane of the sweep's correction and the step before it.
//
// Reads   force, z (f after the sweep and z = Yᵀ f), start, z_start (both where the sweep started), before, z_before (both where the
//         sweep before started), efc_b, efc_R
// Writes  the same; swept, z_swept
// With g the gradient of the cost and C = A + R, the step s r + t e along the correction r and the last step e that lowers the
// cost most solves a system of two equations. Where no bound changes, such steps are those of conjugate gradients with the sweep
// as preconditioner (the locally optimal form: Knyazev 2001), so stiff problems take about the root of the sweeps that sweeping
// alone would. Where it leaves the bounds, the point is projected back; forces in their bounds are a convex set, so the segment
// from the swept forces to the projected ones is allowed, and its best point costs no more than either end: the cost never rises.
#pragma once

#include "mjx/solver/force_rows.hpp"

namespace mjx::inner {

// Forgets earlier sweeps: the forces are where the first one starts.
template <class M, class D>
void begin_force_steps(const M& m, D& d, int island) {
    auto& w = forces(d);
    force_reset(m, d, island);
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i) w.before[i] = w.start[i] = w.force[i];
    });
    for_each_dof(m, d, island, [&](int i) { w.z_before[i] = w.z_start[i] = w.z[i]; });
}

// Numbers added up in four sums, each for every fourth of those that follow each other: rows of a run and dofs of a range, among which a
// lane's are where they are without neighbours.
template <class T>
struct FourSums {
    T part[4] = {T(0), T(0), T(0), T(0)};
    T total() const { return (part[0] + part[1]) + (part[2] + part[3]); }
};
template <class F>
[[gnu::always_inline]] inline void by_fours(int first, int last, F&& f) {
    for (; first + 4 <= last; first += 4)
        for (int j = 0; j < 4; ++j) f(first + j, j);
    for (int j = 0; first + j < last; ++j) f(first + j, j);
}
template <class M, class D, class Dof, class Row>
void sum_in_fours(const M& m, const D& d, int island, Dof&& dof, Row&& row) {
    for_each_dof_range(m, d, island, [&](int first, int last) { by_fours(first, last, dof); });
    for_each_run(d, island, [&](int, int first, int last, int stride) {
        if (stride == 4) return by_fours(first, last, row);
        for (int i = first; i < last; ++i) row(i, 0);
    });
}

// From one step to the next. Steps go on by multiples of differences, in which rounding parts z from the forces it belongs to: `drift`
// bounds how far, in last digits of z, and `last_drift` by how much the last step added to it.
template <class T>
struct ForceSteps {
    T along_last{0};  // the gradient along the last step
    T drift{1}, last_drift{0};
};

// Lengths along the correction r and the last step e, and the drop in cost that the step will bring.
template <class T>
struct PlaneStep {
    T correction, last, gain;
    T gr;  // the gradient along r
    mask_t<T> far;  // longer than half of r
    T most_drift;  // square of the last digits that are a 64th of r
};

// A sweep that lowers the cost by `swept` along r ends with g·r = r·r/2 - swept, in the product of C: the gradient itself, a difference of
// large numbers, is not needed. It starts with g·e = `along_last`.
template <class M, class D, class T>
auto best_in_plane(const M& m, const D& d, int island, const T& swept, const T& along_last) {
    const auto& w = forces(d);
    FourSums<T> sum_rr, sum_re, sum_ee, sum_size;
    const auto add = [&](int j, const T& weight, const T& x, const T& start, const T& before) {
        const T r = x - start, e = start - before, weighted = weight * r;
        sum_rr.part[j] += weighted * r;
        sum_re.part[j] += weighted * e;
        sum_ee.part[j] += weight * e * e;
        sum_size.part[j] += weight * x * x;
    };
    sum_in_fours(
        m, d, island, [&](int i, int j) { add(j, T(1), w.z[i], w.z_start[i], w.z_before[i]); },
        [&](int i, int j) { add(j, part<T>(d.efc_R[i]), w.force[i], w.start[i], w.before[i]); });
    const T rr = sum_rr.total(), re = sum_re.total(), ee = sum_ee.total(), gr = T(0.5) * rr - swept, ge = along_last + re;
    // what rounding alone moves says nothing about where to go
    const T least(64 * epsilon_v<T>);
    const T size = sum_size.total();
    const auto moved = rr > least * least * size;
    // e less its part along r. Rounding turns r by the ratio of sizes, and what is left of an e that is nearly parallel is noise, along
    // which there is no end: it is left out.
    const T noise = least * sqrt(select(moved, size, T(1)) / select(moved, rr, T(1)));
    const T along = select(moved, re / select(moved, rr, T(1)), T(0)), rest = ee - re * along;
    const auto apart = moved && rest > max(least, noise) * ee;
    // and no step is so long that rounding in r or e parts z from the forces it belongs to
    const T longest(64);
    const T t = clamp(T(select(apart, (along * gr - ge) / select(apart, rest, T(1)), T(0))), T(-longest), longest);
    const T s = clamp(T(select(moved, -gr / select(moved, rr, T(1)) - t * along, T(0))), T(-longest), longest);
    const auto far = s * s > T(0.25) || t * t * ee > T(0.25) * rr;
    return PlaneStep<T>{s,  t,   -(s * (gr + T(0.5) * s * rr) + t * (ge + s * re + T(0.5) * t * ee)),
                        gr, far, select(moved, rr, T(0)) / select(moved, T(least * least * size), T(1))};
}

// The block's forces come back into their bounds, and z with them. Gives the lanes in which they were outside; those that are `done` are
// not.
template <class T, class D>
mask_t<T> project_block(D& d, int b, const mask_t<T>& done) {
    const int row = d.block_row[b], rows = block_rows(d, b), which = law_of(d.efc_type[row]);
    T* const f = &forces(d).force[row];
    mask_t<T> outside(false);
    T inside[max_force_rows], change[max_force_rows]{};
    if (which == law::quadratic) return outside;
    if (may_have_cones<D>() && which == law::cone) {
        const auto& contact = d.contact[d.efc_id[row]];
        const T normal = max(f[0], T(0));
        T square(0);
        for (int j = 1; j < rows; ++j) {
            const T ratio = f[j] / part<T>(contact.friction[j - 1]);
            square += ratio * ratio;
        }
        const auto wide = square > normal * normal;
        const T shrink = select(wide, normal / sqrt(select(wide, square, T(1))), T(1));
        for (int j = 0; j < rows; ++j) inside[j] = j == 0 ? normal : T(f[j] * shrink);
    } else {
        for (int r = 0; r < rows; ++r) {
            const T loss = part<T>(d.efc_frictionloss[row + r]);
            inside[r] = which == law::huber ? T(clamp(f[r], T(-loss), loss)) : T(max(f[r], T(0)));
        }
    }
    for (int r = 0; r < rows; ++r) outside = outside || inside[r] != f[r];
    outside = outside && !done;
    if (!any(outside)) return outside;
    T p[max_block_dim];
    for (int r = 0; r < rows; ++r) {
        change[r] = select(outside, T(inside[r] - f[r]), T(0));
        f[r] = select(outside, inside[r], f[r]);
    }
    force_to_base(d, b, change, p);
    force_add(d, b, p);
    return outside;
}

// In the lanes asked for, forces and z go to the best point between the swept forces and those that are there; `gain` becomes the drop in
// cost and `along_last` the gradient there along the whole step.
template <class M, class D, class T>
void best_on_segment(const M& m, D& d, int island, const mask_t<T>& lanes, const PlaneStep<T>& plane, T& gain, T& along_last) {
    auto& w = forces(d);
    FourSums<T> sum_slope, sum_across, sum_curvature;
    const auto add = [&](int j, const T& gradient, const T& weight, const T& x, const T& swept, const T& before) {
        const T change = x - swept, weighted = weight * change;
        sum_slope.part[j] += gradient * change;
        sum_across.part[j] += weighted * (swept - before);
        sum_curvature.part[j] += weighted * change;
    };
    sum_in_fours(
        m, d, island, [&](int i, int j) { add(j, w.z_swept[i], T(1), w.z[i], w.z_swept[i], w.z_before[i]); },
        [&](int i, int j) {
            const T R = part<T>(d.efc_R[i]);
            add(j, part<T>(d.efc_b[i]) + R * w.swept[i], R, w.force[i], w.swept[i], w.before[i]);
        });
    const T slope = sum_slope.total(), across = sum_across.total(), curvature = sum_curvature.total();
    const auto moves = curvature > T(0);
    const T length = select(moves, clamp(T(-slope / select(moves, curvature, T(1))), T(0), T(1)), T(0));
    const auto go = [&](T& x, T& start, const T& swept) { x = start = select(lanes, T(swept + length * (x - swept)), x); };
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i) go(w.force[i], w.start[i], w.swept[i]);
    });
    for_each_dof(m, d, island, [&](int i) { go(w.z[i], w.z_start[i], w.z_swept[i]); });
    gain = select(lanes, T(-length * (slope + T(0.5) * length * curvature)), gain);
    along_last = select(lanes, T(plane.gr + length * (slope + across + length * curvature)), along_last);
}

// Where z may have drifted from its forces by more than a part of the correction, which goes by it, it is made of them anew.
template <class M, class D, class T>
void end_drift(const M& m, D& d, int island, const mask_t<T>& done, const PlaneStep<T>& step, ForceSteps<T>& steps) {
    auto& w = forces(d);
    const T before = steps.drift;
    steps.last_drift = T(1) + abs(step.correction) + abs(step.last) * steps.last_drift;
    steps.drift += steps.last_drift;
    const auto far = steps.drift * steps.drift > step.most_drift && !done;
    steps.last_drift = select(far, before, steps.last_drift);
    steps.drift = select(far, T(1), steps.drift);
    if (!any(far)) return;
    for_each_dof(m, d, island, [&](int i) { w.z_swept[i] = w.z[i]; });
    force_reset(m, d, island);
    for_each_dof(m, d, island, [&](int i) { w.z[i] = w.z_start[i] = select(far, w.z[i], w.z_swept[i]); });
}

// Takes the step after a sweep that lowered the cost by `swept`. Lanes that are `done` return to where the sweep started. Gives the further
// drop in cost.
template <class M, class D, class T>
T take_force_step(const M& m, D& d, int island, const mask_t<T>& done, const T& swept, ForceSteps<T>& steps) {
    auto& w = forces(d);
    const PlaneStep<T> step = best_in_plane(m, d, island, swept, steps.along_last);
    const auto go = [&](T& x, T& start, T& before, T& end) {
        const T from = start, to = x;
        end = to;
        x = start = select(done, from, T(to + step.correction * (to - from) + step.last * (from - before)));
        before = from;
    };
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i) go(w.force[i], w.start[i], w.before[i], w.swept[i]);
    });
    for_each_dof(m, d, island, [&](int i) { go(w.z[i], w.z_start[i], w.z_before[i], w.z_swept[i]); });
    // a force that a bound holds pulls at the plane with all that it cannot do, be it a last digit from the bound: long steps are looked at
    // again
    mask_t<T> outside = step.far && !done;
    for_each_block(d, island, [&](int b) { outside = project_block<T>(d, b, done) || outside; });
    T gain = step.gain;
    steps.along_last = T(0);  // as it is at the best point of a plane
    if (any(outside)) best_on_segment(m, d, island, outside, step, gain, steps.along_last);
    end_drift(m, d, island, done, step, steps);
    return gain;
}

}  // namespace mjx::inner
