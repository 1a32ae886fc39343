// Forward kinematics: where everything is.
//
// Reads   qpos, mocap_pos, mocap_quat
// Writes  xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, jnt_angle, jnt_sin, jnt_cos; poses of geoms and sites
// All in the world frame. Bodies are visited parents first; a body starts at its offset from the parent and each of its joints
// moves it in turn (MuJoCo, computation chapter: "Forward kinematics").
#pragma once

#include "mjx/math/quad.hpp"
#include "mjx/math/quat.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/model/types.hpp"

namespace mjx {

// A frame fixed in a body, seen from the world.
template <class D, class P, class Q, class S>
void local_to_world(const D& d, int body, const P& pos, const Q& quat, Vec3<S>& xpos, Mat3<S>& xmat) {
    xpos = d.xpos[body] + d.xmat[body] * pos;
    xmat = to_mat3(Quat<S>(d.xquat[body] * quat));
}

// The same when it is known how the frame relates to the body's (sameframe::): what they share is copied.
template <class D, class P, class Q, class S>
void local_to_world(const D& d, int body, int same, const P& pos, const Q& quat, Vec3<S>& xpos, Mat3<S>& xmat) {
    if (same == sameframe::none) return local_to_world(d, body, pos, quat, xpos, xmat);
    if (same == sameframe::body) xpos = d.xpos[body];
    else if (same == sameframe::inertia) xpos = d.xipos[body];
    else xpos = d.xpos[body] + d.xmat[body] * pos;
    xmat = same == sameframe::body || same == sameframe::bodyrot ? d.xmat[body] : d.ximat[body];
}

// Sine and cosine of half the angle of every hinge: they do not wait for the chain of frames.
template <class M, class D>
void hinge_angles(const M& m, D& d) {
    using S = typename D::scalar;
    for (int j = 0; j < m.njnt; ++j) {
        const int q = m.jnt_qposadr[j];
        d.jnt_angle[j] = m.jnt_type[j] == jnt::hinge ? (d.qpos[q] - m.qpos0[q]) * value_t<S>(0.5) : S(0);
    }
    sincos_all(d.jnt_angle, d.jnt_sin, d.jnt_cos, m.njnt);
}

// A hinge does not move its own axis: for the last joint of a body it can be read off the finished frame.
template <class M>
constexpr bool turns_last(const M& m, int b, int j) {
    return m.body_jntnum[b] > 0 && j == m.body_jntadr[b] + m.body_jntnum[b] - 1 && m.jnt_type[j] == jnt::hinge;
}

template <class M, class D>
void body_frames(const M& m, D& d) {
    using S = typename D::scalar;
    d.xpos[0] = Vec3<S>::zero();
    d.xquat[0] = Quat<S>::identity();
    d.xmat[0] = Mat3<S>::identity();
    d.xipos[0] = Vec3<S>::zero();
    d.ximat[0] = Mat3<S>::identity();

    over_bodies<S>(m, [&](auto b) {
        const int parent = m.body_parentid[b];
        const int mocap = m.body_mocapid[b];
        Vec3<S> xpos;
        Quat<S> xquat;
        if (mocap >= 0) {
            xpos = d.mocap_pos[mocap];
            xquat = normalize(d.mocap_quat[mocap]);
        } else {
            xpos = d.xpos[parent] + d.xmat[parent] * m.body_pos[b];
            xquat = m.body_turned[b] ? d.xquat[parent] * m.body_quat[b] : d.xquat[parent];
        }
        const int first = m.body_jntadr[b];
        for (int j = first; j < first + m.body_jntnum[b]; ++j) {
            d.xanchor[j] = m.jnt_offset[j] ? xpos + rotate(xquat, m.jnt_pos[j]) : xpos;
            if (!turns_last(m, b, j)) d.xaxis[j] = rotate(xquat, m.jnt_axis[j]);
            M::joints::visit(m.jnt_type[j], [&](auto joint) { joint.move(m, d, j, xpos, xquat); });
        }
        xquat = renormalize(xquat);
        d.xpos[b] = xpos;
        d.xquat[b] = xquat;
        d.xmat[b] = to_mat3(xquat);
        const int last = first + m.body_jntnum[b] - 1;
        if (turns_last(m, b, last)) d.xaxis[last] = d.xmat[b] * m.jnt_axis[last];
        local_to_world(d, b, m.body_sameframe[b], m.body_ipos[b], m.body_iquat[b], d.xipos[b], d.ximat[b]);
    });
}

template <class M, class D>
void kinematics(const M& m, D& d) {
    hinge_angles(m, d);
    body_frames(m, d);
    for (int g = 0; g < m.ngeom; ++g)
        local_to_world(d, m.geom_bodyid[g], m.geom_sameframe[g], m.geom_pos[g], m.geom_quat[g], d.geom_xpos[g], d.geom_xmat[g]);
    for (int s = 0; s < m.nsite; ++s)
        local_to_world(d, m.site_bodyid[s], m.site_sameframe[s], m.site_pos[s], m.site_quat[s], d.site_xpos[s], d.site_xmat[s]);
}

}  // namespace mjx
