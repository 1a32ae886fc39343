// emit_fixed_model: a Model as the text of a C++ header, for programs that make their models themselves; for files there is
// mjx_add_model (cmake/mjx_add_model.cmake).
//
//     std::ofstream("lift.hpp") << mjx::emit_fixed_model(mjx::compile<joints>(spec), "Lift", "lift.cpp");
// Joints of a program's own are written by their cpp_name: declare them before the header is included.
#pragma once

#include "mjx/io/emit.hpp"
#include "mjx/model.hpp"

namespace mjx {

using inner::emit_fixed_model;

}  // namespace mjx
