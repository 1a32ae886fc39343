// Boxes that spare the walk over listed pairs most of its way: around bodies, so that all pairs of two bodies far apart are passed over at
// once, around bounding spheres, which are compared faster as boxes, or the rods in them, and around geoms, for pairs that are dear to
// look at closer.
//
// Reads   geom_bound, geom_xpos, geom_xmat
// Writes  its work
// A box is a little larger than what it holds: it may only keep out pairs that make no contact, whatever the rounding, and the order of
// those that are left does not change. So results do not depend on it, and it may look at numbers without derivatives and at all lanes of
// a pack together.
#pragma once

#include "mjx/collision/broadphase.hpp"
#include "mjx/collision/closed_form.hpp"

namespace mjx::inner {

template <class S, class M>
struct NearWork {
    WorkPlace<M>* at;
    template <class T, Dim Size>
    using array = WorkArray<T, Size, S, M>;
    array<NearBox, Dim::nbody> body{at};    // the box of each body
    array<NearBox, Dim::ngeom> sphere{at};  // the box around each bounding sphere, or rod
    array<NearBox, Dim::ngeom> geom{at};    // the box of each geom, once it was asked for
    array<int, Dim::ngeom> made{at};        // was it?
};

// Boxes around bodies pay where there are many more pairs than geoms.
template <class M>
constexpr bool skips_bodies(const M& m) {
    return m.ncand > 16 * m.ngeom;
}
// Whether boxes of a model's geoms are compared eight at once, and what meets is kept as bits.
template <class S, class M>
constexpr bool compares_eight(const M& m) {
    return lanes_v<S> == 1 && has_avx_v<in_kernel_v<M>, double> && m.ngeom <= 64;
}
// Boxes around bounding spheres pay for one environment as soon as there are some more pairs than geoms, or two bodies have more than a
// pair or two: lanes of a pack are seldom all apart.
template <class S, class M>
constexpr bool boxes_spheres(const M& m) {
    return lanes_v<S> == 1 && (m.ncand > m.nbody * m.nbody || (compares_eight<S>(m) && m.ncand > 4 * m.ngeom));
}

// The box around what reaches so far from its centre, as with_slack makes it. That of a broken pose holds everything or nothing.
template <std::floating_point T>
NearBox box_of_reach(const quad<T>& centre, const quad<T>& reach) {
    const quad<T> off = centre < T(0) ? -centre : centre;
    const quad<T> grown = reach + reach * T(2e-6) + (off + reach) * T(32 * epsilon_v<float>);
    NearBox box{__builtin_convertvector(centre - grown, quad<float>), __builtin_convertvector(-centre - grown, quad<float>)};
    box.low[3] = box.minus_high[3] = -no_bound<float>;
    return box;
}

// The box around a bounding sphere, drawn in to the geom's own where that is a rod.
template <class M, class D>
NearBox box_in_bound(const M& m, const D& d, int g) {
    using T = typename D::scalar;
    quad<T> centre, reach = quad<T>{} + d.geom_bound[g][3];
    load_quad<T>(centre, &d.geom_bound[g][0]);
    if (is_rod(m.geom_type[g])) {
        const Mat3<T>& mat = d.geom_xmat[g];
        const quad<T> axis{mat[2], mat[5], mat[8], T(0)};
        reach += m.geom_size[g][1] * ((axis < T(0) ? -axis : axis) - T(1));
    }
    return box_of_reach<T>(centre, reach);
}

// The box around a geom's bounding sphere in all lanes. A lane with a broken pose has none, and makes no contacts.
template <class M, class D>
auto bound_box(const M& m, const D& d, int g) {
    using S = typename D::scalar;
    using V = value_t<S>;
    if (is_endless(m.geom_type[g])) return NearBox{quad<float>{} - no_bound<float>, quad<float>{} - no_bound<float>};
    if constexpr (std::floating_point<S>) return box_in_bound(m, d, g);
    Vec6<V> box = empty_box<V>();
    const Vec<S, 4>& bound = d.geom_bound[g];
    for (int k = 0; k < lanes_v<S>; ++k) {
        const V reach = value_of(lane(bound[3], k));
        for (int i = 0; i < 3; ++i) {
            const V x = value_of(lane(bound[i], k)), low = x - reach, high = x + reach;
            box[i] = low < box[i] ? low : box[i];
            box[3 + i] = high > box[3 + i] ? high : box[3 + i];
        }
    }
    return with_slack(box);
}

// What may make contacts further away than its margin is held by its sphere alone: height fields, signed distances, and boxes with a
// margin, whose edges meet along lines.
template <class M>
constexpr bool has_tight_box(const M& m, int g) {
    const int type = m.geom_type[g];
    if (is_ground(type) || is_field(type)) return false;
    return !measures_depth_only(type, type) || (all(m.geom_margin[g] + m.geom_gap[g] == 0) && !m.opt.enabled(enable::override_contact));
}
template <class M, class D>
auto box_around(const M& m, const D& d, int g) {
    return has_tight_box(m, g) ? with_slack(geom_box(m, d, g)) : bound_box(m, d, g);
}

// The boxes of all geoms that collide without an explicit pair, as `around` gives them, and of their bodies.
template <class M, class D, class A, class F>
void make_boxes(const M& m, D& d, A& boxes, F&& around) {
    auto& w = work<NearWork>(d);
    for (int b = 0; b < m.nbody; ++b) {
        NearBox box = with_slack(empty_box<float>());
        for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
            if (m.geom_contype[g] == 0 && m.geom_conaffinity[g] == 0) continue;
            boxes[g] = around(g);
            include(box, boxes[g]);
        }
        w.body[b] = box;
    }
}

