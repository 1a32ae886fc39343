// convex_distance: the distance between two convex geoms by GJK (EPA when they overlap), with the points that realise it.
//
// Distances from distmax on are distmax. Lane by lane on plain numbers; moving_contact.hpp adds the derivatives.
#pragma once

#include "mjx/collision/convex_pair.hpp"

namespace mjx::inner {

// Fills dist, from and to of each lane; from and to stay as they are where the geoms are further apart.
template <class M, class S>
void convex_distance(const M& m, int g1, int g2, const Geom<S>& s1, const Geom<S>& s2, const S& distmax, S& dist, Vec3<S>& from,
                     Vec3<S>& to) {
    using L = lane_t<S>;
    using T = convex_real_t<M>;
    dist = distmax;
    for_each_lane<L>(s1, s2, mask_t<S>(true), [&](int k, const Geom<L>& own1, const Geom<L>& own2) {
        ConvexObject<T> a = convex_object<T>(m, g1, own1, T(0)), b = convex_object<T>(m, g2, own2, T(0));
        ConvexQuery<T> q;
        q.max_iterations = m.opt.ccd_iterations;
        q.tolerance = plain<T>(m.opt.ccd_tolerance);
        q.cutoff = plain<T>(lane(distmax, k));
        const T found = call_one_copy<convex_query<T, M>>(m, q, a, b);
        if (q.count == 0 || !(found < q.cutoff)) return;
        if constexpr (std::is_floating_point_v<L>) {
            set_lane(dist, k, plain<L>(found));
            set_lane(from, k, plain_vec<L>(q.x1[0]));
            set_lane(to, k, plain_vec<L>(q.x2[0]));
        } else {
            // overlapping objects have x1 and x2 the other way round along the normal
            const Vec3<T> normal = normalize(Vec3<T>(found < T(0) ? q.x1[0] - q.x2[0] : q.x2[0] - q.x1[0]));
            const MovingPoints<L> points = moving_points(m, q, a, b, own1, own2, normal, found);
            set_lane(dist, k, L(dot(plain_vec<value_t<S>>(normal), Vec3<L>(points.x2 - points.x1))));
            set_lane(from, k, points.x1);
            set_lane(to, k, points.x2);
        }
    });
}

}  // namespace mjx::inner
