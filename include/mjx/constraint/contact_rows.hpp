// Rows of contacts: normal, and friction by the edges of a pyramid or in an elliptic cone.
//
// Reads   contact, cdof, subtree_com
// Writes  blocks of type cnstr::contact_*: efc_pos, efc_margin, efc_J, efc_diagA; contact.efc_address
// In the contact's frame: velocity of body 2 relative to body 1 along the normal and the tangents, then spin and roll. A pyramid's
// edges are combinations of these rows and are never stored (block.hpp).
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/constraint/jacobian.hpp"
#include "mjx/data/contact.hpp"
#include "mjx/math/fours.hpp"

namespace mjx::inner {

// What a contact's rows are along, and about seen from the centre that cdof is about. A row along e has
// e·(slide + axis x arm) = e·slide + (arm x e)·axis.
template <class S>
struct ContactArms {
    Vec3<S> along[3], about[3];
};
template <int Dim, class S>
ContactArms<S> contact_arms(const Mat3<S>& frame, const Vec3<S>& arm, bool positive) {
    ContactArms<S> a;
    for (int r = 0; r < (Dim == 1 ? 1 : 3); ++r) {
        a.along[r] = positive ? frame.row(r) : -frame.row(r);
        a.about[r] = cross(arm, a.along[r]);
    }
    return a;
}
template <int Dim, class S>
[[gnu::always_inline]] inline Vec<S, Dim> contact_column(const ContactArms<S>& a, const Vec6<S>& cdof) {
    const Vec3<S> axis = angular(cdof), slide = linear(cdof);
    Vec<S, Dim> column;
    for (int r = 0; r < Dim; ++r) column[r] = r < 3 ? S(dot(a.along[r], slide) + dot(a.about[r], axis)) : dot(a.along[r - 3], axis);
    return column;
}

// f(dof, column) for columns first ... last of one body's chain.
template <int Dim, class M, class D, class S, class F>
[[gnu::always_inline]] inline void for_each_chain_column(const M& m, const D& d, const Contact<S>& contact, int body, int first, int last,
                                                         F&& f) {
    const bool positive = body == m.geom_bodyid[contact.geom2];
    const ContactArms<S> arms = contact_arms<Dim>(contact.frame, Vec3<S>(contact.pos - d.subtree_com[m.body_rootid[body]]), positive);
    for (int c = first; c < last; ++c) f(m.B_colind[c], contact_column<Dim>(arms, d.cdof[m.B_colind[c]]));
}

#ifdef __AVX__
// The same arms with number k of all three rows in one register, and a column of them: each row gets the bits that it would get alone.
struct ContactArmQuads {
    quad<double> along[3], about[3];

    ContactArmQuads(const Mat3<double>& frame, const Vec3<double>& arm, bool positive) {
        for (int k = 0; k < 3; ++k) {
            const quad<double> axis{frame[k], frame[3 + k], frame[6 + k], 0};
            along[k] = positive ? axis : -axis;
        }
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            about[k] = arm[i] * along[j] - arm[j] * along[i];
        }
    }
    [[gnu::always_inline]] quad<double> column(const Vec6<double>& cdof) const {
        return (along[0] * cdof[3] + along[1] * cdof[4] + along[2] * cdof[5]) +
               (about[0] * cdof[0] + about[1] * cdof[1] + about[2] * cdof[2]);
    }
};
template <class M, class D>
void chain_columns_in_quads(const M& m, D& d, const Contact<double>& contact, int body, int first, int last, int at, int nnz) {
    const Vec3<double> arm = contact.pos - d.subtree_com[m.body_rootid[body]];
    const ContactArmQuads arms(contact.frame, arm, body == m.geom_bodyid[contact.geom2]);
    double* J = &d.efc_J[at];
    int* columns = &d.efc_J_colind[at];
    for (int c = first; c < last; ++c, ++J) {
        const int dof = *columns++ = m.B_colind[c];
        const quad<double> column = arms.column(d.cdof[dof]);
        for (std::ptrdiff_t r = 0; r < 3; ++r) J[r * nnz] = column[r];
    }
}
#endif

// These columns in a block, from place k on.
template <int Dim, class M, class D, class S>
void chain_columns(const M& m, D& d, const Contact<S>& contact, int body, int first, int last, int k, int b) {
    const int nnz = d.block_nnz[b], rows = Dim <= 3 ? Dim : contact.dim;
    int at = d.block_J[b] + k;
    if (first == last) return;
#ifdef __AVX__
    if constexpr (Dim == 3 && in_quads<M, D>()) return chain_columns_in_quads(m, d, contact, body, first, last, at, nnz);
#endif
    for_each_chain_column<Dim>(m, d, contact, body, first, last, [&](int dof, const Vec<S, Dim>& column) {
        d.efc_J_colind[at] = dof;
        for (int r = 0; r < rows; ++r) d.efc_J[at + r * nnz] = column[r];
        ++at;
    });
}

