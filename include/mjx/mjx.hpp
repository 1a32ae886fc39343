// All of mjx that a program with model files needs: loading, simulating, every scalar, integrator and solver.
//
//     #include <mjx/mjx.hpp>
//     #include <cstdio>
//
//     int main() {
//         mjx::Model model = mjx::load_mjcf("humanoid.xml");
//         mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);
//         sim.actuator("right_knee").ctrl()[0] = 1;
//         sim.step(1000);
//         std::printf("t = %g, height = %g\n", sim.time(), sim.body("torso").xpos()[2]);
//     }
//
// It brings compiled.hpp, data.hpp, fwd.hpp, handles.hpp, hooks.hpp, integrators.hpp, load.hpp, math.hpp, model.hpp, parameters.hpp,
// registry.hpp, robotics.hpp, scalars.hpp, simulator.hpp, solvers.hpp, spec.hpp, step.hpp, summary.hpp and warnings.hpp. The rest is
// included on its own, as it costs compile time that a simulation does not need:
//     batch.hpp, sycl.hpp, mpi.hpp                     many environments: on lanes and threads, on a GPU, on a cluster
//     derivatives.hpp, control.hpp                     A and B of a step; plans
//     views.hpp, dump.hpp                              fields as xtensor arrays, as text
//     viewer.hpp, recorder.hpp, plot.hpp               in the browser, as a file, as curves
//     save.hpp, emit.hpp                               models as MJCF, as C++ headers
//     compile.hpp, joints.hpp, shapes.hpp              joints and shapes of one's own
//     python.hpp                                       a Python module
//     conventions.hpp                                  frames and units, as comments alone
// A program with a fixed model includes simulator.hpp, integrators.hpp, solvers.hpp and the generated header instead.
#pragma once

#include "mjx/compiled.hpp"
#include "mjx/data.hpp"
#include "mjx/integrators.hpp"
#include "mjx/load.hpp"
#include "mjx/model.hpp"
#include "mjx/parameters.hpp"
#include "mjx/registry.hpp"
#include "mjx/robotics.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"
#include "mjx/spec.hpp"
#include "mjx/summary.hpp"
