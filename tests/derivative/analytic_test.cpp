// Analytic derivatives of the step against dual numbers.
#include "derivative/agreement.hpp"
#include "derivative/features.hpp"

#include "mjx/derivative/vjp.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/solver/newton.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace {

void check_model(const mjx::Model<double>& model, const std::string& name) {
    using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
    Sim sim(model);
    INFO(name);
    for (int i = 0; i < sim.act().size(); ++i) sim.act()[i] = 0.3;
    for (int k = 0; k < 6 && model.nbody > 2; ++k) sim.data().xfrc_applied[2][k] = 0.1 * (k - 3);
    for (int i = 0; i < sim.qvel().size(); ++i) sim.qvel()[i] = 0.4 * ((i % 5) - 2);
    for (int i = 0; i < sim.ctrl().size(); ++i) sim.ctrl()[i] = 0.3 * ((i % 3) - 1);
    mjx::TransitionDerivatives<Sim> analytic(sim);
    mjx::DualDerivatives<Sim> duals(sim);
    CHECK(analytic.is_analytic());
    for (int k = 0; k < 5; ++k) {
        const auto& a = analytic(sim);
        const auto& b = duals(sim);
        INFO("after " << k * 40 << " steps, " << sim.data().ncon << " contacts");
        CHECK(mjx::max_relative_error(a.A, b.A) < 1e-9);
        CHECK(mjx::max_relative_error(a.B, b.B) < 1e-9);
        sim.step(40);
    }
}

}  // namespace

