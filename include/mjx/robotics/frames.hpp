// Frames of a robot, by index or by name: of bodies, their inertias, geoms, sites, cameras, and points fixed in them.
//
//     pose(m, d, site("tcp")).pos            pose(m, d, point(body("hand"), {{0, 0, 0.1}}))            pose(sim, sim.site("tcp"))
// Reads   xpos, xmat, xipos, ximat; poses of geoms, sites and cameras (forward_kinematics computes them)
// local(frame) means the frame's own axes instead of the world's, relative(frame, to) the motion that an observer in the frame `to` sees.
#pragma once

#include "mjx/math/spatial.hpp"

#include <string_view>

namespace mjx::inner {

enum class FrameKind { body, inertia, geom, site, camera };

// Handles of a simulator (handles.hpp) are frames too.
template <FrameKind Kind>
struct Frame {
    int id;
};
template <FrameKind Kind>
struct NamedFrame {
    std::string_view name;
};
template <class F, class R>
struct PointFrame {
    F frame;
    Vec3<R> offset;  // in the frame's axes
};
template <class F>
struct LocalFrame {
    F frame;
};
template <class F, class G>
struct RelativeFrame {
    F frame;
    G to;
};

constexpr Frame<FrameKind::body> body(int id) { return {id}; }
constexpr Frame<FrameKind::inertia> inertia_of(int body_id) { return {body_id}; }  // centre of mass, principal axes
constexpr Frame<FrameKind::geom> geom(int id) { return {id}; }
constexpr Frame<FrameKind::site> site(int id) { return {id}; }
constexpr Frame<FrameKind::camera> camera(int id) { return {id}; }
constexpr NamedFrame<FrameKind::body> body(std::string_view name) { return {name}; }
constexpr NamedFrame<FrameKind::inertia> inertia_of(std::string_view body_name) { return {body_name}; }
constexpr NamedFrame<FrameKind::geom> geom(std::string_view name) { return {name}; }
constexpr NamedFrame<FrameKind::site> site(std::string_view name) { return {name}; }
constexpr NamedFrame<FrameKind::camera> camera(std::string_view name) { return {name}; }
template <class F, class R = double>
constexpr PointFrame<F, R> point(const F& frame, const Vec3<R>& offset) {
    return {frame, offset};
}
template <class F>
constexpr LocalFrame<F> local(const F& frame) {
    return {frame};
}
template <class F, class G>
constexpr RelativeFrame<F, G> relative(const F& frame, const G& to) {
    return {frame, to};
}

// The index of what the frame belongs to. Names are looked up at every call: in a loop, keep the index.
template <class M, FrameKind Kind>
constexpr int frame_id(const M&, Frame<Kind> frame) {
    return frame.id;
}
template <class M, FrameKind Kind>
int frame_id(const M& m, NamedFrame<Kind> frame) {
    static_assert(!M::is_fixed, "names of a fixed model are constants: site(models::Arm::site(\"tcp\")) instead of site(\"tcp\")");
    if constexpr (Kind == FrameKind::geom)
        return m.geom(frame.name);
    else if constexpr (Kind == FrameKind::site)
        return m.site(frame.name);
    else if constexpr (Kind == FrameKind::camera)
        return m.camera(frame.name);
    else
        return m.body(frame.name);
}

// Where a frame is, and the body it moves with.
template <class S>
struct Pose {
    int body;
    Vec3<S> pos;   // world
    Mat3<S> axes;  // columns, in the world
};

template <class M, class D, FrameKind Kind>
auto pose_by_id(const M& m, const D& d, int id) {
    using P = Pose<typename D::scalar>;
    if constexpr (Kind == FrameKind::body)
        return P{id, d.xpos[id], d.xmat[id]};
    else if constexpr (Kind == FrameKind::inertia)
        return P{id, d.xipos[id], d.ximat[id]};
    else if constexpr (Kind == FrameKind::geom)
        return P{m.geom_bodyid[id], d.geom_xpos[id], d.geom_xmat[id]};
    else if constexpr (Kind == FrameKind::site)
        return P{m.site_bodyid[id], d.site_xpos[id], d.site_xmat[id]};
    else
        return P{m.cam_bodyid[id], d.cam_xpos[id], d.cam_xmat[id]};
}
template <class M, class D, FrameKind Kind>
auto pose(const M& m, const D& d, Frame<Kind> frame) {
    return pose_by_id<M, D, Kind>(m, d, frame.id);
}
template <class M, class D, FrameKind Kind>
auto pose(const M& m, const D& d, NamedFrame<Kind> frame) {
    return pose_by_id<M, D, Kind>(m, d, frame_id(m, frame));
}
template <class M, class D, class F, class R>
auto pose(const M& m, const D& d, const PointFrame<F, R>& frame) {
    using S = typename D::scalar;
    auto at = pose(m, d, frame.frame);
    at.pos += at.axes * tabulate<Vec3<S>>([&](int k) { return S(static_cast<value_t<S>>(frame.offset[k])); });
    return at;
}
template <class M, class D, class F>
auto pose(const M& m, const D& d, const LocalFrame<F>& frame) {
    return pose(m, d, frame.frame);
}
// As seen from the frame `to`, in its axes.
template <class M, class D, class F, class G>
auto pose(const M& m, const D& d, const RelativeFrame<F, G>& frame) {
    using S = typename D::scalar;
    const auto at = pose(m, d, frame.frame), to = pose(m, d, frame.to);
    return Pose<S>{at.body, transpose_mul(to.axes, Vec3<S>(at.pos - to.pos)), transpose(to.axes) * at.axes};
}

// The orientation of a frame. Cameras: of those fixed in their body.
template <FrameKind Kind, class M, class D>
auto frame_quat(const M& m, const D& d, int id) {
    if constexpr (Kind == FrameKind::body)
        return d.xquat[id];
    else if constexpr (Kind == FrameKind::inertia)
        return turn(d.xquat[id], m.body_iquat[id]);
    else if constexpr (Kind == FrameKind::geom)
        return turn(d.xquat[m.geom_bodyid[id]], m.geom_quat[id]);
    else if constexpr (Kind == FrameKind::site)
        return turn(d.xquat[m.site_bodyid[id]], m.site_quat[id]);
    else
        return turn(d.xquat[m.cam_bodyid[id]], m.cam_quat[id]);
}
template <class M, class D, FrameKind Kind>
auto orientation(const M& m, const D& d, Frame<Kind> frame) {
    return frame_quat<Kind>(m, d, frame.id);
}
template <class M, class D, FrameKind Kind>
auto orientation(const M& m, const D& d, NamedFrame<Kind> frame) {
    return frame_quat<Kind>(m, d, frame_id(m, frame));
}
template <class M, class D, class F, class R>
auto orientation(const M& m, const D& d, const PointFrame<F, R>& frame) {
    return orientation(m, d, frame.frame);
}

}  // namespace mjx::inner
