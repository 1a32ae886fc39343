// What physics conserves, and how fast an integrator's error falls.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/unconstrained.hpp"

#include <cmath>

using mjx::Euler;
using mjx::RK4;
using mjx::Unconstrained;

namespace {

template <class Integrator>
using Sim = mjx::Simulator<double, Integrator, Unconstrained>;

mjx::Model<double> with_step(const char* mjcf, double timestep) {
    auto model = load_model_string(mjcf);
    model.opt.timestep = timestep;
    model.opt.enableflags |= mjx::enable::energy;
    return model;
}

template <class S>
double total_energy(S& sim) {
    sim.forward();
    return sim.data().energy[0] + sim.data().energy[1];
}

constexpr const char* ball = R"(<mujoco><worldbody><body pos="0 0 10"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>)";

// An asymmetric body without gravity: its spin tumbles, momentum and energy stay.
constexpr const char* tumbling = R"(<mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/>
    <inertial pos="0.1 -0.2 0.05" mass="2" diaginertia="0.1 0.2 0.25" euler="10 20 30"/></body></worldbody></mujoco>)";

constexpr const char* double_pendulum =
    R"(<mujoco><worldbody><body><joint axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.5"/>
    <body pos="0 0 -0.5"><joint axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.4"/></body></body></worldbody></mujoco>)";

// Largest change of energy of the double pendulum over one second.
double energy_error(double timestep) {
    Sim<RK4> sim(with_step(double_pendulum, timestep));
    sim.qpos()[0] = 1.2;
    sim.qpos()[1] = 0.7;
    const double start = total_energy(sim);
    sim.step(static_cast<int>(std::lround(1 / timestep)));
    return std::abs(total_energy(sim) - start);
}

}  // namespace

TEST_CASE("a ball in free fall follows the parabola: exactly with RK4, at first order with Euler") {
    Sim<RK4> exact(with_step(ball, 0.01));
    Sim<Euler> first(with_step(ball, 0.01));
    exact.qvel()[0] = first.qvel()[0] = 1.5;
    exact.step(100);
    first.step(100);
    CHECK(exact.qpos()[2] == Approx(10 - 0.5 * 9.81).margin(1e-12));
    CHECK(exact.qpos()[0] == Approx(1.5).margin(1e-12));
    CHECK(exact.time() == Approx(1));
    // semi-implicit Euler is behind by g h t / 2
    CHECK(first.qpos()[2] == Approx(10 - 0.5 * 9.81 - 0.5 * 9.81 * 0.01).margin(1e-10));
}

namespace {

// What a rotating body should keep, and how far off it is after one second, relative to its size.
struct Drift {
    double energy, momentum;
};

template <class Momentum>
Drift drift(Sim<RK4>& sim, Momentum&& momentum) {
    const double energy = total_energy(sim);
    mjx::subtree_vel(sim.model(), sim.data());
    const mjx::Vec3<double> before = momentum(sim);
    sim.step(static_cast<int>(std::lround(1 / sim.model().opt.timestep)));
    const double change = total_energy(sim) - energy;
    mjx::subtree_vel(sim.model(), sim.data());
    return {std::abs(change / energy), mjx::norm(mjx::Vec3<double>(momentum(sim) - before)) / mjx::norm(before)};
}

Drift tumble(double timestep) {
    Sim<RK4> sim(with_step(tumbling, timestep));
    for (int i = 0; i < 6; ++i) sim.qvel()[i] = 0.5 + 0.7 * i;
    return drift(sim, [](auto& s) { return s.data().subtree_angmom[1]; });
}

// A fast top on a ball joint: about the fixed point, gravity has no vertical torque.
Drift spin(double timestep) {
    Sim<RK4> sim(with_step(R"(<mujoco><worldbody><body quat="0.98 0.2 0 0"><joint type="ball"/>
        <geom type="cylinder" size="0.1 0.01" pos="0 0 0.2"/></body></worldbody></mujoco>)",
                           timestep));
    sim.qvel()[2] = 50;
    return drift(sim, [](auto& s) {
        const auto& d = s.data();
        const double orbital = s.model().body_mass[1] * mjx::cross(d.xipos[1], d.subtree_linvel[1])[2];
        return mjx::Vec3<double>{{0, 0, d.subtree_angmom[1][2] + orbital}};
    });
}

}  // namespace

// Within a step rotations follow the mean of the stages' angular velocities, as in MuJoCo: second order on the rotation group.
TEST_CASE("tumbling bodies and spinning tops keep energy and momentum, four times better with half the step") {
    for (const auto motion : {tumble, spin}) {
        const Drift coarse = motion(0.002), fine = motion(0.001);
        CHECK(coarse.energy < 1e-4);
        CHECK(coarse.momentum < 1e-4);
        CHECK(coarse.energy / fine.energy > 3.5);
        CHECK(coarse.momentum / fine.momentum > 3.5);
    }
}

TEST_CASE("halving the step divides RK4's energy error by sixteen or more") {
    const double coarse = energy_error(0.01), fine = energy_error(0.005), finer = energy_error(0.0025);
    CHECK(coarse / fine > 14);
    CHECK(fine / finer > 14);
    CHECK(finer < 1e-7);
}

// As in MuJoCo, the history holds the accelerations at the beginning of a step, not those of RK4's stages within it.
TEST_CASE("a delayed sensor of angular acceleration repeats under RK4 what the one without delay has read") {
    Sim<RK4> sim(load_model_string(R"(<mujoco><option timestep="0.02"/><worldbody><body name="arm"><joint axis="0 1 0"/>
        <geom type="capsule" size="0.02" fromto="0 0 0 0.5 0 0"/></body></worldbody><sensor><frameangacc objtype="body" objname="arm"/>
        <frameangacc objtype="body" objname="arm" delay="0.02" nsample="3"/></sensor></mujoco>)"));
    const auto& read = sim.data().sensordata;
    double before = 0;
    for (int i = 0; i < 10; ++i) {
        sim.forward();
        if (i > 0) CHECK(read[4] == before);
        before = read[1];
        sim.step();
    }
}
