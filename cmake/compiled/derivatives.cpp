// The part of mjx::mjx's library that has the analytic derivatives of a step.
#define MJX_COMPILED_DERIVATIVES
#include "mjx/derivatives.hpp"
