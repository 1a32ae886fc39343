// The quickstart: a humanoid falls, for ten seconds, with Runge-Kutta and PGS.
// To watch it: bash examples/view.sh
#include "mjx/mjx.hpp"

#include <chrono>
#include <cstdio>

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : MJX_EXAMPLES_DIR "/../tests/models/humanoid.xml";
    try {
        mjx::Model model = mjx::load_mjcf(path);
        model.opt.enableflags |= mjx::enable::energy;
        mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);

        const int steps = static_cast<int>(10 / model.opt.timestep);
        const auto start = std::chrono::steady_clock::now();
        sim.step(steps);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        sim.forward();

        const auto& d = sim.data();
        std::printf("model              %s\n", model.name.empty() ? path.c_str() : model.name.c_str());
        std::printf("sizes              %d bodies, %d joints, %d dofs, %d geoms, %d actuators\n", model.nbody, model.njnt, model.nv,
                    model.ngeom, model.nactuator);
        std::printf("simulated          %.3f s in %d steps, RK4 with PGS\n", d.time, steps);
        std::printf("steps per second   %.0f\n", steps / seconds);
        std::printf("real-time factor   %.1f\n", d.time / seconds);
        std::printf("contacts           %d, %d constraint rows\n", d.ncon, d.nefc);
        std::printf("energy             %.3f J potential, %.3f J kinetic\n", d.energy[0], d.energy[1]);
        const int root = model.nbody > 1 ? 1 : 0;  // the first body of the world, if there is one
        std::printf("root               position %.3f %.3f %.3f, quaternion %.3f %.3f %.3f %.3f\n", d.xpos[root][0], d.xpos[root][1],
                    d.xpos[root][2], d.xquat[root][0], d.xquat[root][1], d.xquat[root][2], d.xquat[root][3]);
    } catch (const std::exception& trouble) {
        std::fprintf(stderr, "quickstart: %s\n", trouble.what());
        return 1;
    }
    return 0;
}
