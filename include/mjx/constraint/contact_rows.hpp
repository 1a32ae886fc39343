// Rows of contacts: normal, and friction by the edges of a pyramid or in an elliptic cone.
//
// Reads   contact, cdof, subtree_com
// Writes  blocks of type cnstr::contact_*: efc_pos, efc_margin, efc_J, efc_diagApprox; contact.efc_address
// In the contact's frame: velocity of body 2 relative to body 1 along the normal and the tangents, then spin and roll. The frame
// is applied once per column; a pyramid's edges are combinations of these rows and are never stored (block.hpp).
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/constraint/jacobian.hpp"
#include "mjx/data/contact.hpp"

namespace mjx {

// Contacts in the gap between margin and includemargin are reported but do not act, unless they stick.
template <class S>
auto contact_acts(const Contact<S>& contact) {
    return contact.active && (contact.dist < contact.includemargin || contact.adhesion != S(0));
}

template <class M, class D, class S>
void contact_jacobian(const M& m, D& d, const Contact<S>& contact, const ChainPair& chains, int body1, int body2, int b) {
    const int adr = d.block_J[b], nnz = d.block_nnz[b], dim = contact.dim;
    const Vec3<S> normal = contact.frame.row(0), tangent1 = contact.frame.row(1), tangent2 = contact.frame.row(2);
    for_each_difference_column(m, d, body2, body1, contact.pos, contact.pos, ChainPair{chains.adr2, chains.n2, chains.adr1,
                               chains.n1, chains.common}, false, [&](int k, int dof, const Vec3<S>& move, const Vec3<S>& turn) {
        d.efc_J_colind[adr + k] = dof;
        d.efc_J[adr + k] = dot(normal, move);
        if (dim == 1) return;
        d.efc_J[adr + nnz + k] = dot(tangent1, move);
        d.efc_J[adr + 2 * nnz + k] = dot(tangent2, move);
        if (dim == 3) return;
        d.efc_J[adr + 3 * nnz + k] = dot(normal, turn);
        if (dim == 4) return;
        d.efc_J[adr + 4 * nnz + k] = dot(tangent1, turn);
        d.efc_J[adr + 5 * nnz + k] = dot(tangent2, turn);
    });
}

// The columns of a contact between bodies that cannot move against each other (an explicit pair): with dense matrices MuJoCo
// keeps such rows, all zero; they hold one zero at a dof that moves both bodies. Two static bodies have none, and MuJoCo
// accepts them only where it does not look for islands.
template <class M>
int zero_contact_columns(const M& m, const ChainPair& chains) {
    if (m.nv == 0 || !dense_jacobian(m)) return 0;
    return chains.n1 > 0 || m.opt.disabled(disable::island) ? 1 : 0;
}
template <class M, class D>
void zero_contact_jacobian(const M& m, D& d, const ChainPair& chains, int b) {
    d.efc_J_colind[d.block_J[b]] = chains.n1 > 0 ? m.B_colind[chains.adr1 + chains.n1 - 1] : 0;
    for (int k = d.block_J[b]; k < d.nJ[0]; ++k) d.efc_J[k] = typename D::scalar(0);
}

template <class M, class D>
void add_contact_block(const M& m, D& d, int i, int friction_cone) {
    using S = typename D::scalar;
    Contact<S>& contact = d.contact[i];
    const auto active = contact_acts(contact);
    const int body1 = m.geom_bodyid[contact.geom1], body2 = m.geom_bodyid[contact.geom2];
    const ChainPair chains = chain_pair(m, body1, body2);
    const int apart = chains.n1 + chains.n2 - 2 * chains.common, dim = contact.dim;
    const int nnz = apart > 0 ? apart : zero_contact_columns(m, chains);
    if (nnz == 0 || !any(active)) return;
    const bool pyramid = friction_cone == cone::pyramidal;
    const int type = dim == 1 ? int(cnstr::contact_frictionless)
                              : pyramid ? int(cnstr::contact_pyramidal) : int(cnstr::contact_elliptic);
    const int b = add_block(m, d, type, i, dim, nnz, active);
    if (b < 0) return;
    if (apart > 0)
        contact_jacobian(m, d, contact, chains, body1, body2, b);
    else
        zero_contact_jacobian(m, d, chains, b);
    const int row = d.block_row[b];
    contact.efc_address = row;
    const S shift = S(m.body_invweight0[body1][0] + m.body_invweight0[body2][0]);
    const S turn = S(m.body_invweight0[body1][1] + m.body_invweight0[body2][1]);
    if (type == cnstr::contact_pyramidal) {
        for (int j = 0; j < dim - 1; ++j) {
            const S mu = contact.friction[j];
            for (int i2 = row + 2 * j; i2 < row + 2 * j + 2; ++i2) {
                d.efc_pos[i2] = contact.dist;
                d.efc_margin[i2] = contact.includemargin;
                d.efc_diagApprox[i2] = shift + mu * mu * (j < 2 ? shift : turn);
            }
        }
    } else {
        d.efc_pos[row] = contact.dist;
        d.efc_margin[row] = contact.includemargin;
        for (int j = 0; j < dim; ++j) d.efc_diagApprox[row + j] = j < 3 ? shift : turn;
    }
}

template <class M, class D>
void add_contact_rows(const M& m, D& d, int friction_cone) {
    for (int i = 0; i < d.ncon[0]; ++i) d.contact[i].efc_address = -1;
    if (m.opt.disabled(disable::contact)) return;
    for (int i = 0; i < d.ncon[0]; ++i) add_contact_block(m, d, i, friction_cone);
}

}  // namespace mjx
