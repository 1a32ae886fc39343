// parse_mjcf_file and parse_mjcf_string: an MJCF model, as MuJoCo 3.12 understands it, into a Spec. A <robot> is read as URDF.
//
// The text goes through four passes: parse_xml (well-formed?), expand_includes (one tree), check_schema (only what MJCF knows, every
// value readable), and the sections below in MuJoCo's order, which lets any section refer to what an earlier pass has read. What mjx
// does not simulate is an error; what only concerns pictures is checked against the schema and dropped.
//
// Where MJX_COMPILED is defined, the definitions are in a library (compiled.hpp) and this header is two declarations.
#pragma once

#include "mjx/model/spec.hpp"

#include <string>
#include <string_view>

namespace mjx::inner {

// Reads a model file. Included files and assets are found relative to it.
Spec parse_mjcf_file(const std::string& path);

// Reads a model from text. Messages call it `name`; included files and assets are found relative to `directory`.
Spec parse_mjcf_string(std::string_view text, const std::string& name = "<string>", const std::string& directory = "");

}  // namespace mjx::inner

#ifndef MJX_COMPILED

#include "mjx/io/mjcf/document.hpp"

namespace mjx::inner {

inline Spec parse_mjcf_file(const std::string& path) {
    return mjcf::read_spec(read_text_file(path), path, std::filesystem::path(path).parent_path().string(), path);
}

inline Spec parse_mjcf_string(std::string_view text, const std::string& name, const std::string& directory) {
    return mjcf::read_spec(text, name, directory, "");
}

}  // namespace mjx::inner

#endif
