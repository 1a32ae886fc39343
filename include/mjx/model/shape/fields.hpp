// Signed distance fields: functors that say how far a point is from a surface, negative inside. Any type that is callable with a
// Vec3 of any scalar is one; its gradient is taken with dual numbers, so nobody has to write it.
//
//     struct Wave {                                   // a user's field, in the frame of its geom
//         template <class S> S operator()(const mjx::Vec3<S>& p) const { return p[2] - 0.1 * sin(5 * p[0]); }
//     };
//
// The value need not be the exact distance; where it grows more slowly the search takes more steps. The built-in fields know their
// gradients: distance(p, &gradient) gives both and distance(p, nullptr) the value alone, so that one function serves all.
// Formulas after I. Quilez, https://iquilezles.org/articles/distfunctions.
#pragma once

#include "mjx/math/vec.hpp"
#include "mjx/scalar/dual.hpp"

namespace mjx::inner {

template <class F, class T = double>
concept signed_distance_field = requires(const F& f, const Vec3<T>& p, const Vec3<dual<T, 3>>& q) {
    { f(p) } -> std::convertible_to<T>;
    { f(q) } -> std::convertible_to<dual<T, 3>>;
};

// The value of a field, and its gradient unless that is null.
template <class T, class F>
T sdf_value(const F& field, const Vec3<T>& p, Vec3<T>* gradient) {
    if constexpr (requires { field.distance(p, gradient); }) {
        return field.distance(p, gradient);
    } else {
        if (!gradient) return field(p);
        Vec3<dual<T, 3>> q;
        for (int i = 0; i < 3; ++i) q[i] = dual<T, 3>::variable(p[i], i);
        const dual<T, 3> value = field(q);
        for (int i = 0; i < 3; ++i) (*gradient)[i] = value.partial[i];
        return value.value;
    }
}

namespace sdf {

// A field that knows its gradient, at a point of any scalar: to first order it is its value and its gradient.
template <class T, class Field, class S>
S at_any(const Field& field, const Vec3<S>& p) {
    if constexpr (std::is_same_v<S, T>) {
        return field.distance(p, nullptr);
    } else {
        Vec3<T> at, gradient;
        for (int i = 0; i < 3; ++i) at[i] = static_cast<T>(value_of(p[i]));
        S value = S(field.distance(at, &gradient));
        for (int i = 0; i < 3; ++i) value += (p[i] - at[i]) * gradient[i];
        return value;
    }
}

template <class T>
T length2(const T& x, const T& y) {
    return sqrt(x * x + y * y);
}
template <class T>
T inverse_or_zero(const T& x) {
    return x > T(0) ? T(1) / x : T(0);
}
// The length of a vector, and its direction.
template <class T>
T length_and_way(const Vec3<T>& v, Vec3<T>* way) {
    const T length = norm(v);
    if (way) *way = v * inverse_or_zero(length);
    return length;
}

// A field in cylindrical coordinates: its value and its slopes by the distance from the z axis, the angle about it, and z.
template <class T>
struct Round {
    T value;
    Vec3<T> slope;

