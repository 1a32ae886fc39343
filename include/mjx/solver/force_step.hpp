// After a sweep of a solver in force space: the best point in the plane of the sweep's correction and the step before it.
//
// Reads   force, z (f after the sweep and z = Yᵀ f), swept, z_swept (both where the sweep started), before, z_before (both where the
//         sweep before started), efc_b, efc_R
// Writes  the same
// With g the gradient of the cost and C = A + R, the step s r + t e along the correction r and the last step e that lowers the
// cost most solves a system of two equations. Where no bound changes, such steps are those of conjugate gradients with the sweep
// as preconditioner (the locally optimal form: Knyazev 2001), so stiff problems take about the root of the sweeps that sweeping
// alone would. Where it leaves the bounds, the point is projected back; forces in their bounds are a convex set, so the segment
// from the swept forces to the projected ones is allowed, and its best point costs no more than either end: the cost never rises.
#pragma once

#include "mjx/solver/force_rows.hpp"

namespace mjx::inner {

// Back into the bounds: rows first ... last, all under one law.
template <class T, class D>
void project_forces(D& d, int which, int first, int last) {
    if (may_have_cones<D>() && which == law::cone) {
        for (int i = first; i < last;) {
            const auto& contact = d.contact[d.efc_id[i]];
            const T normal = max(forces(d).force[i], T(0));
            T square(0);
            for (int j = 1; j < contact.dim; ++j) {
                const T ratio = forces(d).force[i + j] / part<T>(contact.friction[j - 1]);
                square += ratio * ratio;
            }
            const auto outside = square > normal * normal;
            const T shrink = select(outside, normal / sqrt(select(outside, square, T(1))), T(1));
            forces(d).force[i] = normal;
            for (int j = 1; j < contact.dim; ++j) forces(d).force[i + j] *= shrink;
            i += contact.dim;
        }
        return;
    }
    for (int i = first; i < last; ++i) {
        if (which == law::huber) {
            const T loss = part<T>(d.efc_frictionloss[i]);
            forces(d).force[i] = clamp(forces(d).force[i], T(-loss), loss);
        } else if (which == law::unilateral) {
            forces(d).force[i] = max(forces(d).force[i], T(0));
        }
    }
}

// Forgets earlier sweeps: the forces are where the first one starts.
template <class M, class D>
void begin_force_steps(const M& m, D& d, int island) {
    force_reset(m, d, island);
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i) forces(d).before[i] = forces(d).swept[i] = forces(d).force[i];
    });
    for_each_dof(m, d, island, [&](int i) { forces(d).z_before[i] = forces(d).z_swept[i] = forces(d).z[i]; });
}

// Lengths s and t along the correction r and the last step e.
template <class T>
struct PlaneStep {
    T correction, last;
};

template <class M, class D>
auto best_in_plane(const M& m, const D& d, int island) {
    using T = solver_scalar<D>;
    T gr(0), ge(0), rr(0), re(0), ee(0);
    const auto add = [&](const T& gradient, const T& weight, const T& r, const T& e) {
        gr += gradient * r;
        ge += gradient * e;
        rr += weight * r * r;
        re += weight * r * e;
        ee += weight * e * e;
    };
    for_each_dof(m, d, island, [&](int i) {
        add(forces(d).z[i], T(1), forces(d).z[i] - forces(d).z_swept[i], forces(d).z_swept[i] - forces(d).z_before[i]);
    });
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i) {
            const T R = part<T>(d.efc_R[i]), f = forces(d).force[i];
            add(part<T>(d.efc_b[i]) + R * f, R, f - forces(d).swept[i], forces(d).swept[i] - forces(d).before[i]);
        }
    });
    // e less its part along r; too nearly parallel, it is left out
    const auto moved = rr > T(0);
    const T along = select(moved, re / select(moved, rr, T(1)), T(0)), rest = ee - re * along;
    const auto apart = moved && rest > T(64 * epsilon_v<T>) * ee;
    const T t = select(apart, (along * gr - ge) / select(apart, rest, T(1)), T(0));
    return PlaneStep<T>{select(moved, -gr / select(moved, rr, T(1)) - t * along, T(0)), t};
}

// Takes the step. Lanes that are `done` return to where the sweep started. Gives the drop in cost since the end of the sweep.
template <class M, class D, class Mask>
auto take_force_step(const M& m, D& d, int island, const Mask& done) {
    using T = solver_scalar<D>;
    const auto step = best_in_plane(m, d, island);
    // from here on swept and z_swept hold the swept forces and their z
    const auto shift = [&](const T& swept, T& mid, T& old) {
        const T start = mid;
        mid = select(done, start, swept);
        const T extrapolated = swept + step.correction * (swept - start) + step.last * (start - old);
        old = start;
        return extrapolated;
    };
    for_each_run(d, island, [&](int which, int first, int last) {
        for (int i = first; i < last; ++i) forces(d).force[i] = shift(forces(d).force[i], forces(d).swept[i], forces(d).before[i]);
        project_forces<T>(d, which, first, last);
    });
    for_each_dof(m, d, island, [&](int i) { shift(forces(d).z[i], forces(d).z_swept[i], forces(d).z_before[i]); });
    force_reset(m, d, island);

    T slope(0), curvature(0);
    for_each_dof(m, d, island, [&](int i) {
        const T change = forces(d).z[i] - forces(d).z_swept[i];
        slope += forces(d).z_swept[i] * change;
        curvature += change * change;
    });
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i) {
            const T R = part<T>(d.efc_R[i]), change = forces(d).force[i] - forces(d).swept[i];
            slope += (part<T>(d.efc_b[i]) + R * forces(d).swept[i]) * change;
            curvature += R * change * change;
        }
    });
    const auto moves = curvature > T(0) && !done;
    const T length = select(moves, clamp(T(-slope / select(moves, curvature, T(1))), T(0), T(1)), T(0));
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i) forces(d).force[i] = forces(d).swept[i] += length * (forces(d).force[i] - forces(d).swept[i]);
    });
    for_each_dof(m, d, island, [&](int i) { forces(d).z[i] = forces(d).z_swept[i] += length * (forces(d).z[i] - forces(d).z_swept[i]); });
    return T(-length * (slope + T(0.5) * length * curvature));
}

}  // namespace mjx::inner
