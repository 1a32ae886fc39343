// expect: a Simulator needs a model: sim(model), unless it is fixed, the fourth parameter
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

mjx::Simulator<double, mjx::Euler, mjx::PGS> simulator;
