// Derivatives through the solver are those of the converged solution: dual numbers against central differences.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/model/cast.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/solver/effective.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/solver/pgs.hpp"
#include "mjx/step.hpp"

#include <cmath>
#include <vector>

namespace {

using Model = mjx::Model<double>;
template <class S>
using Data = mjx::Data<S, Model>;

// Runs the solver at (qpos, qvel, qfrc_applied), flattened into one vector.
template <class Solver, class S>
void run(const Model& m, Data<S>& d, const std::vector<S>& input) {
    mjx::reset(m, d);
    std::size_t k = 0;
    for (int i = 0; i < m.nq; ++i) d.qpos[i] = input[k++];
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = input[k++];
    for (int i = 0; i < m.nv; ++i) d.qfrc_applied[i] = input[k++];
    mjx::forward<Solver>(m, d);
}

template <class Solver>
void check(Model m, std::vector<double> input, double tolerance = 1e-5) {
    m.opt.tolerance = 0;
    m.opt.iterations = 5000;
    using dual = mjx::dual<double, 1>;
    Data<double> value(m), ahead(m), behind(m);
    Data<dual> d(m);
    run<Solver>(m, value, input);
    REQUIRE(value.nefc > 0);
    double scale = 1;
    for (int i = 0; i < m.nv; ++i) scale = std::max(scale, std::abs(value.qacc[i]));
    for (std::size_t k = 0; k < input.size(); ++k) {
        std::vector<dual> x(input.begin(), input.end());
        x[k] = dual::variable(input[k], 0);
        run<Solver>(m, d, x);
        const double h = 1e-6;
        auto moved = input;
        moved[k] = input[k] + h;
        run<Solver>(m, ahead, moved);
        moved[k] = input[k] - h;
        run<Solver>(m, behind, moved);
        REQUIRE(ahead.nefc == behind.nefc);
        CAPTURE(k);
        double slope = scale;
        for (int i = 0; i < m.nv; ++i) slope = std::max(slope, std::abs(ahead.qacc[i] - behind.qacc[i]) / (2 * h));
        for (int i = 0; i < m.nv; ++i) {
            CHECK(d.qacc[i].value == Approx(value.qacc[i]).epsilon(1e-9).margin(1e-9 * scale));
            CHECK(std::abs(d.qacc[i].partial[0] - (ahead.qacc[i] - behind.qacc[i]) / (2 * h)) < tolerance * slope);
        }
        double force = 1;
        for (int i = 0; i < value.nefc; ++i) force = std::max(force, std::abs(ahead.efc_force[i] - behind.efc_force[i]) / (2 * h));
        for (int i = 0; i < value.nefc; ++i)
            CHECK(std::abs(d.efc_force[i].partial[0] - (ahead.efc_force[i] - behind.efc_force[i]) / (2 * h)) < tolerance * force);
    }
}

std::string ball(const char* cone) {
    return std::string(R"(<mujoco><option cone=")") + cone + R"("/><worldbody><geom type="plane" size="5 5 1"/>
        <body><freejoint/><geom size="0.1" condim="6" friction="0.8 0.01 0.005"/></body></worldbody></mujoco>)";
}

}  // namespace

TEST_CASE("a sliding box has the derivatives of its friction") {
    for (const char* cone : {"pyramidal", "elliptic"}) {
        const Model m = load_model_string(std::string(R"(<mujoco><option cone=")") + cone +
                                          R"("/><worldbody><geom type="plane" size="5 5 1"/>
            <body><freejoint/><geom type="box" size="0.1 0.1 0.1" friction="0.5 0.005 0.0001"/></body></worldbody></mujoco>)");
        check<mjx::Newton>(m, {0, 0, 0.09931, 1, 0.0005, 0.001, 0, 1.5, 0.4, -0.01, 0.02, 0.01, 0.03, 1, 2, -3, 0.1, 0.2, 0.3});
    }
}

TEST_CASE("a rolling ball has the derivatives of its rolling friction") {
    check<mjx::Newton>(load_model_string(ball("elliptic")),
                       {0, 0, 0.09937, 0.9, 0.1, 0.3, 0.2, 0.5, 0.1, -0.02, 0.3, 4, 1, 0.1, 0.2, -1, 0.01, 0.02, 0.03});
    check<mjx::Newton>(load_model_string(ball("pyramidal")),
                       {0, 0, 0.09937, 0.9, 0.1, 0.3, 0.2, 0.5, 0.1, -0.02, 0.3, 4, 1, 0.1, 0.2, -1, 0.01, 0.02, 0.03});
}

TEST_CASE("a joint at its limit and a dry joint have the derivatives of the active rows") {
    const Model m = load_model_string(R"(<mujoco><worldbody><body><joint axis="0 1 0" range="-0.5 0.5" limited="true" frictionloss="0.2"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/><body pos="0.5 0 0"><joint axis="0 1 0.1"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/></body></body></worldbody></mujoco>)");
    check<mjx::Newton>(m, {0.52, 0.3, 0.4, -0.2, 1, 0.5});
    check<mjx::PGS>(m, {0.52, 0.3, 0.4, -0.2, 1, 0.5}, 1e-4);
}

