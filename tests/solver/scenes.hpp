// States with many constraints at once, for tests of the solvers.
#pragma once

#include "rooms.hpp"

#include "load.hpp"

#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/step.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace scenes {

template <class S>
using Data = mjx::Data<S, mjx::Model<mjx::value_t<S>>>;

struct State {
    std::vector<double> qpos, qvel, force;
};

// Environment k of a test: near the rest position, close to the floor, in motion.
inline State state(const mjx::Model<double>& m, unsigned k) {
    std::mt19937 random(k);
    std::normal_distribution<double> normal;
    State s;
    for (int i = 0; i < m.nq; ++i) s.qpos.push_back(m.qpos0[i] + 0.15 * normal(random));
    for (int i = 0; i < m.nv; ++i) s.qvel.push_back(0.5 * normal(random));
    for (int i = 0; i < m.nv; ++i) s.force.push_back(normal(random));
    return s;
}

// Puts the state into lane k.
template <class M, class D>
void set(const M& m, D& d, int k, const State& s) {
    using T = mjx::value_t<typename D::scalar>;
    for (int i = 0; i < m.nq; ++i) mjx::set_lane(d.qpos[i], k, static_cast<T>(s.qpos[static_cast<std::size_t>(i)]));
    for (int i = 0; i < m.nv; ++i) {
        mjx::set_lane(d.qvel[i], k, static_cast<T>(s.qvel[static_cast<std::size_t>(i)]));
        mjx::set_lane(d.qfrc_applied[i], k, static_cast<T>(s.force[static_cast<std::size_t>(i)]));
        mjx::set_lane(d.qacc_warmstart[i], k, T(0));
    }
}

inline double norm(const auto& v, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += double(v[i]) * double(v[i]);
    return std::sqrt(sum);
}

}  // namespace scenes
