// expect: a Simulator needs a model: mjx::load_mjcf(file) or mjx::compile(spec)
#include "mjx/integrator/euler.hpp"
#include "mjx/model/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/pgs.hpp"

mjx::Simulator<double, mjx::Euler, mjx::PGS> simulator("humanoid.xml");
