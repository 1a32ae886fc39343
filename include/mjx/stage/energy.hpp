// Energy and momentum.
//
// Reads   xipos, ximat, qpos, qvel, M, cvel, subtree_com, ten_length
// Writes  energy (potential of gravity and springs, kinetic), subtree_linvel, subtree_angmom
// As in MuJoCo, the springs of sleeping trees do not count.
// World frame; the angular momentum of a subtree is about its own centre of mass.
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/stage/jacobian.hpp"
#include "mjx/stage/sleep.hpp"
#include "mjx/stage/spring_damper.hpp"

namespace mjx::inner {

template <class S, class M>
struct MomentumWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<Vec6<S>, Dim::nbody> velocity{at};  // of the centre of mass
};

template <class M, class D>
void energy_pos(const M& m, D& d) {
    using S = typename D::scalar;
    S potential(0);
    if (!m.opt.disabled(disable::gravity))
        for (int b = 1; b < m.nbody; ++b) potential -= dot(d.xipos[b], m.opt.gravity) * m.body_mass[b];
    if (!m.opt.disabled(disable::spring)) {
        for (int j = 0; j < m.njnt; ++j) {
            if (!poly_present(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j]) || dof_sleeps(m, d, m.jnt_dofadr[j])) continue;
            for_each_displacement(m, d, j, [&](int, const auto&, const S& length) {
                potential += poly_potential(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j], length, Parity::plain);
            });
        }
        for (int t = 0; t < m.ntendon; ++t) {
            if (columns_sleep(m, d, m.ten_J_colind, m.ten_J_rowadr[t], m.ten_J_rownnz[t])) continue;
            potential += poly_potential(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t], tendon_stretch(m, d, t), Parity::plain);
        }
    }
    d.energy[0] = potential;
}

// Without scratch memory: delayed sensors read it in the middle of an integrator's step.
template <class M, class D>
void energy_vel(const M& m, D& d) {
    using S = typename D::scalar;
    S kinetic(0);
    for (int i = 0; i < m.nv; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        S momentum = d.M[row + last] * d.qvel[i] * value_t<S>(0.5);
        for (int c = 0; c < last; ++c) momentum += d.M[row + c] * d.qvel[m.M_colind[row + c]];
        kinetic += momentum * d.qvel[i];
    }
    d.energy[1] = kinetic;
}

// Angular momentum gathers a body's spin, its motion relative to its subtree, and that of its children's subtrees.
template <class M, class D>
void subtree_vel(const M& m, D& d) {
    using S = typename D::scalar;
    const auto w = borrow<MomentumWork>(m, d);
    auto& velocity = w->velocity;
    for (int b = 0; b < m.nbody; ++b) {
        velocity[b] = velocity_at(m, d, b, d.xipos[b]);
        d.subtree_linvel[b] = linear(velocity[b]) * m.body_mass[b];
        Vec3<S> spin = transpose_mul(d.ximat[b], angular(velocity[b]));
        for (int k = 0; k < 3; ++k) spin[k] *= S(m.body_inertia[b][k]);
        d.subtree_angmom[b] = d.ximat[b] * spin;
    }
    for (int b = m.nbody - 1; b >= 0; --b) {
        if (b > 0) d.subtree_linvel[m.body_parentid[b]] += d.subtree_linvel[b];
        using Real = typename M::real;
        d.subtree_linvel[b] = d.subtree_linvel[b] * (Real(1) / max(Real(m.body_subtreemass[b]), Real(minval_v<S>)));
    }
    for (int b = m.nbody - 1; b > 0; --b) {
        const int parent = m.body_parentid[b];
        const Vec3<S> own = (linear(velocity[b]) - d.subtree_linvel[b]) * m.body_mass[b];
        d.subtree_angmom[b] += cross(Vec3<S>(d.xipos[b] - d.subtree_com[b]), own);
        const Vec3<S> whole = (d.subtree_linvel[b] - d.subtree_linvel[parent]) * m.body_subtreemass[b];
        d.subtree_angmom[parent] += d.subtree_angmom[b];
        d.subtree_angmom[parent] += cross(Vec3<S>(d.subtree_com[b] - d.subtree_com[parent]), whole);
    }
}

}  // namespace mjx::inner
