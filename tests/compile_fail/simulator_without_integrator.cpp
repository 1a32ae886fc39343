// expect: the second parameter of Simulator must be an integrator such as mjx::Euler or mjx::RK4
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

mjx::Simulator<double, mjx::PGS*, mjx::PGS>* simulator;
int size = sizeof(*simulator);
