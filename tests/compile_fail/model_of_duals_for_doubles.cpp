// expect: a model of duals or packs must be the fourth parameter of Simulator
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/pgs.hpp"

using D = mjx::dual<double, 2>;
mjx::Simulator<double, mjx::Euler, mjx::PGS> simulator{mjx::Model<D>{}};
