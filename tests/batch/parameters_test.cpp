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
            <body pos="0.1 0 0.1"><joint name="arm" axis="0 1 0" damping="0.1" stiffness="1"/>
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
// The same in a model whose lane k is environment first + k.
template <class S>
S factor(int first, int i, int last) {
    S result(0);
    for (int k = 0; k < mjx::lanes_v<S>; ++k) mjx::set_lane(result, k, mjx::lane_t<S>(vary(std::min(first + k, last), i)));
    return result;
}

template <class S>
bool same_bits(const S& a, const S& b) {
    return std::memcmp(&a, &b, sizeof(S)) == 0;
}

}  // namespace

TEMPLATE_TEST_CASE("environments have masses, sizes, frictions, gains, damping and gravity of their own", "", double, float,
                   mjx::pack<float>) {
    using S = TestType;
    constexpr int lanes = mjx::lanes_v<S>, environments = 2 * lanes + 1;
    for (const int threads : {1, 3}) {
        Batch<S> batch(mjx::cast<S>(scene()), environments, threads);
        for (const char* name : {"body_mass", "geom_size", "geom_friction", "actuator_gainprm", "dof_damping", "gravity", "geom_solref"})
            vary_table(batch, name);
        auto ctrl = batch.ctrl();
        ctrl.fill(0.5);
        batch.set_ctrl(ctrl);
        batch.step(steps);
        const auto qpos = batch.qpos();

        for (int block = 0; block < 3; ++block) {
            const auto scale = [&](int i) { return factor<S>(block * lanes, i, environments - 1); };
            auto m = mjx::cast<S>(scene());
            for (int b = 0; b < m.nbody; ++b) set_mass(m, b, S(m.body_mass[b] * scale(b)));
            set_constants(m);
            for (int g = 0; g < m.ngeom; ++g) {
                const auto size = m.geom_size[g];
                set_size(m, g, mjx::Vec3<S>{{size[0] * scale(g), size[1] * scale(g + 1), size[2] * scale(g + 2)}});
            }
            set_constants(m);
            for (int g = 0; g < m.ngeom; ++g) {
                for (int c = 0; c < 3; ++c) m.geom_friction[g][c] *= scale(g + c);
                for (int c = 0; c < 2; ++c) m.geom_solref[g][c] *= scale(g + c);
            }
            for (int c = 0; c < mjx::ngain; ++c) m.actuator_gainprm[0][c] *= scale(c);
            for (int i = 0; i < m.nv; ++i) m.dof_damping[i] *= scale(i);
            for (int c = 0; c < 3; ++c) m.opt.gravity[c] *= scale(c);

            mjx::Simulator<S, mjx::Euler, mjx::Newton, mjx::Model<S>> sim(m);
            sim.ctrl()[0] = S(0.5);
            sim.step(steps);
            REQUIRE(sim.data().ncon > 0);
            for (int k = 0; k < lanes && block * lanes + k < environments; ++k)
                for (int i = 0; i < m.nq; ++i) {
                    INFO("environment " << block * lanes + k << ", qpos " << i);
                    CHECK(qpos(std::size_t(block * lanes + k), std::size_t(i)) == mjx::lane(sim.qpos()[i], k));
                }
        }
    }
}

TEST_CASE("parameters are read as they were set, and shared again on request") {
    Batch<double> batch(scene(), 5, 2);
    const auto before = batch.parameters("dof_armature");
    CHECK((before.shape() == std::array<std::size_t, 3>{5, std::size_t(scene().nv), 1}));
    auto armature = before;
    for (std::size_t e = 0; e < 5; ++e) armature(e, 6, 0) = 0.01 * double(e);
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

TEST_CASE("parameters that do not exist or cannot differ are refused") {
    Batch<double> batch(scene(), 3, 1);
    CHECK_THROWS_WITH(batch.parameters("geom_fiction"),
                      "Batch: the model has no 'geom_fiction', expected a table such as geom_friction or an option such as gravity");
    CHECK_THROWS_WITH(batch.parameters("geom_condim"), "Batch: all environments share 'geom_condim', expected a table of real numbers");
    CHECK_THROWS_WITH(batch.set_parameters("gravity", batch.parameters("geom_friction")),
                      "Batch: gravity was given an array of shape (3, 3, 3), expected (3, 1, 3)");
}
