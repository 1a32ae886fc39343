// Environments on a device: the step in a kernel, and what a batch does around it.
#include "catch.hpp"

#include "cheetah.hpp"
#include "joints.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/solver/unconstrained.hpp"
#include "mjx/sycl.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace {

constexpr int environments = 7, steps = 5;
using Cheetah = models::Cheetah;
using Batch = mjx::SyclBatch<float, mjx::Euler, mjx::Unconstrained, Cheetah>;
using Sim = mjx::Simulator<float, mjx::Euler, mjx::Unconstrained, Cheetah>;

template <class S>
S velocity(int e, int i) {
    return S(0.2) * S((e + 2 * i) % 5 - 2);
}
float control(int e, int i, int t) { return 0.15f * float((e + i + t) % 5 - 2); }

// A pull that grows with the time, in place of the controls.
struct Pull {
    template <class M, class D>
    void control(const M& m, D& d) const {
        for (int i = 0; i < m.nu; ++i) d.ctrl[i] = d.time * gain;
    }
    float gain = 0;
};

}  // namespace

TEST_CASE("smooth dynamics in a kernel are those of the host, bit by bit") {
    using M = models::Joints;
    mjx::SyclBatch<double, mjx::RK4, mjx::Unconstrained, M> batch(environments);
    const auto sim = std::make_unique<mjx::Simulator<double, mjx::RK4, mjx::Unconstrained, M>>();
    for (int e = 0; e < environments; ++e)
        for (int i = 0; i < M::nv; ++i) batch.qvel(e, i) = velocity<double>(e, i);
    batch.step(steps);
    for (int e = 0; e < environments; ++e) {
        sim->reset();
        for (int i = 0; i < M::nv; ++i) sim->qvel()[i] = velocity<double>(e, i);
        sim->step(steps);
        CHECK(batch.time(e) == sim->time());
        for (int i = 0; i < M::nq; ++i) CHECK(batch.qpos(e, i) == sim->qpos()[i]);
        for (int i = 0; i < M::nv; ++i) CHECK(batch.qvel(e, i) == sim->qvel()[i]);
    }
}

TEST_CASE("environments on the device are reset one by one and tell of their own troubles") {
    Batch batch(environments);
    batch.qvel(3, 2) = std::numeric_limits<float>::quiet_NaN();
    batch.step(2);
    for (int e = 0; e < environments; ++e) {
        CHECK(batch.warning(e, mjx::warning::badqvel) == (e == 3 ? 1 : 0));
        CHECK(batch.was_bad(e) == (e == 3));
        CHECK(batch.was_reset(e) == (e == 3));
    }
    CHECK(batch.warning_text(3, mjx::warning::badqvel) == "bad qvel at dof 2 (root_y) in environment 3: state reset");
    CHECK(batch.warning_text(2, mjx::warning::badqvel).empty());
    batch.reset([](int e) { return e % 2 == 0; });
    for (int e = 0; e < environments; ++e) {
        CHECK((batch.time(e) == 0) == (e % 2 == 0));
        CHECK((batch.warning(e, mjx::warning::badqvel) == 1) == (e == 3));
    }
    batch.step();
    CHECK(!batch.was_bad(3));
    CHECK_THROWS_WITH(batch.reset([](int) { return true; }, 0), Catch::Contains("there is no keyframe 0, the model has 0"));
    CHECK_THROWS_WITH(batch.warning(environments, 0), Catch::Contains("there is no environment 7, expected 0 to 6"));
    CHECK_THROWS_WITH(batch.array("qqpos"), Catch::Contains("keep no 'qqpos', expected one of time, qpos"));
    CHECK_THROWS_WITH(Batch(0), Catch::Contains("the number of environments is 0"));
}

