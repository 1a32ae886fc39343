// expect: mjx::simulator needs a model: simulator<RK4, PGS>(model), or a fixed one as the last type
#include "mjx/integrators.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

void f() { mjx::simulator<mjx::Euler, mjx::PGS>(); }
