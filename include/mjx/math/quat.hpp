// Quat<T>: unit quaternions, w first. Rotates from the local frame into the outer one; products read from left to right.
#pragma once

#include "mjx/math/mat3.hpp"

namespace mjx::inner {

template <class T>
struct Quat {
    T e[4];
    static constexpr int size = 4;
    using scalar_type = T;

    constexpr T& operator[](int i) { return e[i]; }
    constexpr const T& operator[](int i) const { return e[i]; }
    static constexpr Quat identity() { return {{T(1), T(0), T(0), T(0)}}; }
};

template <class A, class B>
constexpr auto operator*(const Quat<A>& a, const Quat<B>& b) {
    return Quat<product_t<A, B>>{
        {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
         a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]}};
}
template <class T>
constexpr Quat<T> conjugate(const Quat<T>& q) {
    return {{q[0], -q[1], -q[2], -q[3]}};
}
template <class T>
constexpr Quat<T> select(const mask_t<T>& mask, const Quat<T>& a, const Quat<T>& b) {
    return tabulate<Quat<T>>([&](int i) { return select(mask, a[i], b[i]); });
}

// x, or exactly 1 where it is no further from it than `within`; its derivative stays. MuJoCo leaves quaternions that are unit up to
// rounding as they are, and contacts of parallel faces turn on the last bit.
template <class T>
constexpr T settle_at_one(const T& x, value_t<T> within) {
    const T excess(value_of(x) - value_t<T>(1));
    return x - select(abs(excess) > T(within), T(0), excess);
}

// The quaternion of unit length along q; a zero quaternion becomes the identity.
template <class T>
Quat<T> normalize(const Quat<T>& q) {
    const T length = settle_at_one(T(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])), minval_v<T>);
    if constexpr (!has_derivative<T>)
        if (all(length == T(1))) return q;  // as most are: nobody waits for the root and the division
    const auto tiny = length < T(minval_v<T>);
    const T inverse = T(1) / select(tiny, T(1), length);
    const Quat<T> unit{{q[0] * inverse, q[1] * inverse, q[2] * inverse, q[3] * inverse}};
    return select(tiny, Quat<T>::identity(), unit);
}

