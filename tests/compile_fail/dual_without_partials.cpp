// expect: dual<T, N> needs at least one partial derivative
#include "mjx/scalars.hpp"

mjx::dual<double, 0> x;
