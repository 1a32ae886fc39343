// Narrow phase: the contact points of two geoms, by their types.
//
// Reads   geom_xpos, geom_xmat
// The geom of the lower type comes first. `where` says which lanes are worth looking at; points are found within `margin`.
#pragma once

#include "mjx/collision/box_box.hpp"
#include "mjx/collision/capsule.hpp"
#include "mjx/collision/capsule_box.hpp"
#include "mjx/collision/convex.hpp"
#include "mjx/collision/filter.hpp"
#include "mjx/collision/plane.hpp"
#include "mjx/collision/sphere.hpp"

namespace mjx {

constexpr int type_pair(int type1, int type2) { return type1 * shape::count + type2; }

// Has the pair a closed form? Everything else goes through the convex collider.
constexpr bool has_closed_form(int type1, int type2) {
    switch (type_pair(type1, type2)) {
        case type_pair(shape::plane, shape::sphere):
        case type_pair(shape::plane, shape::capsule):
        case type_pair(shape::plane, shape::ellipsoid):
        case type_pair(shape::plane, shape::cylinder):
        case type_pair(shape::plane, shape::box):
        case type_pair(shape::sphere, shape::sphere):
        case type_pair(shape::sphere, shape::capsule):
        case type_pair(shape::sphere, shape::cylinder):
        case type_pair(shape::sphere, shape::box):
        case type_pair(shape::capsule, shape::capsule):
        case type_pair(shape::capsule, shape::box):
        case type_pair(shape::box, shape::box): return true;
    }
    return false;
}

// Does every candidate pair of the model have a closed form? Known at compile time for fixed models, whose code then leaves the
// convex collider out.
template <class M>
constexpr bool needs_convex(const M& m) {
    for (int i = 0; i < m.ncand; ++i)
        if (!has_closed_form(m.geom_type[m.cand_geom1[i]], m.geom_type[m.cand_geom2[i]])) return true;
    return false;
}

// The most points a closed form makes, over all lanes of a pack.
inline constexpr int max_closed_form = 8;

template <class S>
void collide_closed_form(int types, const Shape<S>& a, const Shape<S>& b, const S& margin, const mask_t<S>& where,
                         CollisionResult<S, max_closed_form>& out) {
    switch (types) {
        case type_pair(shape::plane, shape::sphere): return plane_sphere(a, b, margin, out);
        case type_pair(shape::plane, shape::capsule): return plane_capsule(a, b, margin, out);
        case type_pair(shape::plane, shape::ellipsoid): return plane_ellipsoid(a, b, margin, out);
        case type_pair(shape::plane, shape::cylinder): return plane_cylinder(a, b, margin, out);
        case type_pair(shape::plane, shape::box): return plane_box(a, b, margin, out);
        case type_pair(shape::sphere, shape::sphere): return sphere_sphere(a, b, margin, out);
        case type_pair(shape::sphere, shape::capsule): return sphere_capsule(a, b, margin, out);
        case type_pair(shape::sphere, shape::cylinder): return sphere_cylinder(a, b, margin, out);
        case type_pair(shape::sphere, shape::box): return sphere_box(a, b, margin, out);
        case type_pair(shape::capsule, shape::capsule): return capsule_capsule(a, b, margin, out);
        case type_pair(shape::capsule, shape::box): return capsule_box(a, b, margin, where, out);
        case type_pair(shape::box, shape::box): return box_box(a, b, margin, where, out);
    }
}

// use(result) with what the two geoms make of each other.
template <class M, class D, class Use>
void collide(const M& m, D& d, int geom1, int geom2, const typename D::scalar& margin,
             const mask_t<typename D::scalar>& where, Use&& use) {
    using S = typename D::scalar;
    const int type1 = m.geom_type[geom1], type2 = m.geom_type[geom2];
    if (has_closed_form(type1, type2)) {
        CollisionResult<S, max_closed_form> result;
        collide_closed_form(type_pair(type1, type2), geom_shape(m, d, geom1), geom_shape(m, d, geom2), margin, where, result);
        return use(result);
    }
    constexpr bool closed_forms_only = [] {
        if constexpr (M::is_fixed)
            return !needs_convex(M{});
        else
            return false;
    }();
    if constexpr (!closed_forms_only) {
        CollisionResult<S, max_points> result;
        convex_collide(m, d, geom1, geom2, margin, where, result);
        use(result);
    }
}

}  // namespace mjx
