// Environment: one environment of a batch as a program sees it that starts it anew, and random numbers of its own.
//
//     batch.reset(mask, seed, [](auto environment, auto& random) { environment.qpos[0] = random.uniform(-1, 1); });
#pragma once

#include "mjx/data/walk.hpp"
#include "mjx/scalar/scalar.hpp"

#include <cstdint>

namespace mjx::inner {

// The numbers of one environment in a field of Data, to read and to write.
template <class S>
class LaneNumber {
  public:
    LaneNumber(S& x, int k) : x_(x), k_(k) {}
    operator lane_t<S>() const { return lane(x_, k_); }
    const LaneNumber& operator=(lane_t<S> value) const {
        set_lane(x_, k_, value);
        return *this;
    }
    const LaneNumber& operator+=(lane_t<S> value) const { return *this = lane(x_, k_) + value; }

  private:
    S& x_;
    int k_;
};
template <class S>
struct LaneNumbers {
    S* first;
    int count, k;
    LaneNumber<S> operator[](int i) const { return {first[i], k}; }
    int size() const { return count; }
};

// One environment of a batch: its number, and the inputs and states it starts from. A body has three numbers in mocap_pos, four in
// mocap_quat and six in xfrc_applied.
template <class S>
struct Environment {
    int index;
    LaneNumbers<S> qpos, qvel, act, ctrl, userdata, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied;
    LaneNumber<S> time;
};
template <class D>
auto environment_of(D& d, int index, int k) {
    using S = typename D::scalar;
    const auto numbers = [k](auto& field) {  // vectors, if it is made of them, are numbers side by side
        return LaneNumbers<S>{reinterpret_cast<S*>(field.data()), number_count(field), k};
    };
    return Environment<S>{index,
                          numbers(d.qpos),
                          numbers(d.qvel),
                          numbers(d.act),
                          numbers(d.ctrl),
                          numbers(d.userdata),
                          numbers(d.mocap_pos),
                          numbers(d.mocap_quat),
                          numbers(d.qfrc_applied),
                          numbers(d.xfrc_applied),
                          {d.time, k}};
}

// Random numbers of one environment: they depend on the seed and the environment alone (splitmix64: Steele, Lea and Flood 2014).
class EnvironmentRandom {
  public:
    using result_type = std::uint64_t;
    EnvironmentRandom(std::uint64_t seed, int environment) : state_(seed) {
        state_ = (*this)() ^ (static_cast<std::uint64_t>(environment) + 1) * 0x9e3779b97f4a7c15u;
    }
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type(0); }
    result_type operator()() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    // The same number wherever it is compiled.
    double uniform(double low = 0, double high = 1) { return low + (high - low) * (static_cast<double>((*this)() >> 11) * 0x1p-53); }

  private:
    std::uint64_t state_;
};

}  // namespace mjx::inner
