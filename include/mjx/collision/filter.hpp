// Which geoms may collide: MuJoCo's rules on the model's tables, whatever the pose.
//
// Two geoms make a candidate pair when one's contype meets the other's conaffinity, their bodies are not welded together, at least
// one of them can move, they are not parent and child (bodies welded to the world have no such parent, and the filterparent flag
// switches the rule off), and the bodies are not excluded. An explicit pair replaces all this for its two geoms.
#pragma once

#include "mjx/model/shape/list.hpp"

namespace mjx::inner {

// Is there any way to collide these two types of geom?
constexpr bool shapes_collide(int type1, int type2) { return !(is_ground(type1) && is_ground(type2)); }

// Has the body a dof of its own, or is it welded to one that has?
template <class M>
constexpr bool body_moves(const M& m, int body) {
    return m.body_dofnum[m.body_weldid[body]] > 0;
}

template <class M>
constexpr bool bodies_may_collide(const M& m, int body1, int body2) {
    const int weld1 = m.body_weldid[body1], weld2 = m.body_weldid[body2];
    if (weld1 == weld2) return false;
    if (!body_moves(m, body1) && !body_moves(m, body2)) return false;
    if (m.opt.disabled(disable::filterparent) || weld1 == 0 || weld2 == 0) return true;
    return weld1 != m.body_weldid[m.body_parentid[weld2]] && weld2 != m.body_weldid[m.body_parentid[weld1]];
}

// The first of n entries, sorted by their bodies (the lower first), whose bodies come not before these two.
template <class Bodies>
constexpr int find_bodies(int n, int body1, int body2, Bodies&& bodies) {
    const int low = body1 < body2 ? body1 : body2, high = body1 < body2 ? body2 : body1;
    int first = 0;
    while (n > 0) {
        const int half = n / 2;
        const auto [a, b] = bodies(first + half);
        const bool before = a < low || (a == low && b < high);
        first += before ? half + 1 : 0;
        n = before ? n - half - 1 : half;
    }
    return first;
}
struct TwoBodies {
    int low, high;
};

template <class M>
constexpr bool is_excluded(const M& m, int body1, int body2) {
    const int i = find_bodies(m.nexclude, body1, body2, [&](int k) { return TwoBodies{m.exclude_body1[k], m.exclude_body2[k]}; });
    if (i == m.nexclude) return false;
    const int a = m.exclude_body1[i], b = m.exclude_body2[i];
    return (a == body1 && b == body2) || (a == body2 && b == body1);
}

// The explicit pair of two geoms, or -1.
template <class M>
constexpr int explicit_pair(const M& m, int geom1, int geom2) {
    const auto bodies = [&](int k) {
        const int a = m.geom_bodyid[m.pair_geom1[k]], b = m.geom_bodyid[m.pair_geom2[k]];
        return a < b ? TwoBodies{a, b} : TwoBodies{b, a};
    };
    const int body1 = m.geom_bodyid[geom1], body2 = m.geom_bodyid[geom2];
    for (int i = find_bodies(m.npair, body1, body2, bodies); i < m.npair; ++i) {
        const int a = m.pair_geom1[i], b = m.pair_geom2[i];
        if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return i;
        if (bodies(i).low != (body1 < body2 ? body1 : body2)) break;
    }
    return -1;
}

// May the two geoms collide without an explicit pair, whatever their contype and conaffinity?
template <class M>
constexpr bool geoms_may_collide(const M& m, int geom1, int geom2) {
    const int body1 = m.geom_bodyid[geom1], body2 = m.geom_bodyid[geom2];
    return bodies_may_collide(m, body1, body2) && shapes_collide(m.geom_type[geom1], m.geom_type[geom2]) && !is_excluded(m, body1, body2) &&
           explicit_pair(m, geom1, geom2) < 0;
}

template <class M>
constexpr bool may_collide(const M& m, int geom1, int geom2) {
    const int bits = (m.geom_contype[geom1] & m.geom_conaffinity[geom2]) | (m.geom_contype[geom2] & m.geom_conaffinity[geom1]);
    return bits != 0 && geoms_may_collide(m, geom1, geom2);
}

// Does a contact filter decide about the two geoms? Their bodies must meet by the contype and conaffinity of all their geoms, and
// geoms that have neither are left alone (except without the midphase: MuJoCo's rules).
template <class M>
constexpr bool filter_decides(const M& m, int geom1, int geom2) {
    const auto inert = [&](int g) { return m.geom_contype[g] == 0 && m.geom_conaffinity[g] == 0; };
    if ((inert(geom1) || inert(geom2)) && !m.opt.disabled(disable::midphase)) return false;
    int contype[2] = {0, 0}, conaffinity[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
        const int body = m.geom_bodyid[side == 0 ? geom1 : geom2], first = m.body_geomadr[body];
        for (int g = first; g < first + m.body_geomnum[body]; ++g) {
            contype[side] |= m.geom_contype[g];
            conaffinity[side] |= m.geom_conaffinity[g];
        }
    }
    return ((contype[0] & conaffinity[1]) | (contype[1] & conaffinity[0])) != 0 && geoms_may_collide(m, geom1, geom2);
}

}  // namespace mjx::inner
