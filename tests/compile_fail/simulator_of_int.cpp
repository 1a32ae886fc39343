// expect: the first parameter of Simulator must be float, double, mjx::dual or mjx::pack
#include "mjx/integrator/euler.hpp"
#include "mjx/model/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/pgs.hpp"

mjx::Simulator<int, mjx::Euler, mjx::PGS>* simulator;
int size = sizeof(*simulator);
