// Discrete on fixed models: the workshop steps as its runtime model does.
#include "catch.hpp"
#include "load.hpp"

#include "workshop.hpp"

#include "mjx/integrator/discrete.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

#include <cmath>
#include <memory>

TEST_CASE("a fixed model takes the discrete steps of its runtime model") {
    auto model = load_scene("workshop");
    model.opt.chosen = 0;
    mjx::Simulator<double, mjx::Discrete, mjx::Newton> sim(model);
    const auto fixed = std::make_unique<mjx::Simulator<double, mjx::Discrete, mjx::Newton, models::Workshop>>();
    for (int k = 0; k < 60; ++k) {
        for (int i = 0; i < model.nu; ++i) sim.ctrl()[i] = fixed->ctrl()[i] = 0.3 * std::sin(0.1 * k + i);
        sim.step();
        fixed->step();
    }
    REQUIRE(fixed->data().nefc == sim.data().nefc);
    for (int i = 0; i < sim.data().nefc; ++i) CHECK(fixed->data().efc_diagA[i] == Approx(sim.data().efc_diagA[i]).epsilon(1e-6));
    for (int i = 0; i < model.nq; ++i) CHECK(fixed->qpos()[i] == Approx(sim.qpos()[i]).margin(1e-7));
    CHECK(sim.warnings().empty());
}
