// Analytic derivatives for every scalar: floats, the lanes of packs, duals for derivatives of derivatives; fixed models, no allocation.
#include "catch.hpp"

#include "cheetah.hpp"

#include "mjx/batch/batch.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/solver/newton.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations = 0;

using M = models::Cheetah;
template <class S>
using Sim = mjx::Simulator<S, mjx::Euler, mjx::Newton, M>;

// Environment k of a crowd of runners, on the ground.
template <class S>
void place(S& sim, int k) {
    using T = typename S::scalar;
    for (int i = 0; i < M::nu; ++i) sim.ctrl()[i] = T(0.05 * ((i + k) % 3));
    for (int i = 0; i < M::nv; ++i) sim.qvel()[i] = T(0.2 * ((i + 2 * k) % 5 - 2));
    sim.step(100 + 10 * k);
}
const Sim<double>& placed(int k) {
    static std::unique_ptr<Sim<double>> sim = std::make_unique<Sim<double>>();
    sim->reset();
    place(*sim, k);
    return *sim;
}

template <class A, class Get>
void check_close(const A& expected, const Get& got, double tolerance) {
    double worst = 0;
    for (std::size_t i = 0; i < expected.shape(0); ++i)
        for (std::size_t j = 0; j < expected.shape(1); ++j) {
            const double e = expected(i, j), g = got(i, j), off = std::abs(e - g) / std::max(1.0, std::abs(e));
            if (!(off <= worst)) worst = off;
        }
    CHECK(worst < tolerance);
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* p = std::malloc(bytes)) return p;
    std::abort();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
    ++allocations;
    const auto to = static_cast<std::size_t>(alignment);
    if (void* p = std::aligned_alloc(to, (bytes + to - 1) / to * to)) return p;
    std::abort();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

TEST_CASE("derivatives in single precision are those in double precision, rounded") {
    const auto exact = mjx::derivatives(placed(0));
    const auto sim = std::make_unique<Sim<float>>();
    for (int i = 0; i < M::nq; ++i) sim->qpos()[i] = static_cast<float>(placed(0).qpos()[i]);
    for (int i = 0; i < M::nv; ++i) sim->qvel()[i] = static_cast<float>(placed(0).qvel()[i]);
    for (int i = 0; i < M::nu; ++i) sim->ctrl()[i] = static_cast<float>(placed(0).ctrl()[i]);
    const auto single = mjx::derivatives(*sim);
    check_close(
        exact.A, [&](std::size_t i, std::size_t j) { return single.A(i, j); }, 1e-3);
    check_close(
        exact.B, [&](std::size_t i, std::size_t j) { return single.B(i, j); }, 1e-3);
}

TEST_CASE("every lane of a pack has the derivatives of its own environment, and of its own products from the left") {
    using S = mjx::pack<double>;
    const auto sim = std::make_unique<Sim<S>>();
    for (int k = 0; k < mjx::lanes_v<S>; ++k) mjx::set_lane_state(sim->data(), k, mjx::State(placed(k).data()));
    mjx::TransitionDerivatives<Sim<S>> lanes(*sim);
    const auto& found = lanes(*sim);
    S weights[2 * M::nv], gradient[2 * M::nv + M::nu];
    for (int i = 0; i < 2 * M::nv; ++i) weights[i] = S(0.3 * (i % 7) - 1);
    lanes.pull(*sim, weights, gradient);
    for (int k = 0; k < mjx::lanes_v<S>; ++k) {
        INFO("lane " << k);
        mjx::TransitionDerivatives<Sim<double>> own(placed(k));
        const auto& one = own(placed(k));
        check_close(
            one.A, [&](std::size_t i, std::size_t j) { return mjx::lane(found.A(i, j), k); }, 1e-9);
        check_close(
            one.B, [&](std::size_t i, std::size_t j) { return mjx::lane(found.B(i, j), k); }, 1e-9);
        double weight[2 * M::nv], mine[2 * M::nv + M::nu];
        for (int i = 0; i < 2 * M::nv; ++i) weight[i] = 0.3 * (i % 7) - 1;
        own.pull(placed(k), weight, mine);
        for (int i = 0; i < 2 * M::nv + M::nu; ++i) CHECK(mjx::lane(gradient[i], k) == Approx(mine[i]).epsilon(1e-9).margin(1e-9));
    }
}

