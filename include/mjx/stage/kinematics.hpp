// Forward kinematics: where everything is.
//
// Reads   qpos, mocap_pos, mocap_quat
// Writes  xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, jnt_sin, jnt_cos; poses of geoms and sites
// All in the world frame. Bodies are visited parents first; a body starts at its offset from the parent and each of its joints
// moves it in turn (MuJoCo, computation chapter: "Forward kinematics").
#pragma once

#include "mjx/data/work.hpp"
#include "mjx/math/fours.hpp"
#include "mjx/math/quad_frame.hpp"
#include "mjx/math/quat.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

// A frame fixed in a body, seen from the world.
template <class D, class P, class Q, class S>
[[gnu::always_inline]] inline void local_to_world(const D& d, int body, const P& pos, const Q& quat, Vec3<S>& xpos, Mat3<S>& xmat) {
    xpos = d.xpos[body] + sparse_product(d.xmat[body], pos);
    xmat = to_mat3(turn(d.xquat[body], quat));
}

// The same of a frame that has something in common with the body's or its principal axes (sameframe::), which is copied.
template <class D, class P, class S>
[[gnu::always_inline]] inline void shared_to_world(const D& d, int body, int same, const P& pos, Vec3<S>& xpos, Mat3<S>& xmat) {
    if (same == sameframe::body)
        xpos = d.xpos[body];
    else if (same == sameframe::inertia)
        xpos = d.xipos[body];
    else
        xpos = d.xpos[body] + sparse_product(d.xmat[body], pos);
    const Mat3<S>& mat = same == sameframe::body || same == sameframe::bodyrot ? d.xmat[body] : d.ximat[body];
    if constexpr (std::same_as<S, double>) {  // in the pieces that QuadMatrix wrote it in: it may be a moment ago
        quad<S> low, high;
        load_quad(low, mat.e);
        load_quad(high, mat.e + 4);
        store_quad(xmat.e, low);
        store_quad(xmat.e + 4, high);
        xmat[8] = mat[8];
    } else {
        xmat = mat;
    }
}

// The frames of bodies, geoms and sites: code of its own for each in straight-line code, where `same` is a constant, and once otherwise.
template <class D, class P, class Q, class S>
[[gnu::noinline]] void place_frame(const D& d, int body, int same, const P& pos, const Q& quat, Vec3<S>& xpos, Mat3<S>& xmat) {
    if (same == sameframe::none)
        local_to_world(d, body, pos, quat, xpos, xmat);
    else
        shared_to_world(d, body, same, pos, xpos, xmat);
}
template <class D, class P, class Q, class S, int Same>
[[gnu::always_inline]] inline void place_frame(const D& d, int body, std::integral_constant<int, Same>, const P& pos, const Q& quat,
                                               Vec3<S>& xpos, Mat3<S>& xmat) {
    if constexpr (Same == sameframe::none)
        local_to_world(d, body, pos, quat, xpos, xmat);
    else
        shared_to_world(d, body, Same, pos, xpos, xmat);
}

template <class S, class M>
struct AngleWork {
    WorkPlace<M>* at;
    WorkArray<S, Dim::njnt, S, M> half{at};  // of each joint's angle
};

// Sine and cosine of half the angle of every joint that has one: they do not wait for the chain of frames.
template <class M, class D>
void joint_angles(const M& m, D& d) {
    using S = typename D::scalar;
    const auto w = borrow<AngleWork>(m, d);
    for (int j = 0; j < m.njnt; ++j) {
        const int angle = M::joints::angle(m.jnt_type[j]), q = m.jnt_qposadr[j] + angle;
        w->half[j] = angle >= 0 ? (d.qpos[q] - m.qpos0[q]) * value_t<S>(0.5) : S(0);
    }
    sincos_all<in_kernel_v<M>>(w->half, d.jnt_sin, d.jnt_cos, m.njnt);
}

