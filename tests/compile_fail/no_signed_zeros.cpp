// expect: mjx needs IEEE arithmetic
// flags: -fno-signed-zeros
#include "mjx/scalars.hpp"
