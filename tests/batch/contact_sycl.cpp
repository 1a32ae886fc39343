// Contacts and solvers inside a SYCL kernel.
#include "catch.hpp"

#include "cheetah.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/solver/cg.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/solver/pgs.hpp"
#include "mjx/solver/unconstrained.hpp"
#include "mjx/sycl.hpp"

#include <cstring>
#include <memory>
#include <vector>

namespace {

using Cheetah = models::Cheetah;
constexpr int environments = 5, rounds = 3, steps = 40;

float control(int e, int i) { return 0.15f * float((e + i) % 5 - 2); }

}  // namespace

TEMPLATE_TEST_CASE("runners that meet the ground move as on the host, bit by bit, for any number of work items", "", mjx::Newton, mjx::CG,
                   mjx::PGS, mjx::CachedPGS, mjx::Penalty) {
    using Sim = mjx::Simulator<float, mjx::Euler, TestType, Cheetah>;
    std::vector<float> expected;
    bool touched = false;
    const auto sim = std::make_unique<Sim>();
    for (int e = 0; e < environments; ++e) {
        *sim = Sim();
        for (int i = 0; i < Cheetah::nu; ++i) sim->ctrl()[i] = control(e, i);
        sim->step(rounds * steps);
        touched = touched || sim->data().ncon > 0;
        expected.insert(expected.end(), sim->qpos().begin(), sim->qpos().end());
        expected.insert(expected.end(), sim->qvel().begin(), sim->qvel().end());
    }
    CHECK(touched);
    for (const int work_items : {0, 1, 3}) {
        mjx::SyclBatch<float, mjx::Euler, TestType, Cheetah> batch(environments, sycl::queue{}, work_items);
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < Cheetah::nu; ++i) batch.ctrl(e, i) = control(e, i);
        for (int round = 0; round < rounds; ++round) batch.step(steps);
        std::size_t next = 0;
        int different = 0;
        for (int e = 0; e < environments; ++e) {
            for (int i = 0; i < Cheetah::nq; ++i) different += batch.qpos(e, i) != expected[next++];
            for (int i = 0; i < Cheetah::nv; ++i) different += batch.qvel(e, i) != expected[next++];
        }
        CHECK(different == 0);
    }
}

TEST_CASE("every environment on a device has the friction and the dampers that it was given") {
    using Own = mjx::WithOwn<Cheetah, mjx::own::geom_friction, mjx::own::dof_damping>;
    mjx::SyclBatch<float, mjx::Euler, mjx::Newton, Own> batch(environments, sycl::queue{}, 2);
    float *friction = batch.parameters("geom_friction"), *damping = batch.parameters("dof_damping");
    CHECK(batch.parameter_rows("geom_friction") == 3 * Cheetah::ngeom);
    const auto sliding = [](int e) { return 0.1f + 0.2f * float(e); };
    for (int e = 0; e < environments; ++e) {
        for (int i = 0; i < Cheetah::nu; ++i) batch.ctrl(e, i) = control(e, i);
        for (int g = 0; g < Cheetah::ngeom; ++g) friction[3 * g * environments + e] = sliding(e);
        damping[4 * environments + e] *= 1 + float(e);
    }
    batch.step(rounds * steps);
    for (int e = 0; e < environments; ++e) {
        auto model = mjx::cast<float>(Cheetah{});
        model.opt.chosen = 0;
        for (int g = 0; g < Cheetah::ngeom; ++g) model.geom_friction[g][0] = sliding(e);
        model.dof_damping[4] *= 1 + float(e);
        mjx::Simulator<float, mjx::Euler, mjx::Newton, mjx::Model<float>> sim(model);
        for (int i = 0; i < Cheetah::nu; ++i) sim.ctrl()[i] = control(e, i);
        sim.step(rounds * steps);
        for (int i = 0; i < Cheetah::nq; ++i) CHECK(batch.qpos(e, i) == sim.qpos()[i]);
    }
    batch.share_parameters();
    for (int e = 0; e < environments; ++e) CHECK(friction[e] == float(Cheetah::geom_friction[0][0]));
    CHECK_THROWS_WITH(batch.parameters("body_mass"), Catch::Contains("environments share 'body_mass'") &&
                                                         Catch::Contains("the tables that WithOwn lists: geom_friction, dof_damping"));
}

TEMPLATE_TEST_CASE("a step depends on what is kept of an environment and on nothing else in its data", "", mjx::Newton,
                   mjx::Unconstrained) {
    using Sim = mjx::Simulator<float, mjx::Euler, TestType, Cheetah>;
    using D = typename Sim::data_type;
    using Kept = mjx::inner::DeviceStates<float, D>;
    const auto sim = std::make_unique<Sim>();
    for (int i = 0; i < Cheetah::nu; ++i) sim->ctrl()[i] = control(1, i);
    sim->step(rounds * steps);
    const auto rows = Kept::rows(sim->data());
    std::vector<float> numbers(std::size_t(rows.numbers));
    std::vector<int> integers(std::size_t(rows.integers));
    const Kept kept{numbers.data(), integers.data(), 1};
    kept.store(sim->data(), 0);

    const auto other = std::make_unique<D>();
    std::memset(static_cast<void*>(other.get()), 0xa5, sizeof(D));
    static_cast<mjx::inner::Loans&>(other->work) = {};
    kept.load(*other, 0);
    for (int t = 0; t < steps; ++t) mjx::step<mjx::Euler, TestType>(sim->model(), *other);
    sim->step(steps);
    CHECK((other->ncon > 0) == TestType::constrained);
    for (int i = 0; i < Cheetah::nv; ++i) CHECK(other->qvel[i] == sim->qvel()[i]);
}
