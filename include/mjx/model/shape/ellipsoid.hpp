// Ellipsoid: sizes are its three semi-axes.
#pragma once

#include "mjx/model/shape/fields.hpp"
#include "mjx/model/shape/surface.hpp"

namespace mjx::inner {

struct Ellipsoid : ShapeTraits {
    static constexpr int type = shape::ellipsoid, sizes = 3, length_size = 2;
    static constexpr const char* name = "ellipsoid";
    static constexpr bool round = true;

    static double volume(const Vec3<double>& size, bool shell) {
        if (!shell) return 4 * std::numbers::pi * size[0] * size[1] * size[2] / 3;
        // Thomsen's approximation of the surface of an ellipsoid
        const double p = 1.6075;
        const double sum = std::pow(size[0] * size[1], p) + std::pow(size[1] * size[2], p) + std::pow(size[2] * size[0], p);
        return 4 * std::numbers::pi * std::pow(sum / 3, 1 / p);
    }
    // A shell is the difference of two ellipsoids whose semi-axes differ by a micrometre.
    static Vec3<double> inertia(double mass, const Vec3<double>& s, bool shell) {
        if (!shell) return solid_inertia(mass, s);
        const double thickness = 1e-6;
        const Vec3<double> outer{{s[0] + thickness, s[1] + thickness, s[2] + thickness}};
        const double inside = 4 * std::numbers::pi * s[0] * s[1] * s[2] / 3;
        const double outside = 4 * std::numbers::pi * outer[0] * outer[1] * outer[2] / 3;
        const double density = mass / (outside - inside);
        return solid_inertia(outside * density, outer) - solid_inertia(inside * density, s);
    }
    static Vec3<double> solid_inertia(double mass, const Vec3<double>& s) {
        const double x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
        return {{mass * (y + z) / 5, mass * (x + z) / 5, mass * (x + y) / 5}};
    }
    static double radius(const Vec3<double>& size) { return std::max(std::max(size[0], size[1]), size[2]); }
    template <class R>
    static constexpr Vec3<R> half_sizes(const Vec3<R>& size) {
        return size;
    }
    static Vec3<double> fitted(const Vec3<double>& half, bool) { return half; }

    template <class T>
    static Vec3<T> support(const Vec3<T>& size, const Vec3<T>& dir) {
        Vec3<T> p{{dir[0] * size[0], dir[1] * size[1], dir[2] * size[2]}};
        const T square = dot(p, p);
        if (square < T(minval_v<T> * minval_v<T>)) return {{size[0], T(0), T(0)}};
        const T inverse = T(1) / sqrt(square);
        for (int i = 0; i < 3; ++i) p[i] *= inverse * size[i];
        return p;
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
