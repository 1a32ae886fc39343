// The recipes of CONTRIBUTING.md: their code stands here as it stands there (the test rules_program compares), is compiled and run.
#include "mjx/derivatives.hpp"
#include "mjx/integrators.hpp"
#include "mjx/robotics.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"
#include "mjx/summary.hpp"

namespace {

struct Leap : mjx::IntegratorDefaults {
    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {  // forward() would evaluate the forces at the state in d once more
        mjx::advance(m, d, d.act_dot, d.qacc, d.qvel);    // the rates of activations, velocities and positions
    }
};

struct Loose : mjx::SolverDefaults {  // no constraint forces
    template <class M, class D>
    static void solve(const M& m, D& d) {
        for (int i = 0; i < d.nefc; ++i) d.efc_force[i] = typename D::scalar(0);
        for (int i = 0; i < m.nv; ++i) d.qacc[i] = d.qacc_smooth[i], d.qfrc_constraint[i] = typename D::scalar(0);
    }
};

}  // namespace

// From here on mjx:: is what tests see, the rooms too. The numbers are those of kinds after the last.
#include "catch.hpp"
#include "load.hpp"

namespace mjx::inner {

// clang-format off
namespace sens { enum : int { jointacc = grid + 1 }; }
namespace gain { enum : int { quadratic = controller + 1 }; }
namespace bias { enum : int { drag = user + 1 }; }

inline constexpr SensorKind recipe_sensors[] = {
{"jointacc", sens::jointacc, sensor_object::scalar_joint, needs::acc, datatype::real, 1},
};
// clang-format on

void read_sensor(sensor<sens::jointacc>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = d.qacc[m.jnt_dofadr[m.sensor_objid[i]]];
}

template <>
struct Gain<gain::quadratic> : Level {  // <general gaintype="quadratic" gainprm="3"/>
    template <class M, class D, class H>
    static auto value(const M& m, const D& d, auto i, const H&) {
        using S = typename D::scalar;
        const S length = d.actuator_length[m.actuator_outadr[i]];
        return S(length * length * m.actuator_gainprm[i][0]);
    }
};

template <>
struct Bias<bias::drag> {  // <general biastype="drag" biasprm="0.5"/>
    template <class M, class D, class S, class H>
    static S value(const M& m, const D& d, auto i, const S& /*the gain*/, const H&) {
        const S v = d.actuator_velocity[m.actuator_outadr[i]];
        return -abs(v) * v * m.actuator_biasprm[i][0];
    }
    template <class M, class D>
    static auto slope(const M& m, const D& d, int i) {  // d(bias)/d(velocity)
        using S = typename D::scalar;
        return S(-abs(d.actuator_velocity[m.actuator_outadr[i]]) * m.actuator_biasprm[i][0] * 2);
    }
};

}  // namespace mjx::inner

namespace {

mjx::Model<> pendulum() {
    return load_model_string(R"(<mujoco><worldbody><body>
        <joint name="j" axis="0 1 0" range="-1 1" limited="true"/><geom size="0.1" pos="0 0 -1"/></body></worldbody>
        <actuator><general joint="j" gainprm="3" biasprm="0.5" biastype="affine"/></actuator>
        <sensor><jointpos joint="j"/></sensor></mujoco>)");
}

}  // namespace

TEST_CASE("an integrator and a solver from the recipes step, are described and differentiated") {
    mjx::Simulator<double, Leap, Loose> sim(pendulum());
    sim.qpos()[0] = 1.2;  // beyond the limit, which Loose does not feel
    sim.forward();
    const double a = sim.qacc()[0];
    const double mass = 1000 * 4.0 / 3 * 3.14159265358979323846 * 0.001, inertia = mass * (1 + 0.4 * 0.01);
    CHECK(a == Approx((-mass * 9.81 * std::sin(1.2) + 0.5) / inertia).epsilon(1e-12));  // 0.5 is the actuator's bias
    CHECK(mjx::summary(sim).find("one of the program's own with one of the program's own") != std::string::npos);
    const auto transition = mjx::derivatives(sim);
    const double h = sim.model().opt.timestep;
    CHECK(transition.A(1, 0) == Approx(-h * 9.81 * std::cos(1.2) / 1.004).epsilon(1e-10));
    sim.step();
    CHECK(sim.qvel()[0] == Approx(h * a).epsilon(1e-12));
}

TEST_CASE("a sensor, a gain and a bias from the recipes") {
    mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(pendulum());
    sim.qpos()[0] = 0.3;
    sim.qvel()[0] = 0.7;
    sim.forward();
    double read = 0;
    mjx::inner::read_sensor(mjx::inner::sensor<mjx::inner::sens::jointacc>{}, sim.model(), sim.data(), 0, &read);
    CHECK(read == sim.qacc()[0]);
    CHECK(mjx::inner::recipe_sensors[0].dim == 1);
    mjx::inverse(sim);
    CHECK(sim.data().qfrc_inverse[0] == Approx(sim.data().qfrc_actuator[0]).margin(1e-12));

    using Quadratic = mjx::inner::Gain<mjx::inner::gain::quadratic>;
    using Drag = mjx::inner::Bias<mjx::inner::bias::drag>;
    auto& d = sim.data();
    CHECK(Quadratic::value(sim.model(), d, 0, mjx::no_hooks{}) == Approx(3 * 0.3 * 0.3));
    CHECK(Quadratic::slope(sim.model(), d, 0) == 0);
    const auto drag = [&](double v) {
        d.actuator_velocity[0] = v;
        return Drag::value(sim.model(), d, 0, 1.0, mjx::no_hooks{});
    };
    CHECK(drag(0.7) == Approx(-0.5 * 0.49));
    const double difference = (drag(0.7 + 1e-5) - drag(0.7 - 1e-5)) / 2e-5;
    drag(0.7);
    CHECK(Drag::slope(sim.model(), d, 0) == Approx(difference).epsilon(1e-8));
}
