// The part of mjx::mjx's library that has the pipeline on dual numbers.
#define MJX_COMPILED_DUALS
#include "mjx/derivatives.hpp"
