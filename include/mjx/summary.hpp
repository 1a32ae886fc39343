// summary(sim): the state of a simulation in a few lines, for people.
//
//     std::fputs(mjx::summary(sim).c_str(), stdout);
// Sizes, options, contacts, constraint rows, iterations of the solver, energy, momentum, the first body, warnings: as the last step or
// forward() left them. Of a pack it shows the first lane.
#pragma once

#include "mjx/robotics/momentum.hpp"
#include "mjx/simulator.hpp"
#include "mjx/stage/energy.hpp"

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

// Potential and kinetic energy, whether the model asks for them or not.
template <class M, class D>
auto energies(const M& m, D& d) {
    const auto kept = d.energy;
    energy_pos(m, d);
    energy_vel(m, d);
    const auto result = d.energy;
    d.energy = kept;
    return result;
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
    const auto energy = inner::energies(m, d);
    add_line(text, "energy             %.3f J potential, %.3f J kinetic", shown(energy[0]), shown(energy[1]));
    const auto v = inner::velocity(m, d, inner::com(0));
    const double mass = shown(m.body_subtreemass[0]);
    add_line(text, "momentum           %.3f %.3f %.3f kg m/s, of %.3f kg", mass * shown(v[0]), mass * shown(v[1]), mass * shown(v[2]),
             mass);
    const int root = m.nbody > 1 ? 1 : 0;  // the first body of the world, if there is one
    const auto& p = d.xpos[root];
    const auto& q = d.xquat[root];
    add_line(text, "root               position %.3f %.3f %.3f, quaternion %.3f %.3f %.3f %.3f", shown(p[0]), shown(p[1]), shown(p[2]),
             shown(q[0]), shown(q[1]), shown(q[2]), shown(q[3]));
    for (const Warning& w : sim.warnings()) add_line(text, "warning            %s (%d times)", w.text.c_str(), w.count);
    return text;
}

}  // namespace mjx
