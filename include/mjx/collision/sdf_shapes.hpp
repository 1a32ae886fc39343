// Signed distance fields: functors that say how far a point is from a surface, negative inside. Any type that is callable with a
// Vec3 of any scalar is one; its gradient is taken with dual numbers, so nobody writes it.
//
//     struct Wave {                                   // a user's field, in the frame of its geom
//         template <class S> S operator()(const mjx::Vec3<S>& p) const { return p[2] - 0.1 * sin(5 * p[0]); }
//     };
//
// The value need not be the exact distance; where it grows more slowly the search takes more steps. Formulas after I. Quilez,
// https://iquilezles.org/articles/distfunctions; the involute gear after the Shader "Cogs" (3lG3WR), as in MuJoCo's plugins.
#pragma once

#include "mjx/math/vec.hpp"
#include "mjx/scalar/dual.hpp"

namespace mjx {

template <class F, class T = double>
concept signed_distance_field = requires(const F& f, const Vec3<T>& p, const Vec3<dual<T, 3>>& q) {
    { f(p) } -> std::convertible_to<T>;
    { f(q) } -> std::convertible_to<dual<T, 3>>;
};

// Value and gradient in one evaluation.
template <class T, class F>
T sdf_gradient(const F& field, const Vec3<T>& p, Vec3<T>& gradient) {
    Vec3<dual<T, 3>> q;
    for (int i = 0; i < 3; ++i) q[i] = dual<T, 3>::variable(p[i], i);
    const dual<T, 3> value = field(q);
    for (int i = 0; i < 3; ++i) gradient[i] = value.partial[i];
    return value.value;
}

namespace sdf {

template <class S>
S length2(const S& x, const S& y) {
    return sqrt(x * x + y * y);
}

struct Plane {
    template <class S>
    S operator()(const Vec3<S>& p) const { return p[2]; }
};

template <class T>
struct Sphere {
    T radius;
    template <class S>
    S operator()(const Vec3<S>& p) const { return norm(p) - radius; }
};

template <class T>
struct Box {
    Vec3<T> half;
    template <class S>
    S operator()(const Vec3<S>& p) const {
        Vec3<S> outside;
        S inside = S(-std::numeric_limits<T>::max());
        for (int i = 0; i < 3; ++i) {
            const S a = abs(p[i]) - half[i];
            outside[i] = max(a, S(0));
            inside = max(inside, a);
        }
        return norm(outside) + min(inside, S(0));
    }
};

template <class T>
struct Capsule {
    T radius, half;
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return norm(Vec3<S>{{p[0], p[1], p[2] - clamp(p[2], S(-half), S(half))}}) - radius;
    }
};

template <class T>
struct Cylinder {
    T radius, half;
    template <class S>
    S operator()(const Vec3<S>& p) const {
        const S a = length2(p[0], p[1]) - radius, b = abs(p[2]) - half;
        return min(max(a, b), S(0)) + length2(max(a, S(0)), max(b, S(0)));
    }
};

// Not the distance, but zero on the surface and of the right order near it.
template <class T>
struct Ellipsoid {
    Vec3<T> size;
    template <class S>
    S operator()(const Vec3<S>& p) const {
        Vec3<S> a, b;
        for (int i = 0; i < 3; ++i) {
            a[i] = p[i] / size[i];
            b[i] = a[i] / size[i];
        }
        const S k0 = norm(a), k1 = norm(b);
        if (!(k1 > S(minval_v<T>))) return S(-min(size[0], min(size[1], size[2])));
        return k0 * (k0 - T(1)) / k1;
    }
};

// A ring of radius `ring` about z, `tube` thick.
template <class T>
struct Torus {
    T ring, tube;
    template <class S>
    S operator()(const Vec3<S>& p) const { return length2(S(length2(p[0], p[1]) - ring), p[2]) - tube; }
};

// The part of a spherical shell below `height`, rounded by `thickness`; open along +z.
template <class T>
struct Bowl {
    T height, radius, thickness;
    template <class S>
    S operator()(const Vec3<S>& p) const {
        const T width = sqrt(max(T(0), radius * radius - height * height));
        const S across = length2(p[0], p[1]);
        const S shell = height * across < width * p[2] ? length2(S(across - width), S(p[2] - height)) : abs(length2(across, p[2]) - radius);
        return shell - thickness;
    }
};

// An involute gear about z: pitch diameter, number of teeth, thickness, diameter of the bore (negative: by the teeth's height).
template <class T>
struct Gear {
    T angle, diameter, teeth, thickness, bore;

    template <class S>
    static S smooth_union(const S& a, const S& b, T k) {
        const S h = clamp(S(T(0.5) + T(0.5) * (b - a) / k), S(0), S(1));
        return b * (T(1) - h) + a * h - k * h * (T(1) - h);
    }
    template <class S>
    static S wrap(const S& x, T period) {
        return x - period * floor(S(x / period));
    }

    template <class S>
    S profile(const Vec3<S>& p) const {
        const T pressure = T(3.096e-5) * teeth * teeth - T(6.557e-3) * teeth + T(0.551);
        const T pitch = diameter / teeth, radius = diameter / 2, outer = radius + pitch, depth = T(2.2) * pitch;
        const T inner = bore >= T(0) ? bore / 2 : outer - depth - T(0.14) * diameter, base = radius * cos(pressure);
        const S rho = length2(p[0], p[1]);
        if (rho < S(inner)) return inner - rho;
        if (rho > S(outer + T(0.2))) return rho - outer;
        // the flanks of the nearest tooth, unrolled from the base circle
        const T stride = T(2 * 3.14159265358979323846) / teeth, involute = tan(pressure) - pressure, gap = stride / 2 - 2 * involute;
        const S turn = atan2(p[1], p[0]) + angle;
        const S left = wrap(S(turn + gap / 2), stride) - gap / 2, right = wrap(S(-turn - gap / 2), stride) - gap / 2;
        S flank_left = S(-1e6), flank_right = S(-1e6);
        if (rho > S(base)) {
            const S tangent = sqrt(rho * rho - base * base), swing = acos(S(base / rho));
            flank_left = tangent - base * (left + swing);
            flank_right = tangent - base * (right + swing);
        }
        S cogs = max(max(S(left - (stride - gap)), S(right - (stride - gap))), max(flank_left, flank_right));
        const S rim = rho - outer, k_rim = max(rim, cogs);
        cogs = max(k_rim, S(-smooth_union(max(rim, S(-cogs)), max(cogs, S(-rim)), T(0.0035) * diameter)));
        cogs = smooth_union(S(rho - (outer - depth)), cogs, base - outer + depth);
        return max(cogs, S(inner - rho));
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        const S flat = profile(p), across = abs(p[2]) - thickness / 2;
        return min(max(flat, across), S(0)) + length2(max(flat, S(0)), max(across, S(0)));
    }
};

}  // namespace sdf
}  // namespace mjx
