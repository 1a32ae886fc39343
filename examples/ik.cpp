// Inverse kinematics: joint angles that bring the tool of an arm to given poses, within the limits of the joints.
// To watch it: `#include "mjx/viewer.hpp"`, `mjx::Viewer viewer(sim);` after the simulator; after each solution `sim.forward(); viewer.update();`.
#include "mjx/mjx.hpp"

#include <cstdio>
#include <random>

int main() {
    const mjx::Model model = mjx::load_mjcf(MJX_EXAMPLES_DIR "/../tests/models/arm.xml");
    mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(model);
    const auto tool = mjx::site(model.site("tool"));
    mjx::InverseKinematics ik(model, {.attempts = 20});  // where limits are in the way, it starts again from random angles
    std::mt19937 random(1);

    int reached = 0, iterations = 0;
    for (int n = 0; n < 100; ++n) {
        mjx::random_position(model, random, sim.qpos());  // a pose that can be reached
        mjx::forward_kinematics(sim);
        ik.clear();
        ik.position(tool, mjx::pose(sim, tool).pos);
        ik.orientation(tool, mjx::orientation(sim, tool));

        sim.reset();  // from the arm at rest
        const auto result = ik.solve(sim.qpos());
        reached += result.position_error < 1e-6 && result.rotation_error < 1e-6;
        iterations += result.iterations;
    }
    std::printf("%d of 100 random poses reached, with %.1f iterations on average\n", reached, iterations / 100.0);
    return reached >= 99 ? 0 : 1;
}
