// Spatial velocities of bodies and the rates of their motion axes.
//
// Reads   cdof, qvel
// Writes  cvel, cdof_dot
// About the tree's com, world axes. The axes of a joint turn with the velocity reached before them; those that move together, such as
// the rotations of a ball, turn together (Featherstone 2008, ch. 5; MuJoCo, computation chapter).
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
            const int end = dof + M::joints::nv(m.jnt_type[j]), width = M::joints::group(m.jnt_type[j]);
            for (; dof < end; dof += width) {
                for (int k = 0; k < width; ++k) d.cdof_dot[dof + k] = cross_motion(velocity, d.cdof[dof + k]);
                for (int k = 0; k < width; ++k) velocity += d.cdof[dof + k] * d.qvel[dof + k];
            }
        }
        d.cvel[b] = velocity;
    });
}

}  // namespace mjx::inner
