// expect: the second parameter of Simulator must be an integrator such as mjx::Euler or mjx::RK4
#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/solvers.hpp"

mjx::Batch<double, mjx::PGS, mjx::Euler>* batch;
int size = sizeof(*batch);
