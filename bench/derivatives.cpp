// A and B of one step: the settled humanoid with its contacts and the seven-joint arm, analytic derivatives and dual numbers against
// MuJoCo's finite differences.
#include "axes.hpp"

#include "arm.hpp"
#include "humanoid.hpp"

#include "mjx/derivatives.hpp"

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

// The state of a simulator, entered by everybody.
struct Start {
    std::vector<double> qpos, qvel, ctrl, warm;
};

template <class Derivatives, class Sim, class... Arguments>
void enter(bench::Contest& c, const std::string& name, const Start& start, const Arguments&... arguments) {
    auto sim = std::make_shared<Sim>(arguments...);
    using S = typename Sim::scalar;
    for (std::size_t i = 0; i < start.qpos.size(); ++i) sim->qpos()[static_cast<int>(i)] = S(start.qpos[i]);
    for (std::size_t i = 0; i < start.qvel.size(); ++i) sim->qvel()[static_cast<int>(i)] = S(start.qvel[i]);
    for (std::size_t i = 0; i < start.ctrl.size(); ++i) sim->ctrl()[static_cast<int>(i)] = S(start.ctrl[i]);
    for (std::size_t i = 0; i < start.warm.size(); ++i) sim->data().qacc_warmstart[static_cast<int>(i)] = S(start.warm[i]);
    auto derivatives = std::make_shared<Derivatives>(*sim);
    c.add(
        name,
        [sim, derivatives] {
            (*derivatives)(*sim);
            bench::clobber();
        },
        mjx::lanes_v<S>);
}

template <class Fixed>
bench::Contest contest(const std::string& name, const Start& start) {
    bench::Contest c(name + ": A and B of the step, Euler and Newton");
#ifdef MJX_HAVE_MUJOCO
    auto reference = std::make_shared<bench::Mujoco>(bench::scene(name), true);
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
    using Runtime = mjx::Simulator<double, mjx::Euler, mjx::Newton>;
    using Known = mjx::Simulator<double, mjx::Euler, mjx::Newton, Fixed>;
    const auto model = mjx::load_mjcf(bench::scene(name));
    enter<Duals<Known>, Known>(c, "duals, fixed model", start);
    enter<Analytic<Runtime>, Runtime>(c, "analytic, runtime model", start, model);
    enter<Analytic<Known>, Known>(c, "analytic, fixed model", start);
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
    auto humanoid = std::make_unique<bench::Driven<mjx::Simulator<double, mjx::Euler, mjx::Newton, models::Humanoid>>>();
    for (int i = 0; i < 2000; ++i) humanoid->step();
    mjx::Simulator<double, mjx::Euler, mjx::Newton, models::Arm> arm;
    stir(arm.qpos(), arm.qvel(), arm.ctrl());
    std::printf("the humanoid has %d contacts\n", humanoid->sim.data().ncon);
    return bench::run_all({contest<models::Humanoid>("humanoid", start_of(humanoid->sim)), contest<models::Arm>("arm", start_of(arm))},
                          argc, argv);
}
