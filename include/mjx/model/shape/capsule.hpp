// Capsule: a bar along z with hemispheres at its ends. Sizes: radius, half the length of the bar.
#pragma once

#include "mjx/model/shape/fields.hpp"
#include "mjx/model/shape/surface.hpp"

namespace mjx::inner {

struct Capsule : ShapeTraits {
    static constexpr int type = shape::capsule, sizes = 2, length_size = 1, cable_size = 1;
    static constexpr bool rod = true;
    static constexpr const char* name = "capsule";

    template <class R>
    static R volume(const Vec3<R>& size, bool shell) {
        const R r = size[0], height = R(2) * size[1], pi(std::numbers::pi_v<value_t<R>>);
        return shell ? R(4) * pi * r * r + R(2) * pi * r * height : pi * (r * r * height + R(4) * r * r * r / R(3));
    }
    // The centre of mass of a cap is displaced: 3r/8 from its base if it is solid, r/2 for shells.
    template <class R>
    static Vec3<R> inertia(const R& mass, const Vec3<R>& size, bool shell) {
        const R r = size[0], half = size[1], height = R(2) * half;
        const R caps = shell ? mass * R(2) * r / (R(2) * r + height) : mass * R(4) * r / (R(4) * r + R(3) * height);
        const R bar = mass - caps;
        const R ball = caps * r * r * R(2) / R(shell ? 3 : 5);
        const R offset = shell ? half * (half + r) : height * (R(3) * r + R(2) * height) / R(8);
        const R across = bar * (R(shell ? 6 : 3) * r * r + height * height) / R(12) + ball + caps * offset;
        const R along = bar * r * r / R(shell ? 1 : 2) + ball;
        return {{across, across, along}};
    }
    template <class R>
    static R radius(const Vec3<R>& size) {
        return size[0] + size[1];
    }
    template <class R>
    static constexpr Vec3<R> half_sizes(const Vec3<R>& size) {
        return {{size[0], size[0], size[0] + size[1]}};
    }
    // Of the disk across its axis: the torsion constant J, and the second moments of area I about the two other axes.
    static Vec3<double> section(const Vec3<double>& size) {
        const double square = size[0] * size[0], round = std::numbers::pi * (square * square);
        return {{round / 2, round / 4, round / 4}};
    }
    static Vec3<double> fitted(const Vec3<double>& half, bool box) {
        const double across = box ? std::max(half[0], half[1]) : (half[0] + half[1]) / 2;
        return {{across, box ? half[2] - across : std::max(0.0, half[2] - across / 2), 0}};
    }

    template <class T>
    static Vec3<T> support(const Vec3<T>& size, const Vec3<T>& dir) {
        Vec3<T> p = dir * size[0];
        p[2] += dir[2] >= T(0) ? size[1] : -size[1];
        return p;
    }
    // Its axis grown by the radius.
    template <class T>
    static T core_radius(const Vec3<T>& size) {
        return size[0];
    }
    template <class Object, class T>
    static bool support_in_world(const Object& o, const Vec3<T>& dir, Vec3<T>& p) {
        if (!o.core) return false;
        const Vec3<T> axis = o.mat.column(2);
        const T half = dot(axis, dir) >= T(0) ? o.size[1] : -o.size[1];
        p = {{axis[0] * half + o.pos[0], axis[1] * half + o.pos[1], axis[2] * half + o.pos[2]}};
        return true;
    }

    template <class S>
    static void ray(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
        ray_side(ray, size[0], size[1], hit);
        for (int side = 1; side >= -1; side -= 2) ray_ball(ray, size[0], size[1], static_cast<value_t<S>>(side), hit);
    }
    template <class S, class R>
    static mask_t<S> inside(const Vec3<R>& size, const Vec3<S>& p) {
        const S across = p[0] * p[0] + p[1] * p[1], r(size[0]), beyond = p[2] - clamp(p[2], S(-size[1]), S(size[1]));
        return across + beyond * beyond < r * r;
    }
    template <class T>
    static T distance(const Vec3<T>& size, bool, const Vec3<T>& p, Vec3<T>* gradient) {
        return sdf::Capsule<T>{size[0], size[1]}.distance(p, gradient);
    }

    template <class T>
    static SurfaceShifts<T> shifts(const Vec3<T>& size, const SurfacePoint<T>& at) {
        const T radius = size[0] * at.along, z = at.x[2] - at.n[2] * size[0];
        const bool side = abs(at.n[2]) < T(1e-5) && abs(z) < size[1] * (T(1) - T(1e-9));
        return side ? SurfaceShifts<T>::edge(at.s[2], at.t[2], radius) : SurfaceShifts<T>::curved(radius, T(0), radius);
    }
    template <class T, class L>
    static Vec3<L> grow(const Vec3<T>& p, const Vec3<L>& size) {
        const T half = plain<T>(size[1]), along = clamp(p[2], -half, half);
        return {{grown(p[0], size[0]), grown(p[1], size[0]), grown(along, size[1]) + grown(p[2] - along, size[0])}};
    }
};

}  // namespace mjx::inner
