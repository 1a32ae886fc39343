// ray(m, d, pnt, vec): the first geom on a ray from pnt along vec (mj_ray). Rangefinders use it.
//
// Reads   geom_xpos, geom_xmat
// Distances count in lengths of vec; the normal is that of the surface, in the world. Each lane of a pack has its own answer.
#pragma once

#include "mjx/collision/by_support.hpp"
#include "mjx/collision/ray_mesh.hpp"
#include "mjx/collision/sdf.hpp"

namespace mjx::inner {

// Which geoms a ray can hit, of those that are not fully transparent. Bit k of `groups` stands for geom group k; groups above 5
// count as 5.
struct RayFilter {
    int groups = 63;
    bool include_static = true;  // geoms of the world and of bodies welded to it
    int exclude_body = -1;
};

template <class S>
struct RayHit {
    S dist = S(-1);  // -1: nothing hit
    Vec3<S> normal = Vec3<S>::zero();
    int geom[lanes_v<S>];

    RayHit() {
        for (int& g : geom) g = -1;
    }
    void take(const SurfaceHit<S>& hit, int g) {
        const auto better = hit.x >= S(0) && (dist < S(0) || hit.x < dist);
        if (!any(better)) return;
        dist = select(better, hit.x, dist);
        normal = select(better, hit.normal, normal);
        for_each_lane(better, lanes_v<S>, [&](int k) { geom[k] = g; });
    }
};

template <class M>
constexpr bool ray_can_hit(const M& m, int geom, const RayFilter& filter) {
    const int body = m.geom_bodyid[geom];
    const int group = m.geom_group[geom] < 0 ? 0 : m.geom_group[geom] > 5 ? 5 : m.geom_group[geom];
    return m.geom_visible[geom] != 0 && body != filter.exclude_body && (filter.include_static || m.body_weldid[body] != 0) &&
           (filter.groups >> group & 1) != 0;
}

// The ray against a geom or site whose shape is no asset.
template <class M, class S>
SurfaceHit<S> ray_shape(const M& m, int type, const Geom<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    const LocalRay<S> ray = local_ray(s, pnt, vec);
    SurfaceHit<S> hit;
    shapes_of<M>::visit(type, [&](auto shape) {
        if constexpr (requires { shape.ray(ray, s.size, hit); })
            shape.ray(ray, s.size, hit);
        else if constexpr (shape.by_support)
            ray_by_support<decltype(shape)>(m, ray, s.size, hit);
    });
    return hit.in_world(s.mat);
}

// The ray against one geom of any type. Meshes, height fields and signed distance fields are searched lane by lane, where the ray meets
// the box around them.
template <class M, class S>
SurfaceHit<S> ray_geom(const M& m, int geom, const Geom<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    using T = value_t<S>;
    const int type = m.geom_type[geom], data = m.geom_dataid[geom];
    if (!is_from_asset(type)) return ray_shape(m, type, s, pnt, vec);
    const LocalRay<S> ray = local_ray(s, pnt, vec);
    SurfaceHit<S> hit;
    Vec<S, 6> walls;
    const auto near = is_of_hfield(type) ? ray_hfield_boxes(m, data, s, pnt, vec, hit, walls) : ray_meets_box(ray, s.size, walls);
    ray_by_lane(ray, near, hit, [&](int k, const Vec3<T>& from, const Vec3<T>& along) {
        if (is_field(type)) return ray_field(m, geom, plain_vec<T>(lane(s.size, k)), from, along);
        const TriangleRay<T> triangle_ray(from, along);
        if (is_of_mesh(type)) return ray_faces(m, data, triangle_ray);
        Vec<T, 6> plain_walls;
        for (int i = 0; i < 6; ++i) plain_walls[i] = plain<T>(lane(walls[i], k));
        return ray_surface(m, data, triangle_ray, plain_walls);
    });
    return hit.in_world(s.mat);
}

// Whether a ray misses the bounding sphere of a geom in all lanes by more than rounding, so that there is nothing to hit.
template <class M, class S>
bool ray_misses_bound(const M& m, int geom, const Vec3<S>& centre, const Vec3<S>& pnt, const Vec3<S>& vec) {
    using V = value_t<S>;
    if (is_endless(m.geom_type[geom])) return false;
    const Vec3<S> to = centre - pnt;
    const S reach = S(m.geom_rbound[geom] * V(1.00001)), along = dot(to, vec), length2 = dot(vec, vec), distance2 = dot(to, to);
    const S bound = reach * reach + distance2 * V(1e-5);
    return all(distance2 * length2 - along * along > bound * length2 || (along < S(0) && distance2 > bound));
}

template <class M, class D>
auto ray(const M& m, const D& d, const Vec3<typename D::scalar>& pnt, const Vec3<typename D::scalar>& vec, const RayFilter& filter = {}) {
    RayHit<typename D::scalar> nearest;
    for (int g = 0; g < m.ngeom; ++g)
        if (ray_can_hit(m, g, filter) && !ray_misses_bound(m, g, d.geom_xpos[g], pnt, vec))
            nearest.take(ray_geom(m, g, geom_at(m, d, g), pnt, vec), g);
    return nearest;
}

}  // namespace mjx::inner
