// The stages that the functions of robotics.hpp need, without the rest of a step. sim.forward() computes all of this too.
//
//     forward_kinematics(m, d)     poses, motion axes and velocities: qpos, qvel, mocap_* → xpos ... cdof, cvel, cdof_dot
//     forward_inertia(m, d)        these, then M, its factors and qfrc_bias
#pragma once

#include "mjx/stage/camera.hpp"
#include "mjx/stage/com.hpp"
#include "mjx/stage/crba.hpp"
#include "mjx/stage/factor.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/rne.hpp"
#include "mjx/stage/tendon.hpp"
#include "mjx/stage/tendon_armature.hpp"
#include "mjx/stage/velocity.hpp"

namespace mjx::inner {

template <class M, class D>
void forward_kinematics(const M& m, D& d) {
    kinematics(m, d);
    com_pos(m, d);
    cameras(m, d);
    com_vel(m, d);
}

template <class M, class D>
void forward_inertia(const M& m, D& d) {
    forward_kinematics(m, d);
    tendon(m, d);
    crba(m, d);
    tendon_armature(m, d);
    factor(m, d);
    rne(m, d);
    tendon_bias(m, d);
}

}  // namespace mjx::inner
