// The tactile sensor: how deep each vertex of a mesh is inside of the geoms that touch its body, and how fast these slide along it.
//
// Reads   contact, geom poses, cvel, subtree_com
// Writes  the sensor's values at `out`: the greatest depth at each vertex, then the sums of the speeds along its two tangents
// The mesh sits in the frame of the sensor's geom. Depths are values of the other geom's distance field (collision/sdf.hpp), evaluated lane
// by lane; meshes and height fields have none. Only the generated meshes plate and wedge have tangents.
#pragma once

#include "mjx/collision/sdf.hpp"
#include "mjx/stage/jacobian.hpp"

namespace mjx::inner {

// How deep a point is inside of a geom, in the lanes of the mask: 0 outside.
template <class M, class D, class S>
[[gnu::cold]] S depth_inside(const M& m, const D& d, int geom, const Vec3<S>& point, const mask_t<S>& mask) {
    using V = value_t<S>;
    using L = lane_t<S>;
    const Vec3<S> local = transpose_mul(d.geom_xmat[geom], point - d.geom_xpos[geom]);
    S depth(0);
    for (int k = 0; k < lanes_v<S>; ++k) {
        if (!lane(mask, k)) continue;
        const auto size = tabulate<Vec3<V>>([&](int i) { return static_cast<V>(value_of(lane(S(m.geom_size[geom][i]), k))); });
        const auto p = tabulate<Vec3<L>>([&](int i) { return lane(local[i], k); });
        const L distance = sdf::at_any<V>(GeomField<M, V>(m, geom, size), p);
        if (value_of(distance) < V(0)) set_lane(depth, k, L(-distance));
    }
    return depth;
}

// Adds what the vertices feel of one geom.
template <class M, class D, class S>
[[gnu::cold]] void feel_geom(const M& m, const D& d, int i, int geom, const mask_t<S>& mask, S* out) {
    const int mesh = m.sensor_objid[i], own = m.sensor_refid[i], count = m.mesh_vertnum[mesh], tangents = m.mesh_tangentadr[mesh];
    const int body = m.body_weldid[m.geom_bodyid[own]];
    for (int j = 0; j < count; ++j) {
        const Vec3<S> point = d.geom_xpos[own] + d.geom_xmat[own] * Vec3<S>::from(m.mesh_vert[m.mesh_vertadr[mesh] + j]);
        const S depth = depth_inside(m, d, geom, point, mask);
        const auto touched = depth > S(0);
        if (!any(touched)) continue;
        out[j] = max(out[j], depth);
        if (tangents < 0) continue;
        // before 3.13 MuJoCo took the other geom's velocity at its centre, and did not turn tangents with the sensor's
        const bool old = m.opt.mujoco < 313;
        const auto passing = velocity_at(m, d, m.geom_bodyid[geom], old ? d.geom_xpos[geom] : point);
        const Vec3<S> slip = linear(velocity_at(m, d, body, point)) - linear(passing);
        const auto& t = m.mesh_tangent[tangents + j];
        for (int k = 0; k < 2; ++k) {
            const auto local = Vec3<S>::from(Vec3<float>{{t[3 * k], t[3 * k + 1], t[3 * k + 2]}});
            const Vec3<S> along = old ? Vec3<S>(rotate(m.mesh_quat[mesh], local)) : Vec3<S>(d.geom_xmat[own] * local);
            out[(1 + k) * count + j] += select(touched, abs(dot(slip, along)), S(0));
        }
    }
}

template <class M, class D, class S>
void tactile(const M& m, const D& d, int i, S* out) {
    const int weld = m.body_weldid[m.geom_bodyid[m.sensor_refid[i]]];
    const auto touches = [&](int c, int side) {  // the geom that contact c has on the other side of the sensor's body, or -1
        const int own = side == 0 ? d.contact[c].geom1 : d.contact[c].geom2;
        return m.body_weldid[m.geom_bodyid[own]] != weld ? -1 : side == 0 ? d.contact[c].geom2 : d.contact[c].geom1;
    };
    for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = S(0);
    for (int c = 0; c < d.ncon; ++c)
        for (int side = 0; side < 2; ++side) {
            const int geom = touches(c, side);
            if (geom < 0 || is_hull(m.geom_type[geom]) || is_of_hfield(m.geom_type[geom])) continue;
            mask_t<S> first = d.contact[c].active;  // in lanes where no earlier contact has brought the geom
            for (int earlier = 0; earlier < c; ++earlier)
                if (touches(earlier, 0) == geom || touches(earlier, 1) == geom) first = first && !d.contact[earlier].active;
            if (any(first)) feel_geom(m, d, i, geom, first, out);
        }
}

}  // namespace mjx::inner
