// The stages of the smooth dynamics, one by one, on one model. Used by kernels_*.cpp.
#pragma once

#include "axes.hpp"

namespace bench {

// A simulator in the middle of a motion; stages run on its data again and again.
template <class Sim, class... Arguments>
std::shared_ptr<Sim> moving(const Arguments&... arguments) {
    auto sim = std::make_shared<Sim>(arguments...);
    for (int i = 0; i < sim->qvel().size(); ++i) sim->qvel()(i) = typename Sim::scalar(0.1 * ((i * 7) % 5 - 2));
    sim->step(10);
    sim->forward();
    return sim;
}

// f is the stage, mujoco MuJoCo's function of the same name.
template <class Fixed, class F, class G>
Contest kernel(const std::string& model, const std::string& name, F&& f, G&& mujoco) {
    Contest c(model + ": " + name);
    const auto enter = [&](const std::string& who, auto sim) {
        c.add(who, [sim, f] { f(sim->model(), sim->data()); clobber(); }, mjx::lanes_v<typename std::remove_cvref_t<decltype(*sim)>::scalar>);
    };
#ifdef MJX_HAVE_MUJOCO
    auto reference = std::make_shared<Mujoco>(scene(model), false);
    for (int i = 0; i < 10; ++i) reference->step();
    c.add("MuJoCo", [reference, mujoco] { mujoco(reference->m, reference->d); clobber(); });
#else
    (void)mujoco;
#endif
    using mjx::Euler;
    using mjx::pack;
    using mjx::Simulator;
    using S = mjx::Unconstrained;
    enter("double, runtime model", moving<Simulator<double, Euler, S>>(mjx::load_mjcf(scene(model))));
    enter("double, fixed model", moving<Simulator<double, Euler, S, Fixed>>());
    enter("pack<double>, fixed model", moving<Simulator<pack<double>, Euler, S, Fixed>>());
    enter("pack<float>, fixed model", moving<Simulator<pack<float>, Euler, S, Fixed>>());
    return c;
}

#ifdef MJX_HAVE_MUJOCO
#define MUJOCO(call) [](const mjModel* m, mjData* d) { call; }
#else
#define MUJOCO(call) nullptr
#endif

template <class Fixed>
int run_kernels(const std::string& model, int argc, char** argv) {
    const auto contest = [&](const char* name, auto f, auto mujoco) { return kernel<Fixed>(model, name, f, mujoco); };
    return run_all({
        contest("kinematics", [](const auto& m, auto& d) { mjx::kinematics(m, d); }, MUJOCO(mj_kinematics(m, d))),
        contest("com", [](const auto& m, auto& d) { mjx::com_pos(m, d); }, MUJOCO(mj_comPos(m, d))),
        contest("CRBA", [](const auto& m, auto& d) { mjx::crba(m, d); }, MUJOCO(mj_makeM(m, d))),
        contest("factor", [](const auto& m, auto& d) { mjx::factor(m, d); }, MUJOCO(mj_factorM(m, d))),
        contest("solve", [](const auto& m, auto& d) { mjx::acceleration(m, d); }, MUJOCO(mj_fwdAcceleration(m, d))),
        contest("velocity", [](const auto& m, auto& d) { mjx::com_vel(m, d); }, MUJOCO(mj_comVel(m, d))),
        contest("RNE", [](const auto& m, auto& d) { mjx::rne(m, d); }, MUJOCO(mj_rne(m, d, 0, d->qfrc_bias))),
        contest("passive", [](const auto& m, auto& d) { mjx::passive(m, d); }, MUJOCO(mj_passive(m, d))),
    }, argc, argv);
}

#undef MUJOCO

}  // namespace bench
