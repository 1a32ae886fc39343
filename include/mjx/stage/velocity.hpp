// Spatial velocities of bodies and the rates of their motion axes.
//
// Reads   cdof, qvel
// Writes  cvel, cdof_dot
// About the tree's com, world axes. The axes of one joint turn with the velocity reached before that joint; the rotations of a
// ball or free joint turn together (Featherstone 2008, ch. 5; MuJoCo, computation chapter).
#pragma once

#include "mjx/math/spatial.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

template <class M, class D>
void com_vel(const M& m, D& d) {
    using S = typename D::scalar;
    d.cvel[0] = Vec6<S>::zero();
    over_bodies<S>(m, [&](auto b) {
        Vec6<S> velocity = d.cvel[m.body_parentid[b]];
        const int first = m.body_jntadr[b];
        for (int j = first; j < first + m.body_jntnum[b]; ++j) {
            int dof = m.jnt_dofadr[j];
            // a free joint is three translations, then three rotations; the others are one group
            const int groups = m.jnt_type[j] == jnt::free ? 2 : 1;
            const int width = m.jnt_type[j] == jnt::slide || m.jnt_type[j] == jnt::hinge ? 1 : 3;
            for (int g = 0; g < groups; ++g, dof += width) {
                for (int k = 0; k < width; ++k) d.cdof_dot[dof + k] = cross_motion(velocity, d.cdof[dof + k]);
                for (int k = 0; k < width; ++k) velocity += d.cdof[dof + k] * d.qvel[dof + k];
            }
        }
        d.cvel[b] = velocity;
    });
}

}  // namespace mjx::inner
