// Inertias of bodies: rotation and principal axes.
//
// Symmetric inertias are six numbers xx yy zz xy xz yz. Principal axes come out of a Jacobi iteration on a quaternion with the
// moments in decreasing order; among the equivalent frames this picks the one MuJoCo picks, since body_iquat is compared.
#pragma once

#include "mjx/math/unit_quat.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace mjx::inner {

// Six numbers of the inertia R diag(moments) Rᵀ.
inline Vec6<double> rotated_inertia(const Vec3<double>& moments, const Quat<double>& quat) {
    const Mat3<double> r = to_mat3(quat);
    const auto entry = [&](int i, int j) {
        return r(i, 0) * (r(j, 0) * moments[0]) + r(i, 1) * (r(j, 1) * moments[1]) + r(i, 2) * (r(j, 2) * moments[2]);
    };
    return {{entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)}};
}

struct PrincipalAxes {
    Quat<double> quat;
    Vec3<double> moments;
};

// One Jacobi rotation, in the plane of the largest off-diagonal entry of d. Nothing when d is diagonal to rounding.
inline std::optional<Quat<double>> jacobi_rotation(const Mat3<double>& d) {
    const double xy = std::abs(d[1]), xz = std::abs(d[2]), yz = std::abs(d[5]);
    const int axis = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;
    const int row = axis == 0 ? 1 : 0, column = axis == 2 ? 1 : 2;
    const double tiny = 1e-12;
    if (std::abs(d(row, column)) < tiny) return std::nullopt;
    const double tau = (d(column, column) - d(row, row)) / (2 * d(row, column));
    const double t = tau >= 0 ? 1 / (tau + std::sqrt(1 + tau * tau)) : -1 / (-tau + std::sqrt(1 + tau * tau));
    const double c = 1 / std::sqrt(1 + t * t);
    if (c > 1 - tiny) return std::nullopt;
    Quat<double> q{{0, 0, 0, 0}};
    const bool positive = (tau >= 0) == (axis == 1);
    q[axis + 1] = (positive ? 1 : -1) * std::sqrt(0.5 - 0.5 * c);
    q[0] = std::sqrt(1 - q[axis + 1] * q[axis + 1]);
    return unit(q);
}

// Eigenvalues in decreasing order; the eigenvectors are the axes of the frame quat.
inline PrincipalAxes principal_axes(const Vec6<double>& inertia) {
    const Mat3<double> full{{inertia[0], inertia[3], inertia[4], inertia[3], inertia[1], inertia[5], inertia[4], inertia[5], inertia[2]}};
    PrincipalAxes result{Quat<double>::identity(), Vec3<double>::zero()};
    for (int iteration = 0; iteration < 500; ++iteration) {
        const Mat3<double> axes = to_mat3(result.quat);
        const Mat3<double> d = transpose(axes) * full * axes;
        result.moments = {{d[0], d[4], d[8]}};
        const auto turn = jacobi_rotation(d);
        if (!turn) break;
        result.quat = unit(unit_product(result.quat, *turn));
    }
    // bubble sort of three, each exchange a quarter turn about the third axis
    for (const int first : {0, 1, 0}) {
        if (result.moments[first] + 1e-12 >= result.moments[first + 1]) continue;
        std::swap(result.moments[first], result.moments[first + 1]);
        Quat<double> quarter{{0.707106781186548, 0, 0, 0}};
        quarter[(first + 2) % 3 + 1] = quarter[0];
        result.quat = unit(unit_product(result.quat, quarter));
    }
    return result;
}

}  // namespace mjx::inner
