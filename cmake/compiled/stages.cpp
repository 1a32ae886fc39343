// The part of mjx::mjx's library that has the stages of the pipeline.
#define MJX_COMPILED_STAGES
#include "mjx/compiled.hpp"
