// What constraints do, as one would see it: things rest, stick, slide, hold together and stop.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/pgs.hpp"

#include <cmath>

namespace {

using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;

constexpr double pi = 3.14159265358979323846;

// A box on a plane that leans by `angle` degrees, friction 0.5.
Sim box_on_slope(double angle) {
    const double a = angle * pi / 180;
    Sim sim(load_model_string(R"(<mujoco><option timestep="0.002" cone="elliptic" impratio="100"/><worldbody>
        <geom type="plane" size="5 5 1" friction="0.5 0.005 0.0001"/>
        <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" friction="0.5 0.005 0.0001"/></body>
        </worldbody></mujoco>)"));
    sim.model().opt.gravity = {{9.81 * std::sin(a), 0, -9.81 * std::cos(a)}};
    return sim;
}

double kinetic_energy(Sim& sim) {
    double sum = 0;
    const auto& m = sim.model();
    const auto& d = sim.data();
    for (int i = 0; i < m.nv; ++i)
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k)
            sum += (m.M_colind[k] == i ? 0.5 : 1.0) * d.M[k] * d.qvel[i] * d.qvel[m.M_colind[k]];
    return sum;
}

}  // namespace

TEST_CASE("a stack of five balls stands for ten seconds and sinks less than a millimetre") {
    Sim sim(load_model_string(R"(<mujoco><option timestep="0.002"/><default><geom solref="0.004 1" solimp="0.99 0.999 0.001"/></default>
        <worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 0.1"><joint type="slide" axis="0 0 1"/><geom size="0.1"/></body>
        <body pos="0 0 0.3"><joint type="slide" axis="0 0 1"/><geom size="0.1"/></body>
        <body pos="0 0 0.5"><joint type="slide" axis="0 0 1"/><geom size="0.1"/></body>
        <body pos="0 0 0.7"><joint type="slide" axis="0 0 1"/><geom size="0.1"/></body>
        <body pos="0 0 0.9"><joint type="slide" axis="0 0 1"/><geom size="0.1"/></body>
        </worldbody></mujoco>)"));
    sim.step(5000);
    sim.forward();
    REQUIRE(sim.data().ncon == 5);
    for (int c = 0; c < 5; ++c) CHECK(sim.data().contact[c].dist > -0.001);
    for (int i = 0; i < 5; ++i) CHECK(std::abs(sim.qvel()[i]) < 1e-4);
}

TEST_CASE("a box sticks on a slope below the friction angle and slides above it") {
    const double friction_angle = std::atan(0.5) * 180 / pi;
    Sim below = box_on_slope(friction_angle - 3), above = box_on_slope(friction_angle + 3);
    below.step(500);
    above.step(500);
    CHECK(std::abs(below.qvel()[0]) < 0.01);
    // Coulomb: acceleration g (sin a - mu cos a), after a moment of settling
    const double a = (friction_angle + 3) * pi / 180;
    CHECK(above.qvel()[0] == Approx(9.81 * (std::sin(a) - 0.5 * std::cos(a))).epsilon(0.1));
}

TEST_CASE("noslip stops the creep of a box below the friction angle") {
    Sim soft = box_on_slope(20), hard = box_on_slope(20);
    soft.model().opt.impratio = hard.model().opt.impratio = 1;
    hard.model().opt.noslip_iterations = 20;
    soft.step(1000);
    hard.step(1000);
    CHECK(std::abs(hard.qvel()[0]) < 0.01 * std::abs(soft.qvel()[0]) + 1e-9);
}

TEST_CASE("a four-bar linkage closed by connect stays closed") {
    Sim sim(load_model_string(R"(<mujoco><option timestep="0.001"/><worldbody>
        <body name="crank"><joint axis="0 1 0" damping="0.01"/><geom type="capsule" fromto="0 0 0 0 0 0.5" size="0.02"/>
          <body name="coupler" pos="0 0 0.5"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.02"/></body></body>
        <body name="rocker" pos="1 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.5" size="0.02"/></body>
        </worldbody><equality><connect body1="coupler" body2="rocker" anchor="1 0 0" solref="0.002 1" solimp="0.99 0.999 0.001"/>
        </equality><contact><exclude body1="coupler" body2="rocker"/></contact></mujoco>)"));
    sim.qvel()[0] = sim.qvel()[2] = 2;
    double worst = 0, turned = 0;
    for (int i = 0; i < 3000; ++i) {
        sim.step();
        for (int k = 0; k < 3; ++k) worst = std::max(worst, std::abs(sim.data().efc_pos[k]));
        turned = std::max(turned, std::abs(sim.qpos()[0]));
    }
    CHECK(turned > 0.5);
    CHECK(worst < 0.002);
}

TEST_CASE("a weld holds its pose against gravity and a torque") {
    Sim sim(load_model_string(R"(<mujoco><worldbody><body name="box" pos="0 0 1" euler="10 20 30"><freejoint/>
        <geom type="box" size="0.1 0.1 0.1"/></body></worldbody>
        <equality><weld body1="box" solref="0.004 1" solimp="0.99 0.999 0.001"/></equality></mujoco>)"));
    const mjx::Model<double>& m = sim.model();
    sim.qfrc_applied()[4] = 0.2;
    sim.step(2000);
    for (int i = 0; i < 3; ++i) CHECK(sim.qpos()[i] == Approx(m.qpos0[i]).margin(0.001));
    for (int i = 3; i < 7; ++i) CHECK(sim.qpos()[i] == Approx(m.qpos0[i]).margin(0.005));
}

TEST_CASE("a joint coupling follows its polynomial") {
    Sim sim(load_model_string(R"(<mujoco><option gravity="0 0 0"/><worldbody>
        <body><joint name="y" type="slide" axis="1 0 0"/><geom size="0.1"/></body>
        <body pos="0 2 0"><joint name="x" type="slide" axis="1 0 0"/><geom size="0.1"/></body></worldbody>
        <equality><joint joint1="y" joint2="x" polycoef="0.1 0.5 -0.2 0.3 0.1" solref="0.004 1" solimp="0.99 0.999 0.001"/></equality>
        <actuator><motor joint="x"/></actuator></mujoco>)"));
    for (int i = 0; i < 2000; ++i) {
        sim.ctrl()[0] = 20 * std::cos(0.002 * i);
        sim.step();
        if (i < 200) continue;
        const double x = sim.qpos()[1];
        REQUIRE(sim.qpos()[0] == Approx(0.1 + 0.5 * x - 0.2 * x * x + 0.3 * x * x * x + 0.1 * x * x * x * x).margin(0.005));
    }
}

TEST_CASE("torsional friction stops a spinning ball and rolling friction a rolling one") {
    const auto ball = [](int condim) {
        return Sim(
            load_model_string(R"(<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="50 50 1" friction="1 0.02 0.01"/>
            <body pos="0 0 0.0999"><freejoint/><geom size="0.1" friction="1 0.02 0.01" condim=")" +
                              std::to_string(condim) + R"("/></body>
            </worldbody></mujoco>)"));
    };
    Sim spin3 = ball(3), spin4 = ball(4), roll3 = ball(3), roll6 = ball(6);
    for (Sim* sim : {&spin3, &spin4}) sim->qvel()[5] = 5;
    for (Sim* sim : {&roll3, &roll6}) {
        sim->qvel()[0] = 0.5;
        sim->qvel()[4] = 5;
    }
    for (Sim* sim : {&spin3, &spin4, &roll3, &roll6}) sim->step(1500);
    CHECK(spin3.qvel()[5] == Approx(5).epsilon(1e-3));
    CHECK(std::abs(spin4.qvel()[5]) < 0.05);
    CHECK(roll3.qvel()[0] == Approx(0.5).epsilon(0.02));
    CHECK(std::abs(roll6.qvel()[0]) < 0.01);
}

TEST_CASE("frictionloss holds a joint against a small torque and yields to a large one") {
    Sim sim(load_model_string(R"(<mujoco><option gravity="0 0 0"/><worldbody><body><joint axis="0 1 0" frictionloss="1" armature="0.1"/>
        <geom type="capsule" fromto="0 0 0 1 0 0" size="0.05" mass="1"/></body></worldbody></mujoco>)"));
    sim.qfrc_applied()[0] = 0.9;
    sim.step(1000);
    CHECK(std::abs(sim.qvel()[0]) < 0.01);
    sim.qfrc_applied()[0] = 1.5;
    sim.forward();
    // friction takes its full 1 Nm from the torque
    CHECK(sim.data().efc_force[0] == Approx(-1).epsilon(1e-9));
    CHECK(sim.data().qacc[0] == Approx(0.5 / sim.data().M[0]).epsilon(1e-9));
}

TEST_CASE("springref moves the equilibrium, and a limit stops the joint before it") {
    const auto joint = [](const char* limit) {
        return Sim(load_model_string(std::string(R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
            <joint type="slide" axis="1 0 0" stiffness="100" damping="10" springref="0.5" )") +
                                     limit + R"( solreflimit="0.004 1"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>)"));
    };
    Sim free = joint(""), limited = joint(R"(range="-1 0.3" limited="true")");
    free.step(5000);
    limited.step(5000);
    CHECK(free.qpos()[0] == Approx(0.5).margin(1e-4));
    CHECK(limited.qpos()[0] == Approx(0.3).margin(2e-3));
    // the limit carries what is left of the spring
    CHECK(limited.data().efc_force[0] == Approx(100 * (0.5 - limited.qpos()[0])).epsilon(1e-3));
}

TEST_CASE("kinetic energy never rises when things collide without forces") {
    Sim sim(load_model_string(R"(<mujoco><option gravity="0 0 0" timestep="0.0005"/><worldbody>
        <geom type="plane" size="5 5 1"/>
        <body pos="0 0 0.3"><freejoint/><geom type="capsule" size="0.1 0.15" density="500"/></body>
        <body pos="0.35 0 0.3"><freejoint/><geom size="0.1" density="500"/></body>
        <body pos="0.1 0 0.7"><freejoint/><geom type="box" size="0.1 0.1 0.1" density="500"/></body></worldbody></mujoco>)"));
    const double start[18] = {0.2, 0, -1, 1, 2, 0, -0.8, 0.1, -0.5, 0, 0, 3, 0, 0.1, -1, 0.5, 0, 0};
    for (int i = 0; i < 18; ++i) sim.qvel()[i] = start[i];
    sim.forward();
    double energy = kinetic_energy(sim), most_contacts = 0;
    const double first = energy;
    for (int i = 0; i < 2000; ++i) {
        sim.step();
        sim.forward();
        const double now = kinetic_energy(sim);
        // damped contacts (damping ratio 1) give nothing back; what remains is the integrator's error
        REQUIRE(now < energy + 1e-3 * first);
        energy = now;
        most_contacts = std::max(most_contacts, double(sim.data().ncon));
    }
    CHECK(most_contacts >= 2);
    CHECK(energy < 0.9 * first);
}

TEST_CASE("warm start cuts the iterations of PGS by at least 30 per cent") {
    const auto iterations = [](bool warm) {
        mjx::Simulator<double, mjx::Euler, mjx::PGS> sim(load_scene("humanoid"));
        sim.model().opt.iterations = 300;
        sim.model().opt.tolerance = 1e-10;
        if (!warm) sim.model().opt.disableflags |= mjx::disable::warmstart;
        sim.step(400);
        long sum = 0;
        for (int i = 0; i < 200; ++i) {
            sim.step();
            sum += sim.data().solver_niter;
        }
        return sum;
    };
    const long cold = iterations(false), warm = iterations(true);
    CAPTURE(cold, warm);
    CHECK(10 * warm < 7 * cold);
}