TEST_CASE("analytic derivatives of Euler's step equal dual numbers") {
    for (const char* name : {"pendulum", "cartpole", "chain15", "arm", "cheetah", "humanoid", "joints"})
        check_model(load_scene(name), name);
}
TEST_CASE("analytic derivatives of RK4's step equal central differences") {
    using Sim = mjx::Simulator<double, mjx::RK4, mjx::Newton>;
    for (const char* name : {"pendulum", "arm", "cheetah", "joints"}) {
        INFO(name);
        Sim sim(load_scene(name));
        for (int i = 0; i < sim.qvel().size(); ++i) sim.qvel()[i] = 0.4 * ((i % 5) - 2);
        sim.step(50);
        mjx::TransitionDerivatives<Sim> analytic(sim);
        CHECK(analytic.is_analytic());
        const auto differences = mjx::transition_fd(sim);
        CHECK(mjx::max_relative_error(analytic(sim).A, differences.A) < 1e-5);
        CHECK(mjx::max_relative_error(analytic(sim).B, differences.B) < 1e-5);
    }
}
TEST_CASE("a vector from the left gives its products with A and B") {
    using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
    Sim sim(load_model_string(features("elliptic", 3, "")));
    for (int i = 0; i < sim.act().size(); ++i) sim.act()[i] = 0.3;
    sim.step(100);
    mjx::TransitionDerivatives<Sim> both(sim);
    const auto& found = both(sim);
    const std::size_t n = found.A.shape(0), nu = found.B.shape(1);
    mjx::Vector<double> weights = mjx::Vector<double>::from_shape({n});
    for (std::size_t i = 0; i < n; ++i) weights(i) = 0.3 * double(i % 7) - 1;
    const auto [x, u] = mjx::step_vjp(sim, weights);
    for (std::size_t c = 0; c < n + nu; ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += weights(i) * (c < n ? found.A(i, c) : found.B(i, c - n));
        CHECK((c < n ? x(c) : u(c - n)) == Approx(sum).epsilon(1e-9).margin(1e-9));
    }
}
TEST_CASE("analytic derivatives equal dual numbers for both cones, every condim and every kind of row") {
    for (const char* cone : {"pyramidal", "elliptic"})
        for (const int condim : {1, 3, 4, 6}) check_model(load_model_string(features(cone, condim, "")), cone + std::to_string(condim));
    check_model(load_model_string(features("elliptic", 3, "eulerdamp='disable' gravity='disable'")), "without gravity");
}
TEST_CASE("actuators that share the limit of a tendon's force answer to each other's controls, and to each other's states") {
    using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
    const char* model = R"(<mujoco><worldbody><site name='hook' pos='.2 0 .6'/>
        <body pos='0 0 1'><joint name='a' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/>
        <body pos='.3 0 0'><joint name='b' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/><site name='tip' pos='.3 0 0'/>
        </body></body></worldbody>
        <tendon><fixed name='t' actuatorfrcrange='-1 1'><joint joint='a' coef='1'/><joint joint='b' coef='-1'/></fixed>
        <spatial name='rope' actuatorfrcrange='-.5 0'><site site='hook'/><site site='tip'/></spatial></tendon>
        <actuator><motor tendon='t' gear='2'/><position tendon='t' kp='3' kv='.4' forcerange='-.3 .3'/>
        <general tendon='t' dyntype='filter' dynprm='.1' gainprm='2'/><position tendon='rope' kp='5' kv='1'/><motor tendon='rope'/></actuator>
        </mujoco>)";
    Sim sim(load_model_string(model));
    sim.qvel()[0] = 0.4;
    sim.act()[0] = 0.3;
    mjx::TransitionDerivatives<Sim> analytic(sim);
    mjx::DualDerivatives<Sim> duals(sim);
    CHECK(analytic.is_analytic());
    for (const double size : {0.1, 1.0, -2.0}) {  // within the limits, beyond one, beyond both
        for (int u = 0; u < 5; ++u) sim.ctrl()[u] = size * (1 - 0.2 * u);
        const auto &a = analytic(sim), &b = duals(sim);
        INFO("controls of " << size);
        CHECK(mjx::max_relative_error(a.A, b.A) < 1e-9);
        CHECK(mjx::max_relative_error(a.B, b.B) < 1e-9);
        sim.step(5);
    }
}
TEST_CASE("derivatives are finite, and those of dual numbers, at rest, at the onset of contact and where things lie on planes") {
    using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
    const std::string things = R"(<worldbody><geom type='plane' size='5 5 1'/>
        <body pos='0 0 .1'><freejoint/><geom size='.1'/></body>
        <body pos='1 0 .1'><freejoint/><geom type='capsule' size='.1 .2' euler='0 90 0'/></body>
        <body pos='2 0 .1'><freejoint/><geom type='box' size='.2 .1 .1'/></body>
        <body pos='3 0 .1'><joint type='ball'/><geom type='ellipsoid' size='.2 .1 .1'/></body></worldbody></mujoco>)";
    for (const std::string cone : {"pyramidal", "elliptic"})
        for (const int condim : {1, 3, 4, 6}) {
            auto model = load_model_string("<mujoco><option cone='" + cone + "'/><default><geom condim='" + std::to_string(condim) +
                                           "' friction='.8 .02 .01'/></default>" + things);
            model.opt.tolerance = 0;
            for (const double depth : {0.0, 1e-12, 1e-4}) {
                Sim sim(model);
                for (int b = 0; b < 3; ++b) sim.qpos()[7 * b + 2] -= depth;
                mjx::TransitionDerivatives<Sim> analytic(sim);
                mjx::DualDerivatives<Sim> duals(sim);
                CHECK(analytic.is_analytic());
                for (const int steps : {1, 1000, 0}) {  // as it is, after a step, and when it lies still
                    const auto& a = analytic(sim);
                    INFO(cone << ", condim " << condim << ", depth " << depth << ", " << sim.data().ncon << " contacts");
                    CHECK(std::all_of(a.A.begin(), a.A.end(), [](double x) { return std::isfinite(x); }));
                    CHECK(mjx::max_relative_error(a.A, duals(sim).A) < 1e-9);
                    sim.step(steps);
                }
            }
        }
}
TEST_CASE("analytic derivatives of Euler's step equal dual numbers on every feature model, and say which they leave to duals") {
    // adhesion, belts, noslip, delays, exact diagonals, orientation setpoints
    const std::set<std::string> by_duals = {"actuator_orientation",
                                            "actuator_transmission",
                                            "contact_adhesion",
                                            "contact_adhesion_elliptic",
                                            "contact_noslip",
                                            "contact_noslip_islands",
                                            "contact_noslip_planar",
                                            "contact_noslip_pyramidal",
                                            "contact_surfacevel",
                                            "delayed_energy",
                                            "delays",
                                            "discrete_pyramid",
                                            "flag_diagexact",
                                            "mixed_2",
                                            "mixed_4",
                                            "mixed_5",
                                            "mixed_6",
                                            "mixed_7",
                                            "mixed_8"};
    CHECK(agreement::check<mjx::Euler, mjx::Newton>(agreement::feature_models(), 1e-9) == by_duals);
}
