// load_mjcf: from an MJCF (or URDF) file or string straight to a Model.
//
// Reading and compiling models is more code than simulating them. Where it should be built only once, MJX_LOADERS_DECLARED leaves just
// the declarations of parse_mjcf_file, parse_mjcf_string, compile, load_mjcf and load_mjcf_string here, and a library defines them: the
// CMake target mjx::loaders does both. Such a program does not include io/mjcf.hpp or compile/compile.hpp itself.
#pragma once

#ifdef MJX_LOADERS_DECLARED

#include "mjx/model/cast.hpp"
#include "mjx/model/spec.hpp"

#include <string_view>

namespace mjx {

namespace loaders {

Spec parse_mjcf_file(const std::string& path);
Spec parse_mjcf_string(std::string_view text, const std::string& name = "<string>", const std::string& directory = "");
Model<double> compile(const Spec& spec);
Model<double> load_mjcf(const std::string& path);
Model<double> load_mjcf_string(const std::string& text);

}  // namespace loaders

using loaders::compile;
using loaders::load_mjcf;
using loaders::load_mjcf_string;
using loaders::parse_mjcf_file;
using loaders::parse_mjcf_string;

}  // namespace mjx

#else

#include "mjx/compile/compile.hpp"
#include "mjx/io/mjcf.hpp"

namespace mjx {

inline Model<double> load_mjcf(const std::string& path) { return compile(parse_mjcf_file(path)); }

inline Model<double> load_mjcf_string(const std::string& text) { return compile(parse_mjcf_string(text)); }

}  // namespace mjx

#endif
