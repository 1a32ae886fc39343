// A robot in motion, for the robotics tests: the scene of all joint types, away from rest, in any scalar.
#pragma once

#include "load.hpp"

#include "mjx/data.hpp"
#include "mjx/robotics.hpp"

#include <cmath>
#include <memory>
#include <vector>

namespace robotics_tests {

// The same pseudo-random state for every scalar; `seed` chooses it, one per lane.
inline double wave(int i, int seed) { return std::sin(1.7 * i + 0.9 * seed + 0.3); }

template <class S, class M>
std::unique_ptr<mjx::Data<S, M>> moving(const M& m) {
    using V = mjx::value_t<S>;
    using mjx::set_lane;
    auto d = std::make_unique<mjx::Data<S, M>>(m);
    mjx::reset(m, *d);
    std::vector<S> step(std::size_t(m.nv), S(0));
    for (int i = 0; i < m.nv; ++i)
        for (int k = 0; k < mjx::lanes_v<S>; ++k) {
            set_lane(step[std::size_t(i)], k, mjx::lane_t<S>(V(0.8 * wave(i, k))));
            set_lane(d->qvel[i], k, mjx::lane_t<S>(V(wave(3 * i + 1, k))));
        }
    mjx::integrate_position(m, d->qpos, step.data(), V(1));
    return d;
}

// A matrix for a result, without xtensor.
template <class S>
struct Buffer {
    int rows, columns;
    std::vector<S> values = std::vector<S>(std::size_t(rows) * std::size_t(columns), S(0));
    S& operator()(int r, int c) { return values[std::size_t(r * columns + c)]; }
};

}  // namespace robotics_tests
