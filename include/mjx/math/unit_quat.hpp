// Unit quaternions to the last bit as MuJoCo's compiler has them: divided by their length, unless that is one up to 1e-14. Contacts of
// flat shapes may turn on the last bit of a frame, so models are built with these.
#pragma once

#include "mjx/math/quat.hpp"

namespace mjx {

inline Quat<double> unit(const Quat<double>& q) {
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (square < 1e-14) return Quat<double>::identity();
    const double length = sqrt(square);
    if (abs(length - 1) <= 1e-14) return q;
    return {{q[0] / length, q[1] / length, q[2] / length, q[3] / length}};
}
inline Quat<double> unit_product(const Quat<double>& a, const Quat<double>& b) { return unit(Quat<double>(a * b)); }

}  // namespace mjx
