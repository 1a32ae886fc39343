// A and B of one step of the seven-joint arm: dual numbers against MuJoCo's finite differences.
#include "axes.hpp"

#include "arm.hpp"

#include "mjx/derivatives.hpp"

#include <vector>

namespace {

// Something for every joint to do.
template <class Q, class V, class U>
void stir(Q&& qpos, V&& qvel, U&& ctrl) {
    for (int i = 0; i < 7; ++i) {
        qpos[i] = 0.1 * (i + 1);
        qvel[i] = 0.2 * (3 - i);
        ctrl[i] = 0.1 * (i % 3);
    }
}

template <class Sim, class... Arguments>
void enter(bench::Contest& c, const std::string& name, const Arguments&... arguments) {
    auto sim = std::make_shared<Sim>(arguments...);
    stir(sim->qpos(), sim->qvel(), sim->ctrl());
    auto derivatives = std::make_shared<mjx::TransitionDerivatives<Sim>>(*sim);
    c.add(name, [sim, derivatives] { (*derivatives)(*sim); bench::clobber(); });
}

}  // namespace

int main(int argc, char** argv) {
    bench::Contest c("arm: derivatives of the step");
#ifdef MJX_HAVE_MUJOCO
    auto reference = std::make_shared<bench::Mujoco>(bench::scene("arm"), true);
    stir(reference->d->qpos, reference->d->qvel, reference->d->ctrl);
    auto a = std::make_shared<std::vector<double>>(14 * 14), b = std::make_shared<std::vector<double>>(14 * 7);
    for (const bool centered : {false, true})
        c.add(centered ? "MuJoCo, centered differences" : "MuJoCo, one-sided differences", [=] {
            mjd_transitionFD(reference->m, reference->d, 1e-6, centered, a->data(), b->data(), nullptr, nullptr);
        });
#endif
    enter<mjx::Simulator<double, mjx::Euler, mjx::Newton>>(c, "dual, runtime model", mjx::load_mjcf(bench::scene("arm")));
    enter<mjx::Simulator<double, mjx::Euler, mjx::Newton, models::Arm>>(c, "dual, fixed model");
    return bench::run_all({c}, argc, argv);
}
