// Derivatives of forward dynamics: closed forms, dual numbers and central differences, with contacts and without, for every scalar.
#include "catch.hpp"
#include "derivative/features.hpp"
#include "load.hpp"

#include "mjx/derivative/acceleration.hpp"
#include "mjx/derivative/check.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/robotics/mass.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/unconstrained.hpp"

#include <cmath>
#include <vector>

namespace {

template <class Solver, class S = double>
using Sim = mjx::Simulator<S, mjx::Euler, Solver>;

// A chain of all joints on boxes, in motion.
template <class Solver, class S = double>
Sim<Solver, S> moving() {
    auto model = load_model_string(features("elliptic", 3, "gravity='enable'"));
    model.opt.tolerance = 0;
    model.opt.iterations = 100;
    Sim<Solver, S> sim(model);
    for (int i = 0; i < sim.model().nv; ++i) sim.qvel()[i] = S(0.4 * ((i % 5) - 2));
    for (int i = 0; i < sim.model().nu; ++i) sim.ctrl()[i] = S(0.3 * ((i % 3) - 1));
    for (int i = 0; i < sim.model().nv; ++i) sim.data().qfrc_applied[i] = S(0.1 * (i % 4));
    sim.step(120);
    return sim;
}

// The accelerations where number c of (q, v, f) has changed.
template <class Simulation>
std::vector<double> changed(const Simulation& sim, int c, double change) {
    const auto& m = sim.model();
    Simulation other(sim);
    if (c < 2 * m.nv)
        mjx::vary(m, other.data(), c, c + 1, [&](int) { return change; });
    else
        other.data().qfrc_applied[c - 2 * m.nv] += change;
    other.forward();
    return {other.qacc().begin(), other.qacc().end()};
}

// Column c of (q, v, f) by central differences.
template <class Simulation>
std::vector<double> difference(const Simulation& sim, int c) {
    const double eps = 1e-6;
    std::vector<double> slope = changed(sim, c, eps);
    const std::vector<double> below = changed(sim, c, -eps);
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = (slope[i] - below[i]) / (2 * eps);
    return slope;
}

// Hooks have no derivative of their own.
struct Nothing {
    template <class M, class D>
    void control(const M&, D&) const {}
};

// Derivatives of a simulator without hooks, and by duals of one with them.
void compare_with_duals(const Sim<mjx::Newton>& plain) {
    mjx::Simulator<double, mjx::Euler, mjx::Newton, mjx::Model<double>, Nothing> hooked(plain.model(), Nothing{});
    mjx::copy_state(hooked.data(), plain.data());
    const auto a = mjx::acceleration_derivatives(plain), b = mjx::acceleration_derivatives(hooked);
    for (const auto matrix :
         {&mjx::AccelerationMatrices<double>::DaDq, &mjx::AccelerationMatrices<double>::DaDv, &mjx::AccelerationMatrices<double>::DaDf})
        CHECK(mjx::max_relative_error(a.*matrix, b.*matrix) < 1e-9);
}

}  // namespace

TEST_CASE("a pendulum's acceleration changes with its angle, speed and torque as its equation says") {
    // I a = τ - b v - m g l sin q about the hinge
    const auto model = load_model_string(R"(<mujoco><worldbody><body><joint axis='0 1 0' damping='0.3'/>
        <geom type='sphere' size='.1' mass='2' pos='0 0 -.5'/></body></worldbody></mujoco>)");
    Sim<mjx::Newton> sim(model);
    sim.qpos()[0] = 0.7;
    sim.qvel()[0] = -1.1;
    const auto [DaDq, DaDv, DaDf] = mjx::acceleration_derivatives(sim);
    const double inertia = 2 * (0.5 * 0.5 + 0.4 * 0.1 * 0.1);
    CHECK(DaDq(0, 0) == Approx(-2 * 9.81 * 0.5 * std::cos(0.7) / inertia));
    CHECK(DaDv(0, 0) == Approx(-0.3 / inertia));
    CHECK(DaDf(0, 0) == Approx(1 / inertia));
}

TEMPLATE_TEST_CASE("derivatives of accelerations equal central differences", "", mjx::Newton, mjx::Unconstrained) {
    const auto sim = moving<TestType>();
    if (TestType::constrained) REQUIRE(sim.data().ncon > 3);
    const auto result = mjx::acceleration_derivatives(sim);
    const int nv = sim.model().nv;
    for (int c = 0; c < 3 * nv; ++c) {
        const auto slope = difference(sim, c);
        const auto& matrix = c < nv ? result.DaDq : c < 2 * nv ? result.DaDv : result.DaDf;
        double largest = 1;
        for (const double s : slope) largest = std::max(largest, std::abs(s));
        for (int i = 0; i < nv; ++i) {
            INFO("row " << i << ", column " << c);
            const auto row = static_cast<std::size_t>(i);
            CHECK(matrix(row, static_cast<std::size_t>(c % nv)) == Approx(slope[row]).margin(1e-5 * largest));
        }
    }
}

