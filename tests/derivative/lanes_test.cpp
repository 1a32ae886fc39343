// Derivatives of environments in the lanes of packs, each in a state of its own, on a model that is loaded: contacts that other lanes do not
// have, limits, tendons, equalities, muscles.
#include "catch.hpp"
#include "derivative/features.hpp"
#include "load.hpp"

#include "mjx/batch/batch.hpp"
#include "mjx/derivative/acceleration.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/solver/newton.hpp"

namespace {

using S = mjx::pack<double>;
template <class T, class Integrator>
using Sim = mjx::Simulator<T, Integrator, mjx::Newton>;

mjx::Model<double> model() {
    auto m = load_model_string(features("elliptic", 3, "gravity='enable'"));
    m.opt.chosen = 0;
    m.opt.tolerance = 0;
    m.opt.iterations = 100;
    return m;
}
// Environment k, on its way down or on the ground.
template <class Integrator>
Sim<double, Integrator> placed(int k) {
    Sim<double, Integrator> sim(model());
    for (int i = 0; i < sim.model().nv; ++i) sim.qvel()[i] = 0.2 * ((i + 2 * k) % 5 - 2);
    for (int i = 0; i < sim.model().nu; ++i) sim.ctrl()[i] = 0.2 * ((i + k) % 3);
    for (int i = 0; i < sim.model().na; ++i) sim.act()[i] = 0.3;
    sim.step(5 + 40 * k);
    return sim;
}

template <class A, class Get>
void check_close(const A& expected, const Get& got) {
    double worst = 0;
    for (std::size_t i = 0; i < expected.shape(0); ++i)
        for (std::size_t j = 0; j < expected.shape(1); ++j) {
            const double off = std::abs(expected(i, j) - got(i, j)) / std::max(1.0, std::abs(expected(i, j)));
            if (!(off <= worst)) worst = off;
        }
    CHECK(worst < 1e-9);
}

}  // namespace

TEMPLATE_TEST_CASE("lanes in states of their own have the derivatives of their environments, of steps and of accelerations", "", mjx::Euler,
                   mjx::ImplicitFast) {
    Sim<S, TestType> sim(model());
    for (int k = 0; k < mjx::lanes_v<S>; ++k) mjx::set_lane_state(sim.data(), k, mjx::State(placed<TestType>(k).data()));
    mjx::TransitionDerivatives<Sim<S, TestType>> lanes(sim, false);
    REQUIRE(lanes.is_analytic());
    const auto& found = lanes(sim);
    const auto accelerations = mjx::acceleration_derivatives(sim);
    const int n = mjx::state_columns(sim.model()), columns = mjx::transition_columns(sim.model());
    std::vector<S> weights(static_cast<std::size_t>(n)), gradient(static_cast<std::size_t>(columns));
    for (int i = 0; i < n; ++i) weights[static_cast<std::size_t>(i)] = S(0.3 * (i % 7) - 1);
    lanes.pull(sim, weights.data(), gradient.data());
    for (int k = 0; k < mjx::lanes_v<S>; ++k) {
        const auto one = placed<TestType>(k);
        INFO("lane " << k << ", " << one.data().ncon << " contacts");
        mjx::TransitionDerivatives<Sim<double, TestType>> own(one, false);
        const auto& expected = own(one);
        const auto of_lane = [&](const auto& matrix) { return [&](std::size_t i, std::size_t j) { return mjx::lane(matrix(i, j), k); }; };
        check_close(expected.A, of_lane(found.A));
        check_close(expected.B, of_lane(found.B));
        const auto alone = mjx::acceleration_derivatives(one);
        check_close(alone.DaDq, of_lane(accelerations.DaDq));
        check_close(alone.DaDv, of_lane(accelerations.DaDv));
        check_close(alone.DaDf, of_lane(accelerations.DaDf));
        std::vector<double> weight(weights.size()), mine(gradient.size());
        for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = mjx::lane(weights[i], k);
        own.pull(one, weight.data(), mine.data());
        for (std::size_t i = 0; i < mine.size(); ++i) CHECK(mjx::lane(gradient[i], k) == Approx(mine[i]).epsilon(1e-9).margin(1e-9));
    }
}

TEST_CASE("a batch of a loaded model differentiates environments in states of their own") {
    constexpr int environments = mjx::lanes_v<S> + 1;
    mjx::Batch<S, mjx::Euler, mjx::Newton> batch(model(), environments, 2);
    for (int e = 0; e < environments; ++e) batch.set_state(e, mjx::State(placed<mjx::Euler>(e).data()));
    const auto found = batch.derivatives();
    for (int e = 0; e < environments; ++e) {
        INFO("environment " << e);
        const auto one = mjx::derivatives(placed<mjx::Euler>(e));
        const auto of_environment = [&](const auto& arrays) {
            return [&](std::size_t i, std::size_t j) { return arrays(static_cast<std::size_t>(e), i, j); };
        };
        check_close(one.A, of_environment(found.A));
        check_close(one.B, of_environment(found.B));
    }
}
