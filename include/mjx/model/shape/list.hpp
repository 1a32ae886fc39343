// The shapes of geoms, one struct each, and how stages find the struct of a type.
//
// A shape's numbers depend on its size, a Vec3, and are given in its own frame. It has
//     type, name, sizes                   its number (shape::), its word in MJCF, how many of its sizes must be positive
//     volume, inertia, radius, half_sizes of the solid or, for shells, of the surface; bounding sphere and box
//     fitted                              the size by which it stands in for a mesh
//     section                             the moments of its section, if cables may be made of it
//     support, ray, inside, distance      for the convex collider, rays, sites, and collisions with signed distance fields
//     shifts, grow, grow_normal           how its surface moves, for derivatives
// it may have, for the collider's speed (collision/support.hpp),
//     core_radius, core                   the shape is another one, of this support function, grown by a radius: the other one is searched
//     support_in_world                    a support point without turning the direction into its frame
//     vertex_support                      a support point with the number of its vertex, where the next search starts
// and what it says of itself in ShapeTraits (surface.hpp). Pairs with a contact in closed form are in collision/closed_form.hpp.
#pragma once

#include "mjx/math/traverse.hpp"
#include "mjx/model/shape/box.hpp"
#include "mjx/model/shape/capsule.hpp"
#include "mjx/model/shape/cylinder.hpp"
#include "mjx/model/shape/ellipsoid.hpp"
#include "mjx/model/shape/mesh.hpp"
#include "mjx/model/shape/plane.hpp"
#include "mjx/model/shape/sphere.hpp"

namespace mjx::inner {

// A shape as the compiler of models sees it, by its functions: a user's own is one more row.
struct ShapeRow {
    int type;
    const char* name;
    int sizes, length_size, tendon_wrap;
    bool fits_site;
    double (*volume)(const Vec3<double>& size, bool shell);
    Vec3<double> (*inertia)(const double& mass, const Vec3<double>& size, bool shell);
    Vec3<double> (*half_sizes)(const Vec3<double>& size);
    double (*radius)(const Vec3<double>& size);
};
template <class S>
constexpr ShapeRow shape_row() {
    return {S::type, S::name, S::sizes, S::length_size, S::tendon_wrap, S::fits_site, &S::volume, &S::inertia, &S::half_sizes, &S::radius};
}

// Types are below this, users' own too.
inline constexpr int max_shapes = 256;

template <class... Shapes>
struct shape_list {
    static constexpr ShapeRow rows[] = {shape_row<Shapes>()...};

    static constexpr bool contains(int type) { return ((type == Shapes::type) || ...); }

    // f(Shape{}) with the struct of the type; nothing for a type that is not in the list.
    template <class F>
    [[gnu::always_inline]] static constexpr void visit(int type, F&& f) {
        (void)((type == Shapes::type && (f(Shapes{}), true)) || ...);
    }
    // What `property` says of the shape of this type; false for a type that is not in the list.
    template <class Property>
    [[gnu::always_inline]] static constexpr bool is(int type, Property&& property) {
        return ((type == Shapes::type && property(Shapes{})) || ...);
    }
};
// In the order of their types: MJCF's words are the names of these rows.
using all_shapes = shape_list<Plane, Hfield, Sphere, Capsule, Ellipsoid, Cylinder, Box, Mesh, Sdf>;

// The shapes that geoms of a model may have.
template <class M>
using named_shapes = typename M::shapes;
template <class M>
using shapes_of = typename named_or<named_shapes, M, all_shapes>::type;

constexpr bool is_endless(int type) {
    return all_shapes::is(type, [](auto s) { return s.endless; });
}
constexpr bool is_ground(int type) {
    return all_shapes::is(type, [](auto s) { return s.ground; });
}
constexpr bool is_from_asset(int type) {
    return all_shapes::is(type, [](auto s) { return s.from_asset; });
}
constexpr bool is_of_hfield(int type) {
    return all_shapes::is(type, [](auto s) { return s.of_hfield; });
}
constexpr bool is_of_mesh(int type) {
    return all_shapes::is(type, [](auto s) { return s.of_mesh; });
}
constexpr bool is_field(int type) {
    return all_shapes::is(type, [](auto s) { return s.is_field; });
}
constexpr bool is_hull(int type) { return is_of_mesh(type) && !is_field(type); }
constexpr bool is_polyhedral(int type) {
    return all_shapes::is(type, [](auto s) { return s.polyhedral; });
}
constexpr bool is_rod(int type) {
    return all_shapes::is(type, [](auto s) { return s.rod; });
}
constexpr bool is_faced(int type) {
    return all_shapes::is(type, [](auto s) { return s.faced; });
}
constexpr bool is_round(int type) {
    return all_shapes::is(type, [](auto s) { return s.round; });
}

// The size that fromto sets, -1 for a shape that has none.
constexpr int shape_length_size(int type) {
    int index = -1;
    all_shapes::visit(type, [&](auto s) { index = s.length_size; });
    return index;
}
// The size that is half the length of a cable's piece, -1 for a shape that cables are not made of.
constexpr int shape_cable_size(int type) {
    int index = -1;
    all_shapes::visit(type, [&](auto s) { index = s.cable_size; });
    return index;
}

// Does the geom of the first type come after the other in a pair? In the order of types; users' shapes are before meshes and fields.
constexpr bool comes_after(int type1, int type2) {
    const auto rank = [](int type) { return type < shape::mesh ? type : type >= shape::count ? static_cast<int>(shape::mesh) : type + 1; };
    return rank(type1) > rank(type2);
}

// Half sizes of the box around a shape, which are the semi-axes of the ellipsoid that stands for it in a fluid.
template <class Shapes, class R>
[[gnu::noinline]] constexpr Vec3<R> half_sizes(int type, const Vec3<R>& size) {
    Vec3<R> half = size;
    Shapes::visit(type, [&](auto s) { half = s.half_sizes(size); });
    return half;
}

}  // namespace mjx::inner
