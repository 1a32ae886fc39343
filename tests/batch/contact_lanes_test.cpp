// Packs with contacts: lanes touch the ground at different times, and none of them notices the others.
#include "catch.hpp"

#include "cheetah.hpp"

#include "mjx/batch/lanes.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

#include <cstring>
#include <memory>

namespace {

using M = models::Cheetah;
template <class S>
using Sim = mjx::Simulator<S, mjx::Euler, mjx::Newton, M>;

// Environment k starts at its own height and is driven in its own way.
template <class P>
std::unique_ptr<Sim<P>> make() {
    auto sim = std::make_unique<Sim<P>>();
    using T = mjx::value_t<P>;
    for (int k = 0; k < mjx::lanes_v<P>; ++k) {
        set_lane(sim->qpos()[1], k, static_cast<T>(-0.02 * (k % 4)));
        for (int i = 0; i < M::nu; ++i) set_lane(sim->ctrl()[i], k, static_cast<T>(0.1 * ((i + k) % 5 - 2)));
    }
    return sim;
}

template <class T>
bool same_bits(const mjx::State<T>& a, const mjx::State<T>& b) {
    return a.values.size() == b.values.size() && std::memcmp(a.values.data(), b.values.data(), sizeof(T) * a.values.size()) == 0;
}

constexpr int steps = 60;

}  // namespace

TEMPLATE_TEST_CASE("a lane in contact does not depend on its neighbours, bit by bit, even when one of them is lost", "", float, double) {
    using P = mjx::pack<TestType>;
    const auto mixed = make<P>(), infected = make<P>();
    const int sick = mjx::lanes_v<P> - 1;
    set_lane(infected->qvel()[4], sick, std::numeric_limits<TestType>::quiet_NaN());
    mixed->step(steps);
    infected->step(steps);
    CHECK(mixed->data().ncon > 0);
    for (int k = 0; k < sick; ++k) CHECK(same_bits(mjx::lane_state(mixed->data(), k), mjx::lane_state(infected->data(), k)));

    const auto uniform = std::make_unique<Sim<P>>();
    const auto start = mjx::lane_state(make<P>()->data(), 1);
    for (int k = 0; k < mjx::lanes_v<P>; ++k) mjx::set_lane_state(uniform->data(), k, start);
    uniform->step(steps);
    CHECK(same_bits(mjx::lane_state(mixed->data(), 1), mjx::lane_state(uniform->data(), 0)));
}

TEST_CASE("a lane in contact moves as its environment does alone") {
    using P = mjx::pack<double>;
    const auto pack = make<P>();
    pack->step(steps);
    for (int k = 0; k < mjx::lanes_v<P>; ++k) {
        const auto single = std::make_unique<Sim<double>>();
        const auto start = mjx::lane_state(make<P>()->data(), k);
        start.restore(single->data());
        single->step(steps);
        // the solver stops at its tolerance; the functions of xsimd differ in the last bit
        for (int i = 0; i < M::nq; ++i) CHECK(lane(pack->qpos()[i], k) == Approx(single->qpos()[i]).epsilon(1e-9).margin(1e-9));
    }
}
