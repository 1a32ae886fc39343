// Transmissions, activation dynamics, limits, delays and the user's own actuators.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"
#include "transmission_scene.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/unconstrained.hpp"

using namespace mjx;

namespace {

template <class Integrator = Euler, class Hooks = no_hooks>
using Sim = Simulator<double, Integrator, Unconstrained, Model<>, Hooks>;

// One hinge with unit inertia, without gravity, and the actuators given.
Model<> hinge(const std::string& actuators, const std::string& option = "") {
    return load_mjcf_string("<mujoco><option gravity='0 0 0' " + option + R"(/><worldbody><body>
        <joint name="j" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody>
        <actuator>)" + actuators +
                            "</actuator></mujoco>");
}

}  // namespace

TEST_CASE("where an actuator has a length, its moment is the gradient of the length") {
    const auto m = load_mjcf_string(scene::robot);
    Data<double, Model<>> d(m), up(m), down(m);
    for (int pose = 0; pose < 4; ++pose) {
        scene::pose(m, d.qpos, pose);
        scene::positions(m, d);
        for (int i = 0; i < m.nv; ++i) {
            scene::pose(m, up.qpos, pose);
            scene::pose(m, down.qpos, pose);
            for (int k = 0; k < m.nv; ++k) up.qvel[k] = k == i;
            integrate_pos(m, up.qpos, up.qvel, 1e-6);
            integrate_pos(m, down.qpos, up.qvel, -1e-6);
            scene::positions(m, up);
            scene::positions(m, down);
            for (int a = 0; a < 6; ++a) {
                double moment = 0;
                for (int k = m.moment_rowadr[a]; k < m.moment_rowadr[a] + m.moment_rownnz[a]; ++k)
                    if (m.moment_colind[k] == i) moment = d.actuator_moment[k];
                CAPTURE(pose, i, m.actuator_name[a]);
                CHECK(moment == Approx((up.actuator_length[a] - down.actuator_length[a]) / 2e-6).margin(1e-7));
            }
        }
    }
}

TEST_CASE("a site's thrust does the same work as the wrench it stands for") {
    const auto m = load_mjcf_string(scene::robot);
    Data<double, Model<>> d(m);
    scene::pose(m, d.qpos, 1);
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = std::cos(i);
    scene::positions(m, d);
    com_vel(m, d);
    actuator_velocity(m, d);
    int thrust = -1, site = -1;
    for (int a = 0; a < m.nactuator; ++a)
        if (m.actuator_name[a] == "thrust") thrust = a;
    for (int s = 0; s < m.nsite; ++s)
        if (m.site_name[s] == "hook") site = s;
    const auto v = into_frame(d.site_xmat[site], velocity_at(m, d, m.site_bodyid[site], d.site_xpos[site]));
    CHECK(d.actuator_velocity[thrust] == Approx(v[3] + 2 * v[4] + 3 * v[5] + .1 * v[0] + .2 * v[1] + .3 * v[2]).epsilon(1e-12));
}

TEST_CASE("an exact filter follows the closed form at any step size") {
    const double tau = 0.03, u = 0.8;
    const std::string filter = "<general joint='j' dyntype='filterexact' dynprm='0.03' gainprm='2'/>";
    for (const char* h : {"0.001", "0.02", "0.5"}) {
        Sim<> euler(hinge(filter, std::string("timestep='") + h + "'"));
        euler.ctrl()[0] = u;
        euler.step(3);
        CHECK(euler.act()[0] == Approx(u * (1 - std::exp(-3 * std::stod(h) / tau))).epsilon(1e-12));
    }
}

TEST_CASE("with RK4 an exact filter passes its mean rate through the exact form") {
    const double tau = 0.03, u = 0.8, h = 0.02;
    Sim<RK4> sim(hinge("<general joint='j' dyntype='filterexact' dynprm='0.03' gainprm='2'/>", "timestep='0.02'"));
    sim.ctrl()[0] = u;
    double act = 0;
    for (int k = 0; k < 4; ++k) {
        const auto rate = [&](double a) { return (u - a) / tau; };
        const double k1 = rate(act), k2 = rate(act + h / 2 * k1), k3 = rate(act + h / 2 * k2), k4 = rate(act + h * k3);
        act += (k1 + 2 * k2 + 2 * k3 + k4) / 6 * tau * (1 - std::exp(-h / tau));
        sim.step();
        CHECK(sim.act()[0] == Approx(act).epsilon(1e-12));
    }
}

