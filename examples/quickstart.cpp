// The quickstart: a humanoid falls, for ten seconds, with Runge-Kutta and PGS.
// To watch it: bash examples/view.sh
#include "mjx/mjx.hpp"

#include <chrono>
#include <cstdio>

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : MJX_EXAMPLES_DIR "/../tests/models/humanoid.xml";
    try {
        const mjx::Model model = mjx::load_mjcf(path);
        mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);

        const int steps = static_cast<int>(10 / model.opt.timestep);
        const auto start = std::chrono::steady_clock::now();
        sim.step(steps);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        sim.forward();

        std::fputs(mjx::summary(sim).c_str(), stdout);
        std::printf("steps per second   %.0f\n", steps / seconds);
        std::printf("real-time factor   %.1f\n", sim.time() / seconds);
    } catch (const std::exception& trouble) {
        std::fprintf(stderr, "quickstart: %s\n", trouble.what());
        return 1;
    }
    return 0;
}
