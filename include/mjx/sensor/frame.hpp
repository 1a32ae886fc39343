// Where the objects sensors are attached to are and how they move: bodies, geoms, sites and cameras.
//
// Reads   poses, cvel, cacc, subtree_com
// obj::xbody is the body's own frame, obj::body its principal axes at the centre of mass. World frame unless said otherwise.
#pragma once

#include "mjx/model/sensor_kinds.hpp"
#include "mjx/stage/jacobian.hpp"

namespace mjx::inner {

template <class M>
constexpr int body_of(const M& m, int type, int id) {
    switch (type) {
        case obj::geom: return m.geom_bodyid[id];
        case obj::site: return m.site_bodyid[id];
        case obj::camera: return m.cam_bodyid[id];
        default: return id;
    }
}
template <class D>
auto object_pos(const D& d, int type, int id) {
    switch (type) {
        case obj::geom: return d.geom_xpos[id];
        case obj::site: return d.site_xpos[id];
        case obj::camera: return d.cam_xpos[id];
        case obj::body: return d.xipos[id];
        default: return d.xpos[id];
    }
}
template <class D>
auto object_mat(const D& d, int type, int id) {
    switch (type) {
        case obj::geom: return d.geom_xmat[id];
        case obj::site: return d.site_xmat[id];
        case obj::camera: return d.cam_xmat[id];
        case obj::body: return d.ximat[id];
        default: return d.xmat[id];
    }
}
template <class M, class D>
auto object_quat(const M& m, const D& d, int type, int id) {
    using S = typename D::scalar;
    const Quat<S> body = d.xquat[body_of(m, type, id)];
    switch (type) {
        case obj::geom: return Quat<S>(body * m.geom_quat[id]);
        case obj::site: return Quat<S>(body * m.site_quat[id]);
        case obj::camera: return Quat<S>(body * m.cam_quat[id]);
        case obj::body: return Quat<S>(body * m.body_iquat[id]);
        default: return body;
    }
}

// Velocity, rotation first. What no dof moves is at rest.
template <class M, class D>
auto object_velocity(const M& m, const D& d, int type, int id) {
    using S = typename D::scalar;
    const int body = body_of(m, type, id);
    return m.B_rownnz[body] == 0 ? Vec6<S>::zero() : velocity_at(m, d, body, object_pos(d, type, id));
}

// Acceleration, rotation first, gravity included: cacc carried over to the object's origin, which moves along.
template <class M, class D>
auto object_acceleration(const M& m, const D& d, int type, int id) {
    using S = typename D::scalar;
    const int body = body_of(m, type, id);
    if (m.B_rownnz[body] == 0) return Vec6<S>::zero();
    const Vec3<S> arm = object_pos(d, type, id) - d.subtree_com[m.body_rootid[body]];
    const Vec6<S> velocity = object_velocity(m, d, type, id);
    const Vec3<S> turn = angular(d.cacc[body]);
    return spatial(turn, Vec3<S>(linear(d.cacc[body]) + cross(turn, arm) + cross(angular(velocity), linear(velocity))));
}

}  // namespace mjx::inner
