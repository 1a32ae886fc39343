// Loads the robot when it runs, with mjx::mjx, and lets it swing for a second: a pendulum keeps its energy.
#include <mjx/mjx.hpp>

#include <cmath>

double energy(double angle, double velocity) { return 0.5 * 1.1 * velocity * velocity - 9.81 * std::cos(angle); }

int main(int, char** arguments) {
    mjx::Model model = mjx::load_mjcf(arguments[1]);
    mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);
    sim.qvel()[0] = 1;
    while (sim.time() < 1) sim.step();
    return std::abs(energy(sim.qpos()[0], sim.qvel()[0]) - energy(0, 1)) < 1e-9 ? 0 : 1;
}
