// Plane: the half space below its z axis. Its sizes are half width and depth for drawing and for rays (0: no end) and the grid's spacing.
#pragma once

#include "mjx/model/shape/fields.hpp"
#include "mjx/model/shape/surface.hpp"

namespace mjx::inner {

struct Plane : ShapeTraits {
    static constexpr int type = shape::plane, sizes = 3;
    static constexpr const char* name = "plane";
    static constexpr bool endless = true, ground = true, fits_site = false;

    // It is met from above only and, when it has a size, only within its rectangle.
    template <class S>
    static void ray(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
        const auto towards = ray.vec[2] <= S(-minval_v<S>);
        const S x = -ray.pnt[2] / select(towards, ray.vec[2], S(-1));
        const Vec3<S> p = ray.at(x);
        const auto inside = [&](int i) { return size[i] <= S(0) || abs(p[i]) <= size[i]; };
        hit.take(x, Vec3<S>{{S(0), S(0), S(1)}}, towards && inside(0) && inside(1));
    }
    template <class S, class R>
    static mask_t<S> inside(const Vec3<R>&, const Vec3<S>& p) {
        return p[2] < S(0);
    }
    template <class T>
    static T distance(const Vec3<T>&, bool, const Vec3<T>& p, Vec3<T>* gradient) {
        return sdf::Plane{}.distance(p, gradient);
    }
};

}  // namespace mjx::inner
