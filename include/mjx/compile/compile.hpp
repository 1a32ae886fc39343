// compile(spec): a Spec becomes a Model, with MuJoCo's ids, defaults, checks and derived constants.
//
// Anything wrong is a model_error that names the element. passes.hpp has the passes, and compile<Joints>(spec) for sets of joints.
//
// Where MJX_COMPILED is defined, the definition is in a library (compiled.hpp) and this header is one declaration.
#pragma once

#include "mjx/model/model.hpp"
#include "mjx/model/spec.hpp"

namespace mjx::inner {

Model<double> compile(const Spec& spec);

}  // namespace mjx::inner

#ifndef MJX_COMPILED

#include "mjx/compile/passes.hpp"

namespace mjx::inner {

inline Model<double> compile(const Spec& spec) { return compile<all_joints>(spec); }

}  // namespace mjx::inner

#endif