// The dofs after the common ones belong to two branches of a tree, or to two trees: all of one come before all of the other.
template <int Dim, class M, class D, class S>
void contact_jacobian(const M& m, D& d, const Contact<S>& contact, const ChainPair& p, int body1, int body2, int b) {
    const int from1 = p.adr1 + p.common, to1 = p.adr1 + p.n1, from2 = p.adr2 + p.common, to2 = p.adr2 + p.n2;
    const bool first1 = from1 < to1 && (from2 == to2 || m.B_colind[from1] < m.B_colind[from2]);
    chain_columns<Dim>(m, d, contact, body1, from1, to1, first1 ? 0 : to2 - from2, b);
    chain_columns<Dim>(m, d, contact, body2, from2, to2, first1 ? to1 - from1 : 0, b);
}
template <class M, class D, class S>
void contact_jacobian(const M& m, D& d, const Contact<S>& contact, const ChainPair& chains, int body1, int body2, int b) {
    visit_dim<M>(contact.dim, [&](auto dim) {
        contact_jacobian<(dim > 3 ? 6 : dim)>(m, d, contact, chains, body1, body2, b);  // one code for 4 and 6
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
    for (int k = d.block_J[b]; k < d.nJ; ++k) d.efc_J[k] = typename D::scalar(0);
}

// The inverse inertia that a contact's rows see, by that of its bodies at rest.
template <class S>
struct ContactDiagonal {
    S shift, turn;

    template <class M>
    ContactDiagonal(const M& m, const Contact<S>& contact) {
        const int body1 = m.geom_bodyid[contact.geom1], body2 = m.geom_bodyid[contact.geom2];
        shift = S(m.body_invweight0[body1][0] + m.body_invweight0[body2][0]);
        turn = S(m.body_invweight0[body1][1] + m.body_invweight0[body2][1]);
    }
    S row(const Contact<S>& contact, bool pyramid, int j) const {
        if (!pyramid) return j < 3 ? shift : turn;
        const S mu = contact.friction[j / 2];
        return shift + mu * mu * (j < 4 ? shift : turn);
    }
};

// What the contact's rows are about, in the lanes `where`: its distance and margin, and the inverse inertia that they see.
template <class M, class D, class S>
void describe_contact_rows(const M& m, D& d, const Contact<S>& contact, int b, const mask_t<S>& where) {
    const int row = d.block_row[b], rows = block_rows(d, b);
    const bool pyramid = is_pyramid(d, b);
    const ContactDiagonal<S> diagonal(m, contact);
    const auto put = [&](S& x, const S& value) {
        if constexpr (lanes_v<S> > 1)
            x = select(where, value, x);
        else
            x = value;
    };
    for (int j = 0; j < rows; ++j) {
        put(d.efc_diagA[row + j], diagonal.row(contact, pyramid, j));
        if (j > 0 && !pyramid) continue;
        put(d.efc_pos[row + j], contact.dist);
        put(d.efc_margin[row + j], contact.includemargin);
    }
}

inline int contact_row_type(int dim, int friction_cone) {
    if (dim == 1) return cnstr::contact_frictionless;
    return friction_cone == cone::pyramidal ? cnstr::contact_pyramidal : cnstr::contact_elliptic;
}

template <class M, class D>
void add_contact_block(const M& m, D& d, int i, int friction_cone) {
    using S = typename D::scalar;
    Contact<S>& contact = d.contact[i];
    const auto active = contact_acts(contact);
    const int body1 = m.geom_bodyid[contact.geom1], body2 = m.geom_bodyid[contact.geom2];
    const ChainPair chains = chain_pair(m, body1, body2);
    const int apart = chains.n1 + chains.n2 - 2 * chains.common;
    const int nnz = apart > 0 ? apart : zero_contact_columns(m, chains);
    if (nnz == 0 || !any(active)) return;
    const int b = add_block(m, d, contact_row_type(contact.dim, friction_cone), i, contact.dim, nnz, active);
    if (b < 0) return;
    if (apart > 0)
        contact_jacobian(m, d, contact, chains, body1, body2, b);
    else
        zero_contact_jacobian(m, d, chains, b);
    contact.efc_address = d.block_row[b];
    describe_contact_rows(m, d, contact, b, mask_t<S>(true));
}

}  // namespace mjx::inner
