// All integrators and solvers, for programs that choose at run time: the model's own choice or a command line's.
//
//     mjx::with_integrator(m.opt.integrator, [&](auto integrator) { ... decltype(integrator) is Euler, RK4, ... });
#pragma once

#include "mjx/integrator/registry.hpp"

namespace mjx {

using inner::with_integrator;
using inner::with_solver;

}  // namespace mjx
