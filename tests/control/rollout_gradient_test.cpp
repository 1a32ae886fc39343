// Gradients of trajectories beside central differences and dual numbers, through contacts, activations and checkpoints.
#include "catch.hpp"
#include "derivative/features.hpp"
#include "load.hpp"

#include "mjx/control/rollout_gradient.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/solver/newton.hpp"

namespace {

// Places of bodies, speeds and controls, and where it ends.
struct Cost {
    template <class M, class D, class R>
    void operator()(const M& m, const D& d, bool last, R&& r) const {
        for (int b = 1; b < m.nbody; ++b) r((d.xipos[b][2] - 0.1 * b) * (last ? 3 : 1));
        for (int i = 0; i < m.nv; ++i) r(d.qvel[i] * 0.1);
        for (int u = 0; u < m.nu && !last; ++u) r(d.ctrl[u] * (0.2 + 0.1 * u));
    }
};

constexpr int steps = 12;

template <class Sim>
std::unique_ptr<Sim> on_the_ground() {
    auto model = load_model_string(features("elliptic", 3, "gravity='enable'"));
    model.opt.chosen = 0;
    model.opt.tolerance = 0;
    model.opt.ls_tolerance = 1e-10;
    model.opt.iterations = 100;
    const bool explicitly = Sim::integrator::type == mjx::integrator_type::rk4;  // its dampers need shorter steps
    if (explicitly) model.opt.timestep = 0.001;
    auto sim = std::make_unique<Sim>(model);
    for (int i = 0; i < sim->model().na; ++i) sim->act()[i] = 0.3;
    sim->step(explicitly ? 390 : 130);
    return sim;
}

template <class T>
mjx::Matrix<T> some_controls(int nu) {
    auto controls = mjx::Matrix<T>::from_shape({steps, static_cast<std::size_t>(nu)});
    for (std::size_t t = 0; t < steps; ++t)
        for (std::size_t u = 0; u < static_cast<std::size_t>(nu); ++u)
            controls(t, u) = T(0.2 * std::sin(0.7 * static_cast<double>(t) + static_cast<double>(u)) + 0.3);
    return controls;
}

// The cost of the controls from the state of `sim` on, for any scalar.
template <class Sim, class T = typename Sim::scalar>
T run(Sim& sim, const mjx::Matrix<T>& controls) {
    T sum(0);
    for (std::size_t t = 0; t <= steps; ++t) {
        for (int u = 0; u < sim.model().nu && t < steps; ++u) sim.ctrl()[u] = controls(t, static_cast<std::size_t>(u));
        sim.step1();
        sum += mjx::evaluate_cost(Cost{}, sim.model(), sim.data(), t == steps);
        if (t < steps) sim.step2();
    }
    return sum;
}

}  // namespace

TEMPLATE_TEST_CASE("the gradient of a trajectory equals dual numbers and central differences", "", mjx::Euler, mjx::ImplicitFast,
                   mjx::RK4) {
    using Sim = mjx::Simulator<double, TestType, mjx::Newton>;
    using L = mjx::dual<double, 7>;
    const auto sim = on_the_ground<Sim>();
    const auto& m = sim->model();
    REQUIRE(sim->data().ncon > 0);
    const auto controls = some_controls<double>(m.nu);
    const auto gradient = mjx::rollout_gradient(*sim, controls, Cost{});
    auto dual = mjx::make_dual_simulator<L>(*sim);
    const int n = mjx::state_columns(m), columns = n + steps * m.nu;
    for (int first = 0; first < columns; first += 7) {
        auto lifted = some_controls<L>(m.nu);
        mjx::copy_state(dual->data(), sim->data());
        const int last = std::min(first + 7, columns);
        if (first < n) mjx::vary(m, dual->data(), first, std::min(last, n), [&](int c) { return L::variable(0, c - first); });
        for (int c = std::max(first, n); c < last; ++c) lifted.data()[c - n] += L::variable(0, c - first);
        const L cost = run(*dual, lifted);
        CHECK(cost.value == Approx(gradient.cost).epsilon(1e-12));
        for (int c = first; c < last; ++c) {
            INFO("column " << c);
            const double found = c < n ? gradient.by_state.data()[c] : gradient.by_controls.data()[c - n];
            CHECK(found == Approx(cost.partial[c - first]).epsilon(1e-8).margin(1e-8));
        }
    }
    // differences see the kinks that a change of 1e-6 crosses: a few controls will do
    for (const std::size_t which : {0u, 7u, 23u}) {
        double slope = 0;
        for (const double change : {-1e-6, 1e-6}) {
            auto other = controls;
            other.data()[which] += change;
            Sim copy(*sim);
            slope += run(copy, other) * (change > 0 ? 0.5e6 : -0.5e6);
        }
        CHECK(gradient.by_controls.data()[which] == Approx(slope).epsilon(1e-5).margin(1e-6));
    }
}

TEST_CASE("checkpoints change nothing but the memory") {
    using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
    const auto sim = on_the_ground<Sim>();
    const auto controls = some_controls<double>(sim->model().nu);
    const auto all = mjx::rollout_gradient(*sim, controls, Cost{});
    mjx::RolloutDifferentiation<Sim> kept(*sim);
    for (const int checkpoints : {2, 5, steps, 100}) {
        const auto some = kept(*sim, controls, Cost{}, checkpoints);
        CHECK(some.cost == all.cost);
        CHECK((some.by_controls == all.by_controls));
        CHECK((some.by_state == all.by_state));
    }
}
