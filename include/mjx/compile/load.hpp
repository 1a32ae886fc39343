// load_mjcf: from an MJCF (or URDF) file or string straight to a Model.
#pragma once

#include "mjx/compile/compile.hpp"
#include "mjx/io/mjcf.hpp"
#include "mjx/model/cast.hpp"

namespace mjx::inner {

inline Model<double> load_mjcf(const std::string& path) { return compile(parse_mjcf_file(path)); }

inline Model<double> load_mjcf_string(const std::string& text) { return compile(parse_mjcf_string(text)); }

}  // namespace mjx::inner
