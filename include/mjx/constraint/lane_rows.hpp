// Rows of contacts for packs: contacts of different lanes have the same rows.
//
// Reads   contact, cdof, subtree_com
// Writes  blocks of type cnstr::contact_*, block_dofs; contact.efc_address, and what rows are made of in lanes without the contact
// Environments in poses of their own have few contacts each and many together: sixteen humanoids that lie on the floor 33, each of
// them 5. So a contact joins a block of the same kind that its lanes have no part in yet. The block's columns are the dofs of all
// its contacts, with zeros where a lane's contact does not feel a dof. efc_id names the first of the contacts, whose distance,
// friction and so on become in each lane those of the contact that is there. Contacts that share a block are between the same
// trees, so islands stay what they are.
#pragma once

#include "mjx/constraint/contact_rows.hpp"
#include "mjx/constraint/reference.hpp"

#include <bit>
#include <cstdint>

namespace mjx::inner {

inline constexpr int max_lane_dofs = 64;  // dofs are bits of one word

// Whether a model's dofs are known to be few at compile time.
template <class M>
constexpr bool has_few_dofs() {
    if constexpr (M::is_fixed)
        return M::nv <= max_lane_dofs;
    else
        return false;
}

// The dofs that move a body; of a fixed model they are a table. And those that move the bodies of a contact against each other.
template <class M>
constexpr std::uint64_t list_body_dofs(const M& m, int body) {
    std::uint64_t bits = 0;
    for (int c = m.B_rowadr[body]; c < m.B_rowadr[body] + m.B_rownnz[body]; ++c) bits |= std::uint64_t(1) << m.B_colind[c];
    return bits;
}
template <class M>
struct BodyDofs {
    std::uint64_t bits[M::nbody]{};

