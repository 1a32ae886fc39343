// Generalized forces of a motion: gravity, the Coriolis matrix, inverse dynamics without constraints, and the regressor.
//
//     M qacc + C qvel + gravity = force          bias = C qvel + gravity
// Reads   cdof, subtree_com; also crb, cinert, cvel, cdof_dot, qvel (forward_inertia computes all of them)
// The Coriolis matrix is the one for which dM/dt = C + Cᵀ. With the composite inertia I of the bodies below dof i, its rate İ and their
// momentum h, for an ancestor j of i (Echeandia and Wensing 2021):
//     C(j, i) = S_j · (I Ṡ_i + (İ S_i + S_i ×* h)/2)         C(i, j) = S_j · (İ S_i - S_i ×* h)/2 + Ṡ_j · I S_i
#pragma once

#include "mjx/model/types.hpp"
#include "mjx/robotics/mass.hpp"
#include "mjx/robotics/momentum.hpp"

namespace mjx::inner {

// The force that holds the robot against gravity: of each dof, the weight of what it carries along its motion.
template <class M, class D, class Out>
void gravity_force(const M& m, const D& d, Out& out) {
    using S = typename D::scalar;
    const bool off = m.opt.disabled(disable::gravity);
    for (int i = 0; i < m.nv; ++i) {
        const int b = m.dof_bodyid[i];
        const Vec3<S> motion = velocity_of_com(m, d, b, d.cdof[i]);
        out[i] = off ? S(0) : S(-dot(motion, m.opt.gravity) * m.body_subtreemass[b]);
    }
}

template <class M, class D, class Out>
void bias_force(const M& m, const D& d, Out& out) {
    for (int i = 0; i < m.nv; ++i) out[i] = d.qfrc_bias[i];
}

template <class M, class D, class J>
void coriolis_matrix(const M& m, const D& d, J& out) {
    using S = typename D::scalar;
    clear_matrix(out, m.nv, m.nv);
    const value_t<S> half(0.5);
    for (int b = 1; b < m.nbody; ++b) {
        if (m.body_dofnum[b] == 0) continue;
        const auto moving = moving_subtree(m, d, b);
        for (int i = m.body_dofadr[b]; i < m.body_dofadr[b] + m.body_dofnum[b]; ++i) {
            const Vec6<S> changed = moving.rate * d.cdof[i], turned = cross_force(d.cdof[i], moving.momentum);
            const Vec6<S> along = d.crb[b] * axis_rate(m, d, i) + (changed + turned) * half;
            const Vec6<S> across = (changed - turned) * half, momentum = d.crb[b] * d.cdof[i];
            for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
                const int j = m.M_colind[k];
                out(j, i) = dot(d.cdof[j], along);
                if (j != i) out(i, j) = dot(d.cdof[j], across) + dot(axis_rate(m, d, j), momentum);
            }
        }
    }
}

// out = M qacc + bias: the forces of all kinds that produce the acceleration; what passive forces, contacts and limits leave to the
// motors is `inverse`.
template <class M, class D, class A, class Out>
void inverse_dynamics(const M& m, const D& d, const A& qacc, Out& out) {
    multiply_mass(m, d, qacc, out);
    for (int i = 0; i < m.nv; ++i) out[i] += d.qfrc_bias[i];
}

// The ten inertial parameters of a body: xx yy zz xy xz yz of its inertia about the origin of its frame, mass times the centre of mass,
// mass; all in the body's axes.
template <class M>
auto inertial_parameters(const M& m, int b) {
    return body_inertia(m.body_inertia[b], m.body_mass[b], to_mat3(m.body_iquat[b]), m.body_ipos[b]);
}

// The regressor Y (nv x 10 nbody) of the inverse dynamics: Y times the inertial parameters of all bodies, those of the world first, is
// the force that produces qacc, but for armatures (Atkeson, An and Hollerbach 1986). Linear in the parameters, column by column: the
// force of a body with the k-th of them 1 and the others 0.
template <class M, class D, class A, class J>
void regressor(const M& m, const D& d, const A& qacc, J& out) {
    using S = typename D::scalar;
    clear_matrix(out, m.nv, 10 * m.nbody);
    for (int b = 1; b < m.nbody; ++b) {
        Vec6<S> a = Vec6<S>::zero();
        if (!m.opt.disabled(disable::gravity))
            for (int k = 0; k < 3; ++k) a[3 + k] = S(-m.opt.gravity[k]);
        for_each_dof_of(m, b, [&](int i) { a += d.cdof_dot[i] * d.qvel[i] + d.cdof[i] * qacc[i]; });
        const Vec3<S> arm = d.xpos[b] - d.subtree_com[m.body_rootid[b]];
        const Vec6<S> at_origin = spatial(angular(a), Vec3<S>(linear(a) + cross(angular(a), arm)));
        const Vec6<S> acceleration = into_frame(d.xmat[b], at_origin);
        const Vec6<S> motion = into_frame(d.xmat[b], velocity_at(m, d, b, d.xpos[b]));
        for (int k = 0; k < 10; ++k) {
            Inertia<S> unit = Inertia<S>::zero();
            unit[k] = S(1);
            const Vec6<S> wrench = unit * acceleration + cross_force(motion, unit * motion);
            const Vec3<S> torque = d.xmat[b] * angular(wrench), force = d.xmat[b] * linear(wrench);
            const Vec6<S> about_com = spatial(Vec3<S>(torque + cross(arm, force)), force);
            for_each_dof_of(m, b, [&](int i) { out(i, 10 * b + k) = dot(d.cdof[i], about_com); });
        }
    }
}

}  // namespace mjx::inner
