// Reading models: MJCF and URDF, from files, archives (.mjz, .zip) and strings.
//
//     mjx::Model model = mjx::load_mjcf("humanoid.xml");        // throws mjx::model_error: file, element, what is wrong, what was expected
//     mjx::Spec spec = mjx::parse_mjcf_file("humanoid.xml");    // to change it before mjx::compile(spec)
//     mjx::Model arm = mjx::load_urdf("panda.urdf", {.packages = {{"franka_description", "robots/franka"}}, .actuators = true});
//     mjx::Model city = mjx::load_mjcf("city.xml", {.elements = 5'000'000});   // more than a file may ask for by default: model/budget.hpp
//     mjx::Model any = mjx::load(path);                         // either of them, by its root element
//
// io/urdf/options.hpp lists what load_urdf takes. Packages are also found by ROS's variables and above the file, so most robots need none.
#pragma once

#include "mjx/compile/load.hpp"
#include "mjx/spec.hpp"

namespace mjx {

using inner::load;
using inner::load_mjcf;
using inner::load_mjcf_string;
using inner::load_urdf;
using inner::load_urdf_string;
using inner::parse_file;
using inner::parse_mjcf_file;
using inner::parse_mjcf_string;
using inner::parse_urdf_file;
using inner::parse_urdf_string;
using inner::UrdfOptions;

}  // namespace mjx