TEST_CASE("a welded body has the derivatives of its weld") {
    const Model m = load_model_string(R"(<mujoco><worldbody><body name="a" pos="0 0 1"><joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/></body>
        <body name="b" pos="0.6 0 1"><freejoint/><geom type="box" size="0.1 0.08 0.05"/></body></worldbody>
        <equality><weld body1="a" body2="b" torquescale="0.5"/></equality></mujoco>)");
    check<mjx::Newton>(m,
                       {0.1, 0.61, 0.02, 0.97, 0.95, 0.1, 0.2, -0.1, 0.3, 0.1, 0.2, -0.3, 0.5, 0.4, -0.2, 1, 0.2, 0.1, 3, 0.3, 0.2, 0.1});
}

TEST_CASE("friction that noslip has improved has the derivatives of its sweeps") {
    Model dry = load_model_string(R"(<mujoco><worldbody><body><joint axis="0 1 0" frictionloss="3"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/><body pos="0.5 0 0"><joint axis="0 1 0.1" frictionloss="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/></body></body></worldbody></mujoco>)");
    dry.opt.noslip_iterations = 3;
    check<mjx::Newton>(dry, {0.52, 0.3, 0.0004, -0.2, 1, 0.5});
    check<mjx::PGS>(dry, {0.52, 0.3, 0.0004, -0.2, 1, 0.5}, 1e-4);
    check<mjx::InEffectiveInertia<mjx::Newton>>(dry, {0.52, 0.3, 0.0004, -0.2, 1, 0.5});  // with work of its own around the sweeps
    for (const char* cone : {"pyramidal", "elliptic"}) {
        Model m = load_model_string(ball(cone));
        m.opt.noslip_iterations = 3;
        // sliding, and held by friction
        check<mjx::Newton>(m, {0, 0, 0.09937, 0.9, 0.1, 0.3, 0.2, 0.5, 0.1, -0.02, 0.3, 4, 1, 0.1, 0.2, -1, 0.01, 0.02, 0.03});
        check<mjx::Newton>(m, {0, 0, 0.09942, 0.9, 0.1, 0.3, 0.2, 0, 0, 0, 0.001, 0.002, 0.001, 0.1, 0.2, -1, 0.001, 0.002, 0.0003});
    }
}

TEST_CASE("second derivatives come with duals of duals") {
    const Model m = load_model_string(R"(<mujoco><option tolerance="0"/><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 0.099">
        <joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/><geom size="0.1"/></body></worldbody></mujoco>)");
    using dual = mjx::dual<double, 1>;
    using nested = mjx::dual<dual, 1>;
    const auto first = [&](double z) {
        Data<dual> d(m);
        std::vector<dual> x{dual::variable(z, 0), dual(0), dual(-0.1), dual(0.3), dual(0), dual(0)};
        run<mjx::Newton>(m, d, x);
        return d.qacc[0].partial[0];
    };
    const double z = -0.0004, h = 1e-7;
    Data<nested> d(m);
    nested variable(dual::variable(z, 0));
    variable.partial[0] = dual(1);
    run<mjx::Newton>(m, d, {variable, nested(0), nested(-0.1), nested(0.3), nested(0), nested(0)});
    CHECK(d.qacc[0].partial[0].value == Approx(first(z)).epsilon(1e-9));
    CHECK(d.qacc[0].partial[0].partial[0] == Approx((first(z + h) - first(z - h)) / (2 * h)).epsilon(1e-4));
}

TEST_CASE("penalty springs, contacts and dry friction have the derivatives of their sweeps") {
    const Model limits = load_model_string(
        R"(<mujoco><worldbody><body><joint axis="0 1 0" range="-0.5 0.5" limited="true" frictionloss="0.2"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/><body pos="0.5 0 0"><joint axis="0 1 0.1"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/></body></body></worldbody></mujoco>)");
    check<mjx::Penalty>(limits, {0.52, 0.3, 0.0004, -0.2, 1, 0.5});
    for (const char* cone : {"pyramidal", "elliptic"}) {
        check<mjx::Penalty>(load_model_string(ball(cone)),
                            {0, 0, 0.09937, 0.9, 0.1, 0.3, 0.2, 0.5, 0.1, -0.02, 0.3, 4, 1, 0.1, 0.2, -1, 0.01, 0.02, 0.03});
        check<mjx::Penalty>(load_model_string(ball(cone)),
                            {0, 0, 0.09942, 0.9, 0.1, 0.3, 0.2, 0, 0, 0, 0.01, 0.02, 0.01, 0.1, 0.2, -1, 0.001, 0.002, 0.0003});
    }
}
