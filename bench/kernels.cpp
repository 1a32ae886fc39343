// The stages of the smooth dynamics, one by one, on the humanoid.
#include "axes.hpp"

#include "humanoid.hpp"

namespace {

using mjx::pack;
using Fixed = models::Humanoid;

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
template <class F, class G>
bench::Contest contest(const std::string& name, F&& f, G&& mujoco) {
    bench::Contest c("humanoid: " + name);
    const auto enter = [&](const std::string& who, auto sim) {
        c.add(who, [sim, f] { f(sim->model(), sim->data()); bench::clobber(); }, mjx::lanes_v<typename std::remove_cvref_t<decltype(*sim)>::scalar>);
    };
#ifdef MJX_HAVE_MUJOCO
    auto reference = std::make_shared<bench::Mujoco>(bench::scene("humanoid"), false);
    for (int i = 0; i < 10; ++i) reference->step();
    c.add("MuJoCo", [reference, mujoco] { mujoco(reference->m, reference->d); bench::clobber(); });
#else
    (void)mujoco;
#endif
    using S = mjx::Unconstrained;
    enter("double, runtime model", moving<mjx::Simulator<double, mjx::Euler, S>>(mjx::load_mjcf(bench::scene("humanoid"))));
    enter("double, fixed model", moving<mjx::Simulator<double, mjx::Euler, S, Fixed>>());
    enter("pack<double>, fixed model", moving<mjx::Simulator<pack<double>, mjx::Euler, S, Fixed>>());
    enter("pack<float>, fixed model", moving<mjx::Simulator<pack<float>, mjx::Euler, S, Fixed>>());
    return c;
}

#ifdef MJX_HAVE_MUJOCO
#define MUJOCO(call) [](const mjModel* m, mjData* d) { call; }
#else
#define MUJOCO(call) nullptr
#endif

}  // namespace

int main(int argc, char** argv) {
    return bench::run_all({
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
