// convex_collide: the pairs without a closed form, by their types. Lanes run one after the other (by_lane.hpp).
//
//   plane    mesh                               deepest vertices of the hull           plane_mesh.hpp
//   plane    user's shapes                      their deepest points                   by_support.hpp
//   hfield   every convex geom                  one contact for each prism             hfield.hpp
//   mesh     every convex geom, by triangles    one contact for each triangle          mesh_triangles.hpp
//   sdf      everything but height fields       gradient descent from many starts      sdf.hpp
//   others   ellipsoid, cylinder, mesh pairs    GJK, EPA, contact patch                convex_pair.hpp
#pragma once

#include "mjx/collision/by_support.hpp"
#include "mjx/collision/hfield.hpp"
#include "mjx/collision/mesh_triangles.hpp"
#include "mjx/collision/plane_mesh.hpp"
#include "mjx/collision/sdf.hpp"
#include "mjx/model/facts.hpp"

namespace mjx::inner {

// Lanes in which the boxes of two geoms may touch: no face of either separates them by more than the margin. Centres and half sizes
// are those of geom_aabb, in the geoms' frames.
template <class M, class S>
mask_t<S> boxes_meet(const M& m, int geom1, int geom2, const Geom<S>& s1, const Geom<S>& s2, const S& margin) {
    const auto &box1 = m.geom_aabb[geom1], &box2 = m.geom_aabb[geom2];
    const auto part = [](const auto& box, int from) { return Vec3<S>{{S(box[from]), S(box[from + 1]), S(box[from + 2])}}; };
    const Vec3<S> half1 = part(box1, 3), half2 = part(box2, 3);
    const Vec3<S> apart = s2.world(part(box2, 0)) - s1.pos - s1.world_direction(part(box1, 0));
    auto separated = mask_t<S>(false);
    Vec3<S> reach2 = half2 + Vec3<S>{{margin, margin, margin}};
    for (int i = 0; i < 3; ++i) {
        const Vec3<S> axis = s1.mat.column(i);
        S reach1 = half1[i] + margin;
        for (int j = 0; j < 3; ++j) {
            const S along = abs(dot(axis, s2.mat.column(j)));
            reach1 += along * half2[j];
            reach2[j] += along * half1[i];
        }
        separated = separated || abs(dot(axis, apart)) > reach1;
        if (all(separated)) return mask_t<S>(false);
    }
    for (int j = 0; j < 3; ++j) separated = separated || abs(dot(s2.mat.column(j), apart)) > reach2[j];
    return !separated;
}

// MuJoCo compares the boxes of two geoms when it descends the trees of bodies of several geoms. On height fields, whose contacts may
// reach further than the margin, that decides.
template <class M>
constexpr bool boxes_decide(const M& m, int geom1, int geom2) {
    return !m.opt.disabled(disable::midphase) && (m.body_geomnum[m.geom_bodyid[geom1]] > 1 || m.body_geomnum[m.geom_bodyid[geom2]] > 1);
}

// Lanes in which the box of a geom may touch a plane, with room for the rounding of its vertices.
template <class M, class S>
mask_t<S> plane_meets_box(const M& m, int geom, const Geom<S>& plane, const Geom<S>& s, const S& margin) {
    const auto& box = m.geom_aabb[geom];
    const Vec3<S> normal = plane.axis(), local = s.local_direction(normal);
    S lowest = dot(normal, Vec3<S>(s.pos - plane.pos)) - margin;
    for (int i = 0; i < 3; ++i) lowest += local[i] * box[i] - abs(local[i]) * box[3 + i] * value_t<S>(1.000001);
    return lowest <= S(0);
}

// Whether a geom of a model may be of a kind: f(m, geom).
template <class M, class F>
constexpr bool may_have_geom(F f) {
    return may<M>([&](const auto& m) {
        for (int g = 0; g < m.ngeom; ++g)
            if (f(m, g)) return true;
        return false;
    });
}

// The contacts of two geoms that stand close, of which the one of the lower type comes first. `last` as in convex_contacts.
template <class M, class S>
void collide_shapes(const M& m, int g1, int g2, const Geom<S>& s1, const Geom<S>& s2, const S& margin, const mask_t<S>& mask,
                    CollisionResult<S>& out, Vec3<float>* last = nullptr) {
    constexpr bool fields = may_have_geom<M>([](const auto& all, int g) { return is_field(all.geom_type[g]); });
    constexpr bool ground = may_have_geom<M>([](const auto& all, int g) { return is_of_hfield(all.geom_type[g]); });
    constexpr bool triangles = may_have_geom<M>([](const auto& all, int g) { return all.geom_trimesh[g] != 0; });
    constexpr bool meshes = may_have_geom<M>([](const auto& all, int g) { return all.geom_dataid[g] >= 0; });
    const int type1 = m.geom_type[g1];
    if constexpr (fields)
        if (is_field(m.geom_type[g2]) && !(is_endless(type1) && m.geom_dataid[g2] >= 0))
            return sdf_collide(m, g1, g2, s1, s2, margin, mask, out);
    using T = convex_real_t<M>;
    using C = contact_t<lane_t<S>, T>;
    collide_by_lane<C>(s1, s2, margin, mask, out, [&](const Geom<C>& a, const Geom<C>& b, const C& margin_c, CollisionResult<C>& found) {
        const T within = plain<T>(margin_c);
        if constexpr (meshes)
            if (is_endless(type1) && is_of_mesh(m.geom_type[g2])) return plane_mesh(m, g2, a, b, margin_c, found);
        if (is_endless(type1)) return plane_support(m, g2, a, b, margin_c, found);
        if constexpr (ground)
            if (is_of_hfield(type1)) return hfield_contacts(m, g1, g2, a, b, within, found);
        if constexpr (triangles)
            if (m.geom_trimesh[g1] != 0 || m.geom_trimesh[g2] != 0) return triangles_contacts(m, g1, g2, a, b, within, found);
        convex_contacts(m, g1, g2, a, b, within, found, last);
    });
}

// geom1 has the lower type.
template <class M, class S>
void convex_collide(const M& m, int geom1, int geom2, const Geom<S>& s1, const Geom<S>& s2, const S& margin, const mask_t<S>& near,
                    CollisionResult<S>& out, Vec3<float>* last = nullptr) {
    const int type1 = m.geom_type[geom1], type2 = m.geom_type[geom2];
    if (is_ground(type2)) return;
    // the box of a plane is too large to compare with
    const bool plane = is_endless(type1), compared = !plane && (!is_of_hfield(type1) || boxes_decide(m, geom1, geom2));
    auto where = compared ? near && boxes_meet(m, geom1, geom2, s1, s2, margin) : near;
    if (plane && !is_field(type2)) where = where && plane_meets_box(m, geom2, s1, s2, margin);
    if (any(where)) collide_shapes(m, geom1, geom2, s1, s2, margin, where, out, last);
}

}  // namespace mjx::inner
