// The body tree. A frame is read like a body of its own and then dissolved: its contents move into the enclosing body with its pose
// applied, so the Spec has bodies only.
#pragma once

#include "mjx/io/mjcf/elements.hpp"

namespace mjx::mjcf {

// ------------------------------------------------------------------------------------------- moving things between frames

template <class T>
void apply_pose(const Pose& frame, T& item) {
    const Pose pose = frame * Pose{item.pos, item.quat};
    item.pos = pose.pos;
    item.quat = normalize(pose.quat);
}
inline void apply_pose(const Pose& frame, SpecLight& l) {
    l.pos = frame.pos + to_mat3(frame.quat) * l.pos;
    l.dir = rotate(frame.quat, l.dir);
}
// A free joint has neither place nor axis; a ball has no axis.
inline void apply_pose(const Pose& frame, SpecJoint& j) {
    if (j.type == jnt::free) return;
    j.pos = frame.pos + to_mat3(frame.quat) * j.pos;
    if (j.type != jnt::ball) j.axis = rotate(frame.quat, j.axis);
}

// Calls f(list of `a`, list of `b`) for each kind of content of two bodies.
template <class F>
void for_each_content(F&& f, SpecBody& a, SpecBody& b) {
    f(a.joints, b.joints);
    f(a.geoms, b.geoms);
    f(a.sites, b.sites);
    f(a.cameras, b.cameras);
    f(a.lights, b.lights);
    f(a.bodies, b.bodies);
}

// Moves the contents of `from`, a frame with the pose `frame` in `to`, into `to`.
inline void dissolve(Reader& r, SpecBody&& from, const Pose& frame, SpecBody& to) {
    for (const SpecBody& b : from.bodies)
        if (!b.name.empty()) r.local_poses.try_emplace(b.name, Pose{b.pos, b.quat});
    for_each_content(
        [&](auto& source, auto& target) {
            for (auto& item : source) apply_pose(frame, item);
            target.splice(target.end(), source);
        },
        from, to);
}

// ------------------------------------------------------------------------------------------- reading

inline void read_replicate(Reader&, const Element&, SpecBody&, const Defaults&);
inline void read_attach(Reader&, const Element&, SpecBody&);
inline void read_contents(Reader&, const Element&, SpecBody&, const Defaults&);

inline Pose get_pose(Reader& r, const Element& e) {
    Pose pose;
    Orientation alternative;
    get(e, "pos", pose.pos);
    get_orientation(e, pose.quat, alternative);
    pose.quat = resolve_orientation(e, pose.quat, alternative, r.angles);
    return pose;
}

inline void read_body(Reader& r, const Element& e, SpecBody& parent, const Defaults& surroundings) {
    SpecBody& b = parent.bodies.emplace_back();
    r.identify(e, obj::body, b);
    const Pose pose = get_pose(r, e);
    b.pos = pose.pos;
    b.quat = pose.quat;
    get(e, "mocap", b.mocap);
    get(e, "gravcomp", b.gravcomp);
    static constexpr int policies[] = {sleep_policy::automatic, sleep_policy::never, sleep_policy::allowed, sleep_policy::init};
    int policy = 0;
    if (get_keyword(e, "sleep", policy)) b.sleep = policies[policy];
    get(e, "user", b.user);
    read_contents(r, e, b, e.has("childclass") ? r.find_class(e, "childclass") : surroundings);
}

inline void read_frame(Reader& r, const Element& e, SpecBody& body, const Defaults& surroundings) {
    SpecBody contents;
    const Pose pose = get_pose(r, e);
    contents.name = body.name;
    read_contents(r, e, contents, e.has("childclass") ? r.find_class(e, "childclass") : surroundings);
    if (contents.inertial) body.inertial = contents.inertial;  // belongs to the body, not to the frame
    if (const std::string name = e.text("name"); !name.empty()) {
        contents.pos = pose.pos;
        contents.quat = pose.quat;
        r.frames[name] = contents;
    }
    dissolve(r, std::move(contents), pose, body);
}

inline void read_content(Reader& r, const Element& e, SpecBody& body, const Defaults& surroundings) {
    const Defaults& defaults = r.class_of(e, surroundings);
    const bool in_world = body.name == "world";
    if (in_world && (e.tag == "inertial" || e.tag == "joint" || e.tag == "freejoint"))
        e.fail("the world cannot have <" + e.tag + ">, expected it in a <body>");
    if (e.tag == "body") read_body(r, e, body, surroundings);
    else if (e.tag == "frame") read_frame(r, e, body, surroundings);
    else if (e.tag == "replicate") read_replicate(r, e, body, surroundings);
    else if (e.tag == "attach") read_attach(r, e, body);
    else if (e.tag == "inertial") body.inertial = make_inertial(r, e);
    else if (e.tag == "joint") body.joints.push_back(make_joint(r, e, defaults));
    else if (e.tag == "freejoint") body.joints.push_back(make_freejoint(r, e));
    else if (e.tag == "geom") body.geoms.push_back(make_geom(r, e, defaults));
    else if (e.tag == "site") body.sites.push_back(make_site(r, e, defaults));
    else if (e.tag == "camera") body.cameras.push_back(make_camera(r, e, defaults));
    else if (e.tag == "light") body.lights.push_back(make_light(r, e, defaults));
    else e.fail("<" + e.tag + "> is not supported");
}

inline void read_contents(Reader& r, const Element& e, SpecBody& body, const Defaults& surroundings) {
    for (const Element& child : e.children) read_content(r, child, body, surroundings);
}

inline void read_worldbody(Reader& r, const Element& e) { read_contents(r, e, r.spec.world, r.main_class()); }

}  // namespace mjx::mjcf
