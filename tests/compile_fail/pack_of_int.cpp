// expect: pack<T> holds lanes of float or double
#include "mjx/scalars.hpp"

mjx::pack<int> x;
