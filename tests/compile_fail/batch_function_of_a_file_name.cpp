// expect: mjx::batch needs a model: mjx::batch<mjx::pack<float>, Euler, Newton>(mjx::load_mjcf(file), environments)
#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"

void f() { mjx::batch<mjx::pack<float>, mjx::Euler, mjx::Newton>("humanoid.xml", 4096); }
