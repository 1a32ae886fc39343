// geom_distance: the smallest distance between two geoms, and the segment that realises it (mj_geomDistance).
//
// Reads   geom_xpos, geom_xmat
// Negative when they overlap; distmax when they are further apart, with a zero segment. The segment goes from geom1 to geom2. Planes,
// height fields and pairs with a closed form take the deepest of their contact points; box-box and the others go through GJK.
#pragma once

#include "mjx/collision/convex_distance.hpp"
#include "mjx/collision/narrowphase.hpp"

namespace mjx::inner {

template <class S>
struct GeomDistance {
    S dist;
    Vec3<S> from, to;  // world
};

// Pairs whose distance GJK finds: two convex geoms without a closed form, or with one that measures depth only.
constexpr bool distance_by_gjk(int type1, int type2) { return !is_ground(type1) && !is_field(type2) && !measures_distance(type1, type2); }

// Whether EPA may ever run for a model.
template <class M>
constexpr bool uses_epa() {
    return may<M>([](const auto& m) {
        return some_pair(m, true, [](int type1, int type2) { return !has_closed_form(type1, type2) || distance_by_gjk(type1, type2); });
    });
}

template <class M, class D>
auto geom_distance(const M& m, D& d, int geom1, int geom2, const typename D::scalar& distmax) {
    using S = typename D::scalar;
    GeomDistance<S> r{distmax, Vec3<S>::zero(), Vec3<S>::zero()};
    const bool flip = comes_after(m.geom_type[geom1], m.geom_type[geom2]);
    const int low = flip ? geom2 : geom1, high = flip ? geom1 : geom2;
    const int type1 = m.geom_type[low], type2 = m.geom_type[high];
    if (!shapes_collide(type1, type2)) return r;
    if (distance_by_gjk(type1, type2)) {
        convex_distance(m, geom1, geom2, geom_at(m, d, geom1), geom_at(m, d, geom2), distmax, r.dist, r.from, r.to);
        return r;
    }
    CollisionResult<S> result;
    collide<true>(m, d, low, high, distmax, mask_t<S>(true), result);
    for (int i = 0; i < result.count; ++i) {
        const ContactPoint<S>& p = result.point[i];
        const auto nearer = p.active && p.dist < r.dist;
        const Vec3<S> half = p.normal * (p.dist * value_t<S>(flip ? -0.5 : 0.5));
        r.dist = select(nearer, p.dist, r.dist);
        r.from = select(nearer, Vec3<S>(p.pos - half), r.from);
        r.to = select(nearer, Vec3<S>(p.pos + half), r.to);
    }
    return r;
}

}  // namespace mjx::inner
