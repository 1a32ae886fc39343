// All of mjx that a program with model files needs: loading, simulating, every scalar, integrator and solver.
//
// The rest of the porch is included on its own, as it costs compile time that a simulation does not need: views.hpp (xtensor), batch.hpp,
// sycl.hpp, derivatives.hpp, dump.hpp, viewer.hpp, recorder.hpp, plot.hpp; compile.hpp, joints.hpp, shapes.hpp and emit.hpp for joints and
// shapes of one's own. A program with a fixed model includes simulator.hpp, integrators.hpp, solvers.hpp and the generated header instead.
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
