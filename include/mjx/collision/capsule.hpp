// Capsule against capsule, in closed form and in lanes.
//
// The nearest points of the two segments minimise |p1 + x1 h1 - p2 - x2 h2|² over the square |x1|, |x2| <= 1 (h: half axes): a 2x2
// system whose solution is clamped edge by edge. Parallel capsules have no unique pair; each end is then tried against the other
// segment until two contacts are found.
#pragma once

#include "mjx/collision/sphere.hpp"

namespace mjx::inner {

template <class S>
void capsule_capsule(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    const S one(1), minus(-1);
    const Vec3<S> h1 = a.axis() * a.size[1], h2 = b.axis() * b.size[1];
    const Vec3<S> apart = a.pos - b.pos;
    const S aa = dot(h1, h1), ab = -dot(h1, h2), bb = dot(h2, h2);
    const S u = -dot(h1, apart), v = dot(h2, apart);
    // most pairs whose bounds meet are apart along the line of their centres, by more than rounding: nothing has to be divided for them
    const S reach = margin + a.size[0] + b.size[0], far = dot(apart, apart);
    const S gap = far * value_t<S>(0.999) - abs(u) - abs(v);
    if (all(gap > S(0) && gap * gap > reach * reach * far)) return;
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
        auto one_found = mask_t<S>(false), two_found = one_found;
        for (int i = 0; i < 4; ++i) {  // both ends of a, both ends of b
            const bool on_a = i < 2;
            const S end = i % 2 == 0 ? one : minus;
            const S opposite = clamp(safe_divide(S((on_a ? v : u) - ab * end), on_a ? bb : aa), minus, one);
            const auto found = try_at(on_a ? end : opposite, on_a ? opposite : end, parallel && !two_found);
            two_found = two_found || (one_found && found);
            one_found = one_found || found;
        }
    }
}

}  // namespace mjx::inner
