// CollisionResult<S>: the contact points between two geoms, as the narrow phase returns them.
//
// Frames: everything in the world. The normal points from geom1 to geom2 (geom1 has the lower shape type), is of unit length,
// and pos lies midway between the two surfaces. For packs slot i exists when some lane has it; `active` says which lanes, and the
// other lanes hold finite numbers. `tangent` is a hint for the first tangent of the contact frame, shared by all points.
#pragma once

#include "mjx/math/mat3.hpp"

namespace mjx::inner {

// Most points of one pair: MuJoCo's limit, reached by height fields only.
inline constexpr int max_points = 50;

template <class S>
struct ContactPoint {
    S dist;  // between the surfaces, negative when they overlap
    Vec3<S> pos;
    Vec3<S> normal;
    mask_t<S> active;
};

template <class S>
struct CollisionResult {
    static constexpr int capacity = max_points;

    int count = 0;
    bool has_tangent = false;
    Vec3<S> tangent;
    ContactPoint<S> point[capacity];

    // Adds a point to the lanes in `active`, each lane at its first free slot, so that a pack needs no more slots than its busiest
    // lane. Points beyond the capacity are dropped.
    constexpr void add(const S& dist, const Vec3<S>& pos, const Vec3<S>& normal, mask_t<S> active) {
        if constexpr (lanes_v<S> > 1) {
            for (int i = 0; i < count && any(active); ++i) {
                ContactPoint<S>& p = point[i];
                const auto free = active && !p.active;
                if (!any(free)) continue;
                p.dist = select(free, dist, p.dist);
                p.pos = select(free, pos, p.pos);
                p.normal = select(free, normal, p.normal);
                p.active = p.active || free;
                active = active && !free;
            }
        }
        if (!any(active) || count == capacity) return;
        ContactPoint<S>& p = point[count++];
        p.dist = dist;
        p.pos = pos;
        p.normal = normal;
        p.active = active;
    }
};

// One lane of vectors and matrices, for code that leaves the lanes.
template <class S, int N>
constexpr Vec<lane_t<S>, N> lane(const Vec<S, N>& v, int k) {
    Vec<lane_t<S>, N> r;
    for (int i = 0; i < N; ++i) r[i] = lane(v[i], k);
    return r;
}
template <class S>
constexpr Mat3<lane_t<S>> lane(const Mat3<S>& m, int k) {
    Mat3<lane_t<S>> r;
    for (int i = 0; i < 9; ++i) r[i] = lane(m[i], k);
    return r;
}
template <class S, int N>
constexpr void set_lane(Vec<S, N>& v, int k, const Vec<lane_t<S>, N>& value) {
    for (int i = 0; i < N; ++i) set_lane(v[i], k, value[i]);
}

}  // namespace mjx::inner
