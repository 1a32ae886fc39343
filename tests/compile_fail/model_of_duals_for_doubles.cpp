// expect: a model of duals or packs must be the fourth parameter of Simulator
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

using D = mjx::dual<double, 2>;
mjx::Simulator<double, mjx::Euler, mjx::PGS> simulator{mjx::Model<D>{}};
