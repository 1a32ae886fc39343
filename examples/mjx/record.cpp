// mjx record: a run as a file that a browser plays, or Blender opens.
#include "simulation.hpp"

#include "mjx/recorder.hpp"

#include <filesystem>

namespace command {

int record(const Options& o) {
    mjx::Recorder::check(*o.output, o.three.value_or(""));
    mjx::Model<double> m = load(o);
    m.opt.enableflags |= mjx::enable::energy;  // for the plots
    AnySimulator sim(m, o);
    mjx::Recorder recorder(sim, {.fps = o.fps.value_or(60)});
    const double seconds = o.seconds.value_or(10), from = sim.time();
    if (!(m.opt.timestep > 0)) throw std::runtime_error("the model's timestep is not positive, expected one that ends");
    const int steps = static_cast<int>(seconds / m.opt.timestep + 0.5), tenth = steps / 10 + 1;
    recorder.keep();
    const Controls controls(sim.model(), o);
    for (int i = 0; i < steps; ++i) {
        controls.apply(sim.data(), i);
        sim.step();
        recorder.update();
        if ((i + 1) % tenth == 0) std::fprintf(stderr, "\r%3d%%  %.2f s simulated", int(100.0 * (i + 1) / steps), sim.time() - from);
    }
    std::fprintf(stderr, "\r100%%  %.2f s simulated\n", sim.time() - from);
    const int code = print_warnings(sim.model(), sim.data());
    recorder.save(*o.output, o.three.value_or(""));
    std::printf("%s: %d frames, %.0f kB\n", o.output->c_str(), recorder.frames(), 1e-3 * double(std::filesystem::file_size(*o.output)));
    return code;
}

}  // namespace command