// Moves the frame of body b, which starts where its parent's frame takes it, through the body's joints, up to its final rotation.
// Vectors fixed in the body are turned by matrices where there is one: the parent's as long as nothing has turned the body, and the final
// one, which shows the axis of the last joint if it is a hinge, since a hinge does not move its own axis.
template <class M, class D, class S>
[[gnu::always_inline]] inline void through_joints(const M& m, D& d, auto b, bool turned, Vec3<S>& xpos, Quat<S>& xquat, Mat3<S>& xmat) {
    const int first = m.body_jntadr[b], last = first + m.body_jntnum[b] - 1;
    const Mat3<S>& parent = d.xmat[m.body_parentid[b]];
    over_joints_of(
        m, b, [&](auto j) __attribute__((always_inline)) {
            const bool as_parent = j == first && !turned, axis_later = j == last && M::joints::axis_after(m.jnt_type[j]);
            d.xanchor[j] = xpos;
            if (m.jnt_offset[j]) d.xanchor[j] = xpos + (as_parent ? sparse_product(parent, m.jnt_pos[j]) : rotate(xquat, m.jnt_pos[j]));
            if (!axis_later) d.xaxis[j] = as_parent ? sparse_product(parent, m.jnt_axis[j]) : rotate(xquat, m.jnt_axis[j]);
            M::joints::visit(
                known(m, j, [](const auto& all, int i) { return all.jnt_type[i]; }), [&](auto joint) __attribute__((always_inline)) {
                    joint.move(m, d, j, xpos, xquat);
                });
            if (j < last && m.jnt_offset[j] && M::joints::turns(m.jnt_type[j])) xpos = d.xanchor[j] - rotate(xquat, m.jnt_pos[j]);
        });
    xquat = renormalize(xquat);
    xmat = to_mat3(xquat);
    if (m.body_jntnum[b] == 0) return;
    if (M::joints::axis_after(m.jnt_type[last])) d.xaxis[last] = sparse_product(xmat, m.jnt_axis[last]);
    if (m.jnt_offset[last] && M::joints::turns(m.jnt_type[last])) xpos = d.xanchor[last] - sparse_product(xmat, m.jnt_pos[last]);
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
        const int parent = m.body_parentid[b], mocap = m.body_mocapid[b];
        Vec3<S> xpos;
        Quat<S> xquat;
        Mat3<S> xmat;
        if (mocap >= 0) {
            xpos = d.mocap_pos[mocap];
            xquat = normalize(d.mocap_quat[mocap]);
        } else {
            xpos = d.xpos[parent] + sparse_product(d.xmat[parent], m.body_pos[b]);
            xquat = m.body_turned[b] ? turn(d.xquat[parent], m.body_quat[b]) : d.xquat[parent];
        }
        through_joints(m, d, b, mocap >= 0 || m.body_turned[b], xpos, xquat, xmat);
        d.xpos[b] = xpos;
        d.xquat[b] = xquat;
        d.xmat[b] = xmat;
        if constexpr (!in_fours<M, D>()) {
            const auto same = known(m, b, [](const auto& all, int i) { return all.body_sameframe[i]; });
            place_frame(d, b, same, m.body_ipos[b], m.body_iquat[b], d.xipos[b], d.ximat[b]);
        }
    });
}

// The frames of geoms and sites.
template <class M, class D>
void fixed_frames(const M& m, D& d) {
    over_geoms<typename D::scalar>(m, [&](auto g) {
        const auto same = known(m, g, [](const auto& all, int i) { return all.geom_sameframe[i]; });
        place_frame(d, m.geom_bodyid[g], same, m.geom_pos[g], m.geom_quat[g], d.geom_xpos[g], d.geom_xmat[g]);
    });
    for (int s = 0; s < m.nsite; ++s)
        place_frame(d, m.site_bodyid[s], m.site_sameframe[s], m.site_pos[s], m.site_quat[s], d.site_xpos[s], d.site_xmat[s]);
}
#ifdef __AVX__
// The same and those of bodies' inertia, body by body.
template <class M, class D>
    requires(in_fours<M, D>())
void fixed_frames(const M& m, D& d) {
    for (int b = 0, g = 0, s = 0; b < m.nbody; ++b) {
        const QuadFrame frame(d.xpos[b], d.xquat[b], d.xmat[b]);
        const auto place = [&](int same, const auto& pos, const auto& quat, auto& xpos, auto& xmat) __attribute__((always_inline)) {
            if (same == sameframe::none)
                frame.place(pos, quat, xpos, xmat);
            else
                shared_to_world(d, b, same, pos, xpos, xmat);
        };
        if (b > 0) place(m.body_sameframe[b], m.body_ipos[b], m.body_iquat[b], d.xipos[b], d.ximat[b]);
        for (; g < m.ngeom && m.geom_bodyid[g] == b; ++g)
            place(m.geom_sameframe[g], m.geom_pos[g], m.geom_quat[g], d.geom_xpos[g], d.geom_xmat[g]);
        for (; s < m.nsite && m.site_bodyid[s] == b; ++s)
            place(m.site_sameframe[s], m.site_pos[s], m.site_quat[s], d.site_xpos[s], d.site_xmat[s]);
    }
}
#endif

template <class M, class D>
void kinematics(const M& m, D& d) {
    joint_angles(m, d);
    body_frames(m, d);
    fixed_frames(m, d);
}

}  // namespace mjx::inner
