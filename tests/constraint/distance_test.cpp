// The distance between two geoms as a constraint: a ball on a rigid, massless rod is a pendulum.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

#include <cmath>

TEST_CASE("a ball held at a distance swings with the period of a pendulum") {
    mjx::Spec spec;
    spec.option.timestep = 0.001;
    const double length = 1, angle = 0.1;
    spec.world.add_geom({.name = "pivot", .size = {0.05}, .contype = 0, .conaffinity = 0});
    auto& body = spec.world.add_body({.pos = {length * std::sin(angle), 0, -length * std::cos(angle)}});
    body.add_joint({.type = mjx::jnt::slide, .axis = {1, 0, 0}});
    body.add_joint({.type = mjx::jnt::slide, .axis = {0, 1, 0}});
    body.add_joint({.type = mjx::jnt::slide, .axis = {0, 0, 1}});
    body.add_geom({.name = "ball", .size = {0.05}});
    spec.add_equality({.type = mjx::eq::distance,
                       .name1 = "ball",
                       .name2 = "pivot",
                       .solref = {0.002, 1},
                       .solimp = {0.999, 0.999, 0.001, 0.5, 2},
                       .data = {length}});

    mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(compile_spec(spec));
    double worst = 0, crossing = 0;
    for (int i = 0; i < 1500 && crossing == 0; ++i) {
        const double before = sim.data().geom_xpos[1][0];
        sim.step();
        const auto& p = sim.data().geom_xpos[1];
        worst = std::max(worst, std::abs(std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - length));
        if (i > 10 && before > 0 && p[0] <= 0) crossing = sim.time();
    }
    CHECK(worst < 1e-3);
    // a quarter of the period, with the first correction for its amplitude
    const double pi = 3.14159265358979323846, period = 2 * pi * std::sqrt(length / 9.81) * (1 + angle * angle / 16);
    CHECK(crossing == Approx(period / 4).epsilon(0.01));
}

TEST_CASE("balls held at a distance fall asleep and wake together") {
    mjx::Spec spec;
    spec.option.gravity = {{0, 0, 0}};
    spec.option.enableflags |= mjx::enable::sleep;
    for (int i = 0; i < 4; ++i)
        spec.world.add_geom({.pos = {0, 0, -5.0 - i}, .size = {0.1}});  // so that geoms and bodies count differently
    for (int i = 0; i < 2; ++i) {
        auto& body = spec.world.add_body({.pos = {static_cast<double>(i), 0, 0}, .sleep = mjx::sleep_policy::allowed});
        body.add_joint({.type = mjx::jnt::free});
        body.add_geom({.name = i == 0 ? "a" : "b", .size = {0.1}});
    }
    spec.add_equality({.type = mjx::eq::distance, .name1 = "a", .name2 = "b", .data = {1}});
    mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(compile_spec(spec));
    sim.step(30);
    const auto asleep = [&](int tree) { return sim.data().tree_asleep[tree] >= 0; };
    CHECK(asleep(0));
    CHECK(asleep(1));
    CHECK(sim.data().nefc == 0);
    sim.qvel()[0] = -1;
    sim.step();
    CHECK_FALSE(asleep(0));
    CHECK_FALSE(asleep(1));
    CHECK(sim.data().nefc == 1);
}