    constexpr BodyDofs() {
        for (int body = 0; body < M::nbody; ++body) bits[body] = list_body_dofs(M{}, body);
    }
};
template <class M>
std::uint64_t body_dofs(const M& m, int body) {
    if constexpr (has_few_dofs<M>()) {
        static constexpr BodyDofs<constants_t<M>> dofs;
        return dofs.bits[body];
    } else {
        return list_body_dofs(m, body);
    }
}
template <class M, class S>
std::uint64_t contact_dofs(const M& m, const Contact<S>& contact) {
    return body_dofs(m, m.geom_bodyid[contact.geom1]) ^ body_dofs(m, m.geom_bodyid[contact.geom2]);
}

// Whether the contacts of all lanes would fit side by side into the room of one: then no lane can run out of it by sharing.
template <class M, class D>
bool lanes_fit_rows(const M& m, const D& d, int friction_cone) {
    if (m.nv > max_lane_dofs) return false;
    int rows = d.nefc, entries = d.nJ;
    for (int c = 0; c < d.ncon; ++c) {
        const auto& contact = d.contact[c];
        const bool pyramid = contact_row_type(contact.dim, friction_cone) == cnstr::contact_pyramidal;
        rows += pyramid ? 2 * (contact.dim - 1) : contact.dim;
        entries += contact.dim * (m.B_rownnz[m.geom_bodyid[contact.geom1]] + m.B_rownnz[m.geom_bodyid[contact.geom2]]);
    }
    return rows <= own_rows(m, lanes_v<typename D::scalar>) && entries <= own_entries(m, lanes_v<typename D::scalar>);
}

// Dofs are in the order of the trees, so two contacts touch the same trees if their first and last dofs are of the same.
template <class M>
bool same_trees(const M& m, std::uint64_t a, std::uint64_t b) {
    return m.dof_treeid[std::countr_zero(a)] == m.dof_treeid[std::countr_zero(b)] &&
           m.dof_treeid[63 - std::countl_zero(a)] == m.dof_treeid[63 - std::countl_zero(b)];
}

// Of the blocks that the contact can join in its lanes, the one that needs the fewest new columns; -1 if there is none. Every lane
// keeps its contacts in the order of the list, whatever its neighbours have, so that its sums come out the same to the last bit:
// only blocks behind the `last` one that each of the contact's lanes is in can be joined.
template <class M, class D, class S>
int find_lane_block(const M& m, const D& d, const Contact<S>& contact, int type, std::uint64_t dofs, int first, const S& last) {
    const auto lanes = contact_acts(contact);
    int best = -1, fewest = max_lane_dofs;
    for (int b = d.nblock - 1; b >= first; --b) {
        if (any(lanes && last >= S(static_cast<value_t<S>>(b)))) break;
        const int row = d.block_row[b], more = std::popcount(dofs & ~d.block_dofs[b]);
        if (d.block_dofs[b] == 0 || d.efc_type[row] != type || d.block_dim[b] != contact.dim || more > fewest) continue;
        if (any(lanes && d.contact[d.efc_id[row]].active)) continue;  // the first contact is inside its gap there
        if (!same_trees(m, dofs, d.block_dofs[b])) continue;
        best = b;
        fewest = more;
    }
    return best;
}

// The first contact of a block takes over what another is made of, in the other's lanes.
template <class S>
void take_over(Contact<S>& first, const Contact<S>& other, const mask_t<S>& lanes) {
    first.dist = select(lanes, other.dist, first.dist);
    first.includemargin = select(lanes, other.includemargin, first.includemargin);
    first.friction = select(lanes, other.friction, first.friction);
    first.solref = select(lanes, other.solref, first.solref);
    first.solreffriction = select(lanes, other.solreffriction, first.solreffriction);
    first.solimp = select(lanes, other.solimp, first.solimp);
    first.adhesion = select(lanes, other.adhesion, first.adhesion);
}

// Gives the contact its rows: in a block that is there, or in a new one. Columns follow when all contacts have theirs.
template <class M, class D>
void place_contact(const M& m, D& d, int c, int friction_cone, int first, typename D::scalar& last) {
    using S = typename D::scalar;
    Contact<S>& contact = d.contact[c];
    const mask_t<S> lanes = contact_acts(contact);
    if (!any(lanes)) return;
    const std::uint64_t dofs = contact_dofs(m, contact);
    const bool alone = dofs == 0 || surface_moves(m, d, c);
    const int type = contact_row_type(contact.dim, friction_cone);
    int b = alone ? d.nblock : find_lane_block(m, d, contact, type, dofs, first, last);
    last = select(lanes, S(static_cast<value_t<S>>(b < 0 ? d.nblock : b)), last);
    if (alone) return add_contact_block(m, d, c, friction_cone);
    if (b < 0) {
        b = add_block(m, d, type, c, contact.dim, 0, lanes);
        contact.next = -1;
        describe_contact_rows(m, d, contact, b, mask_t<S>(true));
    } else {
        const int row = d.block_row[b];
        Contact<S>& host = d.contact[d.efc_id[row]];
        take_over(host, contact, lanes);
        contact.next = host.next;
        host.next = c;
        for (int i = row; i < row + block_rows(d, b); ++i) d.efc_D[i] = select(lanes, S(1), d.efc_D[i]);
        describe_contact_rows(m, d, contact, b, lanes);
    }
    contact.dofs = dofs;
    d.block_dofs[b] |= dofs;
    contact.efc_address = d.block_row[b];
}

// f(contact) for the contacts of a block made here, for none of others.
template <class D, class F>
void for_each_sharing(const D& d, int b, F&& f) {
    if (d.block_dofs[b] == 0) return;
    for (int c = d.efc_id[d.block_row[b]]; c >= 0; c = d.contact[c].next) f(d.contact[c]);
}

// Room for the columns of a block.
template <class D>
void open_columns(D& d, int b) {
    int k = d.block_J[b] = d.nJ;
    d.block_nnz[b] = std::popcount(d.block_dofs[b]);
    d.nJ += d.block_dim[b] * d.block_nnz[b];
    for (std::uint64_t rest = d.block_dofs[b]; rest != 0; rest &= rest - 1) d.efc_J_colind[k++] = std::countr_zero(rest);
}

// A contact in a block that others share: its lanes, its dofs, and those of them that move its first body.
template <class S>
struct SharingContact {
    mask_t<S> lanes;
    std::uint64_t dofs, first_dofs;
};

// Columns of a block: every lane has the place and the frame of its own contact, and a column is zero where that has no such dof.
template <int Dim, class M, class D>
void fill_columns(const M& m, D& d, int b) {
    using S = typename D::scalar;
    SharingContact<S> sharing[lanes_v<S>];
    int count = 0;
    mask_t<S> everyone(false);
    std::uint64_t common = ~std::uint64_t(0);  // dofs that all contacts feel by their second body
    Vec3<S> pos{};
    Mat3<S> frame{};
    for_each_sharing(d, b, [&](const Contact<S>& contact) {
        const mask_t<S> lanes = contact_acts(contact);
        pos = select(lanes, contact.pos, pos);
        frame = select(lanes, contact.frame, frame);
        const std::uint64_t first_dofs = body_dofs(m, m.geom_bodyid[contact.geom1]) & contact.dofs;
        sharing[count++] = {lanes, contact.dofs, first_dofs};
        everyone = everyone || lanes;
        common &= contact.dofs & ~first_dofs;
    });
    const int nnz = d.block_nnz[b];
    S* J = &d.efc_J[d.block_J[b]];
    ContactArms<S> arms;
    int root = -1;
    for (std::uint64_t rest = d.block_dofs[b]; rest != 0; rest &= rest - 1, ++J) {
        const int dof = std::countr_zero(rest), at = m.body_rootid[m.dof_bodyid[dof]];
        if (at != root) arms = contact_arms<Dim>(frame, Vec3<S>(pos - d.subtree_com[at]), true);
        root = at;
        const Vec<S, Dim> column = contact_column<Dim>(arms, d.cdof[dof]);
        if (common >> dof & 1) {
            for (int r = 0; r < Dim; ++r) J[r * nnz] = select(everyone, column[r], S(0));
            continue;
        }
        mask_t<S> plus(false), minus(false);
        for (int c = 0; c < count; ++c) {
            if (sharing[c].first_dofs >> dof & 1)
                minus = minus || sharing[c].lanes;
            else if (sharing[c].dofs >> dof & 1)
                plus = plus || sharing[c].lanes;
        }
        for (int r = 0; r < Dim; ++r) J[r * nnz] = select(plus, column[r], select(minus, -column[r], S(0)));
    }
}

template <class M, class D>
void add_lane_rows(const M& m, D& d, int friction_cone) {
    const int first = d.nblock;
    typename D::scalar last(-1);
    for (int c = 0; c < d.ncon; ++c) place_contact(m, d, c, friction_cone, first, last);
    for (int b = first; b < d.nblock; ++b) {
        if (d.block_dofs[b] == 0) continue;
        open_columns(d, b);
        visit_dim<M>(d.block_dim[b], [&](auto dim) { fill_columns<dim>(m, d, b); });
    }
}

// Every contact has the friction of its regularized cone, not the first of a block alone.
template <class D>
void return_cones(D& d) {
    for (int c = 0; c < d.ncon; ++c) {
        auto& contact = d.contact[c];
        if (contact.efc_address >= 0) contact.mu = select(contact_acts(contact), d.contact[d.efc_id[contact.efc_address]].mu, contact.mu);
    }
}

}  // namespace mjx::inner