TEST_CASE("activations keep their range and disabled groups neither act nor move") {
    Sim<> sim(
        hinge("<intvelocity joint='j' kp='5' actrange='-.1 .1'/><motor joint='j' group='3'/><intvelocity joint='j' kp='1' group='3'/>",
              "timestep='0.01'"));
    sim.ctrl()[0] = sim.ctrl()[1] = sim.ctrl()[2] = 2;
    sim.model().opt.disableactuator = 1 << 3;
    sim.step(10);
    CHECK(sim.act()[0] == 0.1);
    CHECK(sim.act()[1] == 0);
    CHECK(sim.data().actuator_force[1] == 0);
    sim.model().opt.disableactuator = 0;
    sim.step();
    CHECK(sim.act()[1] == Approx(0.02));
    CHECK(sim.data().actuator_force[1] == 2);
}

TEST_CASE("forces are limited by the actuator, the tendon and the joint") {
    const auto m = load_mjcf_string(R"(
    <mujoco><worldbody><body><joint name="a" actuatorfrcrange="-3 3"/><geom size=".1"/></body>
      <body pos="1 0 0"><joint name="b"/><geom size=".1"/></body></worldbody>
    <tendon><fixed name="t" actuatorfrclimited="true" actuatorfrcrange="-2 1"><joint joint="b" coef="2"/></fixed></tendon>
    <actuator><motor joint="a" gear="5"/><motor joint="a" forcerange="-1 1"/><motor tendon="t"/><motor tendon="t"/></actuator></mujoco>)");
    Sim<> sim(m);
    for (int i = 0; i < 4; ++i) sim.ctrl()[i] = i == 3 ? 3 : 2;
    sim.forward();
    CHECK(sim.data().actuator_force[1] == 1);
    CHECK(sim.data().qfrc_actuator[0] == 3);
    CHECK(sim.data().actuator_force[2] == Approx(0.4));
    CHECK(sim.data().actuator_force[3] == Approx(0.6));
    CHECK(sim.data().qfrc_actuator[1] == Approx(2));
}

TEST_CASE("a controller's set point moves no faster than it may, and its integral stays in its bound") {
    const double h = 0.01;
    Sim<> sim(hinge("<plugin joint='j' plugin='mujoco.pid'><config key='ki' value='4'/><config key='imax' value='0.02'/>"
                    "<config key='slewmax' value='2'/></plugin>",
                    "timestep='0.01'"));
    REQUIRE(sim.model().na == 2);
    sim.data().time = 1;  // at time 0 there is no set point before
    sim.ctrl()[0] = 1;
    double sum = 0;
    for (int k = 1; k < 8; ++k) {
        const double error = 2 * h * k - sim.qpos()[0];
        sum = std::min(sum + error * h, 0.02 / 4);
        sim.step();
        CHECK(sim.act()[0] == Approx(sum).epsilon(1e-12));
        CHECK(sim.act()[1] == Approx(2 * h * k).epsilon(1e-12));
        CHECK(sim.data().actuator_force[0] == Approx(4 * sum).epsilon(1e-12));
    }
    CHECK(sum == 0.02 / 4);
}

TEST_CASE("a delayed control arrives late by its delay") {
    Sim<> sim(hinge("<motor joint='j' delay='.03' nsample='5'/>", "timestep='0.01'"));
    std::vector<double> force;
    for (int k = 0; k < 8; ++k) {
        sim.ctrl()[0] = k + 1;
        sim.step();
        force.push_back(sim.data().actuator_force[0]);
    }
    CHECK(force == std::vector<double>{0, 0, 0, 1, 2, 3, 4, 5});
}

namespace {
struct MyActuators {
    template <class M, class D>
    void control(const M&, D& d) const {
        d.ctrl[0] = typename D::scalar(3);
    }
    template <class M, class D>
    auto act_dyn(const M& m, D& d, int i) const {
        return d.ctrl[m.actuator_ctrladr[i]] * 2;
    }
    template <class M, class D>
    auto act_gain(const M&, const D&, int) const {
        return typename D::scalar(10);
    }
    template <class M, class D>
    auto act_bias(const M&, const D&, int) const {
        return typename D::scalar(-1);
    }
    template <class M, class D>
    void passive(const M&, D& d) const {
        d.qfrc_passive[0] += 7;
    }
};
}  // namespace

