// Slide: a translation along the joint's axis.
#pragma once

#include "mjx/model/joint/joint.hpp"

namespace mjx::inner {

struct Slide : ScalarJoint {
    static constexpr int type = jnt::slide;
    static constexpr const char *name = "slide", *cpp_name = "mjx::inner::Slide", *urdf = "prismatic";
    static constexpr bool decoupled = true, analytic = true;

    template <class M, class D, class S>
    [[gnu::always_inline]] static void move(const M& m, const D& d, int j, Vec3<S>& xpos, Quat<S>&) {
        const int q = m.jnt_qposadr[j];
        xpos += d.xaxis[j] * (d.qpos[q] - m.qpos0[q]);
    }
    template <class M, class D, class S>
    [[gnu::always_inline]] static void axes(const M&, D& d, int j, int dof, const Mat3<S>&, const Vec3<S>&) {
        d.cdof[dof] = translation_dof(d.xaxis[j]);
    }
};

}  // namespace mjx::inner
