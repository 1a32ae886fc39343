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

template <class T, class F>
T dual_gradient(const F& field, const Vec3<T>& p, Vec3<T>& gradient) {
    Vec3<dual<T, 3>> q;
    for (int i = 0; i < 3; ++i) q[i] = dual<T, 3>::variable(p[i], i);
    const dual<T, 3> value = field(q);
    for (int i = 0; i < 3; ++i) gradient[i] = value.partial[i];
    return value.value;
}

// Value and gradient in one evaluation. A field may have a gradient of its own, where points had better move another way than
// down its slope.
template <class T, class F>
T sdf_gradient(const F& field, const Vec3<T>& p, Vec3<T>& gradient) {
    if constexpr (requires { field.gradient(p, gradient); }) return field.gradient(p, gradient);
    else return dual_gradient(field, p, gradient);
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

// A geom of type box. Inside, points leave it along rays that fan out from the centre and meet each face squarely; the value is the
// way along them (MuJoCo's rule: the nearest face alone would leave points between two faces undecided).
template <class T>
struct SolidBox {
    Vec3<T> half;
    // The unit direction outwards at p, which lies inside.
    template <class S>
    Vec3<S> outwards(const Vec3<S>& p) const {
        Vec3<S> ray;
        for (int i = 0; i < 3; ++i) ray[i] = half[i] / (half[i] - abs(p[i]));
        ray = normalize(ray);
        for (int i = 0; i < 3; ++i) ray[i] = p[i] < S(0) ? S(-ray[i]) : ray[i];
        return ray;
    }
    template <class S>
    bool contains(const Vec3<S>& p) const {
        return abs(p[0]) < S(half[0]) && abs(p[1]) < S(half[1]) && abs(p[2]) < S(half[2]);
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        if (!contains(p)) return Box<T>{half}(p);
        const Vec3<S> ray = outwards(p);
        S way = S(std::numeric_limits<T>::max());
        for (int i = 0; i < 3; ++i) way = min(way, S((half[i] - abs(p[i])) / abs(ray[i])));
        return -way;
    }
    T gradient(const Vec3<T>& p, Vec3<T>& g) const {
        if (!contains(p)) return dual_gradient(Box<T>{half}, p, g);
        g = outwards(p);
        return (*this)(p);
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
    T gradient(const Vec3<T>& p, Vec3<T>& g) const {  // of unit length
        const T value = dual_gradient([this](const auto& q) { return (*this)(q); }, p, g);
        g = normalize(g);
        return value;
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

}  // namespace sdf
}  // namespace mjx
