// Inertias of rigid bodies: turned, displaced, and their principal axes.
//
// Symmetric inertias are six numbers xx yy zz xy xz yz. Principal axes come out of a Jacobi iteration on a quaternion with the
// moments in decreasing order; among the equivalent frames this picks the one MuJoCo picks, since body_iquat is compared.
#pragma once

#include "mjx/math/unit_quat.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>
#include <utility>

namespace mjx::inner {

// Six numbers of the inertia R diag(moments) Rᵀ.
template <class R>
Vec6<R> rotated_inertia(const Vec3<R>& moments, const Quat<R>& quat) {
    const Mat3<R> r = to_mat3(quat);
    const auto entry = [&](int i, int j) {
        return r(i, 0) * (r(j, 0) * moments[0]) + r(i, 1) * (r(j, 1) * moments[1]) + r(i, 2) * (r(j, 2) * moments[2]);
    };
    return {{entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)}};
}

// What a point mass at v adds to an inertia (parallel axes).
template <class R>
Vec6<R> point_inertia(const std::type_identity_t<R>& mass, const Vec3<R>& v) {
    return {{mass * (v[1] * v[1] + v[2] * v[2]), mass * (v[0] * v[0] + v[2] * v[2]), mass * (v[0] * v[0] + v[1] * v[1]),
             -mass * v[0] * v[1], -mass * v[0] * v[2], -mass * v[1] * v[2]}};
}

template <class R>
struct PrincipalAxes {
    Quat<R> quat;
    Vec3<R> moments;
};

// One Jacobi rotation, in the plane of the largest off-diagonal entry of d. Nothing when that is below `least`, or when the turn is and
// `coarse`, which is how MuJoCo ended up to 3.13.
inline std::optional<Quat<double>> jacobi_rotation(const Mat3<double>& d, double least, bool coarse) {
    const double xy = std::abs(d[1]), xz = std::abs(d[2]), yz = std::abs(d[5]);
    const int axis = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;
    const int row = axis == 0 ? 1 : 0, column = axis == 2 ? 1 : 2;
    if (std::abs(d(row, column)) <= least) return std::nullopt;
    const double tau = (d(column, column) - d(row, row)) / (2 * d(row, column));
    const double t = tau >= 0 ? 1 / (tau + std::sqrt(1 + tau * tau)) : -1 / (-tau + std::sqrt(1 + tau * tau));
    const double sign = axis == 1 ? 1 : -1, c = 1 / std::sqrt(1 + t * t);
    Quat<double> q{{0, 0, 0, 0}};
    if (coarse) {
        if (c > 1 - least) return std::nullopt;
        q[axis + 1] = (tau >= 0 ? sign : -sign) * std::sqrt(0.5 - 0.5 * c);
        q[0] = std::sqrt(1 - q[axis + 1] * q[axis + 1]);
    } else {
        const double half = t / (1 + std::sqrt(1 + t * t));  // the tangent of half the angle, exact where the cosine is one to rounding
        q[0] = 1 / std::sqrt(1 + half * half);
        q[axis + 1] = sign * half * q[0];
    }
    return unit(q);
}

// How small a part of the largest entry counts as nothing: off the diagonal, and between two moments, whose axes then stay in order. The
// corners of meshes are floats, so that a round mesh is so to 1e-7 only; its axes should not turn with the rounding.
struct AxesTolerance {
    double entry = 4e-15, moment = 1e-12;
};
inline constexpr AxesTolerance mesh_axes{1e-7, 1e-7};