    T at(const Vec3<T>& p, Vec3<T>* gradient) const {
        if (gradient) {
            const T inverse = inverse_or_zero(length2(p[0], p[1])), x = p[0] * inverse, y = p[1] * inverse, around = slope[1] * inverse;
            *gradient = {{x * slope[0] - y * around, y * slope[0] + x * around, slope[2]}};
        }
        return value;
    }
    // What is up to half away from the plane z = 0 and inside of this field.
    Round slab(const T& z, const T& half) const {
        const T side = z < T(0) ? T(-1) : T(1), across = abs(z) - half;
        if (!(max(value, across) > T(0))) return value < across ? Round{across, {{T(0), T(0), side}}} : *this;
        const T out = max(value, T(0)), over = max(across, T(0)), length = length2(out, over), share = out / length;
        return {length, {{slope[0] * share, slope[1] * share, side * over / length}}};
    }
};
// The distance from the circle of radius `radius` about z at height `height`, in coordinates (rho, z).
template <class T>
Round<T> from_circle(const T& rho, const T& z, const T& radius, const T& height) {
    const T out = rho - radius, up = z - height, length = length2(out, up), inverse = inverse_or_zero(length);
    return {length, {{out * inverse, T(0), up * inverse}}};
}

struct Plane {
    template <class T>
    [[gnu::cold]] T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        if (gradient) *gradient = {{T(0), T(0), T(1)}};
        return p[2];
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return p[2];
    }
};

template <class T>
struct Sphere {
    T radius;
    T distance(const Vec3<T>& p, Vec3<T>* gradient) const { return length_and_way(p, gradient) - radius; }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

template <class T>
struct Box {
    Vec3<T> half;
    [[gnu::cold]] T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        Vec3<T> outside, face = Vec3<T>::zero();
        int axis = 0;
        for (int i = 0; i < 3; ++i) {
            const T a = abs(p[i]) - half[i];
            outside[i] = copysign(max(a, T(0)), p[i]);
            if (a > abs(p[axis]) - half[axis]) axis = i;
        }
        const T inside = abs(p[axis]) - half[axis];
        if (inside > T(0)) return length_and_way(outside, gradient);
        face[axis] = copysign(T(1), p[axis]);
        if (gradient) *gradient = face;
        return inside;
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

// A geom of type box. Inside, points leave it along rays that fan out from the centre and meet each face squarely; the value is the
// way along them (MuJoCo's rule: the nearest face alone would leave points between two faces undecided), and the ray stands for the
// gradient.
template <class T>
struct SolidBox {
    Vec3<T> half;
    [[gnu::cold]] T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        Vec3<T> within, ray;
        for (int i = 0; i < 3; ++i) within[i] = half[i] - abs(p[i]);
        if (!(within[0] > T(0) && within[1] > T(0) && within[2] > T(0))) return Box<T>{half}.distance(p, gradient);
        for (int i = 0; i < 3; ++i) ray[i] = half[i] / within[i];
        ray = normalize(ray);
        T way = within[0] / ray[0];
        for (int i = 1; i < 3; ++i) way = min(way, within[i] / ray[i]);
        if (gradient)
            for (int i = 0; i < 3; ++i) (*gradient)[i] = p[i] < T(0) ? -ray[i] : ray[i];
        return -way;
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

template <class T>
struct Capsule {
    T radius, half;
    [[gnu::cold]] T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        return length_and_way(Vec3<T>{{p[0], p[1], p[2] - clamp(p[2], T(-half), half)}}, gradient) - radius;
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

template <class T>
struct Cylinder {
    T radius, half;
    T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        return Round<T>{length2(p[0], p[1]) - radius, {{T(1), T(0), T(0)}}}.slab(p[2], half).at(p, gradient);
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

// Not the distance, but zero on the surface and of the right order near it. MuJoCo makes a unit vector of its gradient.
template <class T>
struct Ellipsoid {
    Vec3<T> size;
    bool unit = false;
    [[gnu::cold]] T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        Vec3<T> a, b;
        for (int i = 0; i < 3; ++i) {
            a[i] = p[i] / size[i];
            b[i] = a[i] / size[i];
        }
        const T k0 = norm(a), k1 = norm(b);
        const bool centre = !(k1 > T(minval_v<T>));
        if (gradient) {
            Vec3<T> g;
            for (int i = 0; i < 3; ++i) g[i] = b[i] / k1 * ((T(2) * k0 - T(1)) / k0 - k0 * (k0 - T(1)) / (k1 * k1 * size[i] * size[i]));
            *gradient = centre ? Vec3<T>::zero() : unit ? normalize(g) : g;
        }
        return centre ? -min(size[0], min(size[1], size[2])) : k0 * (k0 - T(1)) / k1;
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

// A ring of radius `ring` about z, `tube` thick.
template <class T>
struct Torus {
    T ring, tube;
    T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        return from_circle(length2(p[0], p[1]), p[2], ring, T(0)).at(p, gradient) - tube;
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

// The part of a spherical shell below `height`, rounded by `thickness`; open along +z.
template <class T>
struct Bowl {
    T height, radius, thickness;
    [[gnu::noinline]] T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        const T width = sqrt(max(T(0), radius * radius - height * height)), across = length2(p[0], p[1]);
        const bool rim = height * across < width * p[2];
        Round<T> shell = from_circle(across, p[2], rim ? width : T(0), rim ? height : T(0));
        const T beyond = shell.value - radius;
        if (!rim) shell = {abs(beyond), shell.slope * (beyond < T(0) ? T(-1) : T(1))};
        return shell.at(p, gradient) - thickness;
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

}  // namespace sdf
}  // namespace mjx::inner
