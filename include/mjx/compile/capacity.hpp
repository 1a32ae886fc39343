// Capacities: how many contacts, constraint rows and Jacobian entries Data has room for. The one place where that is decided.
//
// What the model's size element gives is taken as it is, unless it is millions and more than could ever be used. Otherwise a loaded
// model has room for every contact its candidate pairs can make, as far as they can lie in a heap: see heap_contacts. Its Data takes no
// memory for room that it never uses (data/memory.hpp). Lanes of packs, where memory is dear, have room for 256 contacts each, or for 8 per
// geom in scenes with many geoms; fixed models, whose Data is an object of static size, for a robot on a floor (floor_capacity). Rows have
// room for those contacts and for all equality constraints, limits and dry friction at once. A step that needs more keeps the contacts that
// come first, in the order of their pairs, drops the rest and counts a warning.
#pragma once

#include "mjx/collision/candidates.hpp"
#include "mjx/collision/result.hpp"
#include "mjx/compile/names.hpp"
#include "mjx/model/list.hpp"
#include "mjx/stage/actuator_damping.hpp"
#include "mjx/stage/row.hpp"

#include <functional>
#include <limits>

namespace mjx::inner::compiler {

struct Capacity {
    long long contacts = 0, rows = 0, entries = 0;
};

// A contact of dimension 3 may have 4 pyramid edges, 4 has 6, 6 has 10; the Jacobian holds one row per dimension.
inline int contact_rows(int dim) { return dim == 1 ? 1 : 2 * (dim - 1); }

[[gnu::cold]] inline int contact_dim(const CompiledModel& m, int c) {
    if (m.cand_pair[c] >= 0) return m.pair_dim[m.cand_pair[c]];
    return std::max(m.geom_condim[m.cand_geom1[c]], m.geom_condim[m.cand_geom2[c]]);
}

// Dofs that move one of two bodies but not both; a row has room for one entry at least.
[[gnu::cold]] inline int separate_dofs(const CompiledModel& m, int body1, int body2) {
    return std::max(1, m.B_rownnz[body1] + m.B_rownnz[body2] - 2 * common_dofs(m, body1, body2));
}

// What one candidate pair may bring: so many contacts, each with so many rows and entries.
struct PairNeeds {
    int contacts = 0, rows = 0, entries = 0;
};
[[gnu::cold]] inline PairNeeds pair_needs(const CompiledModel& m, int c) {
    const int g1 = m.cand_geom1[c], g2 = m.cand_geom2[c], dim = contact_dim(m, c);
    const bool triangles = m.geom_trimesh[g1] != 0 || m.geom_trimesh[g2] != 0;
    const int points = triangles ? max_points : max_contacts(m.geom_type[g1], m.geom_type[g2], m.opt.sdf_initpoints);
    // lanes of a pack inside and outside the gap of an adhesive pair have contacts of different dimension
    const bool adhesive = m.cand_pair[c] >= 0 ? m.pair_adhesion[m.cand_pair[c]] != 0 : m.geom_adhesion[g1] != 0 || m.geom_adhesion[g2] != 0;
    return {adhesive ? 2 * points : points, contact_rows(dim), dim * separate_dofs(m, m.geom_bodyid[g1], m.geom_bodyid[g2])};
}

// What the candidate pairs could make together, and the most that one contact takes.
struct ContactNeeds {
    Capacity all, largest{1, 1, 1};
};

[[gnu::cold]] inline ContactNeeds listed_needs(const CompiledModel& m) {
    ContactNeeds needs;
    for (int c = 0; c < m.ncand; ++c) {
        const PairNeeds pair = pair_needs(m, c);
        needs.all.contacts += pair.contacts;
        needs.all.rows += pair.contacts * pair.rows;
        needs.all.entries += static_cast<long long>(pair.contacts) * pair.entries;
        needs.largest.rows = std::max<long long>(needs.largest.rows, pair.rows);
        needs.largest.entries = std::max<long long>(needs.largest.entries, pair.entries);
    }
    return needs;
}

// The most dofs that move one body.
[[gnu::cold]] inline int longest_chain(const CompiledModel& m) {
    int chain = 1;
    for (int b = 0; b < m.nbody; ++b) chain = std::max(chain, m.B_rownnz[b]);
    return chain;
}

// Without a list of pairs any two geoms may touch.
[[gnu::cold]] inline ContactNeeds unlisted_needs(const CompiledModel& m) {
    constexpr long long any = 1LL << 40;
    int dim = 1;
    for (int g = 0; g < m.ngeom; ++g) dim = std::max(dim, m.geom_condim[g]);
    for (int p = 0; p < m.npair; ++p) dim = std::max(dim, m.pair_dim[p]);
    return {{any, any, any}, {1, contact_rows(dim), static_cast<long long>(dim) * 2 * longest_chain(m)}};
}

// Capacity for the contacts of a heap. Bodies in a heap touch in at most about six pairs each, half of their neighbours in a dense packing,
// and a body has six dofs to stop; there is room for twice as many, of four points each where the shapes make that many, and for
// one large neighbour (a height field, a signed distance field, triangles) with all its points. Scenes of few geoms may be as deep in each
// other as they like.
[[gnu::cold]] inline long long heap_contacts(const CompiledModel& m) {
    constexpr long long enough = 16384;
    bool present[max_shapes] = {}, triangles = false;
    for (int g = 0; g < m.ngeom; ++g) {
        present[m.geom_type[g]] = true;
        triangles = triangles || m.geom_trimesh[g] != 0;
    }
    long long sum = 0;
    for (int g = 0; g < m.ngeom; ++g) {
        int most = triangles ? max_points : 0;
        for (int type = 0; type < max_shapes; ++type)
            if (present[type]) most = std::max(most, max_contacts(m.geom_type[g], type, m.opt.sdf_initpoints));
        sum += 12 * std::min(most, 4) + (most > 8 ? most : 0);
    }
    return std::max(sum, enough);
}

// Numbers that a contact takes in a solver's matrix and in the Jacobian, and how many there may be at all.
inline long long matrix_row(const CompiledModel& m) { return std::min(m.nv, 2 * longest_chain(m)) + 6; }
inline constexpr long long most_numbers = 1LL << 27;

// Capacity for so many contacts.
[[gnu::cold]] inline Capacity contact_capacity(const ContactNeeds& needs, long long contacts) {
    return {contacts, std::min(needs.all.rows, contacts * needs.largest.rows),
            std::min(needs.all.entries, contacts * needs.largest.entries)};
}

// Capacity for a robot on a floor: every geom may lie on one thing that does not move with up to eight points, every body may touch one
// other of its tree at one point, or two of another tree; a body alone in its tree lies in a heap, on half of six neighbours, with four
// points each. A robot does not do all of that at once: there is room for the 64 contacts of these that take most, and for 16 more with
// every tree after the first, under the model's own cone.
[[gnu::cold]] inline Capacity floor_capacity(const CompiledModel& m) {
    const auto larger = [](PairNeeds& most, const PairNeeds& pair, int contacts) {
        most = {std::max(most.contacts, std::min(pair.contacts, contacts)), std::max(most.rows, pair.rows),
                std::max(most.entries, pair.entries)};
    };
    List<PairNeeds> lies(static_cast<std::size_t>(m.ngeom)), touches(static_cast<std::size_t>(m.nbody));
    for (int c = 0; c < m.ncand; ++c) {
        PairNeeds pair = pair_needs(m, c);
        if (m.opt.cone == cone::elliptic) pair.rows = contact_dim(m, c);
        const int geoms[2] = {m.cand_geom1[c], m.cand_geom2[c]};
        for (int side = 0; side < 2; ++side) {
            const int body = m.geom_bodyid[geoms[side]], tree = m.body_treeid[body], other = m.body_treeid[m.geom_bodyid[geoms[1 - side]]];
            if (tree < 0) continue;
            if (other < 0)
                larger(lies[static_cast<std::size_t>(geoms[side])], pair, 8);
            else
                larger(touches[static_cast<std::size_t>(body)], pair, other == tree ? 1 : m.tree_bodynum[tree] > 1 ? 2 : 12);
        }
    }
    List<int> rows, entries;
    for (const auto& list : {lies, touches})
        for (const PairNeeds& needs : list) {
            rows.append(static_cast<std::size_t>(needs.contacts), needs.rows);
            entries.append(static_cast<std::size_t>(needs.contacts), needs.entries);
        }
    std::sort(rows.begin(), rows.end(), std::greater<>());
    std::sort(entries.begin(), entries.end(), std::greater<>());
    Capacity capacity{std::min<long long>(static_cast<long long>(rows.size()), 64 + 16 * std::max(0, m.ntree - 1)), 0, 0};
    for (std::size_t i = 0; i < static_cast<std::size_t>(capacity.contacts); ++i) {
        capacity.rows += rows[i];
        capacity.entries += entries[i];
    }
    return capacity;
}

template <class M>
[[gnu::cold]] void add_equality_capacity(const M& m, int e, Capacity& capacity) {
    const int type = m.eq_type[e], id1 = m.eq_obj1id[e], id2 = m.eq_obj2id[e], rows = equality_kinds[type].rows;
    int entries = 2;  // of two joints
    if (ties_points(type)) {
        const auto bodies = equality_bodies(m, e);
        entries = m.B_rownnz[bodies[0]] + m.B_rownnz[bodies[1]];
    } else if (ties_tendons(type)) {
        entries = m.ten_J_rownnz[id1] + (id2 >= 0 ? m.ten_J_rownnz[id2] : 0);
    }
    capacity.rows += rows;
    capacity.entries += rows * entries;
}

// Equality, friction, both sides of every limit, and what tendons and actuators lend to the Discrete integrator (solver/effective.hpp).
template <class M>
[[gnu::cold]] Capacity constraint_capacity(const M& m, JointKinds kinds) {
    Capacity capacity;
    for (int e = 0; e < m.neq; ++e) add_equality_capacity(m, e, capacity);
    const auto add = [&](bool present, int rows, int entries) {
        if (!present) return;
        capacity.rows += rows;
        capacity.entries += static_cast<long long>(rows) * entries;
    };
    for (int i = 0; i < m.nv; ++i) add(m.dof_frictionloss[i] != 0, 1, 1);
    for (int t = 0; t < m.ntendon; ++t) {
        add(m.tendon_frictionloss[t] > 0, 1, m.ten_J_rownnz[t]);
        add(m.tendon_limited[t] != 0, 2, m.ten_J_rownnz[t]);
        const auto b = tendon_total_damping(m, t);
        const bool holds = poly_present(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t]) || poly_present(b.linear, b.poly);
        add(holds && m.ten_J_rownnz[t] > 1, 1, m.ten_J_rownnz[t]);
    }
    for (int i = 0; i < m.nactuator; ++i) {
        const bool plain = is_plain_motor(m.actuator_gaintype[i], m.actuator_biastype[i]);
        for (int out = m.actuator_outadr[i]; out < m.actuator_outadr[i] + m.actuator_outnum[i]; ++out)
            add(!plain && m.moment_rownnz[out] > 1, 1, m.moment_rownnz[out]);
    }
    for (int j = 0; j < m.njnt; ++j) add(m.jnt_limited[j] != 0, 2, find_kind(kinds, m.jnt_type[j])->limit_entries);
    return capacity;
}

