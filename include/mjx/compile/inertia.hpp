// Mass properties: volume and inertia of the primitive shapes, rotation and displacement of inertias, principal axes.
//
// Symmetric inertias are six numbers xx yy zz xy xz yz. Principal axes come out of a Jacobi iteration on a quaternion with the
// moments in decreasing order; among the equivalent frames this picks the one MuJoCo picks, since body_iquat is compared.
#pragma once

#include "mjx/math/unit_quat.hpp"
#include "mjx/model/types.hpp"

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

// Solid volume, or surface area when the mass sits on the surface.
inline double shape_volume(int type, const Vec3d& size, bool shell) {
    const double r = size[0], height = 2 * size[1];
    switch (type) {
        case shape::sphere: return shell ? 4 * pi * r * r : 4 * pi * r * r * r / 3;
        case shape::capsule:
            return shell ? 4 * pi * r * r + 2 * pi * r * height : pi * (r * r * height + 4 * r * r * r / 3);
        case shape::cylinder: return shell ? 2 * pi * r * r + 2 * pi * r * height : pi * r * r * height;
        case shape::ellipsoid: {
            if (!shell) return 4 * pi * size[0] * size[1] * size[2] / 3;
            // Thomsen's approximation of the surface of an ellipsoid
            const double p = 1.6075;
            const double sum = std::pow(size[0] * size[1], p) + std::pow(size[1] * size[2], p) + std::pow(size[2] * size[0], p);
            return 4 * pi * std::pow(sum / 3, 1 / p);
        }
        case shape::hfield:
        case shape::box:
            return shell ? 8 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]) : 8 * size[0] * size[1] * size[2];
        default: return 0;
    }
}

// A round bar along z with two hemispherical caps whose centre of mass is displaced; solid caps have it at 3r/8, shells at r/2.
inline Vec3d capsule_inertia(double mass, double r, double half, bool shell) {
    const double height = 2 * half;
    const double caps = shell ? mass * 2 * r / (2 * r + height) : mass * 4 * r / (4 * r + 3 * height);
    const double bar = mass - caps;
    const double ball = caps * r * r * 2 / (shell ? 3.0 : 5.0);
    const double offset = shell ? half * (half + r) : height * (3 * r + 2 * height) / 8;
    const double across = bar * ((shell ? 6 : 3) * r * r + height * height) / 12 + ball + caps * offset;
    const double along = bar * r * r / (shell ? 1.0 : 2.0) + ball;
    return {{across, across, along}};
}

inline Vec3d cylinder_inertia(double mass, double r, double half, bool shell) {
    const double height = 2 * half;
    if (!shell) {
        const double across = mass * (3 * r * r + height * height) / 12;
        return {{across, across, mass * r * r / 2}};
    }
    const double disk = mass * r / (2 * r + 2 * height), side = mass - 2 * disk;
    const double across = side * (6 * r * r + height * height) / 12 + 2 * disk * (r * r / 4 + half * half);
    return {{across, across, side * r * r + disk * r * r}};
}

inline Vec3d solid_ellipsoid_inertia(double mass, const Vec3d& s) {
    const double x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
    return {{mass * (y + z) / 5, mass * (x + z) / 5, mass * (x + y) / 5}};
}

// The shell is the difference of two ellipsoids whose semi-axes differ by a micrometre.
inline Vec3d shell_ellipsoid_inertia(double mass, const Vec3d& s) {
    const double thickness = 1e-6;
    const Vec3d outer{{s[0] + thickness, s[1] + thickness, s[2] + thickness}};
    const double inside = 4 * pi * s[0] * s[1] * s[2] / 3, outside = 4 * pi * outer[0] * outer[1] * outer[2] / 3;
    const double density = mass / (outside - inside);
    return solid_ellipsoid_inertia(outside * density, outer) - solid_ellipsoid_inertia(inside * density, s);
}

inline Vec3d box_inertia(double mass, const Vec3d& s, bool shell) {
    const double x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
    if (!shell) return {{mass * (y + z) / 3, mass * (x + z) / 3, mass * (x + y) / 3}};
    // three pairs of plates, in the planes xy, yz and zx
    const double area = 2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    const double xy = mass * s[0] * s[1] / area, yz = mass * s[1] * s[2] / area, zx = mass * s[2] * s[0] / area;
    return {{2 * (xy * z + zx * y + (xy * y + yz * (y + z) + zx * z) / 3),
             2 * (xy * z + yz * x + (xy * x + yz * z + zx * (x + z)) / 3),
             2 * (yz * x + zx * y + (xy * (x + y) + yz * y + zx * x) / 3)}};
}

// Principal moments of a primitive of the given mass about its centre, in its own frame.
inline Vec3d shape_inertia(int type, double mass, const Vec3d& size, bool shell) {
    switch (type) {
        case shape::sphere: {
            const double i = 2 * mass * size[0] * size[0] / (shell ? 3 : 5);
            return {{i, i, i}};
        }
        case shape::capsule: return capsule_inertia(mass, size[0], size[1], shell);
        case shape::cylinder: return cylinder_inertia(mass, size[0], size[1], shell);
        case shape::ellipsoid: return shell ? shell_ellipsoid_inertia(mass, size) : solid_ellipsoid_inertia(mass, size);
        case shape::hfield:
        case shape::box: return box_inertia(mass, size, shell);
        default: return Vec3d::zero();
    }
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
