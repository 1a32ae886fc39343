// expect: the second parameter of Simulator must be an integrator such as mjx::Euler or mjx::RK4
#include "mjx/batch/batch.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/model.hpp"
#include "mjx/solver/pgs.hpp"

mjx::Batch<double, mjx::PGS, mjx::Euler>* batch;
int size = sizeof(*batch);
