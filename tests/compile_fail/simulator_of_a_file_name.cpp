// expect: the fourth parameter of Simulator must be mjx::Model or a model written by mjx_add_model
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

mjx::Simulator<double, mjx::Euler, mjx::PGS, const char*>* simulator;
int size = sizeof(*simulator);
