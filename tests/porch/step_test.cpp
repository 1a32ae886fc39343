// The step in halves, of a model and its data apart, with a bad acceleration, and of a model with few joints.
#include "mjx/step.hpp"

namespace {

// From the names of step.hpp alone: a model of any kind, and data that is kept beside it.
template <class Integrator, class Solver, class M, class D>
void start_and_step(const M& m, D& d, int n) {
    mjx::reset(m, d);
    for (int i = 0; i < n; ++i) mjx::step<Integrator, Solver>(m, d);
    mjx::forward<Solver>(m, d);
}

}  // namespace

// From here on mjx:: is what tests see, the rooms too.
#include "catch.hpp"
#include "load.hpp"

#include "pendulum.hpp"

#include "mjx/integrators.hpp"
#include "mjx/joints.hpp"
#include "mjx/model.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

using namespace mjx;

namespace {

template <class A, class B>
bool same_state(const A& a, const B& b) {
    bool same = a.time() == b.time();
    for (int i = 0; i < a.qpos().size(); ++i) same = same && a.qpos()[i] == b.qpos()[i];
    for (int i = 0; i < a.qvel().size(); ++i) same = same && a.qvel()[i] == b.qvel()[i];
    for (int i = 0; i < a.qacc().size(); ++i) same = same && a.qacc()[i] == b.qacc()[i];
    for (int i = 0; i < a.act().size(); ++i) same = same && a.act()[i] == b.act()[i];
    for (int i = 0; i < a.sensordata().size(); ++i) same = same && a.sensordata()[i] == b.sensordata()[i];
    return same;
}

template <class Sim>
void disturb(Sim& sim) {
    for (int i = 0; i < sim.qvel().size(); ++i) sim.qvel()[i] = 0.1 * (i % 7) - 0.3;
}

}  // namespace

TEST_CASE("a model and its data step apart as they do in a Simulator") {
    auto sim = simulator<Euler, Newton>(load_scene("workshop"));
    const Model<> model = sim.model();
    Data<double, Model<>> d(model);
    start_and_step<Euler, Newton>(model, d, 20);
    sim.step(20);
    sim.forward();
    CHECK(d.time == Approx(20 * model.opt.timestep));
    for (int i = 0; i < model.nq; ++i) CHECK(d.qpos[i] == sim.qpos()[i]);
    for (int i = 0; i < model.nv; ++i) CHECK(d.qacc[i] == sim.qacc()[i]);
}

TEMPLATE_TEST_CASE("a control set between the halves of a step acts in that step", "", Euler, RK4, Implicit, ImplicitFast, Discrete,
                   ImplicitSpringDamper) {
    for (const char* scene : {"workshop", "humanoid"}) {
        auto model = load_scene(scene);
        model.opt.chosen = 0;
        auto whole = simulator<TestType, Newton>(model), halves = simulator<TestType, Newton>(model),
             idle = simulator<TestType, Newton>(model);
        disturb(whole), disturb(halves), disturb(idle);
        for (int k = 0; k < 4; ++k) {
            const double control = 0.4 - 0.1 * k;
            for (double& u : whole.ctrl()) u = control;
            whole.step();
            halves.step1();
            for (double& u : halves.ctrl()) u = control;
            halves.step2();
            idle.step();
            CHECK(same_state(whole, halves));
        }
        CHECK(!same_state(whole, idle));
    }
}

TEST_CASE("between the halves the state is known and time has not passed") {
    auto sim = simulator<Euler, Newton>(load_scene("humanoid"));
    disturb(sim);
    sim.step1();
    CHECK(sim.time() == 0);
    auto forward = simulator<Euler, Newton>(load_scene("humanoid"));
    disturb(forward);
    forward.forward();
    const int torso = sim.model().body("torso");
    for (int k = 0; k < 6; ++k) CHECK(sim.data().cvel[torso][k] == forward.data().cvel[torso][k]);
    for (int i = 0; i < sim.model().nv; ++i) CHECK(sim.data().qfrc_bias[i] == forward.data().qfrc_bias[i]);
    sim.step2();
    CHECK(sim.time() == sim.model().opt.timestep);
}

