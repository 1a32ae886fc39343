// parse_mjcf_*, parse_urdf_*, parse_file: a model file, as MuJoCo 3.14 understands it, into a Spec.
//
// The text goes through four passes: parse_xml (well-formed?), expand_includes (one tree), check_schema (only what MJCF knows, every
// value readable), and the sections in MuJoCo's order, which lets any section refer to what an earlier pass has read. What mjx
// does not simulate is an error; what only concerns pictures is checked against the schema and dropped. A root <robot> is read as URDF
// (urdf/robot.hpp).
//
// Where MJX_COMPILED is defined, the definitions are in a library (compiled.hpp) and this header is a few declarations.
#pragma once

#include "mjx/io/urdf/options.hpp"
#include "mjx/model/spec.hpp"

#include <string>
#include <string_view>

namespace mjx::inner {

// Reads a model file, or an archive with one (archive.hpp). Included files and assets are found relative to it.
Spec parse_mjcf_file(const std::string& path, const Budget& budget = {});
Spec parse_urdf_file(const std::string& path, const UrdfOptions& options = {}, const Budget& budget = {});
Spec parse_file(const std::string& path, const UrdfOptions& urdf = {}, const Budget& budget = {});  // either of them, by its root

// Reads a model from text. Messages call it `name`; included files and assets are found relative to `directory`.
Spec parse_mjcf_string(std::string_view text, const std::string& name = "<string>", const std::string& directory = "",
                       const Budget& budget = {});
Spec parse_urdf_string(std::string_view text, const UrdfOptions& options = {}, const std::string& name = "<string>",
                       const std::string& directory = "", const Budget& budget = {});

}  // namespace mjx::inner

#ifndef MJX_COMPILED

#include "mjx/io/mjcf/document.hpp"

namespace mjx::inner {

namespace mjcf {

[[gnu::cold]] inline Spec read_spec_file(const std::string& path, const UrdfOptions& urdf, const Budget& budget,
                                         const char* root = nullptr) {
    const std::string file = model_file(path), text = read_text_file(file, {budget});
    return read_spec(text, {file, std::filesystem::path(file).parent_path().string(), file}, urdf, budget, root);
}

}  // namespace mjcf

inline Spec parse_mjcf_file(const std::string& path, const Budget& budget) { return mjcf::read_spec_file(path, {}, budget); }
[[gnu::cold]] inline Spec parse_urdf_file(const std::string& path, const UrdfOptions& options, const Budget& budget) {
    return mjcf::read_spec_file(path, options, budget, "robot");
}
[[gnu::cold]] inline Spec parse_file(const std::string& path, const UrdfOptions& urdf, const Budget& budget) {
    return mjcf::read_spec_file(path, urdf, budget);
}

[[gnu::cold]] inline Spec parse_mjcf_string(std::string_view text, const std::string& name, const std::string& directory,
                                            const Budget& budget) {
    return mjcf::read_spec(text, {name, directory, ""}, {}, budget);
}
[[gnu::cold]] inline Spec parse_urdf_string(std::string_view text, const UrdfOptions& options, const std::string& name,
                                            const std::string& directory, const Budget& budget) {
    return mjcf::read_spec(text, {name, directory, ""}, options, budget, "robot");
}

}  // namespace mjx::inner

#endif
