// What the references were made with: Newton at 100 iterations and zero tolerance, the model's own integrator. Compiled once, for all tests.
#pragma once

#include "rooms.hpp"

#include "compare.hpp"

#include "mjx/compile/load.hpp"

namespace conformance {

// The fields of a dump, and `fwdinv`: the disagreement of forward and inverse dynamics.
Fields simulate(mjx::Model<double>& m, const std::string& state_file);

}  // namespace conformance
