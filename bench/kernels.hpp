// The stages of the smooth dynamics and collision, one by one, on one model. Used by kernels_*.cpp.
#pragma once

#include "axes.hpp"

namespace bench {

// A simulator in the middle of a motion, or at rest after many steps; stages run on its data again and again.
template <class Sim, class... Arguments>
std::shared_ptr<Sim> after(int steps, const Arguments&... arguments) {
    auto sim = std::make_shared<Sim>(arguments...);
    for (int i = 0; i < sim->qvel().size(); ++i) sim->qvel()[i] = typename Sim::scalar(0.1 * ((i * 7) % 5 - 2));
    sim->step(steps);
    sim->forward();
    return sim;
}

// f is the stage, mujoco MuJoCo's function of the same name; both run on what so many steps lead to.
template <class Fixed, class Solver, class F, class G>
Contest kernel(const std::string& model, const std::string& name, int steps, F&& f, G&& mujoco) {
    Contest c(model + ": " + name);
    const auto enter = [&](const std::string& who, auto sim) {
        c.add(
            who,
            [sim, f] {
                f(sim->model(), sim->data());
                clobber();
            },
            mjx::lanes_v<typename std::remove_cvref_t<decltype(*sim)>::scalar>);
    };
#ifdef MJX_HAVE_MUJOCO
    auto reference = std::make_shared<Mujoco>(scene(model), !std::same_as<Solver, mjx::Unconstrained>);
    for (int i = 0; i < steps; ++i) reference->step();
    c.add("MuJoCo", [reference, mujoco] {
        mujoco(reference->m, reference->d);
        clobber();
    });
#else
    (void)mujoco;
#endif
    using mjx::Euler;
    using mjx::pack;
    using mjx::Simulator;
    enter("double, runtime model", after<Simulator<double, Euler, Solver>>(steps, mjx::load_mjcf(scene(model))));
    enter("double, fixed model", after<Simulator<double, Euler, Solver, Fixed>>(steps));
    enter("pack<double>, fixed model", after<Simulator<pack<double>, Euler, Solver, Fixed>>(steps));
    enter("pack<float>, fixed model", after<Simulator<pack<float>, Euler, Solver, Fixed>>(steps));
    return c;
}

#ifdef MJX_HAVE_MUJOCO
#define MUJOCO(call) [](const mjModel* m, mjData* d) { call; }
#else
#define MUJOCO(call) nullptr
#endif

template <class Fixed>
int run_kernels(const std::string& model, int argc, char** argv) {
    const auto contest = [&](const char* name, auto f, auto mujoco) {
        return kernel<Fixed, mjx::Unconstrained>(model, name, 10, f, mujoco);
    };
    const int settle = 400;
    return run_all(
        {
            contest(
                "kinematics", [](const auto& m, auto& d) { mjx::kinematics(m, d); }, MUJOCO(mj_kinematics(m, d))),
            contest(
                "com", [](const auto& m, auto& d) { mjx::com_pos(m, d); }, MUJOCO(mj_comPos(m, d))),
            contest(
                "CRBA", [](const auto& m, auto& d) { mjx::crba(m, d); }, MUJOCO(mj_makeM(m, d))),
            contest(
                "factor", [](const auto& m, auto& d) { mjx::factor(m, d); }, MUJOCO(mj_factorM(m, d))),
            contest(
                "solve", [](const auto& m, auto& d) { mjx::acceleration(m, d); }, MUJOCO(mj_fwdAcceleration(m, d))),
            contest(
                "velocity", [](const auto& m, auto& d) { mjx::com_vel(m, d); }, MUJOCO(mj_comVel(m, d))),
            contest(
                "RNE", [](const auto& m, auto& d) { mjx::rne(m, d); }, MUJOCO(mj_rne(m, d, 0, d->qfrc_bias))),
            contest(
                "passive", [](const auto& m, auto& d) { mjx::passive(m, d); }, MUJOCO(mj_passive(m, d))),
            kernel<Fixed, mjx::Newton>(
                model, "collision, at rest", settle, [](const auto& m, auto& d) { mjx::collision(m, d, mjx::no_hooks{}); },
                MUJOCO(mj_collision(m, d))),
        },
        argc, argv);
}

#undef MUJOCO

}  // namespace bench
