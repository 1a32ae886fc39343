// Four robots find out what to do: a cart swings its pole up, a hopper jumps, a quadruped stands up, a humanoid keeps its balance.
//
// Each has the same kind of cost and is planned for by differential dynamic programming (mjx/control.hpp); the cart also by sampling.
// Prints what came of it, with milliseconds per iteration, and fails if a robot did not do what it should.
#include "mjx/control.hpp"
#include "mjx/mjx.hpp"

#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace {

// A body at a height above a place, upright, at rest, the joints in a pose, with little effort.
struct Task {
    int body;
    double height, place = 0;
    double for_height = 1, for_place = 0, upright = 0, pose = 0, rest = 0.02, effort = 0.05, at_end = 5;
    std::vector<double> joints{};

    template <class M, class D, class R>
    void operator()(const M& m, const D& d, bool last, R&& r) const {
        const double w = last ? at_end : 1;
        r((d.xipos[body][2] - height) * (for_height * w));
        r((d.subtree_com[0][0] - place) * (for_place * w));
        for (int k = 0; k < 2 && upright > 0; ++k) r(d.xmat[body](k, 2) * (upright * w));
        for (int j = 0; j < m.njnt && pose > 0; ++j)
            if (m.jnt_limited[j]) r((d.qpos[m.jnt_qposadr[j]] - joints[static_cast<std::size_t>(m.jnt_qposadr[j])]) * (pose * w));
        for (int i = 0; i < m.nv; ++i) r(d.qvel[i] * (rest * w));
        for (int u = 0; u < m.nu && !last; ++u) r(d.ctrl[u] * effort);
    }
};

using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;

double now() { return double(std::clock()) / CLOCKS_PER_SEC; }  // of all cores together
mjx::Model<double> load(const std::string& file) { return mjx::load_mjcf(std::string(MJX_EXAMPLES_DIR) + "/" + file); }

// Improves the plan for the state of sim and carries it out. Gives the height of the task's body at the end.
double plan_and_do(Sim& sim, const Task& task, int horizon, int iterations, const char* name) {
    mjx::ILQR plan(sim, task, horizon);
    const double start = now();
    int count = 0;
    double first = 0;
    while (count < iterations && plan.improve(sim) && ++count)
        if (count == 1) first = plan.cost();
    std::printf("%s: cost %.3g after the first, %.3g after %d iterations of %.1f ms", name, first, plan.cost(), count,
                (now() - start) * 1e3 / (count + 1));
    for (int t = 0; t < horizon; ++t) {
        for (int u = 0; u < sim.model().nu; ++u) sim.ctrl()[u] = plan.controls()(static_cast<std::size_t>(t), static_cast<std::size_t>(u));
        sim.step();
    }
    sim.forward();
    const double height = sim.data().xipos[task.body][2];
    std::printf("; height %.3f\n", height);
    return height;
}

bool swing_up() {
    Sim sim(load("../tests/models/cartpole.xml"));
    const Task task{
        .body = sim.model().body("pole"), .height = 0.6, .for_height = 1, .for_place = 0.3, .rest = 0.03, .effort = 0.03, .at_end = 10};
    sim.qpos()[1] = 3.14;
    const mjx::State<double> start(sim.data());
    const bool up = plan_and_do(sim, task, 300, 200, "cart-pole") > 0.55;

    auto tries = mjx::sampling<mjx::pack<double>, mjx::Euler, mjx::Newton>(sim.model(), task, {.horizon = 300, .samples = 64});
    const double begin = now();
    for (int k = 0; k < 30; ++k) tries.improve(start);
    std::printf("cart-pole by sampling: cost %.3g, 64 samples in %.1f ms\n", tries.cost(), (now() - begin) * 1e3 / 30);
    return up;
}

bool jump() {
    Sim sim(load("models/hopper.xml"));
    const int torso = sim.model().body("torso");
    // a leg that is bent has a way to go
    sim.qpos()[1] = -0.3;
    sim.qpos()[3] = -0.8;
    sim.qpos()[4] = 1.6;
    sim.qpos()[5] = -0.8;
    return plan_and_do(sim, {.body = torso, .height = 1.7, .for_height = 0.2, .upright = 0.5, .rest = 0.005, .effort = 0.05, .at_end = 20},
                       120, 60, "hopper") > 1.6;
}

bool stand_up() {
    Sim sim(load("models/quadruped.xml"));
    const auto& m = sim.model();
    for (const std::string leg : {"front_left", "front_right", "back_left", "back_right"}) {
        sim.qpos()[m.jnt_qposadr[m.joint(leg + "_swing")]] = 1.3;
        sim.qpos()[m.jnt_qposadr[m.joint(leg + "_knee")]] = -2.5;
    }
    sim.qpos()[2] = 0.14;
    sim.step(100);
    Task task{
        .body = m.body("trunk"), .height = 0.38, .for_height = 4, .upright = 2, .pose = 0.1, .rest = 0.02, .effort = 0.02, .at_end = 5};
    task.joints.assign(static_cast<std::size_t>(m.nq), 0.0);
    for (const std::string leg : {"front_left", "front_right", "back_left", "back_right"}) {
        task.joints[static_cast<std::size_t>(m.jnt_qposadr[m.joint(leg + "_swing")])] = 0.5;
        task.joints[static_cast<std::size_t>(m.jnt_qposadr[m.joint(leg + "_knee")])] = -1;
    }
    return plan_and_do(sim, task, 120, 60, "quadruped") > 0.33;
}

// Planned until the plan is good, then again every few steps, for the 50 that follow. How it stands is asked for with a weight that counts:
// a plan of a quarter of a second that is free to bend the knees ends in falls that come later.
bool balance() {
    Sim sim(load("../tests/models/humanoid.xml"));
    const auto& m = sim.model();
    const int torso = m.body("torso");
    sim.forward();
    Task task{.body = torso,
              .height = sim.data().xipos[torso][2],
              .for_height = 5,
              .for_place = 5,
              .upright = 3,
              .pose = 1,
              .rest = 0.05,
              .effort = 0.05,
              .at_end = 3};
    task.joints.assign(static_cast<std::size_t>(m.nq), 0.0);
    task.place = sim.data().subtree_com[0][0];
    mjx::ILQR plan(sim, task, 50);
    int iterations = 0;
    const double start = now();
    while (++iterations < 20 && plan.improve(sim, 1e-3)) {
    }
    for (int t = 0; t < 200; ++t) {
        if (t % 5 == 0) iterations += (plan.improve(sim), 1);
        for (int u = 0; u < m.nu; ++u) sim.ctrl()[u] = plan.controls()(0, static_cast<std::size_t>(u));
        plan.shift();
        sim.step();
    }
    std::printf("humanoid: cost %.3g, %.1f ms per iteration of 50 steps; height %.3f after a second\n", plan.cost(),
                (now() - start) * 1e3 / iterations, sim.data().xipos[torso][2]);
    return sim.data().xipos[torso][2] > task.height - 0.1;
}

}  // namespace

int main() {
    const bool done[] = {swing_up(), jump(), stand_up(), balance()};
    return done[0] && done[1] && done[2] && done[3] ? 0 : 1;
}