// The first pair from i on that may touch, of those up to `end`, which are of the same two bodies.
template <class M, class W>
int skip_far_pairs(const M& m, const W& w, int i, int end) {
    while (i < end) {
        const int g1 = m.cand_geom1[i];
        if (boxes_meet(w.geom[g1], w.geom[m.cand_geom2[i]])) return i;
        const bool first = i == 0 || m.cand_geom1[i - 1] != g1;
        ++i;
        if (first && !boxes_meet(w.geom[g1], w.body[m.geom_bodyid[m.cand_geom2[i - 1]]]))
            while (i < end && m.cand_geom1[i] == g1) ++i;
    }
    return end;
}

// f(i) for the listed pairs whose boxes meet, and for explicit pairs.
template <class M, class D, class F>
void for_each_pair_of_near_bodies(const M& m, D& d, F&& f) {
    auto& w = work<NearWork>(d);
    make_boxes(m, d, w.geom, [&](int g) { return box_around(m, d, g); });
    for (int i = 0; i < m.ncand;) {
        const int end = m.cand_next[i], g1 = m.cand_geom1[i], g2 = m.cand_geom2[i];
        if (end == i + 1) {
            if (m.cand_pair[i] >= 0 || boxes_meet(w.geom[g1], w.geom[g2])) f(i);
            i = end;
            continue;
        }
        if (!boxes_meet(w.body[m.geom_bodyid[g1]], w.body[m.geom_bodyid[g2]])) i = end;
        while ((i = skip_far_pairs(m, w, i, end)) < end) f(i++);
    }
}

// Whether a pair of types is dear: no closed form measures its distance, as of two boxes and of all that the convex collider takes.
constexpr bool is_dear(int type1, int type2) { return !measures_distance(type1, type2); }

// Whether the bounding sphere of a geom is mostly empty, as that of a rod is.
template <class M>
constexpr bool is_slender(const M& m, int g) {
    using R = typename M::real;
    return is_rod(m.geom_type[g]) && any(m.geom_rbound[g] > R(8) * m.geom_size[g][0]);
}

// Whether the boxes of two geoms meet, which are made as they are asked for. Apart from the walk over all pairs, which is to stay small.
template <class M, class D>
[[gnu::noinline]] bool geom_boxes_meet(const M& m, D& d, int g1, int g2) {
    auto& w = work<NearWork>(d);
    for (const int g : {g1, g2}) {
        if (w.made[g] == 0) w.geom[g] = box_around(m, d, g);
        w.made[g] = 1;
    }
    return boxes_meet(w.geom[g1], w.geom[g2]);
}
// Whether a listed pair whose bounding spheres meet is worth a closer look: a dear one, or one of rods, is not if its boxes do not meet.
template <class M, class D>
bool is_worth_a_look(const M& m, D& d, int i) {
    const int g1 = m.cand_geom1[i], g2 = m.cand_geom2[i];
    if (lanes_v<typename D::scalar> > 1 || m.cand_pair[i] >= 0) return true;
    if (!is_dear(m.geom_type[g1], m.geom_type[g2]) && (is_endless(m.geom_type[g1]) || !is_slender(m, g2))) return true;
    return geom_boxes_meet(m, d, g1, g2);
}

// Which boxes around bounding spheres each of them meets, as bits.
template <class M, class D>
void find_meeting_boxes(const M& m, D& d, std::uint64_t (&meets)[64]) {
    NearBox boxes[64];
    BoxBlock blocks[8];
    for (int g = 0; g < m.ngeom; g += 8) {
        for (int k = g; k < g + 8; ++k) boxes[k] = k < m.ngeom ? bound_box(m, d, k) : NearBox{};
        blocks[g / 8].set(boxes + g);
    }
    for (int g = 0; g < m.ngeom; ++g) {
        meets[g] = 0;
        for (int k = 0; k < m.ngeom; k += 8) meets[g] |= std::uint64_t(blocks[k / 8].template meeting<in_kernel_v<M>>(boxes[g])) << k;
    }
}

// f(i) for the listed pairs whose bounding spheres may meet.
template <class M, class D, class F>
void for_each_listed_pair(const M& m, D& d, F&& f) {
    using S = typename D::scalar;
    auto& w = work<NearWork>(d);
    for (int g = 0; g < m.ngeom; ++g) w.made[g] = 0;
    if (!boxes_spheres<S>(m)) {
        for (int i = 0; i < m.ncand; ++i) f(i);
        return;
    }
    if (compares_eight<S>(m)) {
        std::uint64_t meets[64];
        find_meeting_boxes(m, d, meets);
        for (int i = 0; i < m.ncand; ++i)
            if ((meets[m.cand_geom1[i]] >> m.cand_geom2[i] & 1) != 0 || (m.npair > 0 && m.cand_pair[i] >= 0)) f(i);
        return;
    }
    make_boxes(m, d, w.sphere, [&](int g) { return bound_box(m, d, g); });
    for (int i = 0; i < m.ncand;) {
        const int end = m.cand_next[i];
        if (end > i + 1 && !boxes_meet(w.body[m.geom_bodyid[m.cand_geom1[i]]], w.body[m.geom_bodyid[m.cand_geom2[i]]])) i = end;
        for (; i < end; ++i)
            if (m.cand_pair[i] >= 0 || boxes_meet(w.sphere[m.cand_geom1[i]], w.sphere[m.cand_geom2[i]])) f(i);
    }
}

}  // namespace mjx::inner
