// Mass properties: rotation and displacement of inertias, principal axes.
//
// Symmetric inertias are six numbers xx yy zz xy xz yz. Principal axes come out of a Jacobi iteration on a quaternion with the
// moments in decreasing order; among the equivalent frames this picks the one MuJoCo picks, since body_iquat is compared.
#pragma once

#include "mjx/math/unit_quat.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace mjx::inner::compiler {

using Vec3d = Vec3<double>;
using Quatd = Quat<double>;
using Mat3d = Mat3<double>;

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double eps = 1e-14;      // lengths, masses and sizes below this are zero for the compiler (mjEPS)
inline constexpr double minval = 1e-15;   // mjMINVAL

// Whether a quaternion says how something is turned, whatever its length.
inline bool is_rotation(const Quatd& q) {
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square > 0 && std::isfinite(square);
}

// Six numbers of the inertia R diag(moments) Rᵀ.
inline Vec6<double> rotated_inertia(const Vec3d& moments, const Quatd& quat) {
    const Mat3d r = to_mat3(quat);
    const auto entry = [&](int i, int j) {
        return r(i, 0) * (r(j, 0) * moments[0]) + r(i, 1) * (r(j, 1) * moments[1]) + r(i, 2) * (r(j, 2) * moments[2]);
    };
    return {{entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)}};
}

// What a point mass at v adds to an inertia (parallel axes).
inline Vec6<double> point_inertia(double mass, const Vec3d& v) {
    return {{mass * (v[1] * v[1] + v[2] * v[2]), mass * (v[0] * v[0] + v[2] * v[2]), mass * (v[0] * v[0] + v[1] * v[1]),
             -mass * v[0] * v[1], -mass * v[0] * v[2], -mass * v[1] * v[2]}};
}

struct PrincipalAxes {
    Quatd quat;
    Vec3d moments;
};

// One Jacobi rotation, in the plane of the largest off-diagonal entry of d. Nothing when d is diagonal to rounding.
inline std::optional<Quatd> jacobi_rotation(const Mat3d& d) {
    const double xy = std::abs(d[1]), xz = std::abs(d[2]), yz = std::abs(d[5]);
    const int axis = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;
    const int row = axis == 0 ? 1 : 0, column = axis == 2 ? 1 : 2;
    const double tiny = 1e-12;
    if (std::abs(d(row, column)) < tiny) return std::nullopt;
    const double tau = (d(column, column) - d(row, row)) / (2 * d(row, column));
    const double t = tau >= 0 ? 1 / (tau + std::sqrt(1 + tau * tau)) : -1 / (-tau + std::sqrt(1 + tau * tau));
    const double c = 1 / std::sqrt(1 + t * t);
    if (c > 1 - tiny) return std::nullopt;
    Quatd q{{0, 0, 0, 0}};
    const bool positive = (tau >= 0) == (axis == 1);
    q[axis + 1] = (positive ? 1 : -1) * std::sqrt(0.5 - 0.5 * c);
    q[0] = std::sqrt(1 - q[axis + 1] * q[axis + 1]);
    return unit(q);
}

// Eigenvalues in decreasing order; the eigenvectors are the axes of the frame quat.
inline PrincipalAxes principal_axes(const Vec6<double>& inertia) {
    const Mat3d full{{inertia[0], inertia[3], inertia[4], inertia[3], inertia[1], inertia[5], inertia[4], inertia[5], inertia[2]}};
    PrincipalAxes result{Quatd::identity(), Vec3d::zero()};
    for (int iteration = 0; iteration < 500; ++iteration) {
        const Mat3d axes = to_mat3(result.quat);
        const Mat3d d = transpose(axes) * full * axes;
        result.moments = {{d[0], d[4], d[8]}};
        const auto turn = jacobi_rotation(d);
        if (!turn) break;
        result.quat = unit(unit_product(result.quat, *turn));
    }
    // bubble sort of three, each exchange a quarter turn about the third axis
    for (const int first : {0, 1, 0}) {
        if (result.moments[first] + 1e-12 >= result.moments[first + 1]) continue;
        std::swap(result.moments[first], result.moments[first + 1]);
        Quatd quarter{{0.707106781186548, 0, 0, 0}};
        quarter[(first + 2) % 3 + 1] = quarter[0];
        result.quat = unit(unit_product(result.quat, quarter));
    }
    return result;
}

}  // namespace mjx::inner::compiler
