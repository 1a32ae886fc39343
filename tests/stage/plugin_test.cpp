// What MuJoCo has as plugins, and the tactile sensor, is part of every kind of model and of number; a cable bends as the rod it stands for.
#include "catch.hpp"
#include "load.hpp"

#include "plugins.hpp"

#include "mjx/batch/lanes.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

using namespace mjx;

namespace {

template <class S, class M = Model<>>
using Sim = Simulator<S, Euler, Newton, M>;

template <class A, class B>
bool equal(const A& a, const B& b) {
    bool same = a.size() == b.size();
    for (int i = 0; same && i < static_cast<int>(a.size()); ++i) same = a[i] == b[i];
    return same;
}

// A straight cable of three bodies along x, fixed at its beginning; the section is that of `geom`.
Model<> rod(const std::string& geom) {
    return load_model_string("<mujoco><option gravity='0 0 0'/><worldbody><composite type='cable' curve='s' count='4' size='0.6' "
                             "initial='none'><plugin plugin='mujoco.elasticity.cable'><config key='twist' value='7e4'/>"
                             "<config key='bend' value='9e4'/></plugin><geom " +
                             geom + "/></composite></worldbody></mujoco>");
}

}  // namespace

TEST_CASE("a lane with plugins is its environment alone, bit by bit, and so is a fixed model") {
    using P = pack<double>;
    const auto model = load_scene("plugins");
    const auto lanes = std::make_unique<Sim<P>>(model);
    const auto fixed = std::make_unique<Sim<double, models::Plugins>>();
    std::vector<Sim<double>> alone;
    for (int k = 0; k < lanes_v<P>; ++k) {
        alone.emplace_back(model);
        for (int u = 0; u < model.nu; ++u) set_lane(lanes->ctrl()[u], k, alone.back().ctrl()[u] = 0.2 * (k + 1) - 0.3 * u);
        for (int i = 0; i < model.nv; ++i) set_lane(lanes->qvel()[i], k, alone.back().qvel()[i] = 0.1 * ((i + k) % 5 - 2));
    }
    for (int u = 0; u < model.nu; ++u) fixed->ctrl()[u] = alone[0].ctrl()[u];
    for (int i = 0; i < model.nv; ++i) fixed->qvel()[i] = alone[0].qvel()[i];
    lanes->step(10);
    fixed->step(10);
    for (int k = 0; k < lanes_v<P>; ++k) {
        auto& sim = alone[static_cast<std::size_t>(k)];
        sim.step(10);
        bool same = true;
        int felt[2] = {};  // by the grid, by the tactile sensor
        for (int i = 0; i < model.nq; ++i) same = same && lane(lanes->qpos()[i], k) == sim.qpos()[i];
        for (int i = 0; i < model.na; ++i) same = same && lane(lanes->act()[i], k) == sim.act()[i];
        for (int i = 0; i < model.nsensordata; ++i) {
            same = same && lane(lanes->data().sensordata[i], k) == sim.data().sensordata[i];
            felt[i >= model.sensor_adr[1]] += sim.data().sensordata[i] != 0;
        }
        CHECK(same);
        CHECK(felt[0] > 0);
        CHECK(felt[1] > 2);
    }
    CHECK(equal(fixed->qpos(), alone[0].qpos()));
    CHECK(equal(fixed->act(), alone[0].act()));
    CHECK(equal(fixed->data().sensordata, alone[0].data().sensordata));
}

