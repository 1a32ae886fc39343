// A and B of one step: the settled humanoid with its contacts and the seven-joint arm, analytic derivatives and dual numbers against
// MuJoCo's finite differences, with several integrators and solvers. Then what is made of them: products from the left, counted in steps;
// the derivatives of accelerations alone, beside Pinocchio's where CMake finds it; iterations of iLQR.
#include "axes.hpp"

#include "arm.hpp"
#include "humanoid.hpp"

#include "mjx/control.hpp"
#include "mjx/derivatives.hpp"

#ifdef MJX_HAVE_PINOCCHIO
#include "pinocchio.hpp"
#endif

#include <vector>

namespace {

template <class Sim>
using Analytic = mjx::TransitionDerivatives<Sim>;
template <class Sim>
using Duals = mjx::DualDerivatives<Sim>;

// Something for every joint of the arm to do.
template <class Q, class V, class U>
void stir(Q&& qpos, V&& qvel, U&& ctrl) {
    for (int i = 0; i < 7; ++i) {
        qpos[i] = 0.1 * (i + 1);
        qvel[i] = 0.2 * (3 - i);
        ctrl[i] = 0.1 * (i % 3);
    }
}

// The products of a step's derivatives with a vector from the left, and a step alone.
template <class Sim>
struct Pull {
    using S = typename Sim::scalar;
    mjx::TransitionDerivatives<Sim> derivatives;
    std::vector<S> weights, gradient;
    explicit Pull(const Sim& sim)
        : derivatives(sim, false),
          weights(static_cast<std::size_t>(mjx::state_columns(sim.model())), S(1)),
          gradient(static_cast<std::size_t>(mjx::transition_columns(sim.model()))) {}
    void operator()(const Sim& sim) { derivatives.pull(sim, weights.data(), gradient.data()); }
};
template <class Sim>
struct Step {
    Sim own;
    explicit Step(const Sim& sim) : own(sim) {}
    void operator()(const Sim& sim) {
        mjx::copy_state(own.data(), sim.data());
        own.step();
    }
};

// The state of a simulator, entered by everybody; the lanes of a pack take their turn at the list of them.
struct Start {
    std::vector<double> qpos, qvel, ctrl, warm;
};
using Starts = std::vector<Start>;

template <class Derivatives, class Sim, class... Arguments>
void enter(bench::Contest& c, const std::string& name, const Starts& starts, const Arguments&... arguments) {
    auto sim = std::make_shared<Sim>(arguments...);
    using S = typename Sim::scalar;
    const auto fill = [](auto&& to, const std::vector<double>& from, int k) {
        for (std::size_t i = 0; i < from.size(); ++i) mjx::set_lane(to[static_cast<int>(i)], k, static_cast<mjx::value_t<S>>(from[i]));
    };
    for (int k = 0; k < mjx::lanes_v<S>; ++k) {
        const Start& start = starts[static_cast<std::size_t>(k) % starts.size()];
        fill(sim->qpos(), start.qpos, k);
        fill(sim->qvel(), start.qvel, k);
        fill(sim->ctrl(), start.ctrl, k);
        fill(sim->data().qacc_warmstart, start.warm, k);
    }
    auto derivatives = std::make_shared<Derivatives>(*sim);
    c.add(
        name,
        [sim, derivatives] {
            (*derivatives)(*sim);
            bench::clobber();
        },
        mjx::lanes_v<S>);
}

void enter_mujoco([[maybe_unused]] bench::Contest& c, [[maybe_unused]] const std::string& name, [[maybe_unused]] const Start& start,
                  [[maybe_unused]] int integrator, [[maybe_unused]] int solver) {
#ifdef MJX_HAVE_MUJOCO
    auto reference = std::make_shared<bench::Mujoco>(bench::scene(name), true);
    reference->m->opt.integrator = integrator;
    reference->m->opt.solver = solver;
    std::copy(start.qpos.begin(), start.qpos.end(), reference->d->qpos);
    std::copy(start.qvel.begin(), start.qvel.end(), reference->d->qvel);
    std::copy(start.ctrl.begin(), start.ctrl.end(), reference->d->ctrl);
    std::copy(start.warm.begin(), start.warm.end(), reference->d->qacc_warmstart);
    const std::size_t n = 2 * start.qvel.size();
    auto a = std::make_shared<std::vector<double>>(n * n), b = std::make_shared<std::vector<double>>(n * start.ctrl.size());
    for (const bool centered : {false, true})
        c.add(centered ? "MuJoCo, centered differences" : "MuJoCo, one-sided differences",
              [=] { mjd_transitionFD(reference->m, reference->d, 1e-6, centered, a->data(), b->data(), nullptr, nullptr); });
#endif
}

template <class Fixed>
bench::Contest contest(const std::string& name, const Start& start, const Starts& crowd) {
    bench::Contest c(name + ": A and B of the step, Euler and Newton");
    enter_mujoco(c, name, start, mjx::integrator_type::euler, mjx::solver_type::newton);
    using Runtime = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
    using Known = mjx::Simulator<double, mjx::Euler, mjx::Newton, Fixed>;
    using Lanes = typename Known::template rebind<mjx::pack<double>>;
    const auto model = mjx::load_mjcf(bench::scene(name));
    enter<Duals<Known>, Known>(c, "duals, fixed model", {start});
    enter<Analytic<Runtime>, Runtime>(c, "analytic, runtime model", {start}, model);
    enter<Analytic<Known>, Known>(c, "analytic, fixed model", {start});
    enter<Analytic<Lanes>, Lanes>(c, "analytic, pack<double>, fixed model", {start});
    enter<Analytic<Lanes>, Lanes>(c, "analytic, pack<double>, each in its own state", crowd);
    return c;
}

// Ratios are against a step.
template <class Fixed>
bench::Contest pull_contest(const std::string& name, const Start& start) {
    bench::Contest c(name + ": products with A and B from the left, Euler and Newton");
    using Known = mjx::Simulator<double, mjx::Euler, mjx::Newton, Fixed>;
    enter<Step<Known>, Known>(c, "a step, fixed model", {start});
    enter<Pull<Known>, Known>(c, "step_vjp, fixed model", {start});
    return c;
}

// Accelerations by position, velocity and force, without constraints.
template <class Fixed>
bench::Contest acceleration_contest(const std::string& name, const Start& start) {
    bench::Contest c(name + ": derivatives of qacc by q, v and forces, no constraints");
    using Known = mjx::Simulator<double, mjx::Euler, mjx::Unconstrained, Fixed>;
    using Runtime = mjx::Simulator<double, mjx::Euler, mjx::Unconstrained>;
#ifdef MJX_HAVE_PINOCCHIO
    auto reference = std::make_shared<bench::PinocchioDerivatives>(Fixed{}, start.qpos, start.qvel);
    c.add("Pinocchio, computeABADerivatives", [reference] {
        (*reference)();
        bench::clobber();
    });
#endif
    enter<mjx::AccelerationDerivatives<Known>, Known>(c, "fixed model", {start});
    enter<mjx::AccelerationDerivatives<Runtime>, Runtime>(c, "runtime model", {start}, mjx::load_mjcf(bench::scene(name)));
    return c;
}

// Upright, at rest, with little effort.
struct Balance {
    template <class M, class D, class R>
    void operator()(const M& m, const D& d, bool last, R&& r) const {
        const double w = last ? 3 : 1;
        r((d.xipos[1][2] - 1.2) * (5 * w));
        for (int k = 0; k < 2; ++k) r(d.xmat[1](k, 2) * (3 * w));
        for (int i = 0; i < m.nv; ++i) r(d.qvel[i] * (0.05 * w));
        for (int u = 0; u < m.nu && !last; ++u) r(d.ctrl[u] * 0.05);
    }
};

// The first iteration of a plan, again and again: derivatives, backward pass and line search.
bench::Contest plan_contest() {
    bench::Contest c("humanoid: an iteration of iLQR over 50 steps, from the standing pose");
    using Known = mjx::Simulator<double, mjx::Euler, mjx::Newton, models::Humanoid>;
    using Runtime = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
    const auto plan = [&](const std::string& name, const auto& sim) {
        auto ilqr = std::make_shared<mjx::ILQR<std::remove_cvref_t<decltype(*sim)>, Balance>>(*sim, Balance{}, 50);
        c.add(name, [sim, ilqr] {
            ilqr->controls().fill(0);
            ilqr->improve(*sim);
        });
    };
    plan("fixed model", std::make_shared<Known>());
    plan("runtime model", std::make_shared<Runtime>(mjx::load_mjcf(bench::scene("humanoid"))));
    return c;
}

template <class Integrator, class Solver, class Fixed>
bench::Contest other_contest(const std::string& name, const Start& start) {
    bench::Contest c(name + ": A and B of the step, " + Integrator::name + " and " + Solver::name);
    if (Integrator::type != mjx::RK4::type) enter_mujoco(c, name, start, Integrator::type, Solver::type);  // it has no differences of RK4
    using Known = mjx::Simulator<double, Integrator, Solver, Fixed>;
    enter<Analytic<Known>, Known>(c, "analytic, fixed model", {start});
    return c;
}

template <class Sim>
Start start_of(Sim& sim) {
    const auto& warm = sim.data().qacc_warmstart;
    return {{sim.qpos().begin(), sim.qpos().end()},
            {sim.qvel().begin(), sim.qvel().end()},
            {sim.ctrl().begin(), sim.ctrl().end()},
            {warm.begin(), warm.end()}};
}

}  // namespace

