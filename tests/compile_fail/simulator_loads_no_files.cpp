// expect: a Simulator needs a model: mjx::load_mjcf(file) or mjx::compile(spec)
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

mjx::Simulator<double, mjx::Euler, mjx::PGS> simulator("humanoid.xml");
