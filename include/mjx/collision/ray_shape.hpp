// Rays in the frames of geoms, and whether they meet a box. Where they meet other shapes is in the shapes' structs.
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

}  // namespace mjx::inner
