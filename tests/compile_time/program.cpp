// The first program of the README, as mjx::mjx compiles it.
#include "mjx/mjx.hpp"

#include <cstdio>

int main() {
    mjx::Model model = mjx::load_mjcf("humanoid.xml");
    mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);
    sim.ctrl()[0] = 1;
    sim.step(1000);
    std::printf("t = %g, height = %g\n", sim.time(), sim.qpos()[2]);
}
