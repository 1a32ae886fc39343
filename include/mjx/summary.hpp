// summary(sim): the state of a simulation in a few lines, for people.
//
//     std::fputs(mjx::summary(sim).c_str(), stdout);
// Sizes, options, contacts, constraint rows, iterations of the solver, energy, momentum, the first body, warnings: as the last step or
// forward() left them. Of a pack it shows the first lane.
#pragma once

#include "mjx/robotics/momentum.hpp"
#include "mjx/simulator.hpp"

#include <cstdarg>
#include <cstdio>
#include <string>

namespace mjx::inner {

[[gnu::format(printf, 2, 3)]] inline void add_line(std::string& text, const char* format, ...) {
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text += line;
    text += '\n';
}

// What a reader sees of a number: its value in the first lane.
template <class S>
double shown(const S& x) {
    return static_cast<double>(value_of(lane(x, 0)));
}

}  // namespace mjx::inner

namespace mjx {

template <class Sim>
std::string summary(Sim& sim) {
    using inner::add_line, inner::shown;
    const auto& m = sim.model();
    auto& d = sim.data();
    std::string text;
    add_line(text, "model              %s", std::string(m.name).c_str());
    add_line(text, "sizes              %d bodies, %d joints, %d dofs, %d geoms, %d actuators, %d sensors", int(m.nbody), int(m.njnt),
             int(m.nv), int(m.ngeom), int(m.nactuator), int(m.nsensor));
    add_line(text, "options            timestep %g s, %s with %s, gravity %g %g %g", shown(m.opt.timestep), Sim::integrator::name,
             Sim::solver::name, shown(m.opt.gravity[0]), shown(m.opt.gravity[1]), shown(m.opt.gravity[2]));
    add_line(text, "time               %.3f s", shown(d.time));
    add_line(text, "contacts           %d, %d constraint rows, %d iterations of the solver", d.ncon, d.nefc, d.solver_niter);
    const auto e = inner::energies(m, d);
    add_line(text, "energy             %.3f J potential, %.3f J kinetic", shown(e.potential), shown(e.kinetic));
    const auto p = inner::momentum(m, d, 0);
    add_line(text, "momentum           %.3f %.3f %.3f kg m/s, of %.3f kg", shown(p[3]), shown(p[4]), shown(p[5]),
             shown(m.body_subtreemass[0]));
    const int root = m.nbody > 1 ? 1 : 0;  // the first body of the world, if there is one
    const auto& x = d.xpos[root];
    const auto& q = d.xquat[root];
    add_line(text, "root               position %.3f %.3f %.3f, quaternion %.3f %.3f %.3f %.3f", shown(x[0]), shown(x[1]), shown(x[2]),
             shown(q[0]), shown(q[1]), shown(q[2]), shown(q[3]));
    for (const Warning& w : sim.warnings()) add_line(text, "warning            %s (%d times)", w.text.c_str(), w.count);
    return text;
}

}  // namespace mjx
