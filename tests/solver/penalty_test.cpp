// The Penalty solver: springs at limits and equality constraints, tanh friction, contacts on their elliptic cones.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/solver/pgs.hpp"
#include "mjx/stage/contact_force.hpp"

#include <cmath>

namespace {

template <class Solver>
using Sim = mjx::Simulator<double, mjx::Euler, Solver>;

const char* const box = R"(<mujoco><worldbody><geom type="plane" size="5 5 1" friction="0.5 0.005 0.0001"/>
    <body pos="0 0 0.0999"><freejoint/>
    <geom type="box" size="0.1 0.1 0.1" mass="2" friction="0.5 0.005 0.0001"/></body></worldbody></mujoco>)";

}  // namespace

TEST_CASE("taken literally, a limit pushes back with k times the violation plus b times its rate") {
    Sim<mjx::LiteralPenalty> sim(load_model_string(R"(<mujoco><option gravity="0 0 0"/><worldbody><body><joint type="slide" axis="1 0 0"
        range="-1 0.2" limited="true" solreflimit="0.05 0.7"/><geom size="0.1"/></body></worldbody></mujoco>)"));
    sim.qpos()[0] = 0.23;
    sim.qvel()[0] = 0.4;
    sim.forward();
    CHECK(sim.data().qfrc_constraint[0] == Approx(-(0.03 / (0.05 * 0.05) + 2 * 0.7 / 0.05 * 0.4)));
    CHECK(sim.data().qacc[0] == Approx(sim.data().qfrc_constraint[0] / sim.data().M[0]));
    // inside its range a joint is free
    sim.qpos()[0] = 0.1;
    sim.forward();
    CHECK(sim.data().qfrc_constraint[0] == 0);
}

TEST_CASE("the spring of a limit is never stiffer than the time step allows") {
    Sim<mjx::LiteralPenalty> sim(
        load_model_string(R"(<mujoco><option gravity="0 0 0" timestep="0.01"><flag refsafe="disable"/></option><worldbody>
        <body><joint type="slide" axis="1 0 0" range="-1 0.2" limited="true" solreflimit="0.001 1"/><geom size="0.1"/></body>
        </worldbody></mujoco>)"));
    sim.qpos()[0] = 0.23;
    sim.forward();
    CHECK(sim.data().qfrc_constraint[0] == Approx(-0.03 / (0.01 * 0.01)));
}

TEST_CASE("taken literally, an equality constraint is a spring scaled by its impedance") {
    Sim<mjx::LiteralPenalty> sim(load_model_string(R"(<mujoco><option gravity="0 0 0"/><worldbody>
        <body><joint name="a" type="slide" axis="1 0 0"/><geom size="0.1"/></body>
        <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0"/><geom size="0.1"/></body></worldbody>
        <equality><joint joint1="a" joint2="b" solref="0.05 1" solimp="0.6 0.6 0.001"/></equality></mujoco>)"));
    sim.qpos()[0] = 0.1;
    sim.forward();
    CHECK(sim.data().qfrc_constraint[0] == Approx(-0.6 * 0.1 / (0.05 * 0.05)));
    CHECK(sim.data().qfrc_constraint[1] == Approx(0.6 * 0.1 / (0.05 * 0.05)));
}

TEST_CASE("by default the springs of limits and equalities are scaled by the mass that they move") {
    Sim<mjx::Penalty> limit(load_model_string(R"(<mujoco><option gravity="0 0 0"/><worldbody><body><joint type="slide" axis="1 0 0"
        range="-1 0.2" limited="true" solreflimit="0.05 0.7"/><geom size="0.1" mass="0.01"/></body></worldbody></mujoco>)"));
    limit.qpos()[0] = 0.23;
    limit.qvel()[0] = 0.4;
    limit.forward();
    CHECK(limit.data().qacc[0] == Approx(-(0.03 / (0.05 * 0.05) + 2 * 0.7 / 0.05 * 0.4)));
    Sim<mjx::Penalty> pair(load_model_string(R"(<mujoco><option gravity="0 0 0"/><worldbody>
        <body><joint name="a" type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/></body>
        <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0"/><geom size="0.1" mass="3"/></body></worldbody>
        <equality><joint joint1="a" joint2="b" solref="0.05 1" solimp="0.6 0.6 0.001"/></equality></mujoco>)"));
    pair.qpos()[0] = 0.1;
    pair.forward();
    CHECK(pair.data().qacc[0] - pair.data().qacc[1] == Approx(-0.6 * 0.1 / (0.05 * 0.05)));
}

TEST_CASE("the humanoid and the workshop live through ten seconds of penalties") {
    for (const char* scene : {"humanoid", "workshop"}) {
        auto model = load_scene(scene);
        model.opt.chosen = 0;
        Sim<mjx::Penalty> sim(model);
        const int steps = static_cast<int>(10 / model.opt.timestep);
        for (int k = 0; k < steps; ++k) {
            for (int i = 0; i < sim.model().nu; ++i) sim.ctrl()[i] = 0.3 * std::sin(0.002 * k + i);
            sim.step();
        }
        INFO(scene);
        CHECK(sim.warnings().empty());
    }
}

TEST_CASE("RK4 keeps the contact forces of its first stage, and a factor may weaken them") {
    mjx::Simulator<double, mjx::RK4, mjx::CachedPGS> sim(load_model_string(box));
    sim.step(50);
    auto before = sim;
    before.forward();
    sim.step();
    REQUIRE(sim.data().ncache == before.data().ncache);
    for (int c = 0; c < sim.data().ncache; ++c)
        for (int k = 0; k < 3; ++k) CHECK(sim.data().cache[c].force[k] == before.data().cache[c].force[k]);
    // without iterations the forces are those that the solver starts from
    Sim<mjx::CachedPGS> start(load_model_string(box));
    start.step(50);
    auto half = start;
    start.model().opt.iterations = half.model().opt.iterations = 0;
    half.model().opt.warm_start_factor = 0.5;
    start.forward(), half.forward();
    REQUIRE(start.data().nefc > 0);
    for (int i = 0; i < start.data().nefc; ++i) CHECK(half.data().efc_force[i] == Approx(0.5 * start.data().efc_force[i]));
}

TEST_CASE("dry friction is a steep function of velocity") {
    Sim<mjx::Penalty> sim(load_model_string(R"(<mujoco><option gravity="0 0 0"/><worldbody><body><joint type="slide" axis="1 0 0"
        frictionloss="3"/><geom size="0.1"/></body></worldbody></mujoco>)"));
    for (const double v : {0.0, 0.0005, -0.002, 1.0}) {
        sim.qvel()[0] = v;
        sim.forward();
        CHECK(sim.data().qfrc_constraint[0] == Approx(-3 * std::tanh(1000 * v)).margin(1e-12));
    }
}

TEST_CASE("a box comes to rest and the floor carries its weight") {
    Sim<mjx::Penalty> sim(load_model_string(box));
    sim.step(1000);
    sim.forward();
    double normal = 0;
    for (int c = 0; c < sim.data().ncon; ++c) normal += contact_force(sim.model(), sim.data(), c)[0];
    CHECK(normal == Approx(2 * 9.81).epsilon(1e-4));
    CHECK(sim.qpos()[2] == Approx(0.1).margin(0.001));
}

TEST_CASE("contact forces stay in their cones, and at the cone when the box slides") {
    Sim<mjx::Penalty> sim(load_model_string(box));
    sim.qvel()[0] = 2;
    sim.step(20);
    sim.forward();
    double normal = 0, tangent1 = 0, tangent2 = 0;
    for (int c = 0; c < sim.data().ncon; ++c) {
        const auto f = contact_force(sim.model(), sim.data(), c);
        CHECK(std::hypot(f[1], f[2]) <= 0.5 * f[0] * (1 + 1e-9));
        normal += f[0];
        tangent1 += f[1];
        tangent2 += f[2];
    }
    CHECK(std::hypot(tangent1, tangent2) == Approx(0.5 * normal).epsilon(1e-3));
}

TEST_CASE("forces remembered from the step before save iterations, also for PGS") {
    const auto iterations = [](auto sim, bool warm) {
        if (!warm) sim.model().opt.disableflags |= mjx::disable::warmstart;
        sim.model().opt.iterations = 200;
        long sum = 0;
        sim.step(200);
        for (int i = 0; i < 100; ++i) {
            sim.step();
            sum += sim.data().solver_niter;
        }
        return sum;
    };
    const auto model = load_model_string(box);
    CHECK(10 * iterations(Sim<mjx::Penalty>(model), true) < 7 * iterations(Sim<mjx::Penalty>(model), false));
    CHECK(10 * iterations(Sim<mjx::CachedPGS>(model), true) < 7 * iterations(Sim<mjx::CachedPGS>(model), false));
}

TEST_CASE("RK4's last stage is where the next step begins: its contact forces serve as the warm start") {
    using RK4 = mjx::Simulator<double, mjx::RK4, mjx::CachedPGS>;
    const auto run = [](bool warm) {
        RK4 sim(load_model_string(box));
        if (!warm) sim.model().opt.disableflags |= mjx::disable::warmstart;
        sim.model().opt.iterations = 500;
        sim.model().opt.tolerance = 0;
        sim.qvel()[0] = 0.5;
        sim.step(300);
        return sim;
    };
    RK4 warm = run(true), cold = run(false);
    // the cache holds the last stage's contacts and is only a start: where they begin does not change where solvers end
    CHECK(warm.data().ncache == warm.data().ncon);
    for (int i = 0; i < warm.model().nq; ++i) CHECK(warm.qpos()[i] == Approx(cold.qpos()[i]).margin(1e-7));
    long sum_warm = 0, sum_cold = 0;
    for (int i = 0; i < 20; ++i) {
        warm.model().opt.tolerance = cold.model().opt.tolerance = 1e-10;
        warm.step();
        cold.step();
        // the forward pass of the step's start
        warm.forward();
        cold.forward();
        sum_warm += warm.data().solver_niter;
        sum_cold += cold.data().solver_niter;
    }
    CHECK(10 * sum_warm < 7 * sum_cold);
}

TEST_CASE("what rows lack without constraints reads as with every other solver") {
    Sim<mjx::Penalty> penalty(load_model_string(box));
    Sim<mjx::PGS> pgs(load_model_string(box));
    const auto move = [](auto& sim) {
        sim.qvel()[0] = 0.3;
        sim.qvel()[4] = -0.2;
        sim.forward();
    };
    move(penalty);
    move(pgs);
    REQUIRE(penalty.data().nefc > 10);
    REQUIRE(penalty.data().nefc == pgs.data().nefc);
    for (int i = 0; i < penalty.data().nefc; ++i) CHECK(penalty.data().efc_b[i] == Approx(pgs.data().efc_b[i]).epsilon(1e-12));
}
