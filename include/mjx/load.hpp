// Reading models: MJCF and URDF, from files and strings.
//
//     mjx::Model model = mjx::load_mjcf("humanoid.xml");           // throws mjx::model_error: file, element, what is wrong, what was expected
//     mjx::Spec spec = mjx::parse_mjcf_file("humanoid.xml");       // to change it before mjx::compile(spec)
#pragma once

#include "mjx/compile/load.hpp"
#include "mjx/spec.hpp"

namespace mjx {

using inner::load_mjcf;
using inner::load_mjcf_string;
using inner::parse_mjcf_file;
using inner::parse_mjcf_string;

}  // namespace mjx
