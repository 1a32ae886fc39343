// Writing models: a Spec, made in C++ or read from a file, as MJCF.
//
//     mjx::Spec spec = mjx::parse_urdf_file("arm.urdf", {.actuators = true});
//     mjx::save_mjcf(spec, "arm.xml");                          // mjx::load_mjcf("arm.xml") is the model that compile(spec) makes
//     mjx::save_mjcf(spec, "arm.mjz");                          // the same with its meshes, height fields and pictures, in one archive
//     std::string text = mjx::write_mjcf(spec);
//
// What MJCF cannot say (joints and shapes of a program's own, fields that are not MuJoCo's plugins) is a mjx::model_error.
#pragma once

#include "mjx/io/write_mjcf.hpp"
#include "mjx/spec.hpp"

namespace mjx {

using inner::save_mjcf;
using inner::write_mjcf;

}  // namespace mjx
