// What feeling contacts from a distance brings a planner: a pusher that does not touch what it should move.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/control/feel.hpp"
#include "mjx/control/ilqr.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/solver/newton.hpp"

namespace {

using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
constexpr int horizon = 100;
constexpr double target = 0.3;

// Two balls on a rail, 20 cm between them; the first has a motor.
const char* const rail = R"(<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>
  <body name='pusher'><joint name='pusher' type='slide' axis='1 0 0' damping='1'/><geom type='sphere' size='.05' mass='1'/></body>
  <body name='puck' pos='.3 0 0'><joint name='puck' type='slide' axis='1 0 0' damping='2'/><geom type='sphere' size='.05' mass='1'/></body>
  </worldbody><actuator><motor joint='pusher' gear='10' ctrlrange='-1 1' ctrllimited='true'/></actuator></mujoco>)";

// The puck at its target, with little effort.
struct Cost {
    template <class M, class D, class R>
    void operator()(const M&, const D& d, bool last, R&& r) const {
        r((d.qpos[1] - target) * (last ? 30 : 1));
        r(d.qvel[1] * (last ? 3 : 0.01));
        if (!last) r(d.ctrl[0] * 0.05);
    }
};

// Plans with contacts felt from the distances one after the other; gives where the puck ends in the model as it is.
double plan_with(const std::vector<double>& distances, double& cost) {
    const auto model = load_model_string(rail);
    auto controls = mjx::Matrix<double>::from_shape({horizon, 1});
    controls.fill(0);
    for (const double distance : distances) {
        auto felt = model;
        if (distance > 0) mjx::feel_contacts(felt, distance);
        const Sim sim(felt);
        mjx::ILQR plan(sim, Cost{}, horizon);
        plan.controls() = controls;
        for (int k = 0; k < 60 && plan.improve(sim); ++k) {
        }
        controls = plan.controls();
        cost = plan.cost();
        std::printf("felt from %.3f: cost %.4f\n", distance, cost);
    }
    Sim sim(model);
    for (std::size_t t = 0; t < horizon; ++t) {
        sim.ctrl()[0] = controls(t, 0);
        sim.step();
    }
    return sim.qpos()[1];
}

}  // namespace

TEST_CASE("a planner that feels contacts from a distance finds a push where exact derivatives see no reason to move") {
    double alone, felt;
    CHECK(plan_with({0}, alone) == 0);
    const double reached = plan_with({0.3, 0.1, 0.03, 0}, felt);
    std::printf("cost %.3f without, %.3f with; the puck ends at %.3f of %.3f\n", alone, felt, reached, target);
    CHECK(std::abs(reached - target) < 0.03);
    CHECK(felt < 0.5 * alone);
}

TEST_CASE("felt from a distance, forces begin with zero slope at its edge") {
    auto model = load_model_string(rail);
    mjx::feel_contacts(model, 0.1);
    Sim sim(model);
    double before = 0;
    for (const double gap : {0.11, 0.1, 0.095, 0.09, 0.08, 0.06, 0.03, 0.0, -0.01}) {
        sim.qpos()[0] = 0.2 - gap;
        sim.forward();
        const double push = sim.qacc()[1];
        INFO("gap " << gap << ", acceleration " << push);
        if (gap >= 0.1) CHECK(push == Approx(0).margin(1e-12));
        if (gap == 0.095) CHECK(push < 1e-4);
        CHECK(push >= before);
        before = push;
    }
    CHECK(before > 1);
}
