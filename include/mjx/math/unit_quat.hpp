// Unit vectors and quaternions to the last bit as MuJoCo's compiler has them: divided by their length, unless that is one up to 1e-14.
// Contacts of flat shapes may turn on the last bit of a frame, so models are built with these.
#pragma once

#include "mjx/math/quat.hpp"

namespace mjx::inner {

inline Quat<double> unit(const Quat<double>& q) {
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (square < 1e-14) return Quat<double>::identity();
    const double length = sqrt(square);
    if (abs(length - 1) <= 1e-14) return q;
    return {{q[0] / length, q[1] / length, q[2] / length, q[3] / length}};
}
inline Quat<double> unit_product(const Quat<double>& a, const Quat<double>& b) { return unit(Quat<double>(a * b)); }

// The vector of unit length along v, which has a length.
inline Vec3<double> unit(const Vec3<double>& v) {
    const double length = norm(v);
    if (abs(length - 1) <= 1e-14) return v;
    return {{v[0] / length, v[1] / length, v[2] / length}};
}

// The rotation that takes the z axis to a unit vector, about x if that is z.
inline Quat<double> unit_z_to(const Vec3<double>& to) {
    const Vec3<double> axis{{-to[1], to[0], 0}};
    const bool aligned = dot(axis, axis) < 1e-14;
    const Vec3<double> about = aligned ? Vec3<double>{{1, 0, 0}} : unit(axis);
    const double half = atan2(aligned ? 0.0 : norm(axis), to[2]) / 2;
    const double s = sin(half);
    return {{cos(half), about[0] * s, about[1] * s, about[2] * s}};
}

}  // namespace mjx::inner
