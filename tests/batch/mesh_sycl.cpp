// Meshes inside a SYCL kernel, with more faces than there is room for among a kernel's constants.
#include "catch.hpp"

#include "boulders.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/sycl.hpp"

#include <cmath>
#include <memory>

TEMPLATE_TEST_CASE("stones whose faces are in the device's memory fall on each other as on the host, bit by bit", "", models::Boulders,
                   (mjx::ConvexIn<float, models::Boulders>)) {
    using M = TestType;
    STATIC_REQUIRE(mjx::inner::has_places<mjx::inner::InKernel<typename M::template rebind<float>>>);
    constexpr int environments = 3, steps = 40;
    mjx::SyclBatch<float, mjx::Euler, mjx::Newton, M> batch(environments, sycl::queue{}, 2);
    for (int e = 0; e < environments; ++e) batch.qvel(e, 6) = 0.1f * float(e);
    batch.step(steps);
    const auto sim = std::make_unique<mjx::Simulator<float, mjx::Euler, mjx::Newton, M>>();
    for (int e = 0; e < environments; ++e) {
        sim->reset();
        sim->qvel()[6] = 0.1f * float(e);
        sim->step(steps);
        CHECK(sim->data().ncon > 1);
        for (int i = 0; i < M::nq; ++i) CHECK(batch.qpos(e, i) == sim->qpos()[i]);
        CHECK(std::abs(sim->data().xpos[2][2] - 0.29f) < 0.01f);  // the upper one is still up there
    }
}
