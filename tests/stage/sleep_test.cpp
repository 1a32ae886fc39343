// Sleep: trees at rest are left alone until something disturbs them.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/data/state.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

#include <cstring>
#include <string>

namespace {

using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;

// A box on the floor and a ball that falls on it from two metres; `flags` are attributes of <flag>.
mjx::Model<double> box_and_ball(const std::string& flags) {
    return load_model_string("<mujoco><option><flag " + flags + R"(/></option><worldbody><geom type="plane" size="5 5 .1"/>
        <body pos="0 0 0.101"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos="0 0 2"><freejoint/><geom size=".05" mass="1"/></body></worldbody></mujoco>)");
}
// Two slides on the floor's level, one of them with a motor; nothing touches.
mjx::Model<double> two_slides(const std::string& more) {
    return load_model_string(R"(<mujoco><option gravity="0 0 0"><flag sleep="enable"/></option><worldbody>
        <body name="a" sleep="allowed"><joint name="a" type="slide"/><geom size=".1" mass="1"/></body>
        <body name="b" pos="1 0 0"><joint name="b" type="slide"/><geom size=".1" mass="1"/></body>
        <body name="hand" mocap="true" pos="0 5 0"><geom size=".1"/></body></worldbody>)" +
                             more + "</mujoco>");
}

bool asleep(const Sim& sim, int tree) { return sim.data().tree_asleep[tree] >= 0; }

bool same_coordinates(Sim& a, Sim& b) {
    return std::memcmp(&a.qpos()[0], &b.qpos()[0], sizeof(double) * static_cast<std::size_t>(a.model().nq)) == 0 &&
           std::memcmp(&a.qvel()[0], &b.qvel()[0], sizeof(double) * static_cast<std::size_t>(a.model().nv)) == 0;
}

}  // namespace

TEST_CASE("a box settles, falls asleep to the last bit, and wakes when a ball hits it") {
    Sim sim(box_and_ball("sleep=\"enable\" energy=\"enable\""));
    sim.step(200);  // 0.4 s; the ball lands after sqrt(2 * 1.75 / 9.81) = 0.597 s
    REQUIRE(asleep(sim, 0));
    REQUIRE_FALSE(asleep(sim, 1));

    const double height = sim.qpos()[2], speed = sim.qvel()[8];
    sim.step(50);
    CHECK(asleep(sim, 0));
    CHECK(sim.qpos()[2] == height);
    CHECK(sim.data().ncon == 0);
    for (int i = 0; i < 6; ++i) {
        CHECK(sim.qvel()[i] == 0);
        CHECK(sim.qacc()[i] == 0);
    }
    CHECK(sim.qvel()[8] == Approx(speed - 50 * 0.002 * 9.81));
    sim.forward();
    CHECK(sim.data().energy[1] == Approx(0.5 * sim.qvel()[8] * sim.qvel()[8]));  // the ball's alone

    sim.step(60);
    CHECK_FALSE(asleep(sim, 0));
    CHECK(sim.data().ncon > 0);
}

TEST_CASE("trees fall asleep and wake at the steps at which they do in MuJoCo 3.12") {
    auto model = box_and_ball("sleep=\"enable\"");
    model.opt.iterations = 100;
    model.opt.tolerance = 0;
    Sim sim(model);
    std::string changes;
    bool box = false, ball = false;
    for (int step = 0; step < 600; ++step) {
        sim.step();
        if (asleep(sim, 0) == box && asleep(sim, 1) == ball) continue;
        box = asleep(sim, 0);
        ball = asleep(sim, 1);
        changes += std::to_string(step) + (box ? " box" : "") + (ball ? " ball" : "") + (box || ball ? " asleep; " : " awake; ");
    }
    // the ball lands on the box, leaves it, lands again and comes to rest on it
    CHECK(changes == "78 box asleep; 299 awake; 356 box asleep; 371 awake; 436 box ball asleep; ");
}

TEST_CASE("until a tree falls asleep, and with the flag off always, everything moves as without sleep") {
    Sim with(box_and_ball("sleep=\"enable\"")), without(box_and_ball("sleep=\"disable\""));
    int steps = 0;
    for (; steps < 200; ++steps) {
        with.step();
        without.step();
        if (asleep(with, 0)) break;
        REQUIRE(same_coordinates(with, without));
    }
    CHECK(steps >= 9);
    CHECK(steps < 200);
    without.step(200);
    CHECK_FALSE(asleep(without, 0));
    CHECK(without.data().ncon > 0);
}

