// All constraint rows of the current position, in MuJoCo's order: equality, friction, limits, contacts.
//
// Reads   qpos, frames, cdof, ten_*, contact, qLD (only with the diagexact flag)
// Writes  ne, nf, nl, nefc, nJ, the blocks, efc_type, efc_id, efc_J, efc_pos, efc_margin, efc_frictionloss, efc_diagApprox, efc_KBIP,
//         efc_R, efc_D, contact.efc_address, contact.mu
#pragma once

#include "mjx/constraint/contact_rows.hpp"
#include "mjx/constraint/equality.hpp"
#include "mjx/constraint/impedance.hpp"
#include "mjx/constraint/joint_rows.hpp"

namespace mjx {

// The exact diagonal of J M⁻¹ Jᵀ: with M = LᵀDL it is the squared length of D^(-1/2) L⁻ᵀ Jᵀ, row by row.
template <class M, class D>
void exact_diagonal(const M& m, D& d) {
    using S = typename D::scalar;
    auto& x = d.work_nv;
    for (int i = 0; i < d.nefc[0]; ++i) {
        jacobian_row(m, d, i, x);
        S sum(0);
        for (int k = m.nv - 1; k >= 0; --k) {
            const int adr = m.M_rowadr[k], last = m.M_rownnz[k] - 1;
            for (int c = 0; c < last; ++c) x[m.M_colind[adr + c]] -= d.qLD[adr + c] * x[k];
            sum += x[k] * x[k] * d.qLDiagInv[k];
        }
        d.efc_diagApprox[i] = sum;
    }
}

template <class M, class D>
void make_constraint(const M& m, D& d, int friction_cone) {
    d.ne[0] = d.nf[0] = d.nl[0] = d.nefc[0] = d.nJ[0] = d.nblock[0] = 0;
    if (m.opt.disabled(disable::constraint)) {
        for (int i = 0; i < d.ncon[0]; ++i) d.contact[i].efc_address = -1;
        return;
    }
    add_equality_rows(m, d);
    d.ne[0] = d.nefc[0];
    add_friction_rows(m, d);
    d.nf[0] = d.nefc[0] - d.ne[0];
    add_limit_rows(m, d);
    d.nl[0] = d.nefc[0] - d.ne[0] - d.nf[0];
    add_contact_rows(m, d, friction_cone);
    if (m.opt.enabled(enable::diagexact)) exact_diagonal(m, d);
    make_impedance(m, d);
}

}  // namespace mjx
