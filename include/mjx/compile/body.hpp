// Bodies and what hangs on them: joints, inertial frames from geoms or from the Spec, sites, cameras, lights, and the alignment
// of free bodies with their inertial frame.
#pragma once

#include "mjx/compile/assets.hpp"
#include "mjx/compile/limits.hpp"
#include "mjx/model/joints.hpp"

namespace mjx::inner::compiler {

[[gnu::cold]] inline void compile_joint(JointNode& j, const SpecCompiler& c) {
    const JointKind& kind = *j.kind;
    if ((j.springdamper[0] != 0 || j.springdamper[1] != 0) && (j.springdamper[0] <= 0 || j.springdamper[1] <= 0))
        fail(j, "joint", "springdamper needs two positive numbers");
    if (kind.limit_entries == 0) j.limited = Tristate::no;
    check_autolimits(j, "joint", "", c.autolimits, j.limited, j.range);
    if (is_limited(j.limited, j.range)) {
        if (!kind.scalar && j.range[0] != 0) fail(j, "joint", {"the range of a ", kind.name, " joint starts at 0"});
        if (kind.scalar) check_range(j, "joint", "range", j.limited, j.range);
    }
    if (!kind.scalar) j.actfrclimited = Tristate::no;
    check_autolimits(j, "joint", "actuatorfrc", c.autolimits, j.actfrclimited, j.actfrcrange);
    check_range(j, "joint", "actuatorfrcrange", j.actfrclimited, j.actfrcrange);
    if (!kind.has_axis) j.axis = {{0, 0, 1}};
    if (!(norm(j.axis) >= eps)) fail(j, "joint", "the axis is too small to have a direction");
    j.axis = unit(j.axis);
    if (kind.floats) j.pos = Vec3d::zero();
}

[[gnu::cold]] inline void check_joints(const BodyNode& b) {
    int dofs = 0;
    const char* last = nullptr;  // a joint whose axes are fixed in the body is the last to turn it
    for (const JointNode& j : b.joints) {
        dofs += j.kind->nv;
        if (j.kind->floats && b.joints.size() > 1) b.fail("a free joint must be the only joint of its body");
        if (last && j.kind->turns) compiler::fail(*b.spec, "body", {"a ", last, " joint cannot be followed by a rotation"});
        if (j.kind->turns && !j.kind->scalar) last = j.kind->name;
    }
    if (dofs > 6) b.fail("has more than 6 degrees of freedom");
    if (b.mocap() && (dofs > 0 || b.parent->parent)) b.fail("a mocap body must be a fixed child of the world");
}

// Mass, centre of mass and principal axes of two or more parts.
[[gnu::cold]] inline void combine_inertia(BodyNode& b, const List<MassPart<double>>& parts, int mujoco) {
    const MassPart<double> sum = combined<double>(mujoco, [&](auto&& add) {
        for (const MassPart<double>& p : parts) add(p);
    });
    if (!(sum.inertia[2] >= eps)) b.fail("the inertia of its parts has no positive principal moments");
    b.mass = sum.mass;
    b.ipos = sum.pos;
    b.iquat = sum.quat;
    b.inertia = sum.inertia;
}

// Whether the geoms gave the body an inertial frame.
[[gnu::cold]] inline bool inertia_from_geoms(BodyNode& b, const SpecCompiler& c, int mujoco) {
    List<MassPart<double>> parts;
    for (const GeomNode& g : b.geoms)
        if (g.group >= c.inertiagrouprange[0] && g.group <= c.inertiagrouprange[1] && g.geom_mass > eps)
            parts.push_back({g.geom_mass, g.pos, g.quat, g.inertia});
    if (parts.empty()) return false;
    if (parts.size() > 1) {
        combine_inertia(b, parts, mujoco);
    } else {
        b.mass = parts[0].mass;
        b.ipos = parts[0].pos;
        b.iquat = parts[0].quat;
        b.inertia = parts[0].inertia;
    }
    return true;
}

[[gnu::cold]] inline void explicit_inertia(BodyNode& b, int mujoco) {
    const SpecInertial& given = *b.spec->inertial;
    b.mass = given.mass;
    b.ipos = given.pos;
    b.iquat = unit_quat(*b.spec, "inertial of body", given.quat);
    b.inertia = given.diaginertia;
    if (!given.fullinertia) return;
    const bool diagonal = given.diaginertia[0] != 0 || given.diaginertia[1] != 0 || given.diaginertia[2] != 0;
    if (diagonal) b.fail("fullinertia and diaginertia are both given, expected one of them");
    const auto axes = principal_axes(*given.fullinertia, mujoco);
    if (!(axes.moments[2] >= eps)) b.fail("fullinertia must have positive eigenvalues; the option repair_inertia for URDF makes them so");
    b.iquat = axes.quat;
    b.inertia = axes.moments;
}

[[gnu::cold]] inline void check_inertia(BodyNode& b, const SpecCompiler& c) {
    b.mass = std::max(b.mass, c.boundmass);
    for (int i = 0; i < 3; ++i) b.inertia[i] = std::max(b.inertia[i], c.boundinertia);
    const Vec3d& i = b.inertia;
    if (!(b.mass >= 0 && i[0] >= 0 && i[1] >= 0 && i[2] >= 0))
        b.fail("mass and inertia cannot be negative; the option repair_inertia for URDF makes them positive");
    if (i[0] + i[1] < i[2] || i[0] + i[2] < i[1] || i[1] + i[2] < i[0]) {
        if (!c.balanceinertia)
            b.fail("inertia must satisfy A + B >= C; balanceinertia in compiler or the option repair_inertia for URDF repairs it");
        const double mean = (i[0] + i[1] + i[2]) / 3;
        b.inertia = {{mean, mean, mean}};
    }
}

// The geom has no part in the inertia of its body.
[[gnu::cold]] inline void take_no_part(GeomNode& g) {
    g.geom_mass = 0;
    g.inertia = Vec3d::zero();
}

[[gnu::cold]] inline void compile_inertia(BodyNode& b, const SpecCompiler& c, int mujoco) {
    bool defined = false, from_geoms = false;
    if (b.spec->inertial) {
        explicit_inertia(b, mujoco);
        defined = true;
    }
    if (c.inertiafromgeom == Tristate::yes || (!defined && c.inertiafromgeom == Tristate::automatic))
        defined = (from_geoms = inertia_from_geoms(b, c, mujoco)) || defined;
    if (!defined) {  // MuJoCo's convention for a body without mass
        b.ipos = b.spec->own_pose ? b.spec->own_pose->first : b.pos;
        b.iquat = b.spec->own_pose ? unit(b.spec->own_pose->second) : b.quat;
    }
    const double mass = b.mass;
    const Vec3d inertia = b.inertia;
    check_inertia(b, c);
    const bool kept = b.mass == mass && b.inertia[0] == inertia[0] && b.inertia[1] == inertia[1] && b.inertia[2] == inertia[2];
    for (GeomNode& g : b.geoms)
        if (!from_geoms || !kept || !(g.geom_mass > eps)) take_no_part(g);
}

[[gnu::cold]] inline void compile_site(SiteNode& s, const Assets& assets) {
    const ShapeRow& shape = shape_of(s, "site", assets.shapes);
    if (!shape.fits_site) fail(s, "site", "a site cannot be an hfield or plane");
    resolve_fromto(s, "site", shape);
    attach_mesh(s, assets);
    s.quat = unit_quat(s, "site", s.quat);
    check_size(s, "site", shape);
}

[[gnu::cold]] inline void compile_camera(SpecCamera& s) {
    s.quat = unit_quat(s, "camera", s.quat);
    if (s.fovy >= 180) fail(s, "camera", "fovy must be below 180");
    const auto given = [](const Vec<double, 2>& v) { return v[0] != 0 || v[1] != 0; };
    const bool intrinsic = given(s.focal_length) || given(s.focal_pixel) || given(s.principal_length) || given(s.principal_pixel);
    const bool sensorsize = s.sensorsize[0] > 0 && s.sensorsize[1] > 0;
    if (intrinsic && !sensorsize) fail(s, "camera", "focal and principal need sensorsize");
    if (sensorsize && (s.resolution[0] <= 0 || s.resolution[1] <= 0)) fail(s, "camera", "sensorsize needs a positive resolution");
}

[[gnu::cold]] inline void compile_light(SpecLight& s) {
    double length;
    s.dir = normalize(s.dir, length);
    if (!(length >= eps)) fail(s, "light", "dir is zero, expected a direction");
}

// A free body may take its inertial frame as its own: everything on it moves the other way.
[[gnu::cold]] inline void align_free(BodyNode& b, const SpecCompiler& c) {
    if (b.joints.size() != 1 || !b.joints.front().kind->floats || !b.children.empty()) return;
    const Tristate align = b.joints.front().align;
    if (align == Tristate::no || (align == Tristate::automatic && !c.alignfree)) return;
    const Quatd back = conjugate(b.iquat);
    const Vec3d shift = -rotate(back, b.ipos);
    b.pos += rotate(b.quat, b.ipos);
    b.quat = unit_product(b.quat, b.iquat);
    b.ipos = Vec3d::zero();
    b.iquat = Quatd::identity();
    for (GeomNode& g : b.geoms) accumulate_frame(shift, back, g.pos, g.quat);
    for (SpecSite& s : b.sites) accumulate_frame(shift, back, s.pos, s.quat);
    for (SpecCamera& s : b.cameras) accumulate_frame(shift, back, s.pos, s.quat);
    for (SpecLight& s : b.lights) {
        s.pos = shift + rotate(back, s.pos);
        s.dir = rotate(back, s.dir);
    }
}

[[gnu::cold]] inline void check_plane(const BodyNode& b, const GeomNode& g) {
    if (!is_endless(g.type) || b.weldid == 0) return;
    const BodyNode* weld = &b;
    while (weld->id != weld->weldid) weld = weld->parent;
    if (!weld->mocap()) fail(g, "geom", "a plane needs a static body");
}

// One body with all that is attached to it.
[[gnu::cold]] inline void compile_body(BodyNode& b, const SpecCompiler& c, const Assets& assets, int mujoco) {
    for (GeomNode& g : b.geoms) {
        const bool infer = infers_inertia(b, g, c);
        const ShapeRow& shape = shape_of(g, "geom", assets.shapes);
        check_plane(b, g);
        place_geom(g, assets, c, shape);
        compile_geom(g, infer, shape);
        if (infer && is_of_mesh(g.type)) set_mesh_mass(g, assets);
    }
    if (b.id > 0) compile_inertia(b, c, mujoco);
    for (JointNode& j : b.joints) compile_joint(j, c);
    check_joints(b);
    for (SiteNode& s : b.sites) compile_site(s, assets);
    for (SpecCamera& s : b.cameras) compile_camera(s);
    for (SpecLight& s : b.lights) compile_light(s);
    align_free(b, c);
}

// Only what moves needs mass, its own or that of a fixed child.
[[gnu::cold]] inline bool has_mass(const BodyNode& b) {
    const Vec3d& i = b.inertia;
    if (b.mass >= minval && i[0] >= minval && i[1] >= minval && i[2] >= minval) return true;
    for (const BodyNode* child : b.children)
        if (!child->moves() && has_mass(*child)) return true;
    return false;
}

}  // namespace mjx::inner::compiler
