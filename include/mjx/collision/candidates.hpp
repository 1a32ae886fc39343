// The list of geom pairs that may collide, made once when a model is compiled; and how many contacts a pair may have.
//
// The list keeps MuJoCo's order: by body pair, explicit pairs before the others, these by geom unless the midphase flag is off.
// Each pair has the geom whose shape ranks lower first. A model with very many pairs has no list (nbroad > 0): there the broad phase
// finds the pairs anew in every step.
#pragma once

#include "mjx/collision/closed_form.hpp"
#include "mjx/collision/filter.hpp"
#include "mjx/collision/result.hpp"
#include "mjx/model/list.hpp"

#include <algorithm>
#include <utility>

namespace mjx::inner {

// Above this many pairs testing each costs more than the broad phase.
inline constexpr int max_candidates = 16384;

// The most contacts two geoms of these types make (in one lane).
constexpr int max_contacts(int type1, int type2, int sdf_initpoints) {
    const bool turned = comes_after(type1, type2);
    const int low = turned ? type2 : type1, high = turned ? type1 : type2;
    if (!shapes_collide(low, high)) return 0;
    if (is_field(high)) return is_hull(low) ? max_points : sdf_initpoints < max_points ? sdf_initpoints : max_points;
    if (has_closed_form(low, high)) return closed_form_contacts(low, high);
    if (is_endless(low)) return is_of_mesh(high) ? 4 : 5;
    if (is_of_hfield(low)) return max_points;
    return is_round(low) || is_round(high) ? 1 : 5;
}

template <class M>
bool add_candidate(M& m, int geom1, int geom2, int pair) {
    if (comes_after(m.geom_type[geom1], m.geom_type[geom2])) std::swap(geom1, geom2);
    m.cand_geom1.push_back(geom1);
    m.cand_geom2.push_back(geom2);
    m.cand_pair.push_back(pair);
    m.cand_next.push_back(m.cand_pair.size());
    return m.cand_pair.size() <= max_candidates;
}

// Candidates of one body pair. False when the list has grown too long.
template <class M>
bool add_candidates(M& m, int body1, int body2) {
    const auto bodies = [&](int i) {
        const int a = m.geom_bodyid[m.pair_geom1[i]], b = m.geom_bodyid[m.pair_geom2[i]];
        return TwoBodies{std::min(a, b), std::max(a, b)};
    };
    for (int i = find_bodies(m.npair, body1, body2, bodies); i < m.npair; ++i) {
        if (bodies(i).low != body1 || bodies(i).high != body2) break;
        if (!add_candidate(m, m.pair_geom1[i], m.pair_geom2[i], i)) return false;
    }
    if (!bodies_may_collide(m, body1, body2)) return true;
    List<std::pair<int, int>> pairs;
    for (int g1 = m.body_geomadr[body1]; g1 < m.body_geomadr[body1] + m.body_geomnum[body1]; ++g1)
        for (int g2 = m.body_geomadr[body2]; g2 < m.body_geomadr[body2] + m.body_geomnum[body2]; ++g2)
            if (may_collide(m, g1, g2))
                pairs.push_back(comes_after(m.geom_type[g1], m.geom_type[g2]) ? std::pair(g2, g1) : std::pair(g1, g2));
    if (!m.opt.disabled(disable::midphase)) std::sort(pairs.begin(), pairs.end());
    const int end = m.cand_pair.size() + static_cast<int>(pairs.size());
    for (const auto& [g1, g2] : pairs) {
        if (!add_candidate(m, g1, g2, -1)) return false;
        m.cand_next[m.cand_next.size() - 1] = end;
    }
    return true;
}

// Bodies that can touch others without an explicit pair, in order: all of them, and those that move. Whatever does not move only meets
// what does, so a scene of many fixed bodies has few pairs to look at.
struct TouchingBodies {
    List<int> all{}, moving{};

    template <class M>
    explicit TouchingBodies(const M& m) {
        for (int b = 0; b < m.nbody; ++b) {
            bool touches = false;
            for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g)
                touches = touches || m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0;
            if (!touches) continue;
            all.push_back(b);
            if (body_moves(m, b)) moving.push_back(b);
        }
    }
};

// The bodies from body1 on that it may make candidates with: by the rules, and those that explicit pairs name.
template <class M>
void find_partners(const M& m, const TouchingBodies& bodies, int body1, List<int>& partners) {
    partners.clear();
    const List<int>& others = body_moves(m, body1) ? bodies.all : bodies.moving;
    if (std::binary_search(bodies.all.begin(), bodies.all.end(), body1))
        partners.assign(std::upper_bound(others.begin(), others.end(), body1), others.end());
    const auto pair_bodies = [&](int i) {
        const int a = m.geom_bodyid[m.pair_geom1[i]], b = m.geom_bodyid[m.pair_geom2[i]];
        return TwoBodies{std::min(a, b), std::max(a, b)};
    };
    const std::size_t by_rules = partners.size();
    for (int i = find_bodies(m.npair, body1, body1, pair_bodies); i < m.npair && pair_bodies(i).low == body1; ++i)
        partners.push_back(pair_bodies(i).high);
    if (partners.size() == by_rules) return;
    sort_unique(partners);
}

// False when there are too many candidates, or too many pairs of bodies to look for them.
template <class M>
bool list_candidates(M& m) {
    constexpr std::size_t most_looks = std::size_t(1) << 24;
    const TouchingBodies bodies(m);
    List<int> partners;
    std::size_t looks = 0;
    for (int body1 = 0; body1 < m.nbody; ++body1) {
        find_partners(m, bodies, body1, partners);
        looks += partners.size();
        if (looks > most_looks) return false;
        for (const int body2 : partners)
            if (!add_candidates(m, body1, body2)) return false;
    }
    return true;
}

// Fills ncand and the cand_ tables, or sets nbroad when there are too many pairs for a list.
template <class M>
void make_candidates(M& m) {
    m.cand_geom1.resize(0);
    m.cand_geom2.resize(0);
    m.cand_pair.resize(0);
    m.cand_next.resize(0);
    m.nbroad = 0;
    // the world by itself has no contacts, not even explicit pairs
    if (m.nbody > 1 && !list_candidates(m)) {
        m.cand_geom1.resize(0);
        m.cand_geom2.resize(0);
        m.cand_pair.resize(0);
        m.cand_next.resize(0);
        m.nbroad = m.ngeom;
    }
    m.ncand = m.cand_pair.size();
}

}  // namespace mjx::inner
