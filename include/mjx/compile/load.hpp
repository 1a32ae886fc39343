// load_mjcf: from an MJCF file or string straight to a Model.
//
// Reading and compiling models is more code than simulating them. Where it should be built only once, MJX_LOADERS_DECLARED leaves just
// the declarations here, and one source file of the program defines the functions: the CMake target mjx::loaders does both.
#pragma once

#ifdef MJX_LOADERS_DECLARED

#include "mjx/model/cast.hpp"

namespace mjx {

Model<double> load_mjcf(const std::string& path);
Model<double> load_mjcf_string(const std::string& text);

}  // namespace mjx

#else

#include "mjx/compile/compile.hpp"
#include "mjx/io/mjcf.hpp"

namespace mjx {

inline Model<double> load_mjcf(const std::string& path) { return compile(parse_mjcf_file(path)); }

inline Model<double> load_mjcf_string(const std::string& text) { return compile(parse_mjcf_string(text)); }

}  // namespace mjx

#endif
