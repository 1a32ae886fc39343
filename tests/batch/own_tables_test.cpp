// Environments of a fixed model with tables of their own move as simulators do of a runtime model with these parameters, bit by bit.
#include "catch.hpp"

#include "cheetah.hpp"
#include "tray.hpp"

#include "mjx/batch/batch.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/parameters.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/solver/newton.hpp"

namespace {

using Cheetah = models::Cheetah;
using Robot = mjx::WithOwn<Cheetah, "body_mass", "geom_size", "geom_friction", "actuator_gainprm", "dof_damping", "dof_armature", "gravity",
                           "geom_solref">;
constexpr int steps = 120;
double vary(int e, int i) { return 1 + 0.2 * ((5 * e + 3 * i) % 7 - 3) / 3.0; }
double control(int e, int i) { return 0.3 * ((e + i) % 5 - 2); }

template <class S>
using Batch = mjx::Batch<S, mjx::Euler, mjx::Newton, Robot>;

// Each number of a table times a factor of its environment.
template <class B>
void vary_table(B& batch, const char* name) {
    auto x = batch.parameters(name);
    for (std::size_t e = 0; e < x.shape(0); ++e)
        for (std::size_t i = 0; i < x.shape(1); ++i)
            for (std::size_t c = 0; c < x.shape(2); ++c) x(e, i, c) *= typename B::parameter_type(vary(int(e), int(i + c)));
    batch.set_parameters(name, x);
}
// The same numbers, rounded as those of the batch were, in a model of double.
template <class T>
double times(double x, int e, int i) {
    return static_cast<double>(static_cast<T>(x) * static_cast<T>(vary(e, i)));
}
template <class T>
mjx::Model<double> varied_model(int e) {
    auto m = mjx::cast<double>(Cheetah{});
    m.opt.chosen = 0;
    for (int b = 0; b < m.nbody; ++b) set_mass(m, b, times<T>(m.body_mass[b], e, b));
    set_constants(m);
    for (int g = 0; g < m.ngeom; ++g) {
        mjx::Vec3<double> size = m.geom_size[g];
        for (int c = 0; c < 3; ++c) size[c] = times<T>(size[c], e, g + c);
        set_size(m, g, size);
    }
    set_constants(m);
    for (int g = 0; g < m.ngeom; ++g) {
        for (int c = 0; c < 3; ++c) m.geom_friction[g][c] = times<T>(m.geom_friction[g][c], e, g + c);
        for (int c = 0; c < 2; ++c) m.geom_solref[g][c] = times<T>(m.geom_solref[g][c], e, g + c);
    }
    for (int i = 0; i < m.nactuator; ++i)
        for (int c = 0; c < mjx::ngain; ++c) m.actuator_gainprm[i][c] = times<T>(m.actuator_gainprm[i][c], e, i + c);
    for (int i = 0; i < m.nv; ++i) m.dof_damping[i] = times<T>(m.dof_damping[i], e, i);
    for (int i = 0; i < m.nv; ++i) m.dof_armature[i] = times<T>(m.dof_armature[i], e, i);
    set_constants(m);
    for (int c = 0; c < 3; ++c) m.opt.gravity[c] = times<T>(m.opt.gravity[c], e, c);
    return m;
}

}  // namespace

TEMPLATE_TEST_CASE("environments of a fixed model have masses, sizes, armatures, frictions, gains, damping and gravity of their own", "",
                   double, mjx::pack<float>) {
    using S = TestType;
    using T = mjx::value_t<S>;
    constexpr int lanes = mjx::lanes_v<S>, environments = 2 * lanes + 1;
    for (const int threads : {1, 3}) {
        Batch<S> batch(environments, threads);
        for (const char* name :
             {"body_mass", "geom_size", "geom_friction", "geom_solref", "actuator_gainprm", "dof_damping", "dof_armature", "gravity"})
            vary_table(batch, name);
        auto ctrl = batch.ctrl();
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < Cheetah::nu; ++i) ctrl(std::size_t(e), std::size_t(i)) = T(control(e, i));
        batch.set_ctrl(ctrl);
        batch.step(steps);
        const auto qpos = batch.qpos();
        bool touched = false;
        for (int e = 0; e < environments; ++e) {
            mjx::Simulator<T, mjx::Euler, mjx::Newton> sim(varied_model<T>(e));
            for (int i = 0; i < Cheetah::nu; ++i) sim.ctrl()[i] = T(control(e, i));
            sim.step(steps);
            touched = touched || sim.data().ncon > 0;
            for (int i = 0; i < Cheetah::nq; ++i) {
                INFO("environment " << e << ", qpos " << i);
                CHECK(qpos(std::size_t(e), std::size_t(i)) == sim.qpos()[i]);
            }
        }
        CHECK(touched);
    }
}

