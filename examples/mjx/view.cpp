// mjx view: a simulation in the browser.
#include "simulation.hpp"

#include "mjx/viewer.hpp"

#include <csignal>

namespace command {

namespace {

mjx::Viewer* shown = nullptr;

}  // namespace

int view(const Options& o) {
    mjx::Model<double> m = load(o);
    m.opt.enableflags |= mjx::enable::energy;  // for the plots
    AnySimulator sim(m, o);
    mjx::ViewerOptions options;
    options.driven = true;
    if (o.host) options.host = *o.host;
    if (o.port) options.port = *o.port;
    if (o.fps) options.fps = *o.fps;
    if (o.three) options.three = *o.three;
    mjx::Viewer viewer(sim, options);
    shown = &viewer;
    std::signal(SIGINT, [](int) { shown->stop(); });
    std::signal(SIGTERM, [](int) { shown->stop(); });
    viewer.run();
    return print_warnings(sim.model(), sim.data());
}

}  // namespace command
