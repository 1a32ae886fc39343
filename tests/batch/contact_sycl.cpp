// Contacts and solvers inside a SYCL kernel.
#include "catch.hpp"

#include "cheetah.hpp"

#include "mjx/integrator/euler.hpp"
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
                   mjx::PGS, mjx::CachedPGS, mjx::Penalty, mjx::Unconstrained) {
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
    CHECK(touched == TestType::constrained);
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
