// Discrete: stiff servos, springs and stacks at large steps; one meaning for every scalar, solver and kind of model.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/derivative/check.hpp"
#include "mjx/derivative/transition.hpp"
#include "mjx/integrator/discrete.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/cg.hpp"
#include "mjx/solver/inverse.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/pgs.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace mjx;

namespace {

constexpr const char* servo = R"(<mujoco><option timestep="0.02" integrator="discrete"/><worldbody><body><joint name="j" axis="0 1 0"/>
    <geom type="capsule" size="0.02" fromto="0 0 0 0.5 0 0" mass="1"/></body></worldbody>
    <actuator><position joint="j" kp="1e5"/></actuator></mujoco>)";

// Boxes that overlap a little, each smaller than the one below: where faces just touch or are alike, rounding says which contacts there are.
constexpr const char* stack = R"(<mujoco><option timestep="0.02" integrator="discrete"/><worldbody><geom type="plane" size="2 2 0.1"/>
    <body pos="0 0 0.099"><freejoint/><geom type="box" size="0.12 0.12 0.1" mass="1"/></body>
    <body pos="0 0 0.298"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="10"/></body>
    <body pos="0 0 0.497"><freejoint/><geom type="box" size="0.08 0.08 0.1" mass="1"/></body></worldbody></mujoco>)";

// Two fingers that a stiff tendon couples, out of the pattern of the inertia, and one that floats.
constexpr const char* fingers = R"(<mujoco><option timestep="0.01" integrator="discrete"/><worldbody>
    <body><joint name="a" axis="0 1 0" stiffness="50" damping="0.3"/><geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0" mass="1"/></body>
    <body pos="0 0.5 0"><joint name="b" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.2 0 0" mass="0.5"/></body>
    <body pos="0 2 0"><freejoint/><geom type="box" size="0.1 0.2 0.3" mass="1"/></body></worldbody>
    <tendon><fixed name="t" stiffness="4000" damping="20"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
    <actuator><position tendon="t" kp="800" kv="3"/><position joint="b" kp="100"/></actuator></mujoco>)";

template <class Sim>
void disturb(Sim& sim) {
    using S = typename Sim::scalar;
    for (int i = 0; i < sim.qvel().size(); ++i) sim.qvel()[i] = S(0.3 * (i % 5) - 0.5);
    for (int i = 0; i < sim.ctrl().size(); ++i) sim.ctrl()[i] = S(0.2 - 0.1 * i);
}

}  // namespace

TEST_CASE("a servo of kp = 1e5 holds at steps of 20 ms, where implicit velocities alone blow up") {
    const auto model = load_model_string(servo);
    Simulator<double, Discrete, Newton> sim(model);
    Simulator<double, ImplicitFast, Newton> other(model);
    sim.ctrl()[0] = other.ctrl()[0] = 0.3;
    double worst = 0;
    for (int k = 0; k < 500; ++k) {
        sim.step();
        other.step();
        if (k > 50) worst = std::max(worst, std::abs(sim.qpos()[0] - 0.3));
    }
    // at rest the servo is off by the weight it carries
    CHECK(worst == Approx(9.81 * 0.25 * std::cos(0.3) / 1e5).epsilon(0.01));
    CHECK(!(std::abs(other.qpos()[0] - 0.3) < 0.1));
}

TEST_CASE("a step of Discrete is backward Euler for linear springs and dampers") {
    const auto model = load_model_string(
        "<mujoco><option timestep='0.02' gravity='0 0 0'/><worldbody><body><joint type='slide' stiffness='5000' damping='3' springref='0.2'/>"
        "<geom size='0.1' mass='2'/></body></worldbody></mujoco>");
    Simulator<double, Discrete, Newton> sim(model);
    double q = 0.7, v = -1;
    sim.qpos()[0] = q, sim.qvel()[0] = v;
    for (int k = 0; k < 30; ++k) {
        const double h = 0.02;
        v = (2 * v - h * 5000 * (q - 0.2)) / (2 + h * 3 + h * h * 5000);
        q += h * v;
        sim.step();
        CHECK(sim.qpos()[0] == Approx(q).epsilon(1e-10));
        CHECK(sim.qvel()[0] == Approx(v).epsilon(1e-10));
    }
}