// Eigenvalues in decreasing order; the eigenvectors are the axes of the frame quat. As the version `mujoco` (Option) has them.
inline PrincipalAxes<double> principal_axes(const Vec6<double>& inertia, int mujoco = 314, const AxesTolerance& tolerance = {}) {
    const Mat3<double> full{{inertia[0], inertia[3], inertia[4], inertia[3], inertia[1], inertia[5], inertia[4], inertia[5], inertia[2]}};
    PrincipalAxes<double> result{Quat<double>::identity(), Vec3<double>::zero()};
    const bool coarse = mujoco < 314;
    double largest = 0;
    for (int i = 0; i < 6; ++i) largest = std::max(largest, std::abs(inertia[i]));
    const double least = coarse ? 1e-12 : tolerance.entry * largest, equal = coarse ? 1e-12 : tolerance.moment * largest;
    for (int iteration = 0; iteration < 500; ++iteration) {
        const Mat3<double> axes = to_mat3(result.quat);
        const Mat3<double> d = transpose(axes) * full * axes;
        result.moments = {{d[0], d[4], d[8]}};
        const auto turn = jacobi_rotation(d, least, coarse);
        if (!turn) break;
        result.quat = unit(unit_product(result.quat, *turn));
    }
    // bubble sort of three, each exchange a quarter turn about the third axis
    for (const int first : {0, 1, 0}) {
        if (result.moments[first] + equal >= result.moments[first + 1]) continue;
        std::swap(result.moments[first], result.moments[first + 1]);
        Quat<double> quarter{{0.707106781186548, 0, 0, 0}};
        quarter[(first + 2) % 3 + 1] = quarter[0];
        result.quat = unit(unit_product(result.quat, quarter));
    }
    return result;
}

// The same for any scalar: lane by lane. Derivatives are those of the turned axes, where moments differ (perturbation theory: an entry off
// the diagonal turns them by itself over the difference); between equal moments the axes stay.
template <class R>
PrincipalAxes<R> principal_axes(const Vec6<R>& inertia, int mujoco = 314)
    requires(!std::same_as<R, double>)
{
    using V = value_t<R>;
    PrincipalAxes<R> result{Quat<R>::identity(), Vec3<R>::zero()};
    for (int k = 0; k < lanes_v<R>; ++k) {
        const auto one = principal_axes(tabulate<Vec6<double>>([&](int i) { return static_cast<double>(value_of(lane(inertia[i], k))); }),
                                        mujoco);
        for (int i = 0; i < 4; ++i) set_lane(result.quat[i], k, lane_t<R>(static_cast<V>(one.quat[i])));
        for (int i = 0; i < 3; ++i) set_lane(result.moments[i], k, lane_t<R>(static_cast<V>(one.moments[i])));
    }
    if constexpr (has_derivative<R>) {
        const Mat3<R> full{{inertia[0], inertia[3], inertia[4], inertia[3], inertia[1], inertia[5], inertia[4], inertia[5], inertia[2]}};
        const Mat3<R> axes = to_mat3(result.quat), turned = transpose(axes) * full * axes;
        const R small = (turned(0, 0) + turned(1, 1) + turned(2, 2)) * V(1e-7);
        const auto change = [&](int r, int c) { return R(turned(r, c) - R(value_of(turned(r, c)))); };  // derivatives alone
        const auto turn_of = [&](int r, int c) {
            const R apart = turned(r, r) - turned(c, c);
            const auto equal = abs(apart) < small;
            return select(equal, R(0), R(change(r, c) / select(equal, R(1), apart)));
        };
        result.quat = result.quat * exp_quat(Vec3<R>{{turn_of(1, 2), turn_of(2, 0), turn_of(0, 1)}});
        for (int i = 0; i < 3; ++i) result.moments[i] += change(i, i);
    }
    return result;
}

// A rigid body, or a part of one: mass, and the frame and moments of its inertia.
template <class R>
struct MassPart {
    R mass;
    Vec3<R> pos;
    Quat<R> quat;
    Vec3<R> inertia;
};

// Many as one. for_each_part(add) calls add(part) for each of them, twice.
template <class R, class Parts>
MassPart<R> combined(int mujoco, Parts&& for_each_part) {
    R mass(0);
    Vec3<R> com = Vec3<R>::zero(), pos;
    for_each_part([&](const MassPart<R>& p) {
        mass += p.mass;
        com += p.pos * p.mass;
    });
    for (int i = 0; i < 3; ++i) pos[i] = com[i] / mass;
    Vec6<R> total = Vec6<R>::zero();
    for_each_part([&](const MassPart<R>& p) {
        total += rotated_inertia(p.inertia, p.quat);
        total += point_inertia(p.mass, Vec3<R>(p.pos - pos));
    });
    const auto axes = principal_axes(total, mujoco);
    return {mass, pos, axes.quat, axes.moments};
}

}  // namespace mjx::inner
