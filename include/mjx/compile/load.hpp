// load, load_mjcf, load_urdf: from a file or string straight to a Model.
#pragma once

#include "mjx/compile/compile.hpp"
#include "mjx/io/mjcf.hpp"
#include "mjx/model/cast.hpp"

namespace mjx::inner {

inline Model<double> load(const std::string& path, const UrdfOptions& urdf = {}) { return compile(parse_file(path, urdf)); }

inline Model<double> load_mjcf(const std::string& path) { return compile(parse_mjcf_file(path)); }
inline Model<double> load_mjcf_string(const std::string& text) { return compile(parse_mjcf_string(text)); }

inline Model<double> load_urdf(const std::string& path, const UrdfOptions& options = {}) { return compile(parse_urdf_file(path, options)); }
inline Model<double> load_urdf_string(const std::string& text, const UrdfOptions& options = {}) {
    return compile(parse_urdf_string(text, options));
}

}  // namespace mjx::inner