// As in MuJoCo: the environment starts again, and the step it was in is its first.
TEMPLATE_TEST_CASE("an acceleration out of bounds is counted and resets the environment", "", Newton, CG, PGS) {
    auto sim = simulator<Euler, TestType>(load_scene("humanoid")), fresh = simulator<Euler, TestType>(load_scene("humanoid"));
    fresh.step();
    for (const double force : {1e18, -1e18, 1e300, double(INFINITY), double(NAN)}) {
        sim.reset();
        disturb(sim);
        sim.step(3);
        sim.qfrc_applied()[sim.model().nv - 1] = force;
        sim.step();
        CHECK(sim.data().warning[warning::badqacc] == 1);
        CHECK(sim.data().warning[warning::badqvel] == 0);
        CHECK(sim.qfrc_applied()[sim.model().nv - 1] == 0);
        CHECK(same_state(sim, fresh));
        sim.step();
        CHECK(sim.data().warning[warning::badqacc] == 1);
    }
    // MuJoCo 3.12's state after such a step
    CHECK(fresh.time() == 0.005);
    CHECK(fresh.qpos()[fresh.model().nq - 1] == Approx(-1.9032414778060903e-05).epsilon(1e-7));
    CHECK(fresh.qvel()[fresh.model().nv - 1] == Approx(-0.0038064829556121805).epsilon(1e-7));
}

TEST_CASE("without autoreset an acceleration out of bounds is counted, and integrated") {
    auto model = load_scene("pendulum");
    model.opt.disableflags |= disable::autoreset;
    auto sim = simulator<Euler, Newton>(model);
    sim.step(3);
    sim.qfrc_applied()[0] = 1e18;
    sim.step();
    CHECK(sim.data().warning[warning::badqacc] == 1);
    CHECK(sim.time() == 0.008);
    CHECK(sim.qfrc_applied()[0] == 1e18);
    CHECK(sim.qvel()[0] == Approx(3920031360250882.).epsilon(1e-14));  // MuJoCo 3.12's
    CHECK(sim.qpos()[0] == Approx(7840062720501.7646).epsilon(1e-14));
    CHECK(sim.data().warning[warning::badqvel] == 0);
    sim.step();
    CHECK(sim.data().warning[warning::badqvel] == 1);
    CHECK(sim.data().warning[warning::badqacc] == 2);
}

TEST_CASE("a bad acceleration in one lane resets that lane alone") {
    using P = pack<double>;
    auto many = simulator<P, Euler, Newton, models::Pendulum>();
    auto fresh = simulator<Euler, Newton, models::Pendulum>(), other = simulator<Euler, Newton, models::Pendulum>();
    other.qvel()[0] = 0.5;
    other.step(3);
    fresh.step();
    many.qvel()[0] = P(0.5);
    many.step(2);
    set_lane(many.qfrc_applied()[0], 0, 1e18);
    many.step();
    CHECK(many.data().warning[warning::badqacc * P::size] == 1);
    CHECK(many.data().warning[warning::badqacc * P::size + 1] == 0);
    CHECK(lane(many.time(), 0) == fresh.time());
    CHECK(lane(many.time(), 1) == other.time());
    CHECK(lane(many.qpos()[0], 0) == Approx(fresh.qpos()[0]).margin(1e-15));
    CHECK(lane(many.qvel()[0], 1) == Approx(other.qvel()[0]).epsilon(1e-13));
}

TEST_CASE("a model that knows only its own kinds of joint steps as one that knows them all") {
    const auto all = load_scene("cheetah");
    const auto few = cast<double, joint_set<Hinge, Slide>>(all);
    auto a = simulator<RK4, PGS>(all);
    auto b = simulator<RK4, PGS>(few);
    disturb(a), disturb(b);
    for (int k = 0; k < 100; ++k) {
        for (int i = 0; i < a.ctrl().size(); ++i) a.ctrl()[i] = b.ctrl()[i] = 0.2 * ((i + k) % 3 - 1);
        a.step();
        b.step();
    }
    CHECK(a.data().ncon > 0);
    CHECK(same_state(a, b));
}