TEMPLATE_TEST_CASE("centres of mass and friction in joints are each environment's own, with the shortcuts that they allow", "", float,
                   mjx::pack<float>) {
    using S = TestType;
    using Tray = models::Tray;
    constexpr int lanes = mjx::lanes_v<S>, environments = lanes + 2, box = Tray::body("box"), ball = Tray::body("ball");
    constexpr int bend = Tray::jnt_dofadr[Tray::joint("bend")];
    mjx::Batch<S, mjx::Euler, mjx::Newton, mjx::WithOwn<Tray, "body_ipos", "dof_frictionloss">> batch(environments, 2);
    REQUIRE(Tray::body_sameframe[box] == mjx::inner::sameframe::body);
    // of the last two environments, which share a pack, box and ball stay as they are
    const auto shift = [](int e) { return e >= lanes ? 0.0f : 0.002f * float(e + 1); };
    auto centre = batch.parameters("body_ipos");
    auto friction = batch.parameters("dof_frictionloss");
    for (int e = 0; e < environments; ++e) {
        centre(std::size_t(e), box, 2) = centre(std::size_t(e), ball, 0) = shift(e);
        friction(std::size_t(e), bend, 0) = 0.01f * float(e);
    }
    batch.set_parameters("body_ipos", centre);
    batch.set_parameters("dof_frictionloss", friction);
    auto ctrl = batch.ctrl();
    ctrl.fill(0.1f);
    batch.set_ctrl(ctrl);
    batch.step(steps);
    const auto qpos = batch.qpos();
    for (int e = 0; e < environments; ++e) {
        auto m = mjx::cast<double>(Tray{});
        m.opt.chosen = 0;
        m.body_ipos[box][2] = m.body_ipos[ball][0] = double(shift(e));
        m.dof_frictionloss[bend] = double(0.01f * float(e));
        set_constants(m);
        mjx::Simulator<float, mjx::Euler, mjx::Newton> sim(m);
        for (int i = 0; i < Tray::nu; ++i) sim.ctrl()[i] = 0.1f;
        sim.step(steps);
        for (int i = 0; i < Tray::nq; ++i) {
            INFO("environment " << e << ", qpos " << i);
            CHECK(qpos(std::size_t(e), std::size_t(i)) == sim.qpos()[i]);
        }
    }

    friction(1, 0, 0) = 0.1f;
    CHECK_THROWS_WITH(
        batch.set_parameters("dof_frictionloss", friction),
        "Batch: environment 1: item 0 of 'dof_frictionloss' is zero in the fixed model, which has no code for another number; "
        "expected zero, or a model whose file gives it one");
    CHECK(batch.parameters("dof_frictionloss")(1, 0, 0) == 0);
    centre(1, box, 2) = 0;
    if (lanes == 1)
        batch.set_parameters("body_ipos", centre);
    else
        CHECK_THROWS_WITH(
            batch.set_parameters("body_ipos", centre),
            "Batch: environment 1: its frames are of another kind than those of environments in the same pack (body_sameframe), by "
            "numbers that are zero here or there; expected none or all of them to be");
}

TEST_CASE("parameters of a fixed model are read as they were set, shared again on request, and refused unless they are named") {
    mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, Robot> batch(5, 1);
    const auto before = batch.parameters("dof_armature");
    auto armature = before;
    for (std::size_t e = 0; e < 5; ++e) armature(e, 4, 0) = 0.01f * float(e + 1);
    batch.set_parameters("dof_armature", armature);
    CHECK((batch.parameters("dof_armature") == armature));
    const auto weights = batch.parameters("dof_invweight0");  // follow from it
    CHECK(weights(4, 4, 0) < weights(0, 4, 0));
    batch.share_parameters();
    CHECK((batch.parameters("dof_armature") == before));
    CHECK_THROWS_WITH(batch.parameters("jnt_range"),
                      Catch::Contains("Batch: all environments share 'jnt_range', expected one of those that "
                                      "WithOwn names, and it names body_mass, geom_size, geom_friction"));
    CHECK_THROWS_WITH(batch.parameters("geom_fiction"), Catch::Contains("Batch: the model has no 'geom_fiction'"));
}

TEST_CASE("derivatives, and steps on duals, are those of each environment's own parameters") {
    using Solver = mjx::Newton;
    Batch<double> batch(3, 2);
    mjx::Batch<mjx::dual<double, 1>, mjx::Euler, Solver, Robot> duals(3, 1);
    vary_table(batch, "body_mass");
    vary_table(duals, "body_mass");
    const auto [A, B] = batch.derivatives();
    batch.step(10);
    duals.step(10);
    const auto qpos = batch.qpos();
    const auto dual_qpos = duals.qpos();
    for (int e = 0; e < 3; ++e) {
        auto m = mjx::cast<double>(Cheetah{});
        m.opt.chosen = 0;
        for (int b = 0; b < m.nbody; ++b) set_mass(m, b, m.body_mass[b] * vary(e, b));
        set_constants(m);
        mjx::Simulator<double, mjx::Euler, Solver> sim(m);
        const auto alone = derivatives(sim);
        for (std::size_t i = 0; i < A.shape(1); ++i)
            for (std::size_t j = 0; j < A.shape(2); ++j) CHECK(A(std::size_t(e), i, j) == Approx(alone.A(i, j)).margin(1e-12));
        sim.step(10);
        for (int i = 0; i < Cheetah::nq; ++i) {
            CHECK(qpos(std::size_t(e), std::size_t(i)) == sim.qpos()[i]);
            CHECK(dual_qpos(std::size_t(e), std::size_t(i)).value == sim.qpos()[i]);
        }
    }
}
