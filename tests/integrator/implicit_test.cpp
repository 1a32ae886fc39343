// The implicit integrators and the velocity derivatives they rest on: against central differences, closed forms and conservation.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"

#include "mjx/compile/load.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/implicit.hpp"
#include "mjx/integrator/implicit_spring_damper.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/unconstrained.hpp"

using namespace mjx;

namespace {

// A branched robot and a floating body in a viscous wind, with everything whose force depends on velocity.
const char* const swimmer = R"(
<mujoco>
  <option density="800" viscosity=".4" wind=".3 -.2 .5" timestep="0.004"/>
  <worldbody>
    <body pos="0 0 1">
      <joint name="a" axis="0 1 .2" damping=".3"/><joint name="s" type="slide" axis="1 .2 0" damping=".1 .2 .3"/>
      <geom type="capsule" fromto="0 0 0 .3 .05 0" size=".04"/>
      <body pos=".3 0 0">
        <joint name="ball" type="ball" damping=".05"/>
        <geom type="ellipsoid" size=".08 .05 .02" pos=".05 .02 0" fluidshape="ellipsoid"/>
        <body pos=".1 0 0"><joint name="c" axis="1 0 .3"/><joint name="d" axis="0 0 1"/>
          <geom type="box" size=".05 .02 .04" pos=".03 0 .02"/></body>
      </body>
      <body pos="0 .2 0"><joint name="e" axis="1 0 0"/><geom type="capsule" fromto="0 0 0 0 .2 .1" size=".03"/></body>
    </body>
    <body pos="1 0 1"><freejoint/><geom type="box" size=".1 .05 .02" fluidshape="ellipsoid" fluidcoef=".5 .25 1.5 1 1"/>
      <geom size=".03" pos=".1 .02 .1"/></body>
  </worldbody>
  <tendon><fixed name="t" damping=".4 .1"><joint joint="a" coef="1"/><joint joint="c" coef="-.5"/></fixed></tendon>
  <actuator>
    <velocity joint="a" kv="2"/><position joint="c" kp="3" kv=".5"/><damper joint="d" kv="1.5" ctrlrange="0 2"/>
    <general joint="s" gaintype="affine" gainprm="1 .2 -.3" biastype="affine" biasprm=".1 .2 -.4"/>
    <muscle tendon="t" lengthrange="-1 1" force="5"/>
    <velocity joint="e" kv="9" forcerange="-.1 .1"/>
    <dcmotor joint="d" motorconst=".5" resistance="2" input="pos vel" controller="1 0 .4"/>
    <orientation joint="ball" kp="1" kv=".2"/>
  </actuator>
</mujoco>)";

template <class D>
void stir(const Model<>& m, D& d) {
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = 0.8 * std::sin(1.3 * i + 0.4);
    integrate_pos(m, d.qpos, d.qvel, 0.5);
    for (int i = 0; i < m.nu; ++i) d.ctrl[i] = 0.4 + 0.1 * i;
    for (int i = 0; i < m.na; ++i) d.act[i] = 0.6;
}

}  // namespace

