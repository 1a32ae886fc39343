// Batches and snapshots with every solver: what a solver remembers belongs to its environment.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/batch/batch.hpp"
#include "mjx/data/state.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/solver/cg.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/solver/pgs.hpp"

#include <memory>

namespace {

constexpr int environments = 5;

const mjx::Model<>& scene() {
    static const mjx::Model<> model = load_model_string(R"(<mujoco><option iterations="30" timestep="0.004"/><worldbody>
        <geom type="plane" size="5 5 1"/>
        <body pos="0 0 0.12"><freejoint/><geom type="box" size="0.1 0.08 0.1"/>
            <body pos="0.1 0 0.1"><joint axis="0 1 0" range="-10 40"/>
                <geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 0"/></body></body>
        <body pos="0.2 0 0.4"><freejoint/><geom size="0.05"/></body></worldbody></mujoco>)");
    return model;
}

// Each environment starts by itself: turned, thrown.
double start(int environment, int dof) { return 0.2 * static_cast<double>((3 * environment + 5 * dof) % 7) - 0.6; }

template <class Sim>
void throw_things(Sim& sim, int environment) {
    for (int i = 0; i < sim.model().nv; ++i) sim.qvel()[i] = start(environment, i);
}

template <class S, class Solver>
using Batch = mjx::Batch<S, mjx::Euler, Solver>;

template <class S, class Solver>
mjx::Matrix<mjx::lane_t<S>> run(int threads, int size = environments) {
    Batch<S, Solver> batch(scene(), size, threads);
    auto qvel = batch.qvel();
    for (std::size_t e = 0; e < qvel.shape(0); ++e)
        for (std::size_t i = 0; i < qvel.shape(1); ++i)
            qvel(e, i) = static_cast<mjx::lane_t<S>>(start(static_cast<int>(e), static_cast<int>(i)));
    batch.set_qvel(qvel);
    for (int k = 0; k < 6; ++k) batch.step(10);
    return batch.qpos();
}

}  // namespace

TEMPLATE_TEST_CASE("an environment of a batch moves as it does alone, bit by bit, on any number of threads", "", mjx::PGS, mjx::CG,
                   mjx::Newton, mjx::CachedPGS, mjx::Penalty) {
    const auto one = run<double, TestType>(1);
    CHECK((run<double, TestType>(3) == one));
    for (int e = 0; e < environments; ++e) {
        mjx::Simulator<double, mjx::Euler, TestType> alone(scene());
        throw_things(alone, e);
        int contacts = 0;
        for (int k = 0; k < 60; ++k) {
            alone.step();
            contacts += alone.data().ncon;
        }
        REQUIRE(contacts > 0);
        for (int i = 0; i < scene().nq; ++i) CHECK(one(static_cast<std::size_t>(e), static_cast<std::size_t>(i)) == alone.qpos()[i]);
    }
}

TEMPLATE_TEST_CASE("blocks of lanes give the same bits on any number of threads, whatever their solver remembers", "", mjx::PGS, mjx::CG,
                   mjx::Newton, mjx::CachedPGS, mjx::Penalty) {
    using S = mjx::pack<double>;
    constexpr int size = 2 * mjx::lanes_v<S> + 1;  // a block for each of three threads
    const auto one = run<S, TestType>(1, size);
    for (const int threads : {2, 3}) CHECK((run<S, TestType>(threads, size) == one));
}

TEMPLATE_TEST_CASE("a simulation goes on from its snapshot as it would have, bit by bit", "", mjx::PGS, mjx::CG, mjx::Newton,
                   mjx::CachedPGS, mjx::Penalty) {
    mjx::Simulator<double, mjx::Euler, TestType> sim(scene()), other(scene());
    throw_things(sim, 1);
    throw_things(other, 2);
    sim.step(40);
    other.step(25);  // has contacts of its own to remember
    const mjx::State saved(sim.data());
    saved.restore(other.data());
    sim.step(20);
    other.step(20);
    REQUIRE(sim.data().ncon > 0);
    for (int i = 0; i < scene().nq; ++i) CHECK(other.qpos()[i] == sim.qpos()[i]);
}

TEMPLATE_TEST_CASE("the state of a lane comes with what its solver remembers, and takes nothing from the other lanes", "", mjx::CachedPGS,
                   mjx::Penalty) {
    using S = mjx::pack<double>;
    mjx::Simulator<S, mjx::Euler, TestType> from(scene()), to(scene());
    throw_things(from, 1);
    throw_things(to, 2);
    for (auto* sim : {&from, &to})
        for (int k = 0; k < 200 && sim->data().ncache == 0; ++k) sim->step();
    const int last = mjx::lanes_v<S> - 1;
    const auto moved = mjx::lane_state(from.data(), 0), neighbour = mjx::lane_state(to.data(), 0);
    REQUIRE(!moved.cache.empty());
    mjx::set_lane_state(to.data(), last, moved);
    const auto same = [](const auto& a, const auto& b) {
        REQUIRE(a.size() == b.size());
        for (std::size_t c = 0; c < a.size(); ++c) {
            CHECK((a[c].geom1 == b[c].geom1 && a[c].geom2 == b[c].geom2));
            for (int i = 0; i < 3; ++i) CHECK(a[c].cell[i] == b[c].cell[i]);
            for (int i = 0; i < 6; ++i) CHECK(a[c].force[i] == b[c].force[i]);
        }
    };
    same(mjx::lane_state(to.data(), last).cache, moved.cache);
    if (last > 0) same(mjx::lane_state(to.data(), 0).cache, neighbour.cache);
}

TEMPLATE_TEST_CASE("a lane moves as it does alone, bit by bit, beside one that starts again", "", mjx::PGS, mjx::CG, mjx::Newton,
                   mjx::CachedPGS, mjx::Penalty) {
    using S = mjx::pack<double>;
    const auto model = load_model_string(R"(<mujoco><option iterations="30" timestep="0.004"/><worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 0.12"><freejoint/><geom type="box" size="0.1 0.08 0.1"/>
            <body pos="0.1 0 0.1"><joint axis="0 1 0" range="-10 40"/>
                <geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 0"/></body></body></worldbody></mujoco>)");
    mjx::Simulator<double, mjx::Euler, TestType> alone(model);
    mjx::Simulator<S, mjx::Euler, TestType> lanes(model);
    throw_things(alone, 1), throw_things(lanes, 1);
    const int last = mjx::lanes_v<S> - 1;
    int touching = 0;
    for (int k = 0; k < 60; ++k) {
        if (k % 20 == 10) mjx::set_lane(lanes.data().qfrc_applied[0], last, 1e15);  // a bad qacc
        alone.step(), lanes.step();
        touching += alone.data().ncon > 0 && k % 20 == 10;
    }
    CHECK(touching > 0);
    CHECK(lanes.data().warning[mjx::warning::badqacc * mjx::lanes_v<S> + last] == 3);
    for (int i = 0; i < model.nq; ++i) CHECK(mjx::lane(lanes.qpos()[i], 0) == alone.qpos()[i]);
}
