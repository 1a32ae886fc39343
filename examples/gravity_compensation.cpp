// Gravity compensation: an arm whose motors carry its weight stays where it is put, and can be moved by hand.
// To watch it: `#include "mjx/viewer.hpp"`, `mjx::Viewer viewer(sim);` after the simulator, `viewer.update();` after each step.
#include "mjx/mjx.hpp"

#include <cmath>
#include <cstdio>

int main() {
    const mjx::Model model = mjx::load_mjcf(MJX_EXAMPLES_DIR "/../tests/models/arm.xml");
    mjx::Simulator<double, mjx::ImplicitFast, mjx::Newton> sim(model);
    const double bent[7] = {0.3, 0.6, 0.2, -1.2, 0.1, 0.8, 0};
    const auto moved = [&](bool compensated, double push) {
        sim.reset();
        for (int i = 0; i < 7; ++i) sim.qpos()[i] = bent[i];
        for (int step = 0; step < 2500; ++step) {
            sim.step1();
            if (compensated) mjx::gravity_force(sim, sim.qfrc_applied());
            if (step < 100) sim.qfrc_applied()[3] += push;
            sim.step2();
        }
        double most = 0;
        for (int i = 0; i < 7; ++i) most = std::max(most, std::abs(sim.qpos()[i] - bent[i]));
        return most;
    };
    const double falls = moved(false, 0), stays = moved(true, 0), pushed = moved(true, 1);
    std::printf("in five seconds the arm moves by %.3f rad without compensation, by %.1e rad with it, by %.3f rad after a push\n", falls,
                stays, pushed);
    return falls > 0.1 && stays < 1e-6 && pushed > 0.01 && pushed < 0.5 ? 0 : 1;
}
