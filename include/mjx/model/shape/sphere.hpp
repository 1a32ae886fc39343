// Sphere: one size, its radius.
#pragma once

#include "mjx/model/shape/fields.hpp"
#include "mjx/model/shape/surface.hpp"

namespace mjx::inner {

struct Sphere : ShapeTraits {
    static constexpr int type = shape::sphere, sizes = 1;
    static constexpr const char* name = "sphere";
    static constexpr bool round = true;
    static constexpr int tendon_wrap = wrap::sphere;

    template <class R>
    static R volume(const Vec3<R>& size, bool shell) {
        const R r = size[0], pi(std::numbers::pi_v<value_t<R>>);
        return shell ? R(4) * pi * r * r : R(4) * pi * r * r * r / R(3);
    }
    template <class R>
    static Vec3<R> inertia(const R& mass, const Vec3<R>& size, bool shell) {
        const R i = R(2) * mass * size[0] * size[0] / R(shell ? 3 : 5);
        return {{i, i, i}};
    }
    template <class R>
    static R radius(const Vec3<R>& size) {
        return size[0];
    }
    template <class R>
    static constexpr Vec3<R> half_sizes(const Vec3<R>& size) {
        return {{size[0], size[0], size[0]}};
    }
    static Vec3<double> fitted(const Vec3<double>& half, bool box) {
        const double across = std::max(std::max(half[0], half[1]), half[2]);
        return {{box ? across : (half[0] + half[1] + half[2]) / 3, 0, 0}};
    }

    template <class T>
    static Vec3<T> support(const Vec3<T>& size, const Vec3<T>& dir) {
        return dir * size[0];
    }
    // A point grown by the radius; that needs no frame.
    template <class T>
    static T core_radius(const Vec3<T>& size) {
        return size[0];
    }
    template <class Object, class T>
    static bool support_in_world(const Object& o, const Vec3<T>& dir, Vec3<T>& p) {
        const T r = o.size[0];
        p = o.core ? o.pos : Vec3<T>{{dir[0] * r + o.pos[0], dir[1] * r + o.pos[1], dir[2] * r + o.pos[2]}};
        return true;
    }

    template <class S>
    static void ray(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
        ray_ball(ray, size[0], S(0), 0, hit);
    }
    template <class S, class R>
    static mask_t<S> inside(const Vec3<R>& size, const Vec3<S>& p) {
        const S across = p[0] * p[0] + p[1] * p[1], r(size[0]);
        return across + p[2] * p[2] < r * r;
    }
    template <class T>
    static T distance(const Vec3<T>& size, bool, const Vec3<T>& p, Vec3<T>* gradient) {
        return sdf::Sphere<T>{size[0]}.distance(p, gradient);
    }

    template <class T>
    static SurfaceShifts<T> shifts(const Vec3<T>& size, const SurfacePoint<T>& at) {
        const T radius = size[0] * at.along;
        return SurfaceShifts<T>::curved(radius, T(0), radius);
    }
    template <class T, class L>
    static Vec3<L> grow(const Vec3<T>& p, const Vec3<L>& size) {
        return {{grown(p[0], size[0]), grown(p[1], size[0]), grown(p[2], size[0])}};
    }
};

}  // namespace mjx::inner