TEST_CASE("without constraints forces answer by the inverse of the inertia matrix") {
    auto sim = moving<mjx::Unconstrained>();
    sim.forward();
    const auto result = mjx::acceleration_derivatives(sim);
    const int nv = sim.model().nv;
    mjx::Array<double> force, answer;
    force.resize(nv);
    answer.resize(nv);
    for (int i = 0; i < nv; ++i) force[i] = 1 + i % 3;
    mjx::solve_mass(sim.model(), sim.data(), force, answer);
    for (int i = 0; i < nv; ++i) {
        double sum = 0;
        for (int j = 0; j < nv; ++j) sum += result.DaDf(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) * force[j];
        CHECK(sum == Approx(answer[i]).epsilon(1e-9).margin(1e-9));
    }
}

TEST_CASE("accelerations of a simulator with hooks are differentiated by duals, to the same") { compare_with_duals(moving<mjx::Newton>()); }

TEST_CASE("the derivatives of a thin sheet in the wind are those of its force, however thin") {
    Sim<mjx::Newton> sim(load_model_string(R"(<mujoco><option density='1.2' viscosity='2e-5' wind='0 .3 1'/><worldbody><body><freejoint/>
        <geom type='box' size='.025 .01 .0001' euler='20 0 0' mass='1e-3' fluidshape='ellipsoid'/></body></worldbody></mujoco>)"));
    compare_with_duals(sim);
    for (int i = 0; i < 6; ++i) sim.qvel()[i] = 0.3 * (i - 2.2);
    compare_with_duals(sim);
}
TEST_CASE("where rows are about to push, the derivative lies between the differences to both sides") {
    // a door that a magnet holds shut, with a stop and a limit of its joint that it touches but for rounding
    auto model = load_model_string(R"(<mujoco><worldbody>
        <geom type='box' size='.1 .02 .4' pos='-.1 .44 0'/>
        <geom type='box' size='.005 .01 .3' pos='-.015 .4 0' adhesion='1.5' gap='.003'/>
        <body><joint axis='0 0 -1' range='0 135' damping='.08' stiffness='.05'/>
            <geom type='box' size='.015 .24 .37' pos='.015 .25 0' mass='1.5'/>
            <geom type='box' size='.005 .01 .3' pos='-.005 .4 0' adhesion='1.5' gap='.003' mass='.05'/></body>
        </worldbody></mujoco>)");
    model.opt.tolerance = 0;
    model.opt.iterations = 100;
    Sim<mjx::Newton> sim(model);
    sim.qpos()[0] = -2e-13;
    sim.qvel()[0] = 4e-12;
    sim.forward();
    REQUIRE(sim.data().ncon == 8);
    const double at_rest = sim.qacc()[0], eps = 1e-5;
    const auto [DaDq, DaDv, DaDf] = mjx::acceleration_derivatives(sim);
    for (int c = 0; c < 3; ++c) {
        const double up = (changed(sim, c, eps)[0] - at_rest) / eps, down = (at_rest - changed(sim, c, -eps)[0]) / eps;
        const double found = c == 0 ? DaDq(0, 0) : c == 1 ? DaDv(0, 0) : DaDf(0, 0), slack = 1e-5 * std::fabs(up);
        INFO("column " << c << ": " << found << ", to the sides " << down << " and " << up);
        CHECK(std::fabs(up - down) > 1e-4 * std::fabs(up));
        CHECK(found > std::fmin(up, down) - slack);
        CHECK(found < std::fmax(up, down) + slack);
    }
}

TEST_CASE("of boxes flat on each other the derivative is that of one face, the limit of the states in which it is taken") {
    using Newton = mjx::Newton;
    auto model = load_model_string(R"(<mujoco><worldbody><geom type='box' size='.1 .1 .1'/>
        <body pos='0 0 .18' euler='0 0 20'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>)");
    model.opt.tolerance = 0;
    model.opt.iterations = 100;
    const Sim<Newton> flat(model);
    const auto at_tie = mjx::acceleration_derivatives(flat);
    // tilted about an axis of its own the upper box is seen best along the normal of the lower one, about an axis of that along its own
    const double turn = 20 * std::acos(-1.0) / 180;
    for (const bool own : {true, false})
        for (const double tilt : {1e-5, -1e-5}) {
            Sim<Newton> sim(flat);
            mjx::vary(sim.model(), sim.data(), 3, 5, [&](int c) {
                return tilt * (own ? double(c == 3) : c == 3 ? std::cos(turn) : -std::sin(turn));
            });
            const auto beside = mjx::acceleration_derivatives(sim);
            INFO((own ? "own axis, " : "the other's axis, ") << tilt);
            for (int c = 0; c < 6; ++c) {
                const std::vector<double> slope = difference(sim, c);
                for (std::size_t i = 0; i < 6; ++i)
                    CHECK(beside.DaDq(i, static_cast<std::size_t>(c)) == Approx(slope[i]).epsilon(1e-5).margin(1e-2));
            }
            CHECK((mjx::max_relative_error(at_tie.DaDq, beside.DaDq, 100) < 1e-3) == own);
        }
}
