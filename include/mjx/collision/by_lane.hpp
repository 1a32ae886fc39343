// collide_by_lane: narrow phases that branch on numbers run in one lane after the other, and their contacts go back into the lanes.
#pragma once

#include "mjx/collision/geom.hpp"

#include <type_traits>

namespace mjx::inner {

// One lane of a geom, in numbers of type C.
template <class C, class S>
OwnGeom<C> lane_geom(const Geom<S>& s, int k) {
    OwnGeom<C> own;
    for (int i = 0; i < 3; ++i) {
        own.pos[i] = static_cast<C>(lane(s.pos[i], k));
        own.size[i] = static_cast<C>(lane(s.size[i], k));
    }
    for (int i = 0; i < 9; ++i) own.mat[i] = static_cast<C>(lane(s.mat[i], k));
    return own;
}

// Writes point i of lane k into that lane of slot i.
template <class S, class C>
void insert_lane(CollisionResult<S>& out, int i, int k, const ContactPoint<C>& found) {
    using L = lane_t<S>;
    if (i == out.count) {
        // finite in every other lane: a unit normal and no distance
        out.point[out.count++] = {S(0), Vec3<S>::zero(), Vec3<S>{{S(1), S(0), S(0)}}, mask_t<S>(false)};
    }
    ContactPoint<S>& p = out.point[i];
    set_lane(p.dist, k, static_cast<L>(found.dist));
    set_lane(p.pos, k, Vec3<L>::from(found.pos));
    set_lane(p.normal, k, Vec3<L>::from(found.normal));
    set_lane(p.active, k, true);
}

// Runs f(lane, geom a, geom b) with geoms of one lane, in numbers of type C, in each lane of the mask.
template <class C, class S, class F>
void for_each_lane(const Geom<S>& a, const Geom<S>& b, const mask_t<S>& mask, F&& f) {
    if constexpr (std::is_same_v<C, S>) {
        if (mask) f(0, a, b);
    } else {
        for (int k = 0; k < lanes_v<S>; ++k) {
            if (!lane(mask, k)) continue;
            const OwnGeom<C> own_a = lane_geom<C>(a, k), own_b = lane_geom<C>(b, k);
            f(k, own_a.view(), own_b.view());
        }
    }
}

// Runs narrow(a, b, margin, result) on numbers of type C in each lane of the mask. A scalar that is one of these runs it as it is.
template <class C, class S, class Narrow>
void collide_by_lane(const Geom<S>& a, const Geom<S>& b, const S& margin, const mask_t<S>& mask, CollisionResult<S>& out, Narrow&& narrow) {
    for_each_lane<C>(a, b, mask, [&](int k, const Geom<C>& lane_a, const Geom<C>& lane_b) {
        if constexpr (std::is_same_v<C, S>) {
            narrow(lane_a, lane_b, margin, out);
        } else {
            CollisionResult<C> found;
            narrow(lane_a, lane_b, static_cast<C>(lane(margin, k)), found);
            for (int i = 0, slot = 0; i < found.count; ++i) {
                const lane_t<S> dist = static_cast<lane_t<S>>(found.point[i].dist);  // may be too large for a float
                if (std::is_same_v<C, lane_t<S>> || isfinite(value_of(dist))) insert_lane(out, slot++, k, found.point[i]);
            }
        }
    });
}

}  // namespace mjx::inner
