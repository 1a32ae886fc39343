// Spatial algebra in com-based coordinates: 6-vectors with rotation first, 10-number inertias.
//
// All spatial quantities of a kinematic tree are expressed in world orientation about one point, the centre of mass of the
// whole tree, so they add without transformation (MuJoCo, computation chapter; Featherstone 2008, ch. 2).
#pragma once

#include "mjx/math/quat.hpp"

namespace mjx::inner {

template <class T>
constexpr Vec3<T> angular(const Vec6<T>& v) {
    return {{v[0], v[1], v[2]}};
}
template <class T>
constexpr Vec3<T> linear(const Vec6<T>& v) {
    return {{v[3], v[4], v[5]}};
}
template <class T>
constexpr Vec6<T> spatial(const Vec3<T>& angular_part, const Vec3<T>& linear_part) {
    return {{angular_part[0], angular_part[1], angular_part[2], linear_part[0], linear_part[1], linear_part[2]}};
}

// Inertia about the reference point: xx yy zz xy xz yz of the rotational part, mass times com offset, mass.
template <class T>
struct Inertia {
    T e[10];
    static constexpr int size = 10;
    using scalar_type = T;

    constexpr T& operator[](int i) { return e[i]; }
    constexpr const T& operator[](int i) const { return e[i]; }
    static constexpr Inertia zero() {
        return tabulate<Inertia>([](int) { return T(0); });
    }
    constexpr Inertia& operator+=(const Inertia& b) {
        each<10>([&](int i) { e[i] += b[i]; });
        return *this;
    }
};

// Momentum (torque first) of the motion v.
template <class T>
constexpr Vec6<T> operator*(const Inertia<T>& i, const Vec6<T>& v) {
    return {{i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
             i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
             i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4], i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
             i[6] * v[2] - i[8] * v[0] + i[9] * v[4], i[7] * v[0] - i[6] * v[1] + i[9] * v[5]}};
}

// The inertia of a body with the given diagonal inertia in the frame `axes`, its com at `offset` from the reference point.
template <class T, class R>
constexpr Inertia<T> body_inertia(const Vec3<R>& diagonal, const R& mass, const Mat3<T>& axes, const Vec3<T>& offset) {
    Inertia<T> r;
    const Mat3<T> scaled = tabulate<Mat3<T>>([&](int i) { return T(axes[i] * diagonal[i % 3]); });
    const auto entry = [&](int i, int j) {
        return scaled[3 * i] * axes(j, 0) + scaled[3 * i + 1] * axes(j, 1) + scaled[3 * i + 2] * axes(j, 2);
    };
    const Vec3<T> mc = offset * mass;
    r[0] = entry(0, 0) + mc[1] * offset[1] + mc[2] * offset[2];
    r[1] = entry(1, 1) + mc[0] * offset[0] + mc[2] * offset[2];
    r[2] = entry(2, 2) + mc[0] * offset[0] + mc[1] * offset[1];
    r[3] = entry(0, 1) - mc[0] * offset[1];
    r[4] = entry(0, 2) - mc[0] * offset[2];
    r[5] = entry(1, 2) - mc[1] * offset[2];
    r[6] = mc[0];
    r[7] = mc[1];
    r[8] = mc[2];
    r[9] = T(mass);
    return r;
}

// v × s for a motion s (Featherstone's crm).
template <class T>
constexpr Vec6<T> cross_motion(const Vec6<T>& v, const Vec6<T>& s) {
    const Vec3<T> w = angular(v), u = linear(v);
    return spatial(cross(w, angular(s)), Vec3<T>(cross(w, linear(s)) + cross(u, angular(s))));
}
// v × f for a force f (Featherstone's crf).
template <class T>
constexpr Vec6<T> cross_force(const Vec6<T>& v, const Vec6<T>& f) {
    const Vec3<T> w = angular(v), u = linear(v);
    return spatial(Vec3<T>(cross(w, angular(f)) + cross(u, linear(f))), cross(w, linear(f)));
}

// The motion of a rotation about `axis` through a point at -arm from the reference point (arm = reference - point).
template <class T>
constexpr Vec6<T> rotation_dof(const Vec3<T>& axis, const Vec3<T>& arm) {
    return spatial(axis, cross(axis, arm));
}
template <class T>
constexpr Vec6<T> translation_dof(const Vec3<T>& axis) {
    return spatial(Vec3<T>::zero(), axis);
}

}  // namespace mjx::inner
