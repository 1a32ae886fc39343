// Composite rigid body algorithm: the joint-space inertia matrix M (Featherstone 2008, ch. 6.2).
//
// Reads   cinert, cdof
// Writes  crb, M
// M[i][j] = cdof_j · (crb of i's body) cdof_i for each ancestor j of i; other entries of the lower triangle are zero.
#pragma once

#include "mjx/math/spatial.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/stage/actuator_damping.hpp"

namespace mjx {

template <class M, class D>
void crba(const M& m, D& d) {
    using S = typename D::scalar;
    for (int b = 0; b < m.nbody; ++b) d.crb[b] = d.cinert[b];
    over_bodies_back<S>(m, [&](auto b) {
        if (m.body_parentid[b] > 0) d.crb[m.body_parentid[b]] += d.crb[b];
    });

    over_dofs<S>(m, [&](auto i) {
        const Vec6<S> momentum = d.crb[m.dof_bodyid[i]] * d.cdof[i];
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        for (int c = 0; c < last; ++c) {
            const int j = m.M_colind[row + c], axis = m.dof_worldaxis[j];
            d.M[row + c] = axis >= 0 ? momentum[3 + axis] : dot(d.cdof[j], momentum);
        }
        d.M[row + last] = dot(d.cdof[i], momentum) + dof_total_armature(m, i);
    });
}

}  // namespace mjx
