// Contacts and the Newton solver inside a SYCL kernel. (Compiling this kernel at run time takes minutes the first time.)
#include "catch.hpp"

#include "cheetah.hpp"

#include "mjx/batch/sycl.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/solver/newton.hpp"

#include <memory>

TEST_CASE("a runner that meets the ground in a kernel moves as it does on the host") {
    using M = models::Cheetah;
    constexpr int environments = 5, steps = 80;
    mjx::SyclBatch<double, mjx::Euler, mjx::Newton, M> batch(environments);
    const auto control = [](int e, int i) { return 0.15 * ((e + i) % 5 - 2); };
    for (int e = 0; e < environments; ++e)
        for (int i = 0; i < M::nu; ++i) batch.ctrl(e, i) = control(e, i);
    batch.step(steps);

    const auto sim = std::make_unique<mjx::Simulator<double, mjx::Euler, mjx::Newton, M>>();
    for (int e = 0; e < environments; ++e) {
        sim->reset();
        for (int i = 0; i < M::nu; ++i) sim->ctrl()[i] = control(e, i);
        sim->step(steps);
        CHECK(sim->data().ncon > 0);
        for (int i = 0; i < M::nq; ++i) CHECK(batch.qpos(e, i) == Approx(sim->qpos()[i]).epsilon(1e-10).margin(1e-10));
        for (int i = 0; i < M::nv; ++i) CHECK(batch.qvel(e, i) == Approx(sim->qvel()[i]).epsilon(1e-8).margin(1e-8));
    }
}
