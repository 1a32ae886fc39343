// The part of mjx::mjx's library that has the solvers, the integrators and the steps they make.
#define MJX_COMPILED_STEPS
#include "mjx/compiled.hpp"
