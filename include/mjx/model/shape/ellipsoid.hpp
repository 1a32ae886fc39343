// Ellipsoid: sizes are its three semi-axes.
#pragma once

#include "mjx/model/shape/fields.hpp"
#include "mjx/model/shape/surface.hpp"

namespace mjx::inner {

struct Ellipsoid : ShapeTraits {
    static constexpr int type = shape::ellipsoid, sizes = 3, length_size = 2;
    static constexpr const char* name = "ellipsoid";
    static constexpr bool round = true;

    template <class R>
    static R volume(const Vec3<R>& size, bool shell) {
        const R pi(std::numbers::pi_v<value_t<R>>);
        if (!shell) return R(4) * pi * size[0] * size[1] * size[2] / R(3);
        // Thomsen's approximation of the surface of an ellipsoid
        const R p(static_cast<value_t<R>>(1.6075));
        const R sum = pow(R(size[0] * size[1]), p) + pow(R(size[1] * size[2]), p) + pow(R(size[2] * size[0]), p);
        return R(4) * pi * pow(R(sum / R(3)), R(R(1) / p));
    }
    // A shell is the difference of two ellipsoids whose semi-axes differ by a micrometre, which double resolves and float does not.
    template <class R>
    static Vec3<R> inertia(const R& mass, const Vec3<R>& s, bool shell) {
        if (!shell) return solid_inertia(mass, s);
        if constexpr (std::same_as<value_t<R>, float>) {  // the limit of no thickness
            const R around = s[0] * s[1] + s[1] * s[2] + s[2] * s[0], per_length = mass * s[0] * s[1] * s[2] / around * 0.4f;
            return solid_inertia(mass, s) + Vec3<R>{{s[1] + s[2], s[2] + s[0], s[0] + s[1]}} * per_length;
        }
        const R thickness(static_cast<value_t<R>>(1e-6));
        const Vec3<R> outer{{s[0] + thickness, s[1] + thickness, s[2] + thickness}};
        const R inside = volume(s, false), outside = volume(outer, false), density = mass / (outside - inside);
        return solid_inertia(R(outside * density), outer) - solid_inertia(R(inside * density), s);
    }
    template <class R>
    static Vec3<R> solid_inertia(const R& mass, const Vec3<R>& s) {
        const R x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2], five(5);
        return {{mass * (y + z) / five, mass * (x + z) / five, mass * (x + y) / five}};
    }
    template <class R>
    static R radius(const Vec3<R>& size) {
        return max(max(size[0], size[1]), size[2]);
    }
    template <class R>
    static constexpr Vec3<R> half_sizes(const Vec3<R>& size) {
        return size;
    }
    static Vec3<double> fitted(const Vec3<double>& half, bool) { return half; }

    template <class T>
    static Vec3<T> support(const Vec3<T>& size, const Vec3<T>& dir) {
        const T x = dir[0] * size[0], y = dir[1] * size[1], z = dir[2] * size[2];  // in registers: a vector would go through memory
        const T square = x * x + y * y + z * z;
        if (square < T(minval_v<T> * minval_v<T>)) return {{size[0], T(0), T(0)}};
        const T inverse = T(1) / sqrt(square);
        return {{x * (inverse * size[0]), y * (inverse * size[1]), z * (inverse * size[2])}};
    }

    // A sphere in coordinates divided by the semi-axes; the normal is the gradient of its equation.
    template <class S>
    static void ray(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
        S a(0), b(0), c(-1);
        Vec3<S> weight;
        for (int i = 0; i < 3; ++i) {
            weight[i] = safe_divide(S(1), S(size[i] * size[i]));
            a += weight[i] * ray.vec[i] * ray.vec[i];
            b += weight[i] * ray.vec[i] * ray.pnt[i];
            c += weight[i] * ray.pnt[i] * ray.pnt[i];
        }
        S x0, x1;
        ray_quadratic(a, b, c, x0, x1);
        const S x = select(x0 >= S(0), x0, x1);
        Vec3<S> gradient = ray.at(x);
        for (int i = 0; i < 3; ++i) gradient[i] = gradient[i] * weight[i];
        hit.take(x, normalize(gradient), mask_t<S>(true));
    }
    template <class S, class R>
    static mask_t<S> inside(const Vec3<R>& size, const Vec3<S>& p) {
        S sum(0);
        for (int k = 0; k < 3; ++k) sum += p[k] * p[k] / R(size[k] * size[k]);
        return sum < S(1);
    }
    template <class T>
    static T distance(const Vec3<T>& size, bool exact, const Vec3<T>& p, Vec3<T>* gradient) {
        return sdf::Ellipsoid<T>{size, !exact}.distance(p, gradient);
    }

    // Its support function is h = |D n|, whose second derivative is (D² - h' h'ᵀ)/h with h' = D² n/h.
    template <class T>
    static SurfaceShifts<T> shifts(const Vec3<T>& size, const SurfacePoint<T>& at) {
        const auto form = [&](const Vec3<T>& a, const Vec3<T>& b) {
            T r = T(0);
            for (int i = 0; i < 3; ++i) r += a[i] * b[i] * size[i] * size[i];
            return r;
        };
        const Vec3<T>&n = at.n, &s = at.s, &t = at.t;
        const T h = sqrt(form(n, n)), ns = form(n, s) / h, nt = form(n, t) / h, scale = at.along / h;
        return SurfaceShifts<T>::curved((form(s, s) - ns * ns) * scale, (form(s, t) - ns * nt) * scale, (form(t, t) - nt * nt) * scale);
    }
    template <class T, class L>
    static Vec3<L> grow(const Vec3<T>& p, const Vec3<L>& size) {
        return {{grown(p[0], size[0]), grown(p[1], size[1]), grown(p[2], size[2])}};
    }
    // The normal of an ellipsoid that is stretched turns the other way.
    template <class T, class L>
    static Vec3<L> grow_normal(const Vec3<T>& n, const Vec3<L>& size) {
        Vec3<L> r = Vec3<L>::from(n);
        for (int i = 0; i < 3; ++i)
            if (plain<T>(size[i]) > T(0)) r[i] = r[i] * plain<T>(size[i]) / size[i];
        return r;
    }
};

}  // namespace mjx::inner
