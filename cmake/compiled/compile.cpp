// The part of mjx::mjx's library that compiles a Spec.
#include "mjx/compiled.hpp"  // the derived constants need stages, which are in the library as well

#undef MJX_COMPILED
#include "mjx/compile/compile.hpp"

[[gnu::used]] static constexpr auto compile = &mjx::inner::compile;
