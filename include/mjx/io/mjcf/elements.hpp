// The elements of a body: joint, freejoint, geom, site, camera, light, inertial. The get_* functions fill an item from attributes
// and serve default classes as well; the add_* functions give the body a new item in the frame of the enclosing element, with angles
// in radians, as the Spec has them.
#pragma once

#include "mjx/io/mjcf/plugins.hpp"

namespace mjx::inner::mjcf {

inline void get_joint(const Element& e, SpecJoint& j) {
    get_keyword(e, "type", j.type);
    get(e, "group", j.group);
    get(e, "pos", j.pos);
    get(e, "axis", j.axis);
    get(e, "springdamper", j.springdamper);
    get(e, "limited", j.limited);
    get(e, "actuatorfrclimited", j.actfrclimited);
    get(e, "solreflimit", j.solref_limit);
    get(e, "solimplimit", j.solimp_limit);
    get(e, "solreffriction", j.solref_friction);
    get(e, "solimpfriction", j.solimp_friction);
    get(e, "stiffness", j.stiffness);
    get(e, "range", j.range);
    get(e, "actuatorfrcrange", j.actfrcrange);
    get(e, "actuatorgravcomp", j.actgravcomp);
    get(e, "margin", j.margin);
    get(e, "ref", j.ref);
    get(e, "springref", j.springref);
    get(e, "armature", j.armature);
    get(e, "damping", j.damping);
    get(e, "frictionloss", j.frictionloss);
    get(e, "user", j.user);
}

inline void get_geom(const Element& e, SpecGeom& g, Orientation& alternative) {
    get_keyword(e, "type", g.type);
    get(e, "contype", g.contype);
    get(e, "conaffinity", g.conaffinity);
    get(e, "condim", g.condim);
    get(e, "group", g.group);
    get(e, "priority", g.priority);
    get(e, "size", g.size);
    get(e, "friction", g.friction);
    get(e, "mass", g.mass);
    get(e, "density", g.density);
    get(e, "shellinertia", g.shellinertia);
    get(e, "solmix", g.solmix);
    get(e, "solref", g.solref);
    get(e, "solimp", g.solimp);
    get(e, "margin", g.margin);
    get(e, "gap", g.gap);
    get(e, "surfacevel", g.surfacevel);
    get(e, "adhesion", g.adhesion);
    get(e, "fromto", g.fromto);
    get(e, "pos", g.pos);
    get_orientation(e, g.quat, alternative);
    get(e, "hfield", g.hfield);
    get(e, "mesh", g.mesh);
    get(e, "fitscale", g.fitscale);
    get(e, "material", g.material);
    if (Vec<double, 4> rgba; get(e, "rgba", rgba)) g.visible = rgba[3] != 0;
    int fluidshape = g.fluid_ellipsoid;
    get_keyword(e, "fluidshape", fluidshape);
    g.fluid_ellipsoid = fluidshape == 1;
    get(e, "fluidcoef", g.fluid_coefs);
    get(e, "user", g.user);
}

inline void get_site(const Element& e, SpecSite& s, Orientation& alternative) {
    get_keyword(e, "type", s.type);
    get(e, "group", s.group);
    get(e, "pos", s.pos);
    get_orientation(e, s.quat, alternative);
    get(e, "size", s.size);
    get(e, "fromto", s.fromto);
    get(e, "material", s.material);
    get(e, "user", s.user);
}

inline void get_camera(const Element& e, SpecCamera& c, Orientation& alternative) {
    int projection = c.orthographic;
    get_keyword(e, "projection", projection);
    c.orthographic = projection == 1;
    get(e, "fovy", c.fovy);
    get(e, "resolution", c.resolution);
    get(e, "pos", c.pos);
    get_orientation(e, c.quat, alternative);
    get_keyword(e, "mode", c.mode);
    get(e, "target", c.target);
    get(e, "focal", c.focal_length);
    get(e, "focalpixel", c.focal_pixel);
    get(e, "principal", c.principal_length);
    get(e, "principalpixel", c.principal_pixel);
    get(e, "sensorsize", c.sensorsize);
}

inline void get_light(const Element& e, SpecLight& l) {
    get_keyword(e, "mode", l.mode);
    get(e, "target", l.target);
    get(e, "pos", l.pos);
    get(e, "dir", l.dir);
}

// A range given in degrees is converted when it limits something, as MuJoCo does: an unlimited joint keeps the numbers it was given.
inline void joint_to_radians(const Angles& angles, SpecJoint& j) {
    if (!angles.degree) return;
    constexpr double degree = std::numbers::pi / 180.0;
    const bool limited = j.limited == Tristate::yes || (j.limited == Tristate::automatic && j.range[0] < j.range[1]);
    if (limited && (j.type == jnt::hinge || j.type == jnt::ball)) j.range *= degree;
    if (j.type == jnt::hinge) {
        j.ref *= degree;
        j.springref *= degree;
    }
}

inline void add_joint(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecJoint& j = body.joints.emplace_back(defaults.joint);
    get_joint(e, j);
    r.identify(e, obj::joint, j);
    joint_to_radians(r.angles, j);
}

// freejoint takes no defaults: a class with damping must not brake a free body.
inline void add_freejoint(Reader& r, const Element& e, SpecBody& body) {
    SpecJoint& j = body.joints.emplace_back(SpecJoint{.type = jnt::free});
    get(e, "group", j.group);
    get(e, "align", j.align);
    r.identify(e, obj::joint, j);
}

inline void add_geom(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecGeom& g = body.geoms.emplace_back(defaults.geom);
    Orientation alternative = defaults.geom_orientation;
    get_geom(e, g, alternative);
    r.identify(e, obj::geom, g);
    get_field(r, e, g);
    if (!g.sdf.empty() && (!is_field(g.type) || g.mesh.empty())) e.fail("plugin in a geom that is not of type 'sdf' with a mesh");
    if (g.fromto) {
        if (!g.mesh.empty()) e.fail("attribute 'fromto' with a mesh, expected 'pos' and an orientation");
        resolve_fromto(e, g);
    } else {
        g.quat = resolve_orientation(e, g.quat, alternative, r.angles);
    }
}

inline void add_site(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecSite& s = body.sites.emplace_back(defaults.site);
    Orientation alternative = defaults.site_orientation;
    get_site(e, s, alternative);
    r.identify(e, obj::site, s);
    if (s.fromto) resolve_fromto(e, s);
    else s.quat = resolve_orientation(e, s.quat, alternative, r.angles);
}

inline void add_camera(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecCamera& c = body.cameras.emplace_back(defaults.camera);
    Orientation alternative = defaults.camera_orientation;
    get_camera(e, c, alternative);
    r.identify(e, obj::camera, c);
    c.quat = resolve_orientation(e, c.quat, alternative, r.angles);
}

inline void add_light(Reader& r, const Element& e, const Defaults& defaults, SpecBody& body) {
    SpecLight& l = body.lights.emplace_back(defaults.light);
    get_light(e, l);
    r.identify(e, obj::light, l);
}

inline SpecInertial make_inertial(Reader& r, const Element& e) {
    SpecInertial i;
    Orientation alternative;
    get(e, "pos", i.pos);
    get(e, "mass", i.mass);
    get(e, "diaginertia", i.diaginertia);
    get(e, "fullinertia", i.fullinertia);
    get_orientation(e, i.quat, alternative);
    i.quat = resolve_orientation(e, i.quat, alternative, r.angles);
    if (i.fullinertia && e.has("diaginertia") && (i.diaginertia[0] != 0 || i.diaginertia[1] != 0 || i.diaginertia[2] != 0))
        e.fail("both 'fullinertia' and 'diaginertia' are given, expected one of them");
    return i;
}

}  // namespace mjx::inner::mjcf
