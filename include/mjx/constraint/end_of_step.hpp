// Constraint rows as the Discrete integrator has them: their springs and dampers at the end of the step.
//
// Reads   efc_pos, efc_margin, efc_J, efc_D (which lanes have the row), qvel, M, contact, qLD (only with the diagexact flag)
// Writes  efc_KBIP, efc_R, efc_D, efc_diagA, efc_vel, efc_aref, contact.mu
// Backward Euler on a row's reference, -b (v + h a) - k d (r + h v + h² a), is an acceleration f times smaller, f = 1 + h b + h² k d, for a
// row of f times the weight: stable for any time constant, so refsafe does not ask for two steps. It sees to another thing: the spring of
// a contact or limit that one step more than stops, h² k d > 1, would throw back what it catches; such a row gets the stiffest spring that
// does not, with its damping ratio. The row's inverse inertia is that of M̂: the one at rest times the ratio of both along the row's dofs;
// efc_diagA is f times less, what follows from efc_R by the impedance (MuJoCo 3.13, "discrete" in the computation chapter).
#pragma once

#include "mjx/constraint/impedance.hpp"
#include "mjx/constraint/make.hpp"
#include "mjx/constraint/reference.hpp"

namespace mjx::inner {

// f of a row.
template <class M, class S>
S end_factor(const M& m, const Vec<S, 4>& kbip) {
    const auto h = m.opt.timestep;
    return S(1) + kbip[1] * h + kbip[0] * kbip[2] * h * h;
}

// Row r of a block, or the first edge of a pyramid, at column c.
template <class D>
auto row_entry(const D& d, int block, int r, int c) {
    using S = typename D::scalar;
    const int nnz = d.block_nnz[block], at = d.block_J[block] + c;
    if (!is_pyramid(d, block)) return S(d.efc_J[at + r * nnz]);
    return S(d.efc_J[at] + d.efc_J[at + nnz] * d.contact[d.efc_id[d.block_row[block]]].friction[0]);
}

// The inverse inertia that row r of a block sees in M, by that of bodies, dofs or tendons at rest: what efc_diagA was made from.
template <class M, class D>
auto row_diagonal(const M& m, const D& d, int block, int r) {
    using S = typename D::scalar;
    const int row = d.block_row[block], id = d.efc_id[row];
    switch (d.efc_type[row]) {
        case cnstr::equality: return equality_diagonal<S>(m, id, r);
        case cnstr::friction_dof: return S(m.dof_invweight0[id]);
        case cnstr::limit_joint: return S(m.dof_invweight0[m.jnt_dofadr[id]]);
        case cnstr::friction_tendon:
        case cnstr::limit_tendon: return S(m.tendon_invweight0[id]);
        default: return ContactDiagonal<S>(m, d.contact[id]).row(d.contact[id], is_pyramid(d, block), r);
    }
}

// The inverse inertia that a row sees in M̂, whose diagonal is that of M with `extra`. Of a pyramid's edges the first.
template <class M, class D, class X>
auto end_inertia(const M& m, const D& d, int block, int r, const X& extra) {
    using S = typename D::scalar;
    if (m.opt.enabled(enable::diagexact)) return S(d.efc_diagA[d.block_row[block] + r]);
    S with(0), without(0);
    const S tiny(minval_v<S>);
    for (int c = 0; c < d.block_nnz[block]; ++c) {
        const int i = d.efc_J_colind[d.block_J[block] + c];
        const S J = row_entry(d, block, r, c), M_i = d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
        with += J * J / max(M_i + extra[i], tiny);
        without += J * J / max(M_i, tiny);
    }
    const auto seen = without > tiny;
    return S(row_diagonal(m, d, block, r) * select(seen, with / select(seen, without, S(1)), S(1)));
}

// The spring of a contact or limit that the step can follow.
template <class M, class S>
void resolve_spring(const M& m, Vec<S, 4>& kbip, const mask_t<S>& standard) {
    if (m.opt.disabled(disable::refsafe)) return;
    const auto h = m.opt.timestep;
    const S tiny(minval_v<S>), top(max_impedance_v<S>), excess = kbip[0] * kbip[2] * h * h;
    const auto thrown = standard && kbip[0] > S(0) && excess > S(1);
    const S most = top * (S(1) - kbip[2]) / max(kbip[2] * (S(1) - top), tiny);  // f beyond which the weight is at its ceiling
    const S damping = min(kbip[1] / sqrt(select(thrown, excess, S(1))), max(most - S(2), S(0)) / h);
    kbip[0] = select(thrown, S(1) / (kbip[2] * h * h), kbip[0]);
    kbip[1] = select(thrown, damping, kbip[1]);
}

template <class M, class D, class X>
void make_end_impedance(const M& m, D& d, const X& extra) {
    using S = typename D::scalar;
    const S tiny(minval_v<S>), ceiling = (S(1) - max_impedance_v<S>) / max_impedance_v<S>;
    if (m.opt.enabled(enable::diagexact)) exact_diagonal(m, d);
    for (int b = 0; b < d.nblock; ++b) {
        const int row = d.block_row[b], rows = block_rows(d, b), type = d.efc_type[row];
        const auto p = solver_parameters(m, d, row, false);
        const Impedance<S> imp = impedance(p.imp, block_position(d, b), S(d.efc_margin[row]));
        const S softness = (S(1) - imp.value) / imp.value, hardness = imp.value / (S(1) - imp.value);
        const bool one_sided = type != cnstr::equality && type != cnstr::friction_dof && type != cnstr::friction_tendon;
        const bool dry = type == cnstr::friction_dof || type == cnstr::friction_tendon;
        for (int j = 0; j < rows; ++j) {
            const bool tangent = type == cnstr::contact_elliptic && j > 0;
            const auto own = p.reffriction[0] != S(0) || p.reffriction[1] != S(0);
            const Vec<S, nref> ref = tangent ? Vec<S, nref>(select(own, p.reffriction, p.ref)) : p.ref;
            const Vec<S, 2> kb = stiffness_damping(ref, p.imp[1]);
            Vec<S, 4>& kbip = d.efc_KBIP[row + j];
            kbip = {{dry || tangent ? S(0) : kb[0], kb[1], imp.value, imp.slope}};
            if (one_sided) resolve_spring(m, kbip, mask_t<S>(ref[0] > S(0)));
            if (j > 0 && (tangent || type == cnstr::contact_pyramidal)) continue;  // from the first row's, below
            const S diagonal = end_inertia(m, d, b, j, extra);
            d.efc_R[row + j] = max(max(softness * diagonal, tiny) / end_factor(m, kbip), max(ceiling * diagonal, tiny));
        }
        if (type == cnstr::contact_elliptic || type == cnstr::contact_pyramidal) match_contact_regularization(m, d, row, d.block_dim[b]);
        for (int i = row; i < row + rows; ++i) {
            d.efc_D[i] = select(d.efc_D[i] > S(0), S(1) / d.efc_R[i], S(0));
            d.efc_diagA[i] = d.efc_R[i] * hardness;
        }
    }
}

template <class M, class D>
void end_reference(const M& m, D& d) {
    using S = typename D::scalar;
    jacobian_product<S>(d, d.qvel, d.efc_vel);
    add_surface_velocity(m, d);
    for (int i = 0; i < d.nefc; ++i) {
        const Vec<S, 4>& k = d.efc_KBIP[i];
        const S pos = d.efc_pos[i] - d.efc_margin[i] + d.efc_vel[i] * m.opt.timestep;
        d.efc_aref[i] = -k[1] * d.efc_vel[i] - k[0] * k[2] * pos;
    }
    subtract_bias(m, d);
    for (int i = 0; i < d.nefc; ++i) d.efc_aref[i] = d.efc_aref[i] / end_factor(m, d.efc_KBIP[i]);
    add_adhesion_reference(m, d);  // a force, which no factor makes smaller
}

}  // namespace mjx::inner