TEST_CASE("control, user actuators and passive forces are functions of the user's type") {
    Sim<Euler, MyActuators> sim(hinge("<general joint='j' dyntype='user' gaintype='user' biastype='user'/>", "timestep='0.01'"));
    sim.act()[0] = 0.5;
    sim.forward();
    CHECK(sim.data().act_dot[0] == 6);
    CHECK(sim.data().actuator_force[0] == 10 * 0.5 - 1);
    CHECK(sim.data().qfrc_passive[0] == 7);
    CHECK(sim.qacc()[0] == Approx(11));
}

TEST_CASE("a control that is not a number silences the controls of its lane alone, with a warning") {
    using S = pack<double>;
    const auto m = hinge("<motor joint='j'/><motor joint='j' gear='10'/>");
    Data<S, Model<>> d(m);
    reset(m, d);
    for (int k = 0; k < lanes_v<S>; ++k) {
        set_lane(d.ctrl[0], k, k == 1 ? NAN : 1.0);
        set_lane(d.ctrl[1], k, 2.0);
    }
    forward<Unconstrained>(m, d);
    for (int k = 0; k < lanes_v<S>; ++k) {
        CHECK(lane(d.qfrc_actuator[0], k) == (k == 1 ? 0 : 21));
        CHECK(d.warning[warning::badctrl * lanes_v<S> + k] == (k == 1));
    }
}

TEST_CASE("a position servo on a ball joint takes the short way to its setpoint") {
    const auto m = load_mjcf_string(R"(
    <mujoco><worldbody><body><joint name="b" type="ball"/><geom type="box" size=".1 .2 .3"/></body></worldbody>
    <actuator><position joint="b" gear="0 0 1" kp="2"/><orientation joint="b" kp="2" kv=".1"/></actuator></mujoco>)");
    Sim<> sim(m);
    const double angle = 3.0;
    sim.qpos()[0] = std::cos(angle / 2);
    sim.qpos()[3] = std::sin(angle / 2);
    sim.ctrl()[0] = sim.ctrl()[3] = -3.0;
    sim.forward();
    const double error = 2 * 3.14159265358979323846 - 6.0;
    CHECK(sim.data().actuator_force[0] == Approx(2 * error).epsilon(1e-12));
    CHECK(sim.data().actuator_force[3] == Approx(2 * error).epsilon(1e-12));
}

namespace {
struct Hold {
    template <class M, class D>
    void control(const M&, D& d) const {
        using S = typename D::scalar;
        d.ctrl[0] = clamp(S(S(0.3) - d.qpos[0] * 4.0 - d.qvel[0]), S(0), S(1));
    }
};
}  // namespace

TEST_CASE("a muscle arm holds a load") {
    // the flexor is driven by the error in angle; gravity torque 0.3 * 2 * 9.81 at the horizontal
    const auto m = load_mjcf_string(R"(
    <mujoco><option timestep="0.002"/><worldbody><site name="top" pos="0 0 .4"/>
      <body><joint name="elbow" axis="0 -1 0" damping="2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass=".01"/>
        <body pos=".3 0 0"><geom size=".05" mass="2"/></body><site name="insertion" pos=".1 0 0"/></body></worldbody>
    <tendon><spatial name="biceps"><site site="top"/><site site="insertion"/></spatial></tendon>
    <actuator><muscle tendon="biceps" lengthrange=".3 .5" force="400"/></actuator></mujoco>)");
    Sim<Euler, Hold> sim(m);
    sim.step(3000);
    CHECK(std::abs(sim.qvel()[0]) < 1e-3);
    CHECK(std::abs(sim.qpos()[0]) < 0.3);
    CHECK(sim.act()[0] > 0.05);
    const double lever = sim.data().actuator_moment[0];
    CHECK(sim.data().actuator_force[0] * lever == Approx(0.3 * 2 * 9.81 * std::cos(sim.qpos()[0])).epsilon(0.02));
}