TEMPLATE_TEST_CASE("a stack of boxes stands at steps of 20 ms", "", Newton, PGS) {
    Simulator<double, Discrete, TestType> sim(load_model_string(stack));
    sim.step(500);
    double weight = 0;
    for (int i = 0; i < 3; ++i) {
        CHECK(sim.qpos()[7 * i + 2] == Approx(0.1 + 0.2 * i).margin(0.004));
        CHECK(std::abs(sim.qpos()[7 * i]) < 1e-3);
    }
    for (int i = 0; i < 18; ++i) CHECK(std::abs(sim.qvel()[i]) < 1e-4);
    sim.forward();
    for (int c = 0; c < sim.data().ncon; ++c)
        if (sim.data().contact[c].geom1 == 0)
            for (int r = 0; r < 4; ++r) weight += sim.data().efc_force[sim.data().contact[c].efc_address + r];
    CHECK(weight == Approx(12 * 9.81).epsilon(1e-3));  // what the floor carries
}

TEST_CASE("single precision and lanes step as double does") {
    for (const char* text : {fingers, stack}) {
        const auto model = load_model_string(text);
        Simulator<double, Discrete, Newton> sim(model);
        Simulator<pack<double>, Discrete, Newton> lanes(model);
        Simulator<float, Discrete, Newton> single(model);
        disturb(sim), disturb(lanes), disturb(single);
        for (int k = 0; k < 10; ++k) sim.step(), lanes.step(), single.step();
        for (int i = 0; i < sim.qpos().size(); ++i) {
            for (int k = 0; k < lanes_v<pack<double>>; ++k) CHECK(lane(lanes.qpos()[i], k) == Approx(sim.qpos()[i]).margin(1e-9));
            CHECK(double(single.qpos()[i]) == Approx(sim.qpos()[i]).margin(2e-4));
        }
    }
    Simulator<float, Discrete, Newton> stands(load_model_string(stack));
    stands.step(200);
    for (int i = 0; i < 3; ++i) CHECK(double(stands.qpos()[7 * i + 2]) == Approx(0.1 + 0.2 * i).margin(0.004));
}

TEST_CASE("derivatives of a discrete step are those of differences") {
    for (const char* text : {fingers, stack}) {
        Simulator<double, Discrete, Newton> sim(load_model_string(text));
        sim.model().opt.tolerance = 0;
        disturb(sim);
        sim.step(3);
        const auto exact = derivatives(sim), differences = transition_fd(sim, 1e-6);
        CHECK(max_relative_error(exact.A, differences.A) < 2e-5);
        if (sim.model().nu) CHECK(max_relative_error(exact.B, differences.B) < 2e-5);
    }
}

TEST_CASE("inverse dynamics undoes a discrete step") {
    for (const char* text : {fingers, stack}) {
        Simulator<double, Discrete, Newton> sim(load_model_string(text));
        sim.model().opt.tolerance = 0;
        disturb(sim);
        for (int i = 0; i < sim.qfrc_applied().size(); ++i) sim.qfrc_applied()[i] = 0.1 * i - 0.3;
        sim.forward();
        auto& d = sim.data();
        const int nv = sim.model().nv;
        std::vector<double> forces, before(nv);
        for (int i = 0; i < nv; ++i) forces.push_back(d.qfrc_applied[i] + d.qfrc_actuator[i]), before[i] = d.qvel[i];
        const auto differ = compare_forward_inverse<Discrete>(sim.model(), d);
        CHECK(differ[0] < 1e-6);
        CHECK(differ[1] < 1e-6);
        sim.step2();
        const std::vector<double> after(d.qvel.data(), d.qvel.data() + nv);
        for (int i = 0; i < nv; ++i) CHECK(d.qacc[i] == Approx((after[i] - before[i]) / sim.model().opt.timestep).margin(1e-9));
        Simulator<double, Discrete, Newton> again(load_model_string(text));
        again.model().opt.tolerance = 0;
        disturb(again);
        again.forward();
        for (int i = 0; i < nv; ++i) again.data().qacc[i] = (after[i] - before[i]) / again.model().opt.timestep;
        inverse<Discrete>(again.model(), again.data());
        for (int i = 0; i < nv; ++i) CHECK(again.data().qfrc_inverse[i] == Approx(forces[i]).margin(1e-7));
    }
}

