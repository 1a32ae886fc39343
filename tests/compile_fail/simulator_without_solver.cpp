// expect: the third parameter of Simulator must be a solver such as mjx::PGS, mjx::CG or mjx::Newton
#include "mjx/integrator/euler.hpp"
#include "mjx/model/model.hpp"
#include "mjx/simulator.hpp"

mjx::Simulator<double, mjx::Euler, double>* simulator;
int size = sizeof(*simulator);
