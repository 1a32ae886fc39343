// expect: mjx::simulator needs a model: mjx::simulator<RK4, Newton>(mjx::load_mjcf(file))
#include "mjx/integrators.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

void f() { mjx::simulator<mjx::Euler, mjx::PGS>("humanoid.xml"); }
