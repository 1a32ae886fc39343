// load, load_mjcf, load_urdf: from a file or string straight to a Model.
#pragma once

#include "mjx/compile/compile.hpp"
#include "mjx/io/mjcf.hpp"
#include "mjx/model/cast.hpp"

namespace mjx::inner {

[[gnu::cold]] inline Model<double> load(const std::string& path, const UrdfOptions& urdf = {}, const Budget& budget = {}) {
    return compile(parse_file(path, urdf, budget));
}

inline Model<double> load_mjcf(const std::string& path, const Budget& budget = {}) { return compile(parse_mjcf_file(path, budget)); }
[[gnu::cold]] inline Model<double> load_mjcf_string(const std::string& text, const Budget& budget = {}) {
    return compile(parse_mjcf_string(text, "<string>", "", budget));
}

[[gnu::cold]] inline Model<double> load_urdf(const std::string& path, const UrdfOptions& options = {}, const Budget& budget = {}) {
    return compile(parse_urdf_file(path, options, budget));
}
[[gnu::cold]] inline Model<double> load_urdf_string(const std::string& text, const UrdfOptions& options = {}, const Budget& budget = {}) {
    return compile(parse_urdf_string(text, options, "<string>", "", budget));
}

}  // namespace mjx::inner