// Takes rounding errors out of a quaternion that is unit up to them: one Newton step of 1/sqrt, without root or division.
template <class T>
constexpr Quat<T> renormalize(const Quat<T>& q) {
    const T n2 = settle_at_one(T(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 2 * minval_v<T>);
    const T scale = T(1.5) - n2 * value_t<T>(0.5);
    return {{q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale}};
}

// q v q*: two cross products instead of a matrix.
template <class A, class B>
constexpr auto rotate(const Quat<A>& q, const Vec3<B>& v) {
    const Vec3<A> u{{q[1], q[2], q[3]}};
    const Vec3<product_t<A, B>> t{
        {q[0] * v[0] + u[1] * v[2] - u[2] * v[1], q[0] * v[1] + u[2] * v[0] - u[0] * v[2], q[0] * v[2] + u[0] * v[1] - u[1] * v[0]}};
    return v + cross(u, t) * value_t<A>(2);
}

template <class T>
[[gnu::always_inline]] constexpr Mat3<T> to_mat3(const Quat<T>& q) {
    const T ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
    const value_t<T> two = 2;
    const T xy = two * (q[1] * q[2]), xz = two * (q[1] * q[3]), yz = two * (q[2] * q[3]);
    const T wx = two * (q[0] * q[1]), wy = two * (q[0] * q[2]), wz = two * (q[0] * q[3]);
    return {{ww + xx - yy - zz, xy - wz, xz + wy, xy + wz, ww - xx + yy - zz, yz - wx, xz - wy, yz + wx, ww - xx - yy + zz}};
}

// Rotation by the vector `rotation` (axis times angle x). Angles below 0.2, such as those of one step, go by the series of cos(x/2)
// and sin(x/2)/x to full precision: value and derivatives hold at zero, and no root or sine is taken.
template <class T>
Quat<T> exp_quat(const Vec3<T>& rotation) {
    using V = value_t<T>;
    const T x2 = dot(rotation, rotation);
    T c = T(1) + x2 * (V(-1) / 8 + x2 * (V(1) / 384 + x2 * (V(-1) / 46080 + x2 * (V(1) / 10321920 - x2 * (V(1) / 3715891200)))));
    T s = T(0.5) + x2 * (V(-1) / 48 + x2 * (V(1) / 3840 + x2 * (V(-1) / 645120 + x2 * (V(1) / 185794560))));
    const auto small = x2 < T(V(0.04));
    if (!all(small)) {
        const T x = sqrt(select(small, T(1), x2));
        T sine, cosine;
        sincos(T(x * V(0.5)), sine, cosine);
        c = select(small, c, cosine);
        s = select(small, s, sine / x);
    }
    return {{c, s * rotation[0], s * rotation[1], s * rotation[2]}};
}

// q followed by the rotation of quaternion (c, axis s) for parameters `axis`: most are along a coordinate axis, and then half of the
// product is zeros.
template <class T, class R, class C, class F>
[[gnu::always_inline]] constexpr Quat<T> turn(const Quat<T>& q, const Vec3<R>& axis, const F& s, const C& c) {
    Quat<T> r{{q[0] * c, q[1] * c, q[2] * c, q[3] * c}};
    const auto add = [&](const auto& by, const T& w, const T& x, const T& y, const T& z) __attribute__((always_inline)) {
        r[0] -= w * by;
        r[1] += x * by;
        r[2] += y * by;
        r[3] += z * by;
    };
    const bool x = !vanishes(axis[0]), y = !vanishes(axis[1]), z = !vanishes(axis[2]);
    if (!y && !z)
        add(axis[0] * s, q[1], q[0], q[3], -q[2]);
    else if (!x && !z)
        add(axis[1] * s, q[2], -q[3], q[0], q[1]);
    else if (!x && !y)
        add(axis[2] * s, q[3], q[2], -q[1], q[0]);
    else
        r = q * Quat<product_t<R, F>>{{product_t<R, F>(c), axis[0] * s, axis[1] * s, axis[2] * s}};
    return r;
}
// The same for a quaternion of parameters.
template <class T, class R>
[[gnu::always_inline]] constexpr Quat<T> turn(const Quat<T>& q, const Quat<R>& p) {
    return turn(q, Vec3<R>{{p[1], p[2], p[3]}}, value_t<R>(1), p[0]);
}

// Rotation by `angle` about a unit axis.
template <class A, class T>
auto axis_angle(const Vec3<A>& axis, const T& angle) {
    T s, c;
    sincos(T(angle * value_t<T>(0.5)), s, c);
    using R = product_t<A, T>;
    return Quat<R>{{R(c), axis[0] * s, axis[1] * s, axis[2] * s}};
}

// The rotation vector of q, of length at most pi: the inverse of exp_quat, with true derivatives at the identity too.
// With s = |v| it is v times 2 atan(s/w)/s, near the identity by the series (2/w)(1 - r/3 + r²/5), r = s²/w².
template <class T>
Vec3<T> log_quat(const Quat<T>& q) {
    const Vec3<T> v{{q[1], q[2], q[3]}};
    const T sign = select(q[0] < T(0), T(-1), T(1));
    const T w = q[0] * sign;
    const T s2 = dot(v, v);
    const auto small = s2 <= w * w * static_cast<value_t<T>>(1e-6);
    const T s = sqrt(select(small, T(1), s2));
    const T safe_w = select(small && w > T(0), w, T(1));
    const T r = select(small, s2, T(0)) / (safe_w * safe_w);
    const T series = (T(1) - r * (value_t<T>(1) / 3) + r * r * (value_t<T>(1) / 5)) / safe_w;
    return v * (select(small, series, atan2(s, w) / s) * sign * value_t<T>(2));
}

// The orientation after turning with angular velocity w (local frame) for the time h.
template <class T, class H>
[[gnu::always_inline]] inline Quat<T> integrate(const Quat<T>& q, const Vec3<T>& w, const H& h) {
    return normalize(normalize(q) * exp_quat(Vec3<T>(w * h)));
}

// The angular velocity (local frame of b) that turns b into a in unit time.
template <class T>
Vec3<T> difference(const Quat<T>& a, const Quat<T>& b) {
    return log_quat(Quat<T>(conjugate(b) * a));
}

// The rotation that takes the z axis to the direction `to`, about the axis normal to both (about x if there is none).
// Close to z its vector part is half the axis, which holds the derivative.
template <class T>
Quat<T> z_to(const Vec3<T>& to) {
    const Vec3<T> axis = cross(Vec3<T>{{T(0), T(0), T(1)}}, to);
    const T s = norm(axis);
    const auto tiny = s < T(static_cast<value_t<T>>(1e-10));
    const auto aligned = tiny && to[2] > T(0);
    const Vec3<T> x_axis{{T(1), T(0), T(0)}};
    const Vec3<T> unit = select(tiny, x_axis, Vec3<T>(axis * (T(1) / select(tiny, T(1), s))));
    const Quat<T> turn = axis_angle(unit, atan2(s, to[2]));
    const Vec3<T> half = axis * (T(0.5) / select(aligned, to[2], T(1)));
    return select(aligned, Quat<T>{{T(1), half[0], half[1], half[2]}}, turn);
}

}  // namespace mjx::inner
