// Frames are dissolved when they have been read: their contents move into the enclosing body with the frame's pose applied.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

template <class T>
[[gnu::cold]] void apply_pose(const Pose& frame, T& item) {
    const Pose pose = frame * Pose{item.pos, item.quat};
    item.pos = pose.pos;
    item.quat = unit(pose.quat);
}
[[gnu::cold]] inline void apply_pose(const Pose& frame, SpecLight& l) {
    l.pos = frame.pos + to_mat3(frame.quat) * l.pos;
    l.dir = rotate(frame.quat, l.dir);
}
// A free joint has neither place nor axis; a ball has no axis.
[[gnu::cold]] inline void apply_pose(const Pose& frame, SpecJoint& j) {
    const JointKind& kind = all_joints::kind(j.type);
    if (kind.floats) return;
    j.pos = frame.pos + to_mat3(frame.quat) * j.pos;
    if (kind.has_axis) j.axis = rotate(frame.quat, j.axis);
}

// Calls f(list of `a`, list of `b`) for each kind of content of two bodies.
template <class F>
[[gnu::cold]] void for_each_content(F&& f, SpecBody& a, SpecBody& b) {
    f(a.joints, b.joints);
    f(a.geoms, b.geoms);
    f(a.sites, b.sites);
    f(a.cameras, b.cameras);
    f(a.lights, b.lights);
    f(a.bodies, b.bodies);
}

// Moves the contents of `from`, a frame with the pose `frame` in `to`, into `to`.
[[gnu::cold]] inline void dissolve(Reader& r, SpecBody&& from, const Pose& frame, SpecBody& to) {
    for (const SpecBody& b : from.bodies)
        if (!b.name.empty()) r.local_poses.add(b.name, {b.pos, b.quat});
    for_each_content(
        [&](auto& source, auto& target) {
            for (auto& item : source) apply_pose(frame, item);
            target.splice(target.end(), source);
        },
        from, to);
}

}  // namespace mjx::inner::mjcf
