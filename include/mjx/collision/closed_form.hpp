// Pairs of geoms whose contacts have a closed form, by their types: everything of plane, sphere, capsule, cylinder, box and
// ellipsoid that does not need the convex collider. The geom of the lower type comes first.
#pragma once

#include "mjx/collision/box_box.hpp"
#include "mjx/collision/by_lane.hpp"
#include "mjx/collision/capsule.hpp"
#include "mjx/collision/capsule_box.hpp"
#include "mjx/collision/plane.hpp"
#include "mjx/collision/sphere.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

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

template <class S>
void collide_closed_form(int types, const Geom<S>& a, const Geom<S>& b, const S& margin, const mask_t<S>& where,
                         CollisionResult<S>& out) {
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
    }
    // against boxes the search branches
    using L = lane_t<S>;
    const auto narrow = [types](const Geom<L>& one, const Geom<L>& box, const L& within, CollisionResult<L>& found) {
        if (types == type_pair(shape::capsule, shape::box))
            capsule_box_lane(one, box, within, found);
        else
            box_box_lane(one, box, within, found);
    };
    collide_by_lane<L>(a, b, margin, where, out, narrow);
}

}  // namespace mjx::inner
