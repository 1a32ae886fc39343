// Kernels of SyclBatch as the compiler of a device reads them, against the stand-in for SYCL: with all that a fixed model can have, and with
// tables of each environment's own.
#define SYCL_LANGUAGE_VERSION 202001  // kernels have no registers of a CPU

#include "cheetah.hpp"
#include "workshop.hpp"

#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"
#include "mjx/sycl.hpp"

template class mjx::inner::SyclBatch<float, mjx::RK4, mjx::PGS, mjx::WithOwn<models::Cheetah, "body_mass", "geom_friction">>;

void step_all_that_there_is();
void step_all_that_there_is() { mjx::SyclBatch<float, mjx::Euler, mjx::Newton, mjx::ConvexIn<float, models::Workshop>>(64).step(); }
