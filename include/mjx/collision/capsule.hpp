// Capsule against capsule, in closed form and in lanes.
//
// The nearest points of the two segments minimise |p1 + x1 h1 - p2 - x2 h2|² over the square |x1|, |x2| <= 1 (h: half axes): a 2x2
// system whose solution is clamped edge by edge. Parallel capsules have no unique pair; each end is then tried against the other
// segment until two contacts are found.
#pragma once

#include "mjx/collision/sphere.hpp"

namespace mjx {

template <class S>
void capsule_capsule(const Shape<S>& a, const Shape<S>& b, const S& margin, CollisionResult<S>& out) {
    const S one(1), minus(-1);
    const Vec3<S> h1 = a.axis() * a.size[1], h2 = b.axis() * b.size[1];
    const Vec3<S> apart = a.pos - b.pos;
    const S aa = dot(h1, h1), ab = -dot(h1, h2), bb = dot(h2, h2);
    const S u = -dot(h1, apart), v = dot(h2, apart);
    const S det = aa * bb - ab * ab;
    const auto parallel = !(abs(det) >= max(S(minval_v<S>), S(aa * bb * (epsilon_v<S> * 4))));

    S x1(0), x2(0);
    if (any(!parallel)) {
        const S safe = select(parallel, one, det);
        x1 = (bb * u - ab * v) / safe;
        x2 = (aa * v - ab * u) / safe;
        const auto out1 = abs(x1) > one;
        x1 = clamp(x1, minus, one);
        x2 = select(out1, safe_divide(S(v - ab * x1), bb), x2);
        const auto out2 = abs(x2) > one;
        x2 = clamp(x2, minus, one);
        x1 = select(out2, clamp(safe_divide(S(u - ab * x2), aa), minus, one), x1);
    }
    // the nearest points; for parallel capsules both ends of a, then both ends of b
    auto one_found = mask_t<S>(false), two_found = one_found;
    for (int i = any(!parallel) ? 0 : 1; i < (any(parallel) ? 5 : 1); ++i) {
        if (i > 0) {
            const bool on_a = i < 3;
            const S end = i % 2 == 1 ? one : minus;
            const S opposite = clamp(safe_divide(S((on_a ? v : u) - ab * end), on_a ? bb : aa), minus, one);
            x1 = on_a ? end : opposite;
            x2 = on_a ? opposite : end;
        }
        const auto wanted = i == 0 ? !parallel : parallel && !two_found;
        const auto found = ball_ball(a, Vec3<S>(a.pos + h1 * x1), a.size[0], b, Vec3<S>(b.pos + h2 * x2), b.size[0], margin, wanted, out);
        two_found = two_found || (one_found && found);
        one_found = one_found || (found && parallel);
    }
}

}  // namespace mjx
