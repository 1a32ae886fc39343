// expect: the second parameter of Simulator must be an integrator such as mjx::Euler or mjx::RK4
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

void f(const mjx::Model<>& model) { mjx::simulator<mjx::PGS, mjx::Euler>(model); }
