// All constraint rows of the current position, in MuJoCo's order: equality, friction, limits, contacts.
//
// Reads   qpos, frames, cdof, ten_*, contact, qLD (only with the diagexact flag)
// Writes  ne, nf, nl, nefc, nJ, the blocks, efc_type, efc_id, efc_J, efc_pos, efc_margin, efc_frictionloss, efc_diagA, efc_KBIP,
//         efc_R, efc_D, contact.efc_address, contact.mu
#pragma once

#include "mjx/constraint/contact_rows.hpp"
#include "mjx/constraint/equality.hpp"
#include "mjx/constraint/joint_rows.hpp"
#include "mjx/constraint/lane_rows.hpp"
#include "mjx/constraint/make_impedance.hpp"

namespace mjx::inner {

template <class S, class M>
struct DiagonalWork {
    WorkPlace<M>* at;
    WorkArray<S, Dim::nv, S, M> row{at};
};

// The exact diagonal of J M⁻¹ Jᵀ, row by row.
template <class M, class D>
void exact_diagonal(const M& m, D& d) {
    const auto w = borrow<DiagonalWork>(m, d);
    for (int i = 0; i < d.nefc; ++i) {
        jacobian_row(m, d, i, w->row);
        d.efc_diagA[i] = row_inertia(m, d, w->row, m.nv);
    }
}

// `share_rows`: contacts of different lanes may have the same rows.
template <class M, class D>
void add_contact_rows(const M& m, D& d, int friction_cone, bool share_rows) {
    if constexpr (lanes_v<typename D::scalar> > 1)
        if (share_rows && lanes_fit_rows(m, d, friction_cone)) return add_lane_rows(m, d, friction_cone);
    for (int i = 0; i < d.ncon; ++i) add_contact_block(m, d, i, friction_cone);
}

// Not every solver can do with rows that contacts share.
template <class M, class D>
void make_constraint(const M& m, D& d, int friction_cone, bool share_rows = false) {
    d.ne = d.nf = d.nl = d.nefc = d.nJ = d.nblock = 0;
    for (int i = 0; i < d.ncon; ++i) d.contact[i].efc_address = -1;
    if (m.opt.disabled(disable::constraint)) return;
    add_equality_rows(m, d);
    d.ne = d.nefc;
    add_friction_rows(m, d);
    d.nf = d.nefc - d.ne;
    add_limit_rows(m, d);
    d.nl = d.nefc - d.ne - d.nf;
    if (!m.opt.disabled(disable::contact)) add_contact_rows(m, d, friction_cone, share_rows);
    if (m.opt.enabled(enable::diagexact)) exact_diagonal(m, d);
    make_impedance(m, d);
    if constexpr (lanes_v<typename D::scalar> > 1) return_cones(d);
}

}  // namespace mjx::inner