namespace {

// Rows of many kinds, with springs and servos that they feel.
std::string rows_of_many_kinds(bool elliptic, bool dual_solver) {
    const std::string cone = elliptic ? "elliptic" : "pyramidal", solver = dual_solver ? "PGS" : "Newton";
    return R"(<mujoco><option timestep=".02" integrator="discrete" tolerance="0" cone=")" + cone + R"(" solver=")" + solver + R"("/>
        <worldbody><geom type="plane" size="2 2 .1"/><body pos="0 0 .45">
          <joint type="slide" axis="0 0 1" damping="3" stiffness="500" range=".1 1"/>
          <joint name="x" type="slide" axis="1 0 0" frictionloss=".3" damping="6"/><joint name="y" type="slide" axis="0 1 0"/>
          <geom size=".5" mass="2" condim="4"/>
        </body></worldbody>
        <tendon><fixed name="t" stiffness="200" springlength=".3" range=".1 1">
          <joint joint="x" coef="1"/><joint joint="y" coef="-2"/></fixed></tendon>
        <equality><joint joint1="x" joint2="y" polycoef="0 .5 0 0 0"/></equality>
        <actuator><position joint="y" kp="40" kv="2"/></actuator></mujoco>)";
}

template <class Sim>
void start(Sim& sim) {
    using S = typename Sim::scalar;
    sim.reset();
    sim.qvel()[0] = S(0.3), sim.qvel()[1] = S(0.2);
    sim.ctrl()[0] = S(0.5);
}

// efc_diagA is what MuJoCo 3.14 has, the same after mj_forward, mj_inverse, mj_step1 with mj_step2, and mj_step.
template <class S, class Solver>
void check_diagonal(double close) {
    constexpr bool dual_solver = std::is_same_v<Solver, PGS>;  // to such the tendon and the servo are forces like others
    for (const bool elliptic : {true, false}) {
        std::vector<double> expected = {0.218311860445554, 0.146379044684129, 0.109201037526090, 0.527657942605024};
        if (dual_solver) expected = {0.232716293172640, 0.151902782219380, 0.109201037526090, 0.610001116414609};
        if (elliptic)
            expected.insert(expected.end(), {0.109201037526090, 0.109201037526090, 0.109201037526090, 4368.04150104361});
        else
            expected.insert(expected.end(), 6, dual_solver ? 0.465196419861144 : 0.426141422534473);
        Simulator<S, Discrete, Solver> sim(load_model_string(rows_of_many_kinds(elliptic, dual_solver)));
        const auto check = [&](const char* after) {
            INFO("after " << after << ", elliptic " << elliptic);
            REQUIRE(sim.data().nefc == static_cast<int>(expected.size()));
            for (int i = 0; i < sim.data().nefc; ++i)
                for (int k = 0; k < lanes_v<S>; ++k)
                    CHECK(static_cast<double>(lane(value_of(sim.data().efc_diagA[i]), k)) ==
                          Approx(expected[static_cast<std::size_t>(i)]).epsilon(close));
        };
        start(sim), sim.forward(), check("forward");
        inverse<Discrete>(sim.model(), sim.data()), check("inverse");
        sim.step2(), check("forward and step2");
        start(sim), sim.step1(), sim.step2(), check("step1 and step2");
        start(sim), sim.step(), check("step");
    }
}

}  // namespace

TEST_CASE("rows say which inverse inertia they see at the end of the step, with every solver and scalar") {
    check_diagonal<double, Newton>(1e-13);
    check_diagonal<double, CG>(1e-13);
    check_diagonal<double, PGS>(1e-13);
    check_diagonal<float, Newton>(1e-6);
    check_diagonal<pack<double>, Newton>(1e-13);
    check_diagonal<dual<double, 7>, Newton>(1e-13);
}
