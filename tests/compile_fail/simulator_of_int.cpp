// expect: the first parameter of Simulator must be float, double, mjx::dual or mjx::pack
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

mjx::Simulator<int, mjx::Euler, mjx::PGS>* simulator;
int size = sizeof(*simulator);
