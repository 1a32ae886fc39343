// Geoms: pose and size from fromto, size checks, bounding volumes, mass and inertia, and the coefficients of the fluid model.
//
// Reads a GeomNode as its Spec left it and completes it, in the frame of its body. What comes from a mesh or height field is in
// compile/assets.hpp.
#pragma once

#include "mjx/compile/tree.hpp"
#include "mjx/stage/added_mass.hpp"

namespace mjx::inner::compiler {

// The shape of a geom or site, among the built-in ones and the user's own.
template <class Element>
const ShapeRow& shape_of(const Element& e, const char* kind, const List<ShapeRow>& own) {
    for (const ShapeRow& row : own)
        if (row.type == e.type) return row;
    for (const ShapeRow& row : all_shapes::rows)
        if (row.type == e.type) return row;
    fail(e, kind, {"unknown type ", std::to_string(e.type), ", expected one of shape:: or a shape given to compile<Shape>(spec)"});
}

// Sets pos, quat and size of an elongated geom or site from the ends of its axis.
template <class Element>
[[gnu::cold]] void resolve_fromto(Element& e, const char* kind, const ShapeRow& shape) {
    if (!e.fromto) return;
    const int length_size = shape.length_size;
    if (length_size < 0) fail(e, kind, "fromto needs a capsule, cylinder, box or ellipsoid");
    if (e.pos[0] != 0 || e.pos[1] != 0 || e.pos[2] != 0) fail(e, kind, "pos and fromto are both given, expected one of them");
    const Vec6<double>& ends = *e.fromto;
    const Vec3d from{{ends[0], ends[1], ends[2]}}, to{{ends[3], ends[4], ends[5]}};
    const Vec3d axis = from - to;
    const double length = norm(axis);
    if (length / 2 < eps) fail(e, kind, "the points of fromto are too close");
    if (length_size == 2) e.size[1] = e.size[0];
    e.size[length_size] = length / 2;
    e.pos = (from + to) * 0.5;
    e.quat = unit_z_to(unit(axis));
}

template <class Element>
void check_size(const Element& e, const char* kind, const ShapeRow& shape) {
    for (int i = 0; i < 3; ++i)
        if (!std::isfinite(e.size[i])) fail(e, kind, "size is not a finite number");
    if (is_endless(e.type)) {
        if (!(e.size[2] > 0)) fail(e, kind, "the third size of a plane must be positive");
        return;
    }
    for (int i = 0; i < shape.sizes; ++i)
        if (!(e.size[i] > 0)) fail(e, kind, {"size ", std::to_string(i), " must be positive"});
}

[[gnu::cold]] inline void set_bounds(GeomNode& g, const ShapeRow& shape) {
    if (is_from_asset(g.type)) return;  // set with the asset
    if (is_endless(g.type)) {
        const double infinite = 1e10;  // mjMAXVAL: a half space
        g.aabb = {{0, 0, -infinite / 2, infinite, infinite, infinite / 2}};
    } else {
        const Vec3d half = shape.half_sizes(g.size);
        g.aabb = {{0, 0, 0, half[0], half[1], half[2]}};
    }
    g.rbound = shape.radius(g.size);
}

// Mass and inertia from mass or density; `volume` and `moments(mass)` say how much space the geom takes and how it resists.
template <class Moments>
void set_mass(GeomNode& g, double volume, Moments&& moments) {
    if (g.mass) {
        if (*g.mass == 0) {
            g.density = 0;
        } else if (volume > eps) {
            g.geom_mass = *g.mass;
            g.density = *g.mass / volume;
            g.inertia = moments(g.geom_mass);
        }
    } else if (g.density != 0) {
        g.geom_mass = g.density * volume;
        g.inertia = moments(g.geom_mass);
    }
    if (g.geom_mass < 0 || g.density < 0 || g.inertia[0] < 0 || g.inertia[1] < 0 || g.inertia[2] < 0)
        fail(g, "geom", "mass, inertia or density is negative");
}

// geom_fluid of the ellipsoid model: on, the five user coefficients, virtual mass and virtual inertia of the fluid carried along.
[[gnu::cold]] inline void set_fluid(GeomNode& g, const ShapeRow& shape) {
    if (!g.fluid_ellipsoid) return;
    g.fluid[0] = 1;
    for (int i = 0; i < 5; ++i) g.fluid[1 + i] = g.fluid_coefs[i];
    const Vec6<double> added = added_mass(shape.half_sizes(g.size));
    for (int i = 0; i < 6; ++i) g.fluid[6 + i] = added[i];
}

// Everything about a geom that does not need its asset. `infer` says whether the body takes its inertia from geoms.
[[gnu::cold]] inline void compile_geom(GeomNode& g, bool infer, const ShapeRow& shape) {
    if (g.condim != 1 && g.condim != 3 && g.condim != 4 && g.condim != 6)
        fail(g, "geom", {"condim is ", std::to_string(g.condim), ", expected 1, 3, 4 or 6"});
    g.visual = g.contype == 0 && g.conaffinity == 0;
    check_size(g, "geom", shape);
    set_bounds(g, shape);
    if (infer && !is_of_mesh(g.type))
        set_mass(g, shape.volume(g.size, g.shellinertia), [&](double mass) { return shape.inertia(mass, g.size, g.shellinertia); });
    set_fluid(g, shape);
}

}  // namespace mjx::inner::compiler