TEST_CASE("a rollout on the device is its steps, and an environment goes on from the state of another") {
    Batch batch(environments), stepped(environments, sycl::queue{}, 2);
    const auto shared = [&](int rows) { return sycl::malloc_shared<float>(std::size_t(steps * rows * environments), batch.queue()); };
    float *controls = shared(Cheetah::nu), *qpos = shared(Cheetah::nq);
    for (int t = 0; t < steps; ++t)
        for (int i = 0; i < Cheetah::nu; ++i)
            for (int e = 0; e < environments; ++e) controls[(t * Cheetah::nu + i) * environments + e] = control(e, i, t);
    batch.rollout(steps, controls, {.qpos = qpos});
    for (int t = 0; t < steps; ++t) {
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < Cheetah::nu; ++i) stepped.ctrl(e, i) = control(e, i, t);
        stepped.step();
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < Cheetah::nq; ++i) CHECK(qpos[(t * Cheetah::nq + i) * environments + e] == stepped.qpos(e, i));
    }
    stepped.set_state(0, batch.state(4));
    batch.step();
    stepped.step();
    for (int i = 0; i < Cheetah::nq; ++i) CHECK(stepped.qpos(0, i) == batch.qpos(4, i));
    sycl::free(controls, batch.queue());
    sycl::free(qpos, batch.queue());
}

TEST_CASE("environments on the device start from random numbers of their own, those of the host, and from one state") {
    Batch batch(environments, sycl::queue{}, 3);
    batch.step(steps);
    const auto scatter = [](auto environment, auto& random) {
        for (int i = 0; i < environment.qpos.size(); ++i) environment.qpos[i] += float(random.uniform(-0.1, 0.1));
    };
    batch.reset([](int e) { return e != 2; }, 17, scatter);
    for (int e = 0; e < environments; ++e) {
        if (e == 2) continue;
        Sim sim;
        mjx::EnvironmentRandom random(17, e);
        for (int i = 0; i < Cheetah::nq; ++i) CHECK(batch.qpos(e, i) == sim.qpos()[i] + float(random.uniform(-0.1, 0.1)));
    }
    CHECK(batch.time(2) > 0);
    const auto start = batch.state(2);
    batch.set_state(start);
    batch.step();
    for (int e = 0; e < environments; ++e)
        for (int i = 0; i < Cheetah::nq; ++i) CHECK(batch.qpos(e, i) == batch.qpos(2, i));
}

TEST_CASE("kernels of a learner and steps follow each other without the host") {
    Batch batch(environments), waited(environments);
    float *qpos = batch.array("qpos"), *ctrl = batch.array("ctrl");
    CHECK(batch.array_rows("qpos") == Cheetah::nq);
    CHECK(batch.array_rows("ctrl") == Cheetah::nu);
    const auto policy = [=](sycl::id<1> e) {
        for (int i = 0; i < Cheetah::nu; ++i)
            ctrl[std::size_t(i * environments) + e[0]] = qpos[std::size_t(i * environments) + e[0]] - 0.3f;
    };
    for (int t = 0; t < steps; ++t) {
        const sycl::event chosen = batch.queue().parallel_for(sycl::range<1>(environments), {batch.event()}, policy);
        batch.enqueue(1, {chosen});
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < Cheetah::nu; ++i) waited.ctrl(e, i) = waited.qpos(e, i) - 0.3f;
        waited.step();
    }
    batch.wait();
    for (int e = 0; e < environments; ++e)
        for (int i = 0; i < Cheetah::nq; ++i) CHECK(batch.qpos(e, i) == waited.qpos(e, i));
}

TEST_CASE("hooks run on the device, and a function looks at what was computed there") {
    mjx::SyclBatch<float, mjx::Euler, mjx::Unconstrained, Cheetah, Pull> batch(environments, sycl::queue{}, 0, Pull{2});
    batch.step(steps);
    mjx::Simulator<float, mjx::Euler, mjx::Unconstrained, Cheetah, Pull> sim(Pull{2});
    sim.step(steps);
    for (int i = 0; i < Cheetah::nq; ++i) CHECK(batch.qpos(1, i) == sim.qpos()[i]);

    float* heights = sycl::malloc_shared<float>(environments, batch.queue());
    batch.map([=](const auto&, const auto& d, int e) { heights[e] = d.xpos[1][2]; });
    sim.forward();
    CHECK(heights[2] == sim.data().xpos[1][2]);
    batch.step(2, [=](const auto&, const auto& d, int e) { heights[e] = d.qpos[1] + d.xpos[1][2]; });
    sim.step(2);
    CHECK(heights[2] == sim.qpos()[1] + sim.data().xpos[1][2]);
    sycl::free(heights, batch.queue());
}
