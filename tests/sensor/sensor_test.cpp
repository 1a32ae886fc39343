// Sensors: what instruments on a real robot would read, in closed form.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"

#include "mjx/compile/load.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

using namespace mjx;

namespace {

template <class Hooks = no_hooks>
using Sim = Simulator<double, Euler, Newton, Model<>, Hooks>;

// The values of the sensor called `name`.
template <class S>
std::vector<double> reading(S& sim, const std::string& name) {
    const auto& m = sim.model();
    for (int i = 0; i < m.nsensor; ++i)
        if (m.sensor_name[i] == name) {
            const double* first = sim.data().sensordata.data() + m.sensor_adr[i];
            return {first, first + m.sensor_dim[i]};
        }
    throw std::runtime_error("no sensor " + name);
}

bool near(const std::vector<double>& a, const std::vector<double>& b, double tolerance = 1e-9) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= tolerance)) return false;
    return true;
}

// A wheel of radius 2 turning about the world's z axis at the origin; a site at its rim looks outwards along x.
const char* const wheel = R"(
<mujoco><compiler angle="radian"/><option gravity="0 0 -10" timestep="0.01" magnetic="0 1 0"/>
  <worldbody><site name="post" pos="0 0 3"/><geom name="floor" type="plane" size="9 9 1" pos="0 0 -5"/>
    <body name="wheel"><joint name="spin" axis="0 0 1" range="-1 1"/>
      <geom name="hub" size=".5" mass="2"/><site name="rim" pos="2 0 0"/><site name="down" pos="2 0 0" zaxis="0 0 -1"/>
      <site name="around" size="2.5"/></body>
    <camera name="eye" pos="0 0 10" resolution="100 200" fovy="90"/></worldbody>
  <actuator><motor name="motor" joint="spin" gear="3"/></actuator>
  <sensor>
    <gyro name="gyro" site="rim"/><velocimeter name="speed" site="rim"/><accelerometer name="acc" site="rim"/>
    <magnetometer name="mag" site="rim"/><rangefinder name="range" site="down"/><rangefinder name="nothing" site="rim" cutoff="1"/>
    <jointpos name="angle" joint="spin"/><jointvel name="rate" joint="spin"/><jointlimitpos name="stop" joint="spin"/>
    <actuatorfrc name="force" actuator="motor"/><jointactuatorfrc name="torque" joint="spin"/><actuatorvel name="motorvel" actuator="motor"/>
    <framepos name="pos" objtype="site" objname="post" reftype="site" refname="rim"/>
    <framequat name="quat" objtype="site" objname="rim"/><framexaxis name="x" objtype="site" objname="rim"/>
    <framelinvel name="apparent" objtype="site" objname="post" reftype="site" refname="rim"/>
    <framelinacc name="lin" objtype="site" objname="rim"/><frameangvel name="ang" objtype="body" objname="wheel"/>
    <camprojection name="pixel" site="rim" camera="eye"/>
    <insidesite name="in" site="around" objtype="site" objname="rim"/><insidesite name="out" site="around" objtype="site" objname="post"/>
    <distance name="gap" geom1="hub" geom2="floor" cutoff="10"/><fromto name="segment" geom1="hub" geom2="floor" cutoff="10"/>
    <e_potential name="potential"/><e_kinetic name="kinetic"/><clock name="clock"/><subtreeangmom name="momentum" body="wheel"/>
    <user name="mine" dim="2" needstage="vel" cutoff="3"/><jointvel name="cut" joint="spin" cutoff="0.5"/>
    <jointpos name="late" joint="spin" delay=".02" nsample="4"/><jointpos name="slow" joint="spin" interval=".03" nsample="2"/>
  </sensor>
</mujoco>)";

struct MySensor {
    template <class M, class D>
    void sensor(const M& m, D& d, int at) const {
        for (int i = 0; i < m.nsensor; ++i)
            if (m.sensor_type[i] == sens::user && m.sensor_needstage[i] == at) {
                d.sensordata[m.sensor_adr[i]] = d.qvel[0];
                d.sensordata[m.sensor_adr[i] + 1] = typename D::scalar(100);
            }
    }
};

}  // namespace

TEST_CASE("instruments on a turning wheel read its motion in closed form") {
    Sim<MySensor> sim(load_mjcf_string(wheel));
    const double q = 0.3, w = 2, u = 0.5, inertia = 0.4 * 2 * 0.25;
    const double c = std::cos(q), s = std::sin(q);
    sim.qpos()[0] = q;
    sim.qvel()[0] = w;
    sim.ctrl()[0] = u;
    sim.forward();
    const double a = 3 * u / inertia;
    CHECK(near(reading(sim, "gyro"), {0, 0, w}));
    CHECK(near(reading(sim, "speed"), {0, 2 * w, 0}));
    CHECK(near(reading(sim, "acc"), {-2 * w * w, 2 * a, 10}));
    CHECK(near(reading(sim, "mag"), {s, c, 0}));
    CHECK(near(reading(sim, "range"), {5}));
    CHECK(near(reading(sim, "nothing"), {-1}));
    CHECK(near(reading(sim, "angle"), {q}));
    CHECK(near(reading(sim, "rate"), {w}));
    CHECK(near(reading(sim, "stop"), {0}));
    CHECK(near(reading(sim, "force"), {u}));
    CHECK(near(reading(sim, "torque"), {3 * u}));
    CHECK(near(reading(sim, "motorvel"), {3 * w}));
    CHECK(near(reading(sim, "pos"), {-2, 0, 3}));
    CHECK(near(reading(sim, "quat"), {std::cos(q / 2), 0, 0, std::sin(q / 2)}));
    CHECK(near(reading(sim, "x"), {c, s, 0}));
    CHECK(near(reading(sim, "apparent"), {0, 0, 0}));
    CHECK(near(reading(sim, "lin"), {-2 * w * w * c - 2 * a * s, -2 * w * w * s + 2 * a * c, 10}));
    CHECK(near(reading(sim, "ang"), {0, 0, w}));
    // a camera ten metres up sees 10 m half height in 100 pixels
    CHECK(near(reading(sim, "pixel"), {50 + 10 * 2 * c, 100 - 10 * 2 * s}));
    CHECK(near(reading(sim, "in"), {1}));
    CHECK(near(reading(sim, "out"), {0}));
    CHECK(near(reading(sim, "gap"), {4.5}));
    CHECK(near(reading(sim, "segment"), {0, 0, -.5, 0, 0, -5}));
    CHECK(near(reading(sim, "potential"), {0}));
    CHECK(near(reading(sim, "kinetic"), {0.5 * inertia * w * w}));
    CHECK(near(reading(sim, "momentum"), {0, 0, inertia * w}));
    CHECK(near(reading(sim, "mine"), {w, 3}));
    CHECK(near(reading(sim, "cut"), {0.5}));
}

