// Environments with parameters of their own move as simulators do whose model has these parameters, bit by bit.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/batch/batch.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/robotics/parameters.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/solver/newton.hpp"

#include <cstring>

namespace {

const mjx::Model<>& scene() {
    static const mjx::Model<> model = load_model_string(R"(<mujoco><option timestep="0.004"/><worldbody>
        <geom type="plane" size="5 5 1"/>
        <body name="box" pos="0 0 0.1"><freejoint/><geom name="box" type="box" size="0.1 0.08 0.1"/>
            <body pos="0.1 0 0.1"><joint name="arm" axis="0 1 0" damping="0.1" stiffness="1" armature="0.01"/>
                <geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 0"/><site name="tip" pos="0.2 0 0"/></body></body></worldbody>
        <tendon><spatial name="rope" stiffness="5"><site site="tip"/><site site="hook"/></spatial></tendon>
        <worldbody><site name="hook" pos="0.3 0 0.5"/></worldbody>
        <actuator><position joint="arm" kp="3"/></actuator></mujoco>)");
    return model;
}
constexpr int steps = 40;
double vary(int e, int i) { return 1 + 0.3 * ((5 * e + 3 * i) % 7 - 3) / 3.0; }

template <class S>
using Batch = mjx::Batch<S, mjx::Euler, mjx::Newton, mjx::Model<S>>;

// Each number of a table times a factor of its environment.
template <class S>
void vary_table(Batch<S>& batch, const char* name) {
    auto x = batch.parameters(name);
    for (std::size_t e = 0; e < x.shape(0); ++e)
        for (std::size_t i = 0; i < x.shape(1); ++i)
            for (std::size_t c = 0; c < x.shape(2); ++c) x(e, i, c) *= mjx::lane_t<S>(vary(int(e), int(i + c)));
    batch.set_parameters(name, x);
}
// The same numbers, rounded as those of the batch were, in a model of double.
template <class T>
mjx::Model<> varied(mjx::Model<> m, int e) {
    const auto times = [&](double x, int i) { return static_cast<double>(static_cast<T>(x) * static_cast<T>(vary(e, i))); };
    const auto vary_items = [&](auto& table) {
        for (int i = 0; i < table.size(); ++i) {
            int c = i;
            mjx::for_each_component([&](double& x) { x = times(x, c++); }, table[i]);
        }
    };
    for (int b = 0; b < m.nbody; ++b) set_mass(m, b, times(m.body_mass[b], b));
    set_constants(m);
    for (int g = 0; g < m.ngeom; ++g) {
        const auto size = m.geom_size[g];
        set_size(m, g, mjx::Vec3<double>{{times(size[0], g), times(size[1], g + 1), times(size[2], g + 2)}});
    }
    set_constants(m);
    vary_items(m.body_inertia);
    set_constants(m);
    for (int i = 0; i < m.nv; ++i) m.dof_armature[i] = times(m.dof_armature[i], i);
    set_constants(m);
    vary_items(m.geom_friction);
    vary_items(m.actuator_gainprm);
    vary_items(m.dof_damping);
    for (int c = 0; c < 3; ++c) m.opt.gravity[c] = times(m.opt.gravity[c], c);
    vary_items(m.geom_solref);
    return m;
}
constexpr std::array tables{"body_mass",        "geom_size",   "body_inertia", "dof_armature", "geom_friction",
                            "actuator_gainprm", "dof_damping", "gravity",      "geom_solref"};

// Every environment of a batch that is made of `given` has the constants and moves as a simulator of plain numbers does whose model has its
// parameters.
template <class S, class Given>
void check_environments(const Given& given, const mjx::Model<>& whole, int threads) {
    using T = mjx::lane_t<S>;
    constexpr int lanes = mjx::lanes_v<S>, environments = 2 * lanes + 1;
    Batch<S> batch(given, environments, threads);
    for (const char* name : tables) vary_table(batch, name);
    auto ctrl = batch.ctrl();
    ctrl.fill(T(0.5));
    batch.set_ctrl(ctrl);
    batch.step(steps);
    const auto qpos = batch.qpos();
    const auto invweights = batch.parameters("body_invweight0"), diagonal = batch.parameters("dof_M0");
    const auto at = [](auto& array, int e, int i, int c) { return array(std::size_t(e), std::size_t(i), std::size_t(c)); };
    for (int e = 0; e < environments; ++e) {
        mjx::Simulator<T, mjx::Euler, mjx::Newton> sim(varied<T>(whole, e));
        const auto& m = sim.model();
        sim.ctrl()[0] = T(0.5);
        sim.step(steps);
        REQUIRE(sim.data().ncon > 0);
        for (int b = 0; b < m.nbody; ++b)
            for (int c = 0; c < 2; ++c) CHECK(at(invweights, e, b, c) == m.body_invweight0[b][c]);
        for (int i = 0; i < m.nv; ++i) CHECK(at(diagonal, e, i, 0) == m.dof_M0[i]);
        for (int i = 0; i < m.nq; ++i) {
            INFO("environment " << e << ", qpos " << i);
            CHECK(qpos(std::size_t(e), std::size_t(i)) == sim.qpos()[i]);
        }
    }
}

template <class S>
bool same_bits(const S& a, const S& b) {
    return std::memcmp(&a, &b, sizeof(S)) == 0;
}

}  // namespace

TEMPLATE_TEST_CASE("environments have masses, sizes, inertias, armatures, frictions, gains, damping and gravity of their own", "", double,
                   float, mjx::pack<double>, mjx::pack<float>) {
    for (const int threads : {1, 3}) check_environments<TestType>(scene(), scene(), threads);
}