TEST_CASE("what sensors of force read stays while they sleep, a gyro reads zero") {
    Sim sim(load_model_string(R"(<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
        <body pos="0 0 0.1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/><site name="s" type="box" size=".2 .2 .2"/></body>
        </worldbody><sensor><touch site="s"/><gyro site="s"/></sensor></mujoco>)"));
    sim.step(500);
    REQUIRE(asleep(sim, 0));
    CHECK(sim.data().ncon == 0);
    CHECK(sim.sensordata()[0] == Approx(2 * 9.81).epsilon(1e-2));
    for (int k = 1; k < 4; ++k) CHECK(sim.sensordata()[k] == 0);
}

TEST_CASE("a snapshot takes sleep with it") {
    const auto model = box_and_ball("sleep=\"enable\"");
    Sim first(model), second(model);
    first.step(200);
    REQUIRE(asleep(first, 0));
    mjx::State(first.data()).restore(second.data());
    for (int k = 0; k < 300; ++k) {
        first.step();
        second.step();
        REQUIRE(asleep(first, 0) == asleep(second, 0));
        REQUIRE(same_coordinates(first, second));
    }
}

TEST_CASE("a position, a velocity or an applied force wakes; a control does not") {
    Sim sim(two_slides(R"(<actuator><motor joint="a"/></actuator>)"));
    sim.step(10);  // ten steps at rest
    REQUIRE(asleep(sim, 0));
    REQUIRE(asleep(sim, 1));
    SECTION("a control") {
        sim.ctrl()[0] = 1;
        sim.step();
        CHECK(asleep(sim, 0));
        CHECK(sim.data().actuator_force[0] == 0);
        CHECK(sim.qvel()[0] == 0);
    }
    SECTION("a position") { sim.qpos()[0] += 1e-9; }
    SECTION("a velocity") { sim.qvel()[0] = 1e-9; }
    SECTION("a generalized force") { sim.qfrc_applied()[0] = 1e-9; }
    SECTION("a force on the body") { sim.data().xfrc_applied[1][2] = 1e-9; }
    if (sim.ctrl()[0] == 0) {
        sim.forward();
        CHECK_FALSE(asleep(sim, 0));
        CHECK(asleep(sim, 1));
    }
}

TEST_CASE("a mocap body that touches, and a constraint to what is awake or asleep elsewhere, wake") {
    Sim sim(two_slides(R"(<equality><joint joint1="a" joint2="b" active="false"/></equality>)"));
    sim.step(10);
    REQUIRE(asleep(sim, 0));
    REQUIRE(asleep(sim, 1));
    SECTION("a touch") {
        sim.data().mocap_pos[0] = {{0, 0, 0.15}};
        sim.forward();
        CHECK_FALSE(asleep(sim, 0));
        CHECK(asleep(sim, 1));
        CHECK(sim.data().ncon == 1);
        CHECK(sim.qacc()[0] < 0);
    }
    SECTION("a constraint between sleepers wakes both, and they fall asleep together") {
        sim.data().eq_active[0] = 1;
        sim.forward();
        CHECK_FALSE(asleep(sim, 0));
        CHECK_FALSE(asleep(sim, 1));
        CHECK(sim.data().nefc == 1);
        sim.step(12);
        REQUIRE(asleep(sim, 0));
        REQUIRE(asleep(sim, 1));
        sim.forward();
        CHECK(sim.data().nefc == 0);
        sim.qvel()[1] = 0.1;
        sim.forward();
        CHECK_FALSE(asleep(sim, 0));
        CHECK(sim.data().nefc == 1);
    }
}

TEST_CASE("trees that start asleep hover as groups until one of them is touched") {
    // two boxes pressed into each other, far above the floor, and one apart from them
    const auto model = load_model_string(R"(<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
        <body pos="0 0 1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos="0 0 1.19" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos="1 0 1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>)");
    Sim sim(model);
    sim.step(30);
    for (int tree = 0; tree < 3; ++tree) {
        CHECK(asleep(sim, tree));
        CHECK(sim.qpos()[7 * tree + 2] == model.qpos0[7 * tree + 2]);
    }
    sim.qvel()[6] = 0.01;
    sim.step();
    CHECK_FALSE(asleep(sim, 0));
    CHECK_FALSE(asleep(sim, 1));
    CHECK(asleep(sim, 2));

    sim.reset();
    sim.qpos()[14] += 0.5;  // before the first pass: this one never slept
    sim.forward();
    CHECK(asleep(sim, 0));
    CHECK(asleep(sim, 1));
    CHECK_FALSE(asleep(sim, 2));
    CHECK(sim.qacc()[14] == Approx(-9.81));
    CHECK(sim.qacc()[2] == 0);
}

TEST_CASE("as in MuJoCo, springs of sleeping trees have no energy, and an actuator between fixed sites counts as asleep") {
    const auto model = load_model_string(R"(<mujoco><option gravity="0 0 0"><flag sleep="enable"/></option><worldbody>
        <site name="pin" pos="0.1 0 0"/><site name="slider" zaxis="1 0 0"/>
        <body sleep="init"><joint type="slide" stiffness="100" springref="0.2"/><geom size=".1"/></body>
        <body pos="1 0 0"><joint type="slide" stiffness="100" springref="0.3"/><geom size=".1"/></body></worldbody>
        <actuator><motor cranksite="pin" slidersite="slider" cranklength="0.3"/></actuator></mujoco>)");
    Sim sim(model);
    sim.ctrl()[0] = 1;
    sim.forward();
    energy_pos(model, sim.data());
    CHECK(sim.data().energy[0] == Approx(0.5 * 100 * 0.3 * 0.3));
    CHECK(sim.data().actuator_force[0] == 0);
    sim.qvel()[0] = 0.1;  // wakes the first
    sim.forward();
    energy_pos(model, sim.data());
    CHECK(sim.data().energy[0] == Approx(0.5 * 100 * (0.3 * 0.3 + 0.2 * 0.2)));
    CHECK(sim.data().actuator_force[0] == 0);
}
