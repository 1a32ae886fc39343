// Where a ray meets one geom whose shape has a formula, in lanes (mju_rayGeom). The formulas are in the shapes' structs.
//
// A ray is pnt + x vec, x >= 0, in the world. A ray that starts inside hits the surface from inside. The normal is in the world.
#pragma once

#include "mjx/collision/geom.hpp"
#include "mjx/model/shape/list.hpp"

namespace mjx::inner {

// The ray in the frame of a geom.
template <class S>
LocalRay<S> local_ray(const Geom<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    return {s.local(pnt), s.local_direction(vec)};
}

// Lanes in which the ray meets a box; at which x it meets the faces is in `faces`.
template <class S>
mask_t<S> ray_meets_box(const LocalRay<S>& ray, const Vec3<S>& size, Vec<S, 6>& faces) {
    SurfaceHit<S> hit;
    Box::ray(ray, size, hit, faces);
    return hit.x >= S(0);
}

// By shape; meshes, height fields and signed distance fields are in ray.hpp.
template <class Shapes, class S>
SurfaceHit<S> ray_shape(int type, const Geom<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    const LocalRay<S> ray = local_ray(s, pnt, vec);
    SurfaceHit<S> hit;
    Shapes::visit(type, [&](auto shape) {
        if constexpr (requires { shape.ray(ray, s.size, hit); }) shape.ray(ray, s.size, hit);
    });
    return hit.in_world(s.mat);
}

}  // namespace mjx::inner
