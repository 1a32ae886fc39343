// expect: mjx needs IEEE arithmetic
// flags: -ffast-math
#include "mjx/scalars.hpp"
