// The part of mjx::mjx's library that has the pipeline on the lanes of a pack.
#define MJX_COMPILED_LANES
#include "mjx/batch.hpp"
