// Numbers of the compiler of models, beside math/principal_axes.hpp: the smallest that count, and what is a rotation.
#pragma once

#include "mjx/math/principal_axes.hpp"

#include <algorithm>
#include <cmath>

namespace mjx::inner::compiler {

using Vec3d = Vec3<double>;
using Quatd = Quat<double>;
using Mat3d = Mat3<double>;

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double eps = 1e-14;      // lengths, masses and sizes below this are zero for the compiler (mjEPS)
inline constexpr double minval = 1e-15;   // mjMINVAL

// Whether a quaternion says how something is turned, whatever its length.
[[gnu::cold]] inline bool is_rotation(const Quatd& q) {
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square > 0 && std::isfinite(square);
}

}  // namespace mjx::inner::compiler
