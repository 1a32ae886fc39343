// write_mjcf, save_mjcf: a Spec as MJCF, which reads back to the same model in every field.
//
// Where MJX_COMPILED is defined, the definitions are in a library (compiled.hpp) and this header is two declarations.
#pragma once

#include "mjx/model/spec.hpp"

#include <string>

namespace mjx::inner {

// The text. Asset files are named as seen from `directory`, or as the Spec has them.
std::string write_mjcf(const Spec& spec, const std::string& directory = "");

// Writes a file, and assets stay where they are; or an archive (.mjz, .zip) with its assets in it.
void save_mjcf(const Spec& spec, const std::string& path);

}  // namespace mjx::inner

#ifndef MJX_COMPILED

#include "mjx/io/mjcf/write_document.hpp"
#include "mjx/io/read_file.hpp"
#include "mjx/io/write_archive.hpp"

#include <map>

namespace mjx::inner {

inline std::string write_mjcf(const Spec& spec, const std::string& directory) {
    std::string text;
    mjcf::append_xml(text, *mjcf::write_spec(spec, directory), 0);
    return text;
}

namespace mjcf {

// The model and all files that it names. Files of one name from two folders get numbers.
inline std::string write_archive(Spec spec) {
    ArchiveWriter archive;
    std::map<std::string, std::string> taken, names;  // by the path, and the other way round
    const auto take = [&](std::string& file, const std::string& where) {
        if (file.empty()) return;
        std::string& name = taken[file];
        if (name.empty()) {
            const std::string base = std::filesystem::path(file).filename().string();
            name = "assets/" + base;
            for (int k = 1; !names.emplace(name, file).second; ++k) name = "assets/" + std::to_string(k) + "_" + base;
            const List<char> bytes = read_bytes(file, where);
            archive.add(name, {bytes.data(), bytes.size()});
        }
        file = name;
    };
    for (SpecMesh& m : spec.meshes) take(m.file, m.where);
    for (SpecHfield& h : spec.hfields) take(h.file, h.where);
    for (SpecTexture& t : spec.textures)
        for (std::string& file : t.look.files) take(file, t.where);
    archive.add("model.xml", write_mjcf(spec));
    return archive.finish();
}

}  // namespace mjcf

inline void save_mjcf(const Spec& spec, const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const std::string text = is_archive_name(path) ? mjcf::write_archive(spec) : write_mjcf(spec, folder.empty() ? "." : folder.string());
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw_model_error({path, ": cannot be written"});
}

}  // namespace mjx::inner

#endif
