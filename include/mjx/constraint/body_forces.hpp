// Jᵀ f of contacts by way of the bodies: for packs, whose contacts are those of all lanes.
//
// Reads   contact, cdof, subtree_com, blocks
// Writes  work_body2 (scratch: the wrench on each body, about the com of its tree, world axes, torque first)
// A contact adds its force to the wrenches on its two bodies, and the dofs feel them from the leaves to the root. A pack has so many
// contacts that one pass over the tree is cheaper than adding to the dofs of each contact's chains, the root's for almost all of
// them. Blocks that are not contacts go by their stored Jacobian (block.hpp).
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/data/contact.hpp"
#include "mjx/math/spatial.hpp"

namespace mjx {

// The wrench of a contact's forces p, in its frame, onto body 2, and its opposite onto body 1.
template <class M, class D, class S>
void push_bodies(const M& m, D& d, const Contact<S>& contact, const S* p) {
    const Mat3<S>& frame = contact.frame;
    Vec3<S> force = frame.row(0) * p[0], torque = Vec3<S>::zero();
    if (contact.dim > 1) force += frame.row(1) * p[1] + frame.row(2) * p[2];
    for (int r = 3; r < contact.dim; ++r) torque += frame.row(r - 3) * p[r];
    const auto wrench = [&](int body) {
        return spatial(Vec3<S>(torque + cross(Vec3<S>(contact.pos - d.subtree_com[m.body_rootid[body]]), force)), force);
    };
    const int body1 = m.geom_bodyid[contact.geom1], body2 = m.geom_bodyid[contact.geom2];
    if (m.B_rownnz[body2] > 0) d.work_body2[body2] += wrench(body2);
    if (m.B_rownnz[body1] > 0) d.work_body2[body1] -= wrench(body1);
}

// x -= Jᵀ force for the blocks that visit(f) calls f for.
template <class M, class D, class Force, class X, class Visit>
void subtract_by_bodies(const M& m, D& d, const Force& force, X& x, Visit&& visit) {
    using S = typename D::scalar;
    for (int b = 1; b < m.nbody; ++b) d.work_body2[b] = Vec6<S>::zero();
    visit([&](int b) {
        const int row = d.block_row[b];
        if (d.efc_type[row] < cnstr::contact_frictionless) return subtract_block_force<S>(d, b, force, x);
        S p[max_block_dim];
        to_base<S>(d, b, force, p);
        push_bodies(m, d, d.contact[d.efc_id[row]], p);
    });
    for (int b = m.nbody - 1; b > 0; --b) {
        const Vec6<S> wrench = d.work_body2[b];
        for (int i = m.body_dofadr[b]; i < m.body_dofadr[b] + m.body_dofnum[b]; ++i) x[i] -= dot(d.cdof[i], wrench);
        if (m.body_parentid[b] > 0) d.work_body2[m.body_parentid[b]] += wrench;
    }
}

}  // namespace mjx
