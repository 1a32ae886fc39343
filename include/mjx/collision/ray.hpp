// ray(m, d, pnt, vec): the first geom on a ray from pnt along vec (mj_ray). Rangefinders use it.
//
// Reads   geom_xpos, geom_xmat
// Distances count in lengths of vec; the normal is that of the surface, in the world. Each lane of a pack has its own answer.
#pragma once

#include "mjx/collision/ray_mesh.hpp"
#include "mjx/collision/sdf.hpp"
#include "mjx/model/types.hpp"

namespace mjx {

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
    void take(const ShapeHit<S>& hit, int g) {
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

// The ray against one geom of any type.
template <class M, class D>
auto ray_geom(const M& m, const D& d, int geom, const Vec3<typename D::scalar>& pnt, const Vec3<typename D::scalar>& vec) {
    const auto geom_at = geom_shape(m, d, geom);
    if (m.geom_type[geom] == shape::mesh) return ray_mesh(m, geom, geom_at, pnt, vec);
    if (m.geom_type[geom] == shape::hfield) return ray_hfield(m, geom, geom_at, pnt, vec);
    if (m.geom_type[geom] == shape::sdf) return ray_sdf(m, geom, geom_at, pnt, vec);
    return ray_shape(m.geom_type[geom], geom_at, pnt, vec);
}

template <class M, class D>
auto ray(const M& m, const D& d, const Vec3<typename D::scalar>& pnt, const Vec3<typename D::scalar>& vec,
         const RayFilter& filter = {}) {
    RayHit<typename D::scalar> nearest;
    for (int g = 0; g < m.ngeom; ++g)
        if (ray_can_hit(m, g, filter)) nearest.take(ray_geom(m, d, g, pnt, vec), g);
    return nearest;
}

}  // namespace mjx
