// Capsule against capsule, in closed form and in lanes.
//
// The nearest points of the two segments minimise |p1 + x1 h1 - p2 - x2 h2|² over the square |x1|, |x2| <= 1 (h: half axes): a 2x2
// system whose solution is clamped edge by edge. Parallel capsules have no unique pair; each end is then tried against the other
// segment until two contacts are found.
#pragma once

#include "mjx/collision/sphere.hpp"

namespace mjx {

template <class S, int K>
void capsule_capsule(const Shape<S>& a, const Shape<S>& b, const S& margin, CollisionResult<S, K>& out) {
    const S one(1), minus(-1);
    const Vec3<S> h1 = a.axis() * a.size[1], h2 = b.axis() * b.size[1];
    const Vec3<S> apart = a.pos - b.pos;
    const S aa = dot(h1, h1), ab = -dot(h1, h2), bb = dot(h2, h2);
    const S u = -dot(h1, apart), v = dot(h2, apart);
    const S det = aa * bb - ab * ab;
    const auto parallel = !(abs(det) >= max(S(minval_v<S>), S(aa * bb * (epsilon_v<S> * 4))));

    // the ball pair at x1, x2; says which lanes touch
    const auto try_at = [&](const S& x1, const S& x2, const mask_t<S>& where) {
        return ball_ball(a, Vec3<S>(a.pos + h1 * x1), a.size[0], b, Vec3<S>(b.pos + h2 * x2), b.size[0], margin, where, out);
    };

    if (any(!parallel)) {
        const S safe = select(parallel, one, det);
        S x1 = (bb * u - ab * v) / safe, x2 = (aa * v - ab * u) / safe;
        const auto out1 = abs(x1) > one;
        x1 = clamp(x1, minus, one);
        x2 = select(out1, safe_divide(S(v - ab * x1), bb), x2);
        const auto out2 = abs(x2) > one;
        x2 = clamp(x2, minus, one);
        x1 = select(out2, clamp(safe_divide(S(u - ab * x2), aa), minus, one), x1);
        try_at(x1, x2, !parallel);
    }
    if (any(parallel)) {
        const auto on_b = [&](const S& x1) { return clamp(safe_divide(S(v - ab * x1), bb), minus, one); };
        const auto on_a = [&](const S& x2) { return clamp(safe_divide(S(u - ab * x2), aa), minus, one); };
        const auto c1 = try_at(one, on_b(one), parallel);
        const auto c2 = try_at(minus, on_b(minus), parallel);
        const auto c3 = try_at(on_a(one), one, parallel && !(c1 && c2));
        const auto two = (c1 && c2) || (c1 && c3) || (c2 && c3);
        try_at(on_a(minus), minus, parallel && !two);
    }
}

}  // namespace mjx
