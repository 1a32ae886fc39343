// Holding a pose with contacts: a humanoid stands, its weight on its feet, for five seconds.
//
// The pelvis is free, so no motor carries it: static_equilibrium lets it sink and tilt until the feet do, and tells what the joints must
// give. With that force, and springs and dampers about the pose against its falling over, the humanoid stays where it is.
// To watch it: `#include "mjx/viewer.hpp"`, `mjx::Viewer viewer(sim);` after the simulator, `viewer.update();` after each step.
#include "mjx/mjx.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    mjx::Model model = mjx::load_mjcf(MJX_EXAMPLES_DIR "/../tests/models/humanoid.xml");
    for (int j = 1; j < model.njnt; ++j) model.jnt_stiffness[j] = 1000;
    for (int i = 6; i < model.nv; ++i) model.dof_damping[i] = 50;
    auto sim = mjx::simulator<mjx::ImplicitFast, mjx::Newton>(model);

    std::vector<double> force(std::size_t(model.nv)), error = force;
    const auto rest = mjx::static_equilibrium(sim, force);
    const std::vector<double> pose(sim.qpos().begin(), sim.qpos().end());
    std::printf("in equilibrium after %d iterations: %.1e N are missing, %d contacts\n", rest.iterations, rest.missing, sim.data().ncon);

    for (int i = 0; i < model.nv; ++i) sim.qfrc_applied()[i] = force[std::size_t(i)];
    sim.step(static_cast<int>(5 / model.opt.timestep));
    mjx::position_difference(model, pose, sim.qpos(), error);
    double most = 0;
    for (const double x : error) most = std::max(most, std::abs(x));
    std::printf("after five seconds no coordinate has moved by more than %.1e\n", most);
    return rest.missing < 1e-3 && most < 1e-3 ? 0 : 1;
}
