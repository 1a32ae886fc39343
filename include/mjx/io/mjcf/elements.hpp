// The elements of a body: joint, freejoint, geom, site, camera, light, inertial. attribute_table.hpp says where their attributes
// go, for default classes as well; the add_* functions give the body a new item in the frame of the enclosing element, with angles
// in radians, as the Spec has them.
#pragma once

#include "mjx/io/mjcf/plugins.hpp"

namespace mjx::inner::mjcf {

[[gnu::cold]] inline void get_geom(const Element& e, SpecGeom& g, Orientation& alternative) {
    read_attributes(e, geom_attributes, g);
    get_orientation(e, g.quat, alternative);
}
[[gnu::cold]] inline void get_site(const Element& e, SpecSite& s, Orientation& alternative) {
    read_attributes(e, site_attributes, s);
    get_orientation(e, s.quat, alternative);
}
[[gnu::cold]] inline void get_camera(const Element& e, SpecCamera& c, Orientation& alternative) {
    read_attributes(e, camera_attributes, c);
    get_orientation(e, c.quat, alternative);
}
[[gnu::cold]] inline void get_light(const Element& e, SpecLight& l) {
    read_attributes(e, light_attributes, l);
    if (bool directional = false; get(e, "directional", directional)) l.look.type = directional;
}

// A range given in degrees is converted when it limits something, as MuJoCo does: an unlimited joint keeps the numbers it was given.
[[gnu::cold]] inline void joint_to_radians(const Angles& angles, SpecJoint& j) {
    if (!angles.degree) return;
    constexpr double degree = std::numbers::pi / 180.0;
    const bool limited = j.limited == Tristate::yes || (j.limited == Tristate::automatic && j.range[0] < j.range[1]);
    const JointKind& kind = all_joints::kind(j.type);
    if (limited && kind.limits_angle()) j.range *= degree;
    if (kind.angle >= 0) {
        j.ref *= degree;
        j.springref *= degree;
    }
}

[[gnu::cold]] inline void add_joint(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecJoint& j = body.joints.emplace_back(defaults.joint);
    read_attributes(e, joint_attributes, j);
    r.identify(e, obj::joint, j);
    joint_to_radians(r.angles, j);
}

// freejoint takes no defaults: a class with damping must not brake a free body.
[[gnu::cold]] inline void add_freejoint(Reader& r, const Element& e, SpecBody& body) {
    SpecJoint& j = body.joints.emplace_back(SpecJoint{.type = Free::type});
    get(e, "group", j.group);
    get(e, "align", j.align);
    r.identify(e, obj::joint, j);
}

// Where a geom or a site is: between two points, or as its orientation says.
template <class Shape>
void resolve_pose(Reader& r, const Element& e, Shape& s, const Orientation& alternative) {
    if (s.fromto)
        resolve_fromto(e, s);
    else
        s.quat = resolve_orientation(e, s.quat, alternative, r.angles);
}

[[gnu::cold]] inline void add_geom(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecGeom& g = body.geoms.emplace_back(defaults.geom);
    Orientation alternative = defaults.geom_orientation;
    get_geom(e, g, alternative);
    r.identify(e, obj::geom, g);
    get_field(r, e, g);
    if (!g.sdf.empty() && (!is_field(g.type) || g.mesh.empty())) e.fail("plugin in a geom that is not of type 'sdf' with a mesh");
    if (g.fromto && !g.mesh.empty()) e.fail("attribute 'fromto' with a mesh, expected 'pos' and an orientation");
    resolve_pose(r, e, g, alternative);
}

[[gnu::cold]] inline void add_site(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecSite& s = body.sites.emplace_back(defaults.site);
    Orientation alternative = defaults.site_orientation;
    get_site(e, s, alternative);
    r.identify(e, obj::site, s);
    resolve_pose(r, e, s, alternative);
}

[[gnu::cold]] inline void add_camera(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecCamera& c = body.cameras.emplace_back(defaults.camera);
    Orientation alternative = defaults.camera_orientation;
    get_camera(e, c, alternative);
    r.identify(e, obj::camera, c);
    c.quat = resolve_orientation(e, c.quat, alternative, r.angles);
}

[[gnu::cold]] inline void add_light(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecLight& l = body.lights.emplace_back(defaults.light);
    get_light(e, l);
    r.identify(e, obj::light, l);
}

[[gnu::cold]] inline SpecInertial make_inertial(Reader& r, const Element& e) {
    SpecInertial i;
    Orientation alternative;
    read_attributes(e, inertial_attributes, i);
    get_orientation(e, i.quat, alternative);
    i.quat = resolve_orientation(e, i.quat, alternative, r.angles);
    if (i.fullinertia && e.has("diaginertia") && (i.diaginertia[0] != 0 || i.diaginertia[1] != 0 || i.diaginertia[2] != 0))
        e.fail("both 'fullinertia' and 'diaginertia' are given, expected one of them");
    return i;
}

}  // namespace mjx::inner::mjcf
