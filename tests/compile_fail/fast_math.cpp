// expect: mjx needs IEEE arithmetic
// flags: -ffast-math
#include "mjx/scalar/scalar.hpp"
