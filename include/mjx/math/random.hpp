// Random numbers of any scalar, each lane its own, from a generator such as std::mt19937: the same on every machine.
#pragma once

#include "mjx/math/quat.hpp"

namespace mjx::inner {

// Uniform in [low, high), from the upper bits of the generator.
template <class S, class Random>
S random_between(Random& random, const S& low, const S& high) {
    using L = lane_t<S>;
    S result(low);
    for (int k = 0; k < lanes_v<S>; ++k) {
        const double range = static_cast<double>(Random::max() - Random::min()) + 1;
        const double u = static_cast<double>(random() - Random::min()) / range;
        const L a = lane(low, k), b = lane(high, k);
        set_lane(result, k, L(a + (b - a) * static_cast<value_t<S>>(u)));
    }
    return result;
}

// An angle of a whole turn about zero.
template <class S, class Random>
S random_angle(Random& random) {
    const S pi(static_cast<value_t<S>>(3.141592653589793));
    return random_between(random, S(-pi), pi);
}

// A rotation drawn uniformly (Shoemake 1992).
template <class S, class Random>
Quat<S> random_rotation(Random& random) {
    const S u = random_between(random, S(0), S(1)), a = random_angle<S>(random), b = random_angle<S>(random);
    const S r = sqrt(S(S(1) - u)), s = sqrt(u);
    return {{cos(b) * s, sin(a) * r, cos(a) * r, sin(b) * s}};
}

}  // namespace mjx::inner
