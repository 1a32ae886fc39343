// Spatial velocities of bodies and the rates of their motion axes.
//
// Reads   cdof, qvel
// Writes  cvel, cdof_dot
// About the tree's com, world axes. The axes of a joint turn with the velocity reached before them; those that move together, such as
// the rotations of a ball, turn together (Featherstone 2008, ch. 5; MuJoCo, computation chapter).
#pragma once

#include "mjx/math/fours.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

#ifdef __AVX__
template <class M, class D>
    requires(in_quads<M, D>())
void com_vel(const M& m, D& d) {
    d.cvel[0] = Vec6<double>::zero();
    for (int b = 1; b < m.nbody; ++b) {
        SpatialQuads velocity(d.cvel[m.body_parentid[b]]);
        const int first = m.body_jntadr[b];
        for (int j = first; j < first + m.body_jntnum[b]; ++j) {
            const int type = m.jnt_type[j];
            int dof = m.jnt_dofadr[j];
            const auto move = [&](int width) __attribute__((always_inline)) {
                const SpatialQuads::Turned before(velocity);
                for (int k = 0; k < width; ++k) {
                    const SpatialQuads axis(d.cdof[dof + k]);
                    cross_motion(before, SpatialQuads::Turned(axis)).store(d.cdof_dot[dof + k]);
                    velocity += axis * d.qvel[dof + k];
                }
            };
            if (M::joints::is_scalar(type)) {
                move(1);
                continue;
            }
            const int end = dof + M::joints::nv(type), width = M::joints::group(type);
            for (; dof < end; dof += width) move(width);
        }
        velocity.store(d.cvel[b]);
    }
}
#endif
template <class M, class D>
void com_vel(const M& m, D& d) {
    using S = typename D::scalar;
    d.cvel[0] = Vec6<S>::zero();
    over_bodies<S>(m, [&](auto b) {
        Vec6<S> velocity = d.cvel[m.body_parentid[b]];
        over_joints_of(m, b, [&](auto j) {
            const int dof = m.jnt_dofadr[j];
            const auto type = known(m, j, [](const auto& all, int i) { return all.jnt_type[i]; });
            M::joints::visit(type, [&]<class Joint>(Joint) {
                for (int i = dof; i < dof + Joint::nv; i += Joint::group) {
                    for (int k = i; k < i + Joint::group; ++k) d.cdof_dot[k] = cross_motion(velocity, d.cdof[k]);
                    for (int k = i; k < i + Joint::group; ++k) velocity += d.cdof[k] * d.qvel[k];
                }
            });
        });
        d.cvel[b] = velocity;
    });
}

}  // namespace mjx::inner
