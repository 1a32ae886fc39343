// Snapshots, copies, views and resets of Data.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/data/state.hpp"
#include "mjx/data/views.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/unconstrained.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace {

using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;

Sim falling() {
    Sim sim(load_scene("humanoid"));
    for (int i = 0; i < sim.ctrl().size(); ++i) sim.ctrl()[i] = 0.3 * (i % 3 - 1);
    sim.step(200);
    return sim;
}

std::vector<double> motion(Sim& sim) {
    std::vector<double> out(sim.qpos().begin(), sim.qpos().end());
    out.insert(out.end(), sim.qvel().begin(), sim.qvel().end());
    return out;
}

}  // namespace

TEST_CASE("stepping on from a snapshot is bitwise the same") {
    Sim sim = falling();
    const mjx::State state(sim.data());
    sim.step(50);
    const auto first = motion(sim);
    state.restore(sim.data());
    sim.step(50);
    CHECK(motion(sim) == first);

    Sim other(load_scene("humanoid"));
    state.restore(other.data());
    other.step(50);
    CHECK(motion(other) == first);

    Sim another(load_scene("cartpole"));
    CHECK_THROWS_AS(state.restore(another.data()), std::invalid_argument);
}

TEST_CASE("a copy of Data goes its own way") {
    Sim sim = falling();
    auto copy = sim.data();
    const double before = copy.qpos[2];
    sim.step(10);
    CHECK(copy.qpos[2] == before);
    CHECK(sim.data().qpos[2] != before);
    sim.data() = copy;
    CHECK(sim.data().qpos[2] == before);
}

TEST_CASE("views show and change the data they look at") {
    Sim sim = falling();
    auto qpos = mjx::view(sim.data().qpos);
    CHECK(qpos.shape(0) == static_cast<std::size_t>(sim.model().nq));
    qpos(2) = 3;
    CHECK(sim.qpos()[2] == 3);
    const auto xpos = mjx::view(sim.data().xpos);
    CHECK(xpos.shape(1) == 3);
    CHECK(xpos(1, 2) == sim.data().xpos[1][2]);
}

TEST_CASE("a bad number is counted and resets the environment, unless autoreset is off") {
    Sim sim = falling();
    sim.qpos()[2] = std::numeric_limits<double>::quiet_NaN();
    sim.step();
    CHECK(sim.data().warning[mjx::warning::badqpos] == 1);
    CHECK(sim.time() == Approx(sim.model().opt.timestep));
    CHECK(std::isfinite(sim.qpos()[2]));

    sim.model().opt.disableflags |= mjx::disable::autoreset;
    sim.qvel()[0] = 1e12;
    sim.step();
    CHECK(sim.data().warning[mjx::warning::badqvel] == 1);
    CHECK(sim.time() > sim.model().opt.timestep);
    sim.reset();
    CHECK(sim.data().warning[mjx::warning::badqpos] == 0);
    CHECK(sim.time() == 0);
}

TEST_CASE("one bad lane resets alone") {
    using P = mjx::pack<double>;
    mjx::Simulator<P, mjx::Euler, mjx::Unconstrained> sim(load_scene("pendulum"));
    sim.qvel()[0] = P(1);
    sim.step(10);
    mjx::set_lane(sim.qpos()[0], 0, std::numeric_limits<double>::infinity());
    sim.step();
    const double h = sim.model().opt.timestep;
    CHECK(mjx::lane(sim.time(), 0) == Approx(h));
    CHECK(mjx::lane(sim.time(), 1) == Approx(11 * h));
    CHECK(sim.data().warning[mjx::warning::badqpos * P::size] == 1);
    CHECK(sim.data().warning[mjx::warning::badqpos * P::size + 1] == 0);
}

TEST_CASE("a keyframe sets the whole state, and one that does not exist is an error") {
    Sim sim(load_model_string(R"(<mujoco><worldbody><body><joint name="hinge"/><geom size="0.1"/></body><body mocap="true"/></worldbody>
        <actuator><motor joint="hinge"/></actuator>
        <keyframe><key time="2" qpos="0.5" qvel="0.25" ctrl="0.75" mpos="1 2 3" mquat="0 1 0 0"/></keyframe></mujoco>)"));
    sim.reset_keyframe(0);
    CHECK(sim.time() == 2);
    CHECK(sim.qpos()[0] == 0.5);
    CHECK(sim.qvel()[0] == 0.25);
    CHECK(sim.ctrl()[0] == 0.75);
    CHECK(sim.data().mocap_pos[0][2] == 3);
    CHECK(sim.data().mocap_quat[0][1] == 1);
    CHECK_THROWS_AS(sim.reset_keyframe(1), std::invalid_argument);
    CHECK(sim.time() == 2);
    mjx::reset_keyframe(sim.model(), sim.data(), 1);  // the stage cannot throw: it leaves the state at rest
    CHECK(sim.time() == 0);
    CHECK(sim.qpos()[0] == 0);
    CHECK(sim.ctrl()[0] == 0);
}
