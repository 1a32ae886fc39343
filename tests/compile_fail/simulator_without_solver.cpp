// expect: the third parameter of Simulator must be a solver such as mjx::PGS, mjx::CG or mjx::Newton
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"

mjx::Simulator<double, mjx::Euler, double>* simulator;
int size = sizeof(*simulator);
