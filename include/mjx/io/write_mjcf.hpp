// write_mjcf, save_mjcf: a Spec as MJCF, which reads back to the same model in every field.
//
// Where MJX_COMPILED is defined, the definitions are in a library (compiled.hpp) and this header is two declarations.
#pragma once

#include "mjx/model/spec.hpp"

#include <string>

namespace mjx::inner {

// The text. Asset files are named as seen from `directory`, or as the Spec has them.
std::string write_mjcf(const Spec& spec, const std::string& directory = "");

// Writes a file; assets stay where they are.
void save_mjcf(const Spec& spec, const std::string& path);

}  // namespace mjx::inner

#ifndef MJX_COMPILED

#include "mjx/io/mjcf/write_document.hpp"

namespace mjx::inner {

inline std::string write_mjcf(const Spec& spec, const std::string& directory) {
    std::string text;
    mjcf::append_xml(text, *mjcf::write_spec(spec, directory), 0);
    return text;
}

inline void save_mjcf(const Spec& spec, const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const std::string text = write_mjcf(spec, folder.empty() ? "." : folder.string());
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw_model_error({path, ": cannot be written"});
}

}  // namespace mjx::inner

#endif
