// The first program of the README, as mjx::mjx compiles it. A rule test keeps the two alike.
#include <mjx/mjx.hpp>

#include <cstdio>

int main() {
    mjx::Model model = mjx::load_mjcf("humanoid.xml");
    mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);
    sim.actuator("right_knee").ctrl()[0] = 1;
    sim.step(1000);
    std::printf("t = %g, height = %g\n", sim.time(), sim.body("torso").xpos()[2]);
}
