// A joint that mjx does not have, written outside the library: the nut turns about the joint's axis and moves along it, `pitch` metres
// for every radian. ScalarJoint brings the rest: integration, limits, springs, armature, motors.
#pragma once

#include "mjx/joints.hpp"

struct Screw : mjx::ScalarJoint {
    static constexpr int type = mjx::jnt::user, angle = 0;  // its only coordinate is an angle
    static constexpr bool turns = true;                     // about the joint's anchor
    static constexpr const char *name = "screw", *cpp_name = "Screw";

    template <class M>
    static auto pitch(const M& m, int j) {
        return m.jnt_user[j * m.nuser_jnt];
    }

    template <class M, class D, class S>
    static void move(const M& m, D& d, int j, mjx::Vec3<S>& xpos, mjx::Quat<S>& xquat) {
        const int q = m.jnt_qposadr[j];
        mjx::shift_anchor(d, j, xpos, d.xaxis[j] * ((d.qpos[q] - m.qpos0[q]) * pitch(m, j)));
        xquat = mjx::turn(xquat, m.jnt_axis[j], d.jnt_sin[j], d.jnt_cos[j]);
    }

    // What a unit of velocity does to the body: it turns about the axis and moves along it.
    template <class M, class D, class S>
    static void axes(const M& m, D& d, int j, int dof, const mjx::Mat3<S>&, const mjx::Vec3<S>& arm) {
        d.cdof[dof] = mjx::rotation_dof(d.xaxis[j], arm) + mjx::translation_dof(d.xaxis[j] * S(pitch(m, j)));
    }
};
