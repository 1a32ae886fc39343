// expect: a Simulator needs a model: sim(model), unless it is fixed, the fourth parameter
#include "mjx/integrator/euler.hpp"
#include "mjx/model/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/pgs.hpp"

mjx::Simulator<double, mjx::Euler, mjx::PGS> simulator;
