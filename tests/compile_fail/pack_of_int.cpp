// expect: pack<T> holds lanes of float or double
#include "mjx/scalar/pack.hpp"

mjx::pack<int> x;