TEST_CASE("a batch that is made of a model of lanes works out from its numbers what follows") {
    using P = mjx::pack<float>;
    check_environments<P>(mjx::cast<P>(scene()), mjx::cast<double>(mjx::cast<float>(scene())), 2);
}

TEST_CASE("what lanes of the model have of their own, and what a program changes in it, goes into what follows") {
    using P = mjx::pack<float>;
    constexpr int lanes = mjx::lanes_v<P>;
    const auto length = [](int k) { return 0.1f + 0.01f * float(k); };
    Batch<P> batch(scene(), lanes + 1, 1);
    for (int k = 0; k < lanes; ++k) mjx::set_lane(batch.model().body_pos[2][0], k, length(k));
    vary_table(batch, "dof_armature");
    batch.step(steps);
    const auto qpos = batch.qpos();
    for (int e = 0; e < lanes + 1; ++e) {
        auto m = scene();
        m.body_pos[2][0] = double(length(e % lanes));
        for (int i = 0; i < m.nv; ++i) m.dof_armature[i] = double(float(m.dof_armature[i]) * float(vary(e, i)));
        set_constants(m);
        mjx::Simulator<float, mjx::Euler, mjx::Newton> sim(m);
        sim.step(steps);
        for (int i = 0; i < m.nq; ++i) CHECK(qpos(std::size_t(e), std::size_t(i)) == sim.qpos()[i]);
    }
}

TEST_CASE("frames coincide in some environments of a block and not in others") {
    using P = mjx::pack<double>;
    Batch<P> batch(scene(), mjx::lanes_v<P>, 1);
    REQUIRE(scene().body_sameframe[1] == mjx::sameframe::body);
    auto centre = batch.parameters("body_ipos");
    for (std::size_t e = 0; e < centre.shape(0); e += 2) centre(e, 1, 0) = 0.01;
    batch.set_parameters("body_ipos", centre);
    batch.step(steps);
    const auto qpos = batch.qpos();
    for (int e = 0; e < batch.size(); ++e) {
        auto m = scene();
        m.body_ipos[1][0] = e % 2 == 0 ? 0.01 : 0;
        set_constants(m);
        mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(m);
        sim.step(steps);
        for (int i = 0; i < m.nq; ++i) CHECK(qpos(std::size_t(e), std::size_t(i)) == Approx(sim.qpos()[i]).margin(1e-11));
    }
}

TEST_CASE("parameters are read as they were set, and shared again on request") {
    Batch<double> batch(scene(), 5, 2);
    const auto before = batch.parameters("dof_armature");
    CHECK((before.shape() == std::array<std::size_t, 3>{5, std::size_t(scene().nv), 1}));
    auto armature = before;
    for (std::size_t e = 0; e < 5; ++e) armature(e, 6, 0) = 0.01 * double(e + 1);
    batch.set_parameters("dof_armature", armature);
    CHECK((batch.parameters("dof_armature") == armature));
    const auto weights = batch.parameters("dof_invweight0");  // follow from it
    CHECK(weights(4, 6, 0) < weights(0, 6, 0));
    CHECK(weights(0, 6, 0) == Approx(scene().dof_invweight0[6]).epsilon(1e-12));
    batch.share_parameters();
    CHECK((batch.parameters("dof_armature") == before));
    batch.step();
}

TEST_CASE("parameters that only forces know leave all constants alone") {
    Batch<double> batch(scene(), 3, 1);
    auto friction = batch.parameters("geom_friction");
    friction(1, 0, 0) = 0.3;
    batch.set_parameters("geom_friction", friction);
    batch.inspect(1, [](const auto& m, const auto&, int) {
        CHECK(m.geom_friction[0][0] == 0.3);
        CHECK(same_bits(m.body_invweight0[1], scene().body_invweight0[1]));
    });
}

TEST_CASE("derivatives are those of each environment's own parameters") {
    Batch<double> batch(scene(), 3, 2);
    vary_table(batch, "body_mass");
    vary_table(batch, "actuator_gainprm");
    const auto [A, B] = batch.derivatives();
    for (int e = 0; e < 3; ++e) {
        auto m = scene();
        for (int b = 0; b < m.nbody; ++b) set_mass(m, b, m.body_mass[b] * vary(e, b));
        set_constants(m);
        for (int c = 0; c < mjx::ngain; ++c) m.actuator_gainprm[0][c] *= vary(e, c);
        const mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(m);
        const auto alone = derivatives(sim);
        for (std::size_t i = 0; i < A.shape(1); ++i) {
            for (std::size_t j = 0; j < A.shape(2); ++j) CHECK(A(std::size_t(e), i, j) == Approx(alone.A(i, j)).margin(1e-12));
            CHECK(B(std::size_t(e), i, 0) == Approx(alone.B(i, 0)).margin(1e-12));
        }
    }
}

TEST_CASE("derivatives are those of the shared parameters again once these are shared") {
    Batch<double> batch(scene(), 3, 1);
    const auto before = batch.derivatives();
    vary_table(batch, "body_mass");
    CHECK((batch.derivatives().A != before.A));
    batch.share_parameters();
    CHECK((batch.derivatives().A == before.A));
}

TEST_CASE("parameters that do not exist or cannot differ are refused") {
    Batch<double> batch(scene(), 3, 1);
    CHECK_THROWS_WITH(batch.parameters("geom_fiction"),
                      "Batch: the model has no 'geom_fiction', expected a table such as geom_friction or an option such as gravity");
    CHECK_THROWS_WITH(batch.parameters("geom_condim"), "Batch: all environments share 'geom_condim', expected a table of real numbers");
    CHECK_THROWS_WITH(batch.set_parameters("gravity", batch.parameters("geom_friction")),
                      "Batch: gravity was given an array of shape (3, 3, 3), expected (3, 1, 3)");
}
