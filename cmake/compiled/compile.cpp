// The part of mjx::mjx's library that compiles a Spec.
#include "mjx/compiled.hpp"  // the derived constants need stages, which are in the library as well

#undef MJX_COMPILED
#include "mjx/compile/compile.hpp"

[[gnu::used]] static constexpr mjx::inner::Model<double> (*compile)(const mjx::inner::Spec&) = &mjx::inner::compile;