inline int bounded(long long n) { return static_cast<int>(std::min<long long>(n, 1 << 28)); }

[[gnu::cold]] inline void set_capacities(CompiledModel& m, const Spec& spec) {
    const ContactNeeds needs = m.nbroad > 0 ? unlisted_needs(m) : listed_needs(m);
    const Capacity others = constraint_capacity(m, m.kinds);
    constexpr long long many = 1 << 20;
    const long long njmax = std::min<long long>(spec.njmax, std::max(needs.all.rows + others.rows, many));
    long long lane = std::min<long long>(spec.nconmax, std::max(needs.all.contacts, many)), alone = lane;
    if (spec.nconmax < 0) {
        lane = std::min<long long>(needs.all.contacts, std::max(256, 8 * m.ngeom));
        const long long fit = most_numbers / (needs.largest.rows * matrix_row(m) + needs.largest.entries);
        alone = std::min(needs.all.contacts, std::max(lane, std::min(heap_contacts(m), fit)));
    }
    const Capacity alone_capacity = contact_capacity(needs, alone), lane_capacity = contact_capacity(needs, lane);
    m.nconmax = bounded(alone);
    m.njmax = spec.njmax >= 0 ? bounded(njmax) : bounded(alone_capacity.rows + others.rows);
    m.nJmax = bounded(alone_capacity.entries + others.entries);
    m.nconlane = bounded(lane);
    m.njlane = spec.njmax >= 0 ? bounded(njmax) : bounded(lane_capacity.rows + others.rows);
    m.nJlane = bounded(lane_capacity.entries + others.entries);
    const bool own = spec.nconmax >= 0 || m.nbroad > 0;  // the model's own number, or a large scene
    const Capacity fixed_capacity = own ? lane_capacity : floor_capacity(m);
    m.nconfixed = bounded(fixed_capacity.contacts);
    m.njfixed = spec.njmax >= 0 ? bounded(njmax) : bounded(fixed_capacity.rows + others.rows);
    m.nJfixed = bounded(fixed_capacity.entries + others.entries);
    m.nconall = bounded(needs.all.contacts);
    m.njall = bounded(needs.all.rows + others.rows);
    m.nJall = bounded(needs.all.entries + others.entries);
    if (m.njmax * matrix_row(m) > std::numeric_limits<int>::max())
        throw_model_error({spec.where, ": size: ", std::to_string(m.njmax), " constraint rows over ", std::to_string(m.nv),
                           " dofs are too many, expected a smaller nconmax or njmax"});
}

}  // namespace mjx::inner::compiler