TEST_CASE("delayed sensors show the past and slow ones hold their last sample") {
    Sim<> sim(load_mjcf_string(wheel));
    sim.qvel()[0] = 0.1;
    std::vector<double> late, slow, angle;
    for (int k = 0; k < 8; ++k) {
        sim.step();
        late.push_back(reading(sim, "late")[0]);
        slow.push_back(reading(sim, "slow")[0]);
        angle.push_back(reading(sim, "angle")[0]);
    }
    CHECK(late[0] == 0);
    for (std::size_t k = 2; k < 8; ++k) CHECK(late[k] == Approx(angle[k - 2]).margin(1e-12));
    for (std::size_t k = 0; k < 8; ++k) CHECK(slow[k] == Approx(angle[k - k % 3]).margin(1e-12));
}

TEST_CASE("a box at rest weighs the same on every instrument") {
    Sim<> sim(load_mjcf_string(R"(
    <mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
      <body name="box" pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".1 .1 .1" mass="3"/>
        <site name="sole" pos="0 0 -.1" type="box" size=".2 .2 .01"/><site name="middle"/>
        <body pos="0 0 .2"><geom size=".05" mass="1"/><site name="neck" pos="0 0 -.05"/></body></body></worldbody>
    <sensor><touch name="touch" site="sole"/><force name="neck" site="neck"/>
      <contact name="net" body1="box" data="found force pos" reduce="netforce"/>
      <contact name="four" geom1="floor" geom2="box" data="found force normal" num="5"/>
      <contact name="other" geom1="box" geom2="floor" data="normal" num="1"/>
      <contact name="nothing" subtree1="box" subtree2="box" data="found"/>
      <plugin name="grid" plugin="mujoco.sensor.touch_grid" objtype="site" objname="middle">
        <config key="size" value="3 3"/><config key="fov" value="60 60"/></plugin></sensor></mujoco>)"));
    sim.step(800);
    const double weight = 4 * 9.81;
    CHECK(near(reading(sim, "touch"), {weight}, 1e-4));
    CHECK(near(reading(sim, "neck"), {0, 0, 9.81}, 1e-4));
    const auto net = reading(sim, "net");
    CHECK(net[0] == 4);
    CHECK(net[3] == Approx(-weight).epsilon(1e-5));
    CHECK(near({net[4], net[5]}, {0, 0}, 1e-6));
    const auto four = reading(sim, "four");
    CHECK(four[0] == 4);
    CHECK(four[1] + four[8] + four[15] + four[22] == Approx(weight).epsilon(1e-5));
    CHECK(near({four[4], four[5], four[6]}, {0, 0, 1}));
    CHECK(four[28] == 0);
    CHECK(near(reading(sim, "other"), {0, 0, -1}));
    CHECK(near(reading(sim, "nothing"), {0}));
    const double leg = weight / 4;  // corners, 45 degrees to the sides and 35 up or down
    CHECK(near(reading(sim, "grid"), {leg, 0, leg, 0, 0, 0, leg, 0, leg}, 1e-4));
}

TEMPLATE_TEST_CASE("every lane of every scalar reads its own sensors", "", float, scalar_types::packf, scalar_types::dual3) {
    using S = TestType;
    using V = value_t<S>;
    const auto m = cast<V>(load_mjcf_string(wheel));
    using M = std::remove_cvref_t<decltype(m)>;
    Data<S, M> d(m);
    reset(m, d);
    for (int k = 0; k < lanes_v<S>; ++k) {
        set_lane(d.qpos[0], k, lane_t<S>(V(0.2 * k)));
        set_lane(d.qvel[0], k, lane_t<S>(V(1 - 0.3 * k)));
    }
    forward<Newton>(m, d);
    for (int k = 0; k < lanes_v<S>; ++k) {
        Data<V, M> alone(m);
        reset(m, alone);
        alone.qpos[0] = V(0.2 * k);
        alone.qvel[0] = V(1 - 0.3 * k);
        forward<Newton>(m, alone);
        for (int i = 0; i < m.nsensordata; ++i) {
            CAPTURE(i, k);
            CHECK(double(value_of(lane(d.sensordata[i], k))) == Approx(double(alone.sensordata[i])).margin(1e3 * double(epsilon_v<S>)));
        }
    }
}