TEST_CASE("the analytic derivative of all smooth forces by the velocities is that of dual numbers") {
    const Model<> m = load_mjcf_string(swimmer);
    constexpr int chunk = 3;
    using S = dual<double, chunk>;
    Data<double, Model<>> d(m);
    reset(m, d);
    stir(m, d);
    forward<Unconstrained>(m, d);
    smooth_velocity_derivative(m, d);
    int entries = 0;
    for (int first = 0; first < m.nv; first += chunk) {
        Data<S, Model<>> x(m);
        reset(m, x);
        for (int i = 0; i < m.nq; ++i) x.qpos[i] = S(d.qpos[i]);
        for (int i = 0; i < m.nu; ++i) x.ctrl[i] = S(d.ctrl[i]);
        for (int i = 0; i < m.na; ++i) x.act[i] = S(d.act[i]);
        for (int i = 0; i < m.nv; ++i) x.qvel[i] = i >= first && i < first + chunk ? S::variable(d.qvel[i], i - first) : S(d.qvel[i]);
        forward<Unconstrained>(m, x);
        const auto slope = [&](int i, int j) {
            return x.qfrc_passive[i].partial[j - first] + x.qfrc_actuator[i].partial[j - first] - x.qfrc_bias[i].partial[j - first];
        };
        for (int i = 0; i < m.nv; ++i)
            for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
                const int j = m.M_colind[k];
                CAPTURE(i, j);
                const auto in_chunk = [&](int column) { return column >= first && column < first + chunk; };
                if (in_chunk(j)) CHECK(d.qDeriv[k] == Approx(slope(i, j)).margin(1e-10));
                if (in_chunk(i)) CHECK(d.qDeriv_upper[k] == Approx(slope(j, i)).margin(1e-10));
                entries += in_chunk(i) + in_chunk(j);
            }
    }
    CHECK(entries == 2 * m.nM);
}

TEST_CASE("a factored step solves (M - h D) a = f") {
    const Model<> m = load_mjcf_string(swimmer);
    Data<double, Model<>> d(m);
    reset(m, d);
    stir(m, d);
    forward<Unconstrained>(m, d);
    std::vector<double> before(d.qvel.begin(), d.qvel.end());
    Implicit::integrate(m, d, [] {});
    std::vector<double> residual;
    for (int i = 0; i < m.nv; ++i) residual.push_back(-d.qfrc_smooth[i] - d.qfrc_constraint[i]);
    const double h = m.opt.timestep;
    for (int i = 0; i < m.nv; ++i)
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
            const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(m.M_colind[k]);
            const auto acceleration = [&](std::size_t c) { return (d.qvel[int(c)] - before[c]) / h; };
            residual[row] += (d.M[k] - h * d.qDeriv[k]) * acceleration(column);
            if (row != column) residual[column] += (d.M[k] - h * d.qDeriv_upper[k]) * acceleration(row);
        }
    for (const double r : residual) CHECK(std::abs(r) < 1e-8);
}

TEMPLATE_TEST_CASE("every lane of every scalar steps as that lane alone", "", float, scalar_types::packf, scalar_types::packd,
                   scalar_types::dual3) {
    using S = TestType;
    using V = value_t<S>;
    const auto m = cast<V>(load_mjcf_string(swimmer));
    using M = std::remove_cvref_t<decltype(m)>;
    const auto run = [&](auto integrator) {
        Data<S, M> d(m);
        reset(m, d);
        for (int i = 0; i < m.nv; ++i)
            for (int k = 0; k < lanes_v<S>; ++k) set_lane(d.qvel[i], k, lane_t<S>(V(0.3 * std::sin(i + k))));
        step<decltype(integrator), Unconstrained>(m, d);
        for (int k = 0; k < lanes_v<S>; ++k) {
            Data<V, M> alone(m);
            reset(m, alone);
            for (int i = 0; i < m.nv; ++i) alone.qvel[i] = V(0.3 * std::sin(i + k));
            step<decltype(integrator), Unconstrained>(m, alone);
            for (int i = 0; i < m.nv; ++i)
                CHECK(double(value_of(lane(d.qvel[i], k))) == Approx(double(alone.qvel[i])).margin(1e4 * double(epsilon_v<S>)));
        }
    };
    run(Implicit{});
    run(ImplicitFast{});
    run(ImplicitSpringDamper{});
}

namespace {

Model<> spring(const std::string& joint) {
    return load_mjcf_string("<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body><joint name='j' type='slide' axis='1 0 0' " +
                            joint +
                            "/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>"
                            "<actuator><velocity joint='j' kv='1000'/></actuator></mujoco>");
}
template <class Integrator>
double swing(Model<> m, bool servo) {
    m.opt.disableactuator = servo ? 0 : 1;
    Simulator<double, Integrator, Unconstrained> sim(m);
    sim.qpos()[0] = 1;
    double largest = 0;
    for (int k = 0; k < 300; ++k) {
        sim.step();
        largest = std::max(largest, std::abs(sim.qpos()[0]));
        if (!(largest < 1e6)) break;
    }
    return largest;
}

}  // namespace

