// expect: mjx::batch needs a model: batch<P, Euler, Newton>(model, 4096), or a fixed one as the last type
#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"

void f() { mjx::batch<mjx::pack<float>, mjx::Euler, mjx::Newton>(4096); }
