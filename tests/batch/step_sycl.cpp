// The step inside a SYCL kernel gives what it gives on the host.
#include "catch.hpp"

#include "cheetah.hpp"
#include "joints.hpp"

#include "mjx/batch/sycl.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/solver/unconstrained.hpp"

#include <memory>

namespace {

constexpr int environments = 11, rounds = 4, steps = 10;

double velocity(int e, int i) { return 0.2 * ((e + 2 * i) % 5 - 2); }
double control(int e, int i, int round) { return 0.15 * ((e + i + round) % 5 - 2); }

// The largest difference between the kernel's states and those of a simulator on the host, per unit of their size.
template <class S, class Integrator, class Solver, class M>
double difference() {
    mjx::SyclBatch<S, Integrator, Solver, M> batch(environments);
    for (int e = 0; e < environments; ++e)
        for (int i = 0; i < M::nv; ++i) batch.qvel(e, i) = S(velocity(e, i));
    for (int round = 0; round < rounds; ++round) {
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < M::nu; ++i) batch.ctrl(e, i) = S(control(e, i, round));
        batch.step(steps);
    }

    double worst = 0;
    const auto sim = std::make_unique<mjx::Simulator<S, Integrator, Solver, M>>();
    for (int e = 0; e < environments; ++e) {
        sim->reset();
        for (int i = 0; i < M::nv; ++i) sim->qvel()[i] = S(velocity(e, i));
        for (int round = 0; round < rounds; ++round) {
            for (int i = 0; i < M::nu; ++i) sim->ctrl()[i] = S(control(e, i, round));
            sim->step(steps);
        }
        CHECK(batch.time(e) == sim->time());
        for (int i = 0; i < M::nq; ++i)
            worst = std::max(worst,
                             std::abs(double(batch.qpos(e, i)) - double(sim->qpos()[i])) / std::max(1.0, std::abs(double(sim->qpos()[i]))));
        for (int i = 0; i < M::nv; ++i)
            worst = std::max(worst,
                             std::abs(double(batch.qvel(e, i)) - double(sim->qvel()[i])) / std::max(1.0, std::abs(double(sim->qvel()[i]))));
    }
    return worst;
}

}  // namespace

TEST_CASE("smooth dynamics in a kernel are those of the host") {
    CHECK(difference<double, mjx::RK4, mjx::Unconstrained, models::Joints>() < 1e-12);
    CHECK(difference<float, mjx::Euler, mjx::Unconstrained, models::Joints>() < 1e-5);
}

TEST_CASE("environments on the device are reset one by one and count their own warnings") {
    mjx::SyclBatch<double, mjx::Euler, mjx::Unconstrained, models::Cheetah> batch(environments);
    batch.qvel(3, 2) = std::numeric_limits<double>::quiet_NaN();
    batch.step(2);
    for (int e = 0; e < environments; ++e) CHECK(batch.warning(e, mjx::warning::badqvel) == (e == 3 ? 1 : 0));
    batch.reset([](int e) { return e % 2 == 0; });
    for (int e = 0; e < environments; ++e) {
        CHECK((batch.time(e) == 0) == (e % 2 == 0));
        CHECK((batch.warning(e, mjx::warning::badqvel) == 1) == (e == 3));
    }
}
