// The body tree: worldbody, body, frame, replicate, attach and what they contain. A frame or replicate is read like a body of its own
// and then dissolved into the enclosing one, so the Spec has bodies only.
#pragma once

#include "mjx/io/mjcf/attach.hpp"
#include "mjx/io/mjcf/composite.hpp"
#include "mjx/io/mjcf/elements.hpp"
#include "mjx/io/mjcf/replicate.hpp"

namespace mjx::inner::mjcf {

inline void read_contents(Reader&, const Element&, SpecBody&, const Defaults&);

// The class that the contents of a body, frame or replicate take their defaults from.
[[gnu::cold]] inline const Defaults& class_of_contents(Reader& r, const Element& e, const Defaults& surroundings) {
    return e.has("childclass") ? r.find_class(e, "childclass") : surroundings;
}

[[gnu::cold]] inline Pose get_pose(Reader& r, const Element& e) {
    Pose pose;
    Orientation alternative;
    get(e, "pos", pose.pos);
    get_orientation(e, pose.quat, alternative);
    pose.quat = resolve_orientation(e, pose.quat, alternative, r.angles);
    return pose;
}

[[gnu::cold]] inline void read_body(Reader& r, const Element& e, SpecBody& parent, const Defaults& surroundings) {
    SpecBody& b = parent.bodies.emplace_back();
    r.identify(e, obj::body, b);
    const Pose pose = get_pose(r, e);
    b.pos = pose.pos;
    b.quat = pose.quat;
    b.own_pose = {pose.pos, pose.quat};
    read_attributes(e, body_attributes, b);
    if (int place = 0; get(e, "sleep", place)) b.sleep = sleep_policies[place];
    read_contents(r, e, b, class_of_contents(r, e, surroundings));
}

[[gnu::cold]] inline void read_frame(Reader& r, const Element& e, SpecBody& body, const Defaults& surroundings) {
    SpecBody contents;
    const Pose pose = get_pose(r, e);
    contents.name = body.name;
    read_contents(r, e, contents, class_of_contents(r, e, surroundings));
    if (contents.inertial) body.inertial = contents.inertial;  // belongs to the body, not to the frame
    if (contents.cable) body.cable = contents.cable;
    if (const std::string name = e.text("name"); !name.empty()) {
        contents.pos = pose.pos;
        contents.quat = pose.quat;
        if (!r.frames.add(name, contents)) e.fail({"repeated name '", name, "', expected a name no other frame has"});
    }
    dissolve(r, std::move(contents), pose, body);
}

// The contents are read once and copied; what they named frames is gone with the original.
[[gnu::cold]] inline void read_replicate(Reader& r, const Element& e, SpecBody& body, const Defaults& surroundings) {
    const std::size_t frames_outside = r.frames.size();
    SpecBody original;
    original.name = body.name;
    read_contents(r, e, original, class_of_contents(r, e, surroundings));
    replicate(r, e, original, body);
    r.frames.shrink(frames_outside);
}

[[gnu::cold]] inline void read_content(Reader& r, const Element& e, SpecBody& body, const Defaults& surroundings) {
    const Defaults& defaults = r.class_of(e, surroundings);
    const bool in_world = body.name == "world";
    if (in_world && (e.tag == "inertial" || e.tag == "joint" || e.tag == "freejoint" || e.tag == "plugin"))
        e.fail({"the world cannot have <", e.tag, ">, expected it in a <body>"});
    if (e.tag == "body")
        read_body(r, e, body, surroundings);
    else if (e.tag == "frame")
        read_frame(r, e, body, surroundings);
    else if (e.tag == "replicate")
        read_replicate(r, e, body, surroundings);
    else if (e.tag == "attach")
        read_attach(r, e, body);
    else if (e.tag == "inertial")
        body.inertial = make_inertial(r, e);
    else if (e.tag == "joint")
        add_joint(r, e, defaults, body);
    else if (e.tag == "freejoint")
        add_freejoint(r, e, body);
    else if (e.tag == "geom")
        add_geom(r, e, defaults, body);
    else if (e.tag == "site")
        add_site(r, e, defaults, body);
    else if (e.tag == "camera")
        add_camera(r, e, defaults, body);
    else if (e.tag == "light")
        add_light(r, e, defaults, body);
    else if (e.tag == "plugin")
        body.cable = get_cable(r, e);
    else if (e.tag == "composite")
        read_composite(r, e, body);
    else
        e.fail({"<", e.tag, "> is not supported"});
}

[[gnu::cold]] inline void read_contents(Reader& r, const Element& e, SpecBody& body, const Defaults& surroundings) {
    for (const Element& child : e.children) read_content(r, child, body, surroundings);
}

inline void read_worldbody(Reader& r, const Element& e) { read_contents(r, e, r.spec.world, r.main); }

}  // namespace mjx::inner::mjcf
