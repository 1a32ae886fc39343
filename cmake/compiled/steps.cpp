// The part of mjx::mjx's library that has the solvers, the integrators and the steps they make.
#define MJX_COMPILED_STEPS
#include "mjx/compiled.hpp"

#if defined(MJX_COMPILED_WIDE) && defined(MJX_LIBRARY)
// What wide.cpp is compiled for.
const bool mjx::inner::machine_is_wide = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}();
#endif