TEST_CASE("derivatives of derivatives come with duals and equal central differences") {
    using S = mjx::dual<double, 2>;
    const auto sim = std::make_unique<Sim<S>>();
    const auto nearby = std::make_unique<Sim<double>>(placed(1));
    mjx::copy_state(sim->data(), nearby->data());
    sim->qpos()[5].partial[0] = 1;
    sim->qvel()[7].partial[1] = 1;
    mjx::TransitionDerivatives<Sim<S>> second(*sim);
    const auto found = second(*sim);
    const mjx::State<double> start(nearby->data());
    mjx::TransitionDerivatives<Sim<double>> first(*nearby);
    for (const int which : {0, 1}) {
        mjx::Matrix<double> difference = first(*nearby).A;
        const double eps = 1e-6;
        for (const double sign : {-1.0, 1.0}) {
            start.restore(nearby->data());
            (which == 0 ? nearby->qpos()[5] : nearby->qvel()[7]) += sign * eps;
            const auto& A = first(*nearby).A;
            if (sign < 0) difference = -A / (2 * eps);
            if (sign > 0) difference += A / (2 * eps);
        }
        check_close(
            difference, [&](std::size_t i, std::size_t j) { return found.A(i, j).partial[which]; }, 1e-5);
    }
}

TEST_CASE("a batch differentiates every environment, whatever its lanes and threads") {
    constexpr int environments = mjx::lanes_v<mjx::pack<double>> + 1;
    mjx::Batch<mjx::pack<double>, mjx::Euler, mjx::Newton, M> batch(environments, 2);
    auto qpos = batch.qpos(), qvel = batch.qvel(), ctrl = batch.ctrl();
    for (int e = 0; e < environments; ++e) {
        const auto row = static_cast<std::size_t>(e);
        for (int i = 0; i < M::nq; ++i) qpos(row, static_cast<std::size_t>(i)) = placed(e).qpos()[i];
        for (int i = 0; i < M::nv; ++i) qvel(row, static_cast<std::size_t>(i)) = placed(e).qvel()[i];
        for (int i = 0; i < M::nu; ++i) ctrl(row, static_cast<std::size_t>(i)) = placed(e).ctrl()[i];
    }
    batch.set_qpos(qpos);
    batch.set_qvel(qvel);
    batch.set_ctrl(ctrl);
    auto found = batch.derivatives();
    const long before = allocations;
    batch.derivatives(found);
    CHECK(allocations == before);
    for (int e = 0; e < environments; ++e) {
        const auto one = mjx::derivatives(placed(e));
        const auto row = static_cast<std::size_t>(e);
        check_close(
            one.A, [&](std::size_t i, std::size_t j) { return found.A(row, i, j); }, 1e-9);
        check_close(
            one.B, [&](std::size_t i, std::size_t j) { return found.B(row, i, j); }, 1e-9);
    }
}

TEMPLATE_TEST_CASE("derivatives that are kept allocate nothing", "", double, mjx::pack<double>) {
    const auto sim = std::make_unique<Sim<TestType>>();
    place(*sim, 0);
    mjx::TransitionDerivatives<Sim<TestType>> kept(*sim);
    TestType weights[2 * M::nv], gradient[2 * M::nv + M::nu];
    for (TestType& w : weights) w = TestType(1);
    const long before = allocations;
    kept(*sim);
    sim->step();
    kept(*sim);
    kept.pull(*sim, weights, gradient);
    CHECK(allocations == before);
}
