// Capacities: how many contacts, constraint rows and Jacobian entries Data has room for. The one place where that is decided.
//
// What the model's size element gives is taken as it is. Otherwise there is room for every contact the candidate pairs can make, but
// for no more than 256, or 8 per geom in scenes with many geoms; for the rows of these contacts, and for all rows of equality
// constraints, limits and dry friction at once. A step that needs more drops the rest and counts a warning. This is the room of one
// environment: Data of packs has room for that of all lanes, as far as they can need it (without a list of pairs, once).
#pragma once

#include "mjx/collision/candidates.hpp"
#include "mjx/collision/result.hpp"
#include "mjx/compile/names.hpp"
#include "mjx/stage/row.hpp"

namespace mjx::compiler {

struct Room {
    long long contacts = 0, rows = 0, entries = 0;
};

// A contact of dimension 3 may have 4 pyramid edges, 4 has 6, 6 has 10; the Jacobian holds one row per dimension.
inline int contact_rows(int dim) { return dim == 1 ? 1 : 2 * (dim - 1); }

inline int contact_dim(const CompiledModel& m, int c) {
    if (m.cand_pair[c] >= 0) return m.pair_dim[m.cand_pair[c]];
    return std::max(m.geom_condim[m.cand_geom1[c]], m.geom_condim[m.cand_geom2[c]]);
}

// Dofs that move one of two bodies but not both; a row has room for one entry at least.
inline int separate_dofs(const CompiledModel& m, int body1, int body2) {
    return std::max(1, m.B_rownnz[body1] + m.B_rownnz[body2] - 2 * common_dofs(m, body1, body2));
}

// Room for the contacts of one environment; `all` is what the candidate pairs could make together.
inline Room contact_room(const CompiledModel& m, int given, Room& all) {
    const long long limit = given >= 0 ? given : std::max(256, 8 * m.ngeom);
    Room largest;
    for (int c = 0; c < m.ncand; ++c) {
        const int g1 = m.cand_geom1[c], g2 = m.cand_geom2[c], dim = contact_dim(m, c);
        const bool triangles = m.geom_trimesh[g1] != 0 || m.geom_trimesh[g2] != 0;
        const int points = triangles ? max_points : max_contacts(m.geom_type[g1], m.geom_type[g2], m.opt.sdf_initpoints);
        // lanes of a pack inside and outside the gap of an adhesive pair have contacts of different dimension
        const bool adhesive = m.cand_pair[c] >= 0 ? m.pair_adhesion[m.cand_pair[c]] != 0
                                                  : m.geom_adhesion[g1] != 0 || m.geom_adhesion[g2] != 0;
        const int contacts = adhesive ? 2 * points : points;
        const int entries = dim * separate_dofs(m, m.geom_bodyid[g1], m.geom_bodyid[g2]);
        all.contacts += contacts;
        all.rows += contacts * contact_rows(dim);
        all.entries += static_cast<long long>(contacts) * entries;
        largest.rows = std::max<long long>(largest.rows, contact_rows(dim));
        largest.entries = std::max<long long>(largest.entries, entries);
    }
    if (m.nbroad > 0) {  // no list of pairs: any two geoms
        int dim = 1, chain = 1;
        for (int g = 0; g < m.ngeom; ++g) {
            dim = std::max(dim, m.geom_condim[g]);
            chain = std::max(chain, m.B_rownnz[m.geom_bodyid[g]]);
        }
        for (int p = 0; p < m.npair; ++p) dim = std::max(dim, m.pair_dim[p]);
        return all = {limit, limit * contact_rows(dim), limit * dim * 2 * chain};
    }
    const long long contacts = given >= 0 ? given : std::min(limit, all.contacts);
    return {contacts, std::min(all.rows, contacts * largest.rows), std::min(all.entries, contacts * largest.entries)};
}

inline void add_equality_room(const CompiledModel& m, int e, Room& room) {
    const auto bodies = [&](int id) { return m.eq_objtype[e] == obj::site ? m.site_bodyid[id] : id; };
    const int id1 = m.eq_obj1id[e], id2 = m.eq_obj2id[e];
    int rows = 1, entries = 2;
    if (m.eq_type[e] == eq::connect || m.eq_type[e] == eq::weld) {
        rows = m.eq_type[e] == eq::connect ? 3 : 6;
        entries = m.B_rownnz[bodies(id1)] + m.B_rownnz[bodies(id2)];
    } else if (m.eq_type[e] == eq::distance) {
        entries = m.B_rownnz[m.geom_bodyid[id1]] + m.B_rownnz[m.geom_bodyid[id2]];
    } else if (m.eq_type[e] == eq::tendon) {
        entries = m.ten_J_rownnz[id1] + (id2 >= 0 ? m.ten_J_rownnz[id2] : 0);
    }
    room.rows += rows;
    room.entries += rows * entries;
}

// Equality, friction and both sides of every limit.
inline Room constraint_room(const CompiledModel& m) {
    Room room;
    for (int e = 0; e < m.neq; ++e) add_equality_room(m, e, room);
    const auto add = [&](bool present, int rows, int entries) {
        if (!present) return;
        room.rows += rows;
        room.entries += static_cast<long long>(rows) * entries;
    };
    for (int i = 0; i < m.nv; ++i) add(m.dof_frictionloss[i] > 0, 1, 1);
    for (int t = 0; t < m.ntendon; ++t) {
        add(m.tendon_frictionloss[t] > 0, 1, m.ten_J_rownnz[t]);
        add(m.tendon_limited[t] != 0, 2, m.ten_J_rownnz[t]);
    }
    for (int j = 0; j < m.njnt; ++j) add(m.jnt_limited[j] != 0, 2, m.jnt_type[j] == jnt::ball ? 3 : 1);
    return room;
}

inline void set_capacities(CompiledModel& m, const Spec& spec) {
    Room all;
    const Room contacts = contact_room(m, spec.nconmax, all), others = constraint_room(m);
    const auto bounded = [](long long n) { return static_cast<int>(std::min<long long>(n, 1 << 28)); };
    m.nconmax = bounded(contacts.contacts);
    m.njmax = spec.njmax >= 0 ? spec.njmax : bounded(contacts.rows + others.rows);
    m.nJmax = bounded(contacts.entries + others.entries);
    m.nconall = bounded(all.contacts);
    m.njall = bounded(all.rows + others.rows);
    m.nJall = bounded(all.entries + others.entries);
}

}  // namespace mjx::compiler
