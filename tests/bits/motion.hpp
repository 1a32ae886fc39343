// How the robots of bench/, and two that push things about, move under controls of integers: hashes of their positions and velocities,
// for comparison bit by bit.
#pragma once

#include "rooms.hpp"

#include "mjx/data.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace bits {

inline constexpr int steps = 10000;
inline constexpr const char* robots[] = {"pendulum", "chain15", "arm", "cheetah", "humanoid", "tray"};

// Between -0.5 and 0.5, held for ten steps; every environment has its own.
inline double control(int environment, int actuator, int step) {
    std::uint32_t h = static_cast<std::uint32_t>(environment * 7919 + actuator * 104729 + step / 10 * 1299709);
    for (int round = 0; round < 3; ++round) h = (h ^ (h >> 15)) * 0x2c1b3c6du + 0x9e3779b9u;
    return static_cast<double>(static_cast<int>(h >> 21) - 1024) / 2048;
}

// FNV-1a over all that moves, one lane of it, after a step.
class Hash {
  public:
    template <class Sim>
    void add(const Sim& sim, int lane) {
        for (int i = 0; i < sim.model().nq; ++i) add_number(mjx::lane(sim.data().qpos[i], lane));
        for (int i = 0; i < sim.model().nv; ++i) add_number(mjx::lane(sim.data().qvel[i], lane));
    }
    template <class T>
    void add_number(T x) {
        unsigned char bytes[sizeof x];
        std::memcpy(bytes, &x, sizeof x);
        for (const unsigned char byte : bytes) value_ = (value_ ^ byte) * 0x100000001b3u;
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

// Environment 3 in one lane, others in the rest.
template <class Sim>
std::uint64_t motion(Sim& sim, int lane) {
    using S = typename Sim::scalar;
    Hash hash;
    for (int t = 0; t < steps; ++t) {
        for (int i = 0; i < sim.model().nu; ++i)
            for (int k = 0; k < mjx::lanes_v<S>; ++k)
                mjx::set_lane(sim.ctrl()[i], k, static_cast<mjx::value_t<S>>(control(k == lane ? 3 : 4 + k, i, t)));
        sim.step();
        if (t % 10 == 9) hash.add(sim, lane);
    }
    return hash.value();
}

inline void print(const char* robot, const char* integrator, const char* solver, const char* numbers, std::uint64_t hash) {
    std::printf("%s %s %s %s %016llx\n", robot, integrator, solver, numbers, static_cast<unsigned long long>(hash));
    std::fflush(stdout);
}

}  // namespace bits