int main(int argc, char** argv) {
    using Humanoid = mjx::Simulator<double, mjx::Euler, mjx::Newton, models::Humanoid>;
    auto humanoid = std::make_unique<bench::Driven<Humanoid>>();
    Starts humanoids, arms;
    for (int e = 0; e < mjx::lanes_v<mjx::pack<double>>; ++e) {
        humanoid->sim.reset();
        humanoid->controls = bench::Controls<double>(models::Humanoid::nu, e, e == 0 ? bench::amplitude() : 0.3);
        humanoid->t = 0;
        for (int i = 0; i < 2000; ++i) humanoid->step();
        humanoids.push_back(start_of(humanoid->sim));
        if (e == 0) std::printf("the humanoid has %d contacts\n", humanoid->sim.data().ncon);
    }
    mjx::Simulator<double, mjx::Euler, mjx::Newton, models::Arm> arm;
    stir(arm.qpos(), arm.qvel(), arm.ctrl());
    for (int e = 0; e < mjx::lanes_v<mjx::pack<double>>; ++e) {
        arms.push_back(start_of(arm));
        arm.step(20);
    }
    return bench::run_all({contest<models::Humanoid>("humanoid", humanoids[0], humanoids), contest<models::Arm>("arm", arms[0], arms),
                           other_contest<mjx::Euler, mjx::PGS, models::Humanoid>("humanoid", humanoids[0]),
                           other_contest<mjx::ImplicitFast, mjx::Newton, models::Humanoid>("humanoid", humanoids[0]),
                           other_contest<mjx::RK4, mjx::Newton, models::Humanoid>("humanoid", humanoids[0]),
                           pull_contest<models::Humanoid>("humanoid", humanoids[0]), pull_contest<models::Arm>("arm", arms[0]),
                           acceleration_contest<models::Humanoid>("humanoid", humanoids[0]),
                           acceleration_contest<models::Arm>("arm", arms[0]), plan_contest()},
                          argc, argv);
}
