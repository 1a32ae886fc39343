// Hinge: a rotation about the joint's axis through its anchor. Sine and cosine of half the angle are computed ahead, for all joints
// that have an angle together.
#pragma once

#include "mjx/model/joint/joint.hpp"

namespace mjx::inner {

struct Hinge : ScalarJoint {
    static constexpr int type = jnt::hinge, angle = 0;
    static constexpr const char *name = "hinge", *cpp_name = "mjx::inner::Hinge", *urdf = "revolute|continuous";
    static constexpr bool turns = true, axis_after = true, decoupled = true, analytic = true;

    template <class M, class D, class S>
    [[gnu::always_inline]] static void move(const M& m, const D& d, int j, Vec3<S>&, Quat<S>& xquat) {
        xquat = turn(xquat, m.jnt_axis[j], d.jnt_sin[j], d.jnt_cos[j]);
    }
    template <class M, class D, class S>
    [[gnu::always_inline]] static void axes(const M&, D& d, int j, int dof, const Mat3<S>&, const Vec3<S>& arm) {
        d.cdof[dof] = rotation_dof(d.xaxis[j], arm);
    }
};

}  // namespace mjx::inner
