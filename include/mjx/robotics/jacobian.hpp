// Jacobians of frames: how dofs move them. Rows 0 to 2 are rotation, 3 to 5 the translation of the frame's origin.
//
//     jacobian(m, d, site("tcp"), J)                  6 x nv, world axes; velocity = J qvel
//     jacobian_dot_times_v(m, d, site("tcp"))         the frame's acceleration is J qacc + this
// Reads   poses, cdof, subtree_com; velocities also cvel, cdof_dot, qvel (forward_kinematics computes all of them)
// A frame in local axes moves as R⁻¹ v does, and its bias is R⁻¹ (a - ω × v). An observer who turns with ω sees a frame whose velocity
// differs from his own, carried to the same point, by x; its rate in his axes is R⁻¹ (ẋ - ω × x), where the linear part of ẋ contains
// ω × x once more, since the point moves past him (Featherstone 2008, ch. 2.10).
#pragma once

#include "mjx/robotics/answer.hpp"
#include "mjx/robotics/frames.hpp"
#include "mjx/stage/jacobian.hpp"

namespace mjx::inner {

// f(i, column) for each dof that moves the body: the velocity of a world point fixed in it.
template <class M, class D, class S, class F>
void for_each_column(const M& m, const D& d, int body, const Vec3<S>& at, F&& f) {
    const Vec3<S> arm = at - d.subtree_com[m.body_rootid[body]];
    for_each_dof_of(m, body, [&](int i) {
        const Vec3<S> w = angular(d.cdof[i]);
        f(i, spatial(w, Vec3<S>(linear(d.cdof[i]) + cross(w, arm))));
    });
}

template <class M, class D, class F, class J>
void jacobian(const M& m, const D& d, const F& frame, J& out) {
    using S = typename D::scalar;
    clear_matrix(out, 6, m.nv);
    const Pose<S> at = pose(m, d, frame);
    for_each_column(m, d, at.body, at.pos, [&](int i, const Vec6<S>& column) {
        for (int r = 0; r < 6; ++r) out(r, i) = column[r];
    });
}
template <class M, class D, class F, class J>
void jacobian(const M& m, const D& d, const LocalFrame<F>& frame, J& out) {
    using S = typename D::scalar;
    clear_matrix(out, 6, m.nv);
    const Pose<S> at = pose(m, d, frame.frame);
    for_each_column(m, d, at.body, at.pos, [&](int i, const Vec6<S>& column) {
        const Vec6<S> own = into_frame(at.axes, column);
        for (int r = 0; r < 6; ++r) out(r, i) = own[r];
    });
}
template <class M, class D, class F, class G, class J>
void jacobian(const M& m, const D& d, const RelativeFrame<F, G>& frame, J& out) {
    using S = typename D::scalar;
    clear_matrix(out, 6, m.nv);
    const Pose<S> at = pose(m, d, frame.frame), to = pose(m, d, frame.to);
    for_each_column(m, d, at.body, at.pos, [&](int i, const Vec6<S>& column) {
        const Vec6<S> seen = into_frame(to.axes, column);
        for (int r = 0; r < 6; ++r) out(r, i) = seen[r];
    });
    for_each_column(m, d, to.body, at.pos, [&](int i, const Vec6<S>& column) {
        const Vec6<S> own = into_frame(to.axes, column);
        for (int r = 0; r < 6; ++r) out(r, i) -= own[r];
    });
}

// The velocity of a frame: J qvel (mj_objectVelocity).
template <class M, class D, class F>
auto velocity(const M& m, const D& d, const F& frame) {
    const auto at = pose(m, d, frame);
    return velocity_at(m, d, at.body, at.pos);
}
template <class M, class D, class F>
auto velocity(const M& m, const D& d, const LocalFrame<F>& frame) {
    const auto at = pose(m, d, frame.frame);
    return into_frame(at.axes, velocity_at(m, d, at.body, at.pos));
}
template <class M, class D, class F, class G>
auto velocity(const M& m, const D& d, const RelativeFrame<F, G>& frame) {
    using S = typename D::scalar;
    const Pose<S> at = pose(m, d, frame.frame), to = pose(m, d, frame.to);
    return into_frame(to.axes, Vec6<S>(velocity_at(m, d, at.body, at.pos) - velocity_at(m, d, to.body, at.pos)));
}

// Acceleration of a body at a world point, rotation first, when no dof accelerates.
template <class M, class D, class S>
Vec6<S> bias_motion(const M& m, const D& d, int body, const Vec3<S>& at) {
    Vec6<S> a = Vec6<S>::zero();
    for_each_dof_of(m, body, [&](int i) { a += d.cdof_dot[i] * d.qvel[i]; });
    const Vec3<S> arm = at - d.subtree_com[m.body_rootid[body]];
    const Vec6<S> v = velocity_at(m, d, body, at);
    return spatial(angular(a), Vec3<S>(linear(a) + cross(angular(a), arm) + cross(angular(v), linear(v))));
}

template <class M, class D, class F>
auto jacobian_dot_times_v(const M& m, const D& d, const F& frame) {
    const auto at = pose(m, d, frame);
    return bias_motion(m, d, at.body, at.pos);
}
template <class M, class D, class F>
auto jacobian_dot_times_v(const M& m, const D& d, const LocalFrame<F>& frame) {
    using S = typename D::scalar;
    const Pose<S> at = pose(m, d, frame.frame);
    const Vec6<S> a = bias_motion(m, d, at.body, at.pos), v = velocity_at(m, d, at.body, at.pos);
    return into_frame(at.axes, spatial(angular(a), Vec3<S>(linear(a) - cross(angular(v), linear(v)))));
}
template <class M, class D, class F, class G>
auto jacobian_dot_times_v(const M& m, const D& d, const RelativeFrame<F, G>& frame) {
    using S = typename D::scalar;
    const Pose<S> at = pose(m, d, frame.frame), to = pose(m, d, frame.to);
    const Vec6<S> own = velocity_at(m, d, to.body, at.pos), x = velocity_at(m, d, at.body, at.pos) - own;
    const Vec6<S> rate = bias_motion(m, d, at.body, at.pos) - bias_motion(m, d, to.body, at.pos);
    const Vec3<S> w = angular(own);
    return into_frame(to.axes,
                      spatial(Vec3<S>(angular(rate) - cross(w, angular(x))), Vec3<S>(linear(rate) - cross(w, linear(x)) * value_t<S>(2))));
}

}  // namespace mjx::inner
