// moving_minimum: how the least max(A, B) of two fields, found on plain numbers, moves with the poses and sizes of the geoms.
//
// Midway A = B and the gradients are opposite: s a + (1 - s) b = 0 with s = |b| / (|a| + |b|). The value of the minimum moves like
// s A + (1 - s) B at the fixed point (envelope theorem). The point itself keeps both conditions (implicit function theorem): A = B
// moves it along the normal, the other within the plane where the gradients vanish, by the curvature there. That is taken from
// differences, and the step is repeated with its own derivative, which squares their error. Where fields are flat in
// both, the point does not slide. If one field alone is active, as at the centre of a ball inside of the other, x goes with its geom.
// At an edge of a field it is the face that x lies on which moves: there these are not the derivatives of the minimum. On a ridge, such
// as the axis of a capsule that the other field swallows, the gradients jump or are not opposite, and x goes with the geom too.
#pragma once

#include "mjx/collision/sdf_search.hpp"

namespace mjx {

// T is a dual; `still` is the pair of plain numbers on which the minimum `dist` was found at `at`, `size` the extent of the overlap.
template <class T, class Pair, class Still>
T moving_minimum(const Pair& pair, const Still& still, const Vec3<value_t<T>>& at, value_t<T> dist, value_t<T> size, Vec3<T>& x) {
    using Real = value_t<T>;
    const auto moved = [](const T& y) { return T(y - T(static_cast<Real>(value_of(y)))); };
    const auto v = still.at(at, true);
    x = Vec3<T>::from(at);
    const Real a = norm(v.grad_a), b = norm(v.grad_b), share = b / max(a + b, Real(minval_v<T>)), h = Real(1e-5) * size;
    const Mat3<Real> frame = contact_frame(normalize(Vec3<Real>(normalize(v.grad_a) - normalize(v.grad_b))));
    const auto mixed = [&](const auto& w) { return w.grad_a * share + w.grad_b * (Real(1) - share); };
    Real curvature[2][3];  // of the second condition, by the normal and the two tangents
    bool midway = abs(v.a - v.b) < Real(1e-4) * size && norm(mixed(v)) < Real(0.3) * a * share;
    for (int j = 0; j < 3; ++j) {
        const Vec3<Real> step = frame.row(j) * h;
        const Vec3<Real> change = mixed(still.at(Vec3<Real>(at + step), true)) - mixed(still.at(Vec3<Real>(at - step), true));
        midway = midway && norm(change) < Real(0.01) * a;
        for (int i = 0; i < 2; ++i) curvature[i][j] = dot(frame.row(1 + i), change) / (2 * h);
    }
    if (!midway) {
        if (v.b > v.a) x = transpose_mul(pair.mat, Vec3<T>(Vec3<T>::from(Vec3<Real>(still.mat * at + still.pos)) - pair.pos));
        const auto w = pair.at(x, false);
        return dist + moved(v.a > v.b ? w.a : w.b);
    }
    // least squares, damped where it curves less than the overlap is wide by a million
    const Real (*c)[3] = curvature, small = Real(1e-12) / (size * size);
    const Real m00 = c[0][1] * c[0][1] + c[1][1] * c[1][1] + small, m11 = c[0][2] * c[0][2] + c[1][2] * c[1][2] + small;
    const Real m01 = c[0][1] * c[0][2] + c[1][1] * c[1][2], det = m00 * m11 - m01 * m01;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const auto w = pair.at(x, true);
        const Vec3<T> rest = mixed(w);
        const T along = moved(w.b - w.a) / (a + b);
        const T r0 = moved(dot(frame.row(1), rest)) + along * c[0][0], r1 = moved(dot(frame.row(2), rest)) + along * c[1][0];
        const T q0 = r0 * c[0][1] + r1 * c[1][1], q1 = r0 * c[0][2] + r1 * c[1][2];
        x += frame.row(0) * along + frame.row(1) * T((q1 * m01 - q0 * m11) / det) + frame.row(2) * T((q0 * m01 - q1 * m00) / det);
    }
    const auto w = pair.at(x, false);
    return dist + moved(w.a * share + w.b * (Real(1) - share));
}

}  // namespace mjx