TEST_CASE("a cable twists and bends with the stiffness of a rod of its section") {
    const double l = 0.2, r = 0.02, G = 7e4, E = 9e4, h = 0.03, w = 0.01, angle = 0.3;
    const double round = std::numbers::pi * std::pow(r, 4);
    struct Row {
        const char* geom;
        double stiffness[3];
    };
    const double torsion = h * w * w * w * (16. / 3 - 3.36 * w / h * (1 - std::pow(w / h, 4) / 12));
    const Row rows[] = {{"type='capsule' size='0.02'", {G * round / 2 / l, E * round / 4 / l, E * round / 4 / l}},
                        {"type='cylinder' size='0.02'", {G * round / 2 / l, E * round / 4 / l, E * round / 4 / l}},
                        {"type='box' size='1 0.03 0.01'", {G * torsion / l, E * 4 * h * w * w * w / 3 / l, E * 4 * w * h * h * h / 3 / l}}};
    for (const Row& row : rows)
        for (int axis = 0; axis < 3; ++axis) {
            Sim<double> sim(rod(row.geom));
            sim.qpos()[4] = std::cos(angle / 2);
            sim.qpos()[4 + 1 + axis] = std::sin(angle / 2);
            sim.forward();
            for (int i = 0; i < 6; ++i)
                CHECK(sim.data().qfrc_passive[i] == Approx(i == 3 + axis ? -row.stiffness[axis] * angle : 0).epsilon(1e-6).margin(1e-9));
        }
}

TEST_CASE("a cable gives back the energy that bends it") {
    // without gravity or damping a released cable swings: kinetic energy and that of the joints, K θ²/2 each, keep their sum
    auto model = rod("type='capsule' size='0.02'");
    model.opt.timestep = 1e-5;
    Sim<double> sim(model);
    for (int j = 0; j < 2; ++j) {
        sim.qpos()[4 * j] = std::cos(0.1);
        sim.qpos()[4 * j + 2] = std::sin(0.1);
    }
    const double stiffness = 9e4 * std::numbers::pi * std::pow(0.02, 4) / 4 / 0.2;
    const auto energy = [&] {
        double sum = 0;
        for (int j = 0; j < 2; ++j) sum += 0.5 * stiffness * std::pow(2 * std::atan2(sim.qpos()[4 * j + 2], sim.qpos()[4 * j]), 2);
        for (int i = 0; i < sim.model().nv; ++i)
            for (int k = 0; k < sim.model().M_rownnz[i]; ++k) {
                const int at = sim.model().M_rowadr[i] + k, column = sim.model().M_colind[at];
                sum += (column == i ? 0.5 : 1) * sim.data().M[at] * sim.qvel()[i] * sim.qvel()[column];
            }
        return sum;
    };
    sim.forward();
    const double before = energy();
    double moving = 0;
    for (int k = 0; k < 20; ++k) {
        sim.step(500);
        sim.forward();
        moving = std::max(moving, std::abs(sim.qvel()[1]));
        CHECK(energy() == Approx(before).epsilon(2e-3));
    }
    CHECK(moving > 0.1);
}

TEST_CASE("cables that cannot be are refused") {
    const auto error_of = [](const std::string& bodies) {
        try {
            load_model_string(
                "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'><instance name='i'/></plugin></extension><worldbody>" +
                bodies + "</worldbody></mujoco>");
        } catch (const model_error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    const auto contains = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    const std::string first = "<body><plugin instance='i'/><joint/><geom type='capsule' size='.1 .1'/>";
    const std::string ball = "<plugin instance='i'/><joint type='ball'/><geom type='capsule' size='.1 .1'/>";
    CHECK(error_of(first + "<body pos='1 0 0'>" + ball + "</body></body>") == "");
    CHECK(contains(error_of(first + "<body>" + ball + "</body></body>"), "away from the one before"));
    CHECK(contains(error_of(first + "</body><body pos='1 0 0'>" + ball + "</body>"), "child of the one before"));
    CHECK(contains(error_of(first + "<body pos='1 0 0'><plugin instance='i'/><joint/><geom type='capsule' size='.1 .1'/></body></body>"),
                   "a ball"));
    CHECK(contains(error_of(first + "<body pos='1 0 0'><plugin instance='i'/><joint type='ball'/><geom size='.1'/></body></body>"),
                   "a capsule, a cylinder or a box"));
    CHECK(contains(error_of("<plugin instance='i'/>"), "the world cannot have <plugin>"));
}
