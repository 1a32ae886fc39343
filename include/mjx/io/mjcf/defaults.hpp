// <default>: classes of defaults. A class copies its parent and then reads its own elements; nested classes come after the
// elements of the class they are in, wherever they are written. All actuator shortcuts of a class share one example, so the last
// one read sets the type, as in MuJoCo.
#pragma once

#include "mjx/io/mjcf/actuators.hpp"
#include "mjx/io/mjcf/assets.hpp"
#include "mjx/io/mjcf/contact.hpp"
#include "mjx/io/mjcf/elements.hpp"
#include "mjx/io/mjcf/equality.hpp"
#include "mjx/io/mjcf/tendons.hpp"

namespace mjx::inner::mjcf {

[[gnu::cold]] inline void read_default_element(const Element& e, Defaults& d) {
    if (e.tag == "joint")
        read_attributes(e, joint_attributes, d.joint);
    else if (e.tag == "geom")
        get_geom(e, d.geom, d.geom_orientation);
    else if (e.tag == "site")
        get_site(e, d.site, d.site_orientation);
    else if (e.tag == "camera")
        get_camera(e, d.camera, d.camera_orientation);
    else if (e.tag == "light")
        get_light(e, d.light);
    else if (e.tag == "pair")
        read_attributes(e, pair_attributes, d.pair);
    else if (e.tag == "equality")
        read_attributes(e, equality_attributes, d.equality);
    else if (e.tag == "tendon")
        get_tendon(e, d.tendon);
    else if (e.tag == "mesh")
        get_mesh(e, d.mesh);
    else if (e.tag == "material")
        get_material(e, d.material);
    else
        get_actuator(e, d.actuator);
}

// `parent` is null for a section at the top, which adds to the class "main".
[[gnu::cold]] inline void read_default(Reader& r, const Element& section, const Defaults* parent) {
    const std::string name = section.text("class");
    if (!parent && !name.empty() && name != "main")
        section.fail({"top-level default class named '", name, "', expected 'main' or no name"});
    if (parent && name.empty()) section.fail("default class without a name, expected the attribute 'class'");
    Defaults* own = !parent ? &r.main : name == "main" ? nullptr : r.classes.add(name, *parent);
    if (!own) section.fail({"repeated default class '", name, "', expected a new name"});
    for (const Element& e : section.children)
        if (e.tag != "default") read_default_element(e, *own);
    for (const Element& e : section.children)
        if (e.tag == "default") read_default(r, e, own);
}

}  // namespace mjx::inner::mjcf
