// Elastic cables, as MuJoCo's plugin mujoco.elasticity.cable has them: torques of twist and bend between the bodies of a chain.
//
// Reads   qpos
// Writes  qfrc_passive
// A cable is a rod cut into bodies with ball joints between them (Bergou et al., "Discrete elastic rods", 2008). With the rotation vector ω
// of a body as seen from the one before, and that at rest, ω₀, the torque between them is -K (ω - ω₀) in the frame of the one before. It
// acts on both, with opposite signs: of all dofs, only the three of the joint between them feel it, in the frame of the body.
#pragma once

#include "mjx/math/quat.hpp"
#include "mjx/math/vec.hpp"

namespace mjx::inner {

// The rotation of the joint of cable entry c.
template <class M, class D>
auto cable_joint(const M& m, const D& d, int c) {
    return normalize(quat_at(d.qpos, m.jnt_qposadr[m.cable_jntid[c]]));
}

template <class M, class S>
Vec3<S> cable_torque(const M& m, int c, const Quat<S>& joint) {
    const auto& k = m.cable_stiffness[c];
    const Quat<S> turned = m.body_quat[m.jnt_bodyid[m.cable_jntid[c]]] * joint;
    const Vec3<S> strain = log_quat(turned) - Vec3<S>::from(m.cable_rest[c]);
    return rotate(conjugate(turned), Vec3<S>{{-strain[0] * k[0], -strain[1] * k[1], -strain[2] * k[2]}});
}

template <class M, class D>
void add_cable_torques(const M& m, D& d) {
    for (int c = 0; c < m.ncable; ++c) {
        const auto torque = cable_torque(m, c, cable_joint(m, d, c));
        const int dof = m.jnt_dofadr[m.cable_jntid[c]];
        for (int k = 0; k < 3; ++k) d.qfrc_passive[dof + k] += torque[k];
    }
}

}  // namespace mjx::inner
