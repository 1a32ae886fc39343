// Pairs of geoms whose contacts have a closed form, as one table; the candidates and the narrow phase ask it. Everything else goes
// through the convex collider. The geom whose shape ranks lower comes first.
#pragma once

#include "mjx/collision/box_box.hpp"
#include "mjx/collision/by_lane.hpp"
#include "mjx/collision/capsule.hpp"
#include "mjx/collision/capsule_box.hpp"
#include "mjx/collision/plane.hpp"
#include "mjx/collision/sphere.hpp"
#include "mjx/model/shape/list.hpp"

namespace mjx::inner {

constexpr int type_pair(int type1, int type2) { return type1 * max_shapes + type2; }

// How a closed form works: on all lanes together, or on one lane after the other because it branches; and whether it finds the distance
// of geoms that are apart, or the depth of those that overlap only.
enum class Form { lanes, by_lane, depth_by_lane };

// One row: shapes A and B, the most contacts they make, and find(a, b, margin, result).
template <class A, class B, int Contacts, Form How, class Find>
struct ClosedForm {
    static constexpr int types = type_pair(A::type, B::type), contacts = Contacts;
    static constexpr Form how = How;
    Find find;
};
template <class A, class B, int Contacts, Form How = Form::lanes, class Find>
constexpr ClosedForm<A, B, Contacts, How, Find> closed_form(Find find) {
    return {find};
}

template <class... Rows>
struct ClosedForms {
    constexpr ClosedForms(const Rows&...) {}

    // f(row) with the row of this type_pair, if there is one.
    template <class F>
    [[gnu::always_inline]] static constexpr bool visit(int types, F&& f) {
        return ((types == Rows::types && (f(Rows{}), true)) || ...);
    }
};

constexpr auto closed_form_table() {
    return ClosedForms(closed_form<Plane, Sphere, 1>([](auto&... x) { plane_sphere(x...); }),
                       closed_form<Plane, Capsule, 2>([](auto&... x) { plane_capsule(x...); }),
                       closed_form<Plane, Ellipsoid, 1>([](auto&... x) { plane_ellipsoid(x...); }),
                       closed_form<Plane, Cylinder, 4>([](auto&... x) { plane_cylinder(x...); }),
                       closed_form<Plane, Box, 4>([](auto&... x) { plane_box(x...); }),
                       closed_form<Sphere, Sphere, 1>([](auto&... x) { sphere_sphere(x...); }),
                       closed_form<Sphere, Capsule, 1>([](auto&... x) { sphere_capsule(x...); }),
                       closed_form<Sphere, Cylinder, 1>([](auto&... x) { sphere_cylinder(x...); }),
                       closed_form<Sphere, Box, 1>([](auto&... x) { sphere_box(x...); }),
                       closed_form<Capsule, Capsule, 2>([](auto&... x) { capsule_capsule(x...); }),
                       closed_form<Capsule, Box, 2, Form::by_lane>([](auto&... x) { capsule_box_lane(x...); }),
                       closed_form<Box, Box, 8, Form::depth_by_lane>([](auto&... x) { box_box_lane(x...); }));
}

// The most contacts that two shapes with a closed form make; 0 if there is none.
constexpr int closed_form_contacts(int type1, int type2) {
    int contacts = 0;
    closed_form_table().visit(type_pair(type1, type2), [&](auto row) { contacts = row.contacts; });
    return contacts;
}
constexpr bool has_closed_form(int type1, int type2) { return closed_form_contacts(type1, type2) > 0; }

// Does it tell how far apart two geoms are?
constexpr bool measures_distance(int type1, int type2) {
    bool measures = false;
    closed_form_table().visit(type_pair(type1, type2), [&](auto row) { measures = row.how != Form::depth_by_lane; });
    return measures;
}

// Does it tell the depth of geoms that overlap, and nothing of those apart?
constexpr bool measures_depth_only(int type1, int type2) {
    bool only = false;
    closed_form_table().visit(type_pair(type1, type2), [&](auto row) { only = row.how == Form::depth_by_lane; });
    return only;
}

// Pairs of types that may meet: all of them.
struct any_types {
    constexpr bool operator()(int) const { return true; }
};

template <class Types = any_types, class S>
void collide_closed_form(int types, const Geom<S>& a, const Geom<S>& b, const S& margin, const mask_t<S>& where, CollisionResult<S>& out) {
    bool done = false;
    closed_form_table().visit(types, [&](auto row) {
        if constexpr (row.how == Form::lanes && Types{}(row.types)) {
            row.find(a, b, margin, out);
            done = true;
        }
    });
    if (done) return;
    using L = lane_t<S>;
    const auto narrow = [types](const Geom<L>& one, const Geom<L>& two, const L& within, CollisionResult<L>& found) {
        closed_form_table().visit(types, [&](auto row) {
            if constexpr (row.how != Form::lanes && Types{}(row.types)) row.find(one, two, within, found);
        });
    };
    collide_by_lane<L>(a, b, margin, where, out, narrow);
}

}  // namespace mjx::inner