TEST_CASE("a spring of 1e5 N/m holds at steps of 10 ms when it is implicit, and blows up when it is not") {
    const auto m = spring("stiffness='1e5'");
    CHECK(swing<ImplicitSpringDamper>(m, false) <= 1);
    CHECK(swing<Euler>(m, false) > 1e3);
    // implicit in velocities alone needs something that depends on them: a damping servo
    CHECK(swing<ImplicitFast>(m, true) <= 1.0);
    CHECK(swing<Implicit>(m, true) <= 1.0);
    CHECK(swing<Euler>(m, true) > 1e3);
}

TEST_CASE("the implicit spring and damper follow backward Euler") {
    const auto m = spring("stiffness='50' damping='3' springref='0.2'");
    Model<> quiet = m;
    quiet.opt.disableactuator = 1;
    Simulator<double, ImplicitSpringDamper, Unconstrained> sim(quiet);
    double q = 0.7, v = -1;
    sim.qpos()[0] = q;
    sim.qvel()[0] = v;
    for (int k = 0; k < 50; ++k) {
        const double h = 0.01;
        const double before = v;
        v = (v - h * 50 * (q - 0.2)) / (1 + h * 3 + h * h * 50);
        q += h * v;
        sim.step();
        CHECK(sim.qacc()[0] == Approx((v - before) / h).epsilon(1e-9));
        CHECK(sim.qpos()[0] == Approx(q).epsilon(1e-12));
        CHECK(sim.qvel()[0] == Approx(v).epsilon(1e-12));
    }
}

TEST_CASE("Euler takes a damper that drives the motion explicitly unless another joint is damped, as MuJoCo does, lane by lane") {
    const auto m = load_mjcf_string(R"(<mujoco><option gravity="0 0 0" timestep="0.01"/><worldbody>
        <body><joint type="slide" damping="-.5"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
        <body><joint type="slide"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>)");
    using S = pack<double>;
    auto damped_lane = cast<S>(m);
    set_lane(damped_lane.dof_damping[1], 0, 0.1);
    Simulator<S, Euler, Unconstrained, Model<S>> sim(damped_lane);
    sim.qvel()[0] = sim.qvel()[1] = S(1);
    sim.step();
    const double h = 0.01;
    for (int k = 0; k < lanes_v<S>; ++k) {
        CHECK(lane(sim.qvel()[0], k) == Approx(k == 0 ? 1 + h * 0.5 / (1 - h * 0.5) : 1 + h * 0.5).epsilon(1e-14));
        CHECK(lane(sim.qvel()[1], k) == Approx(k == 0 ? 1 - h * 0.1 / (1 + h * 0.1) : 1).epsilon(1e-14));
    }
}

TEST_CASE("a body spinning freely keeps its energy under the implicit integrators better than under Euler") {
    const auto m = load_mjcf_string(R"(<mujoco><option gravity="0 0 0" timestep="0.01"/><worldbody>
        <body><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>)");
    const auto drift = [&](auto integrator) {
        Simulator<double, decltype(integrator), Unconstrained> sim(m);
        sim.qvel()[3] = 0.3;
        sim.qvel()[4] = 10;
        sim.qvel()[5] = -0.2;
        const auto energy = [&] {
            sim.forward();
            energy_vel(sim.model(), sim.data());
            return sim.data().energy[1];
        };
        const double start = energy();
        sim.step(200);
        return energy() / start - 1;
    };
    CHECK(drift(Euler{}) > 1e-2);
    CHECK(drift(Implicit{}) <= 0);
    CHECK(drift(ImplicitFast{}) <= 0);
}
