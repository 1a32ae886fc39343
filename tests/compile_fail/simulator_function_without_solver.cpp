// expect: write mjx::simulator<Integrator, Solver>(model), where a scalar may come before them and a fixed model after them
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"

void f(const mjx::Model<>& model) { mjx::simulator<mjx::Euler>(model); }
