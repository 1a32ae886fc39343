// read_mesh: a mesh file of any kind, chosen by its content type or else by its extension: OBJ, STL, MSH, COLLADA.
#pragma once

#include "mjx/io/mesh_dae.hpp"
#include "mjx/io/mesh_msh.hpp"
#include "mjx/io/mesh_obj.hpp"
#include "mjx/io/mesh_stl.hpp"

namespace mjx::inner {

struct MeshKind {
    std::string_view extension, content_type;
    MeshData (*read)(const List<char>& bytes, const std::string& prefix);  // or none: read_obj, which has options
};
inline constexpr MeshKind mesh_kinds[] = {
    {".obj", "model/obj", nullptr},
    {".stl", "model/stl", read_stl},
    {".msh", "model/vnd.mujoco.msh", read_msh},
    {".dae", "model/vnd.collada+xml", read_dae},
};

[[gnu::cold]] inline const MeshKind* find_mesh_kind(const std::string& word) {
    for (const MeshKind& kind : mesh_kinds)
        if (kind.extension == word || kind.content_type == word) return &kind;
    return nullptr;
}

// Why files of this kind cannot be read; empty if they can.
[[gnu::cold]] inline std::string unreadable_kind(const std::string& file, const std::string& content_type) {
    const std::string word = asset_kind(file, content_type);
    const MeshKind* kind = find_mesh_kind(word);
    if (!kind) return "unknown kind of mesh '" + word + "', expected OBJ, STL, MSH or COLLADA";
    return kind->read == read_dae && !have_collada ? without_collada : "";
}

// `where` names the element in error messages.
[[gnu::cold]] inline MeshData read_mesh(const std::string& file, const std::string& content_type, const std::string& where,
                                        const ObjOptions& options = {}) {
    const std::string prefix = where + ": file '" + file + "': ";
    if (const std::string trouble = unreadable_kind(file, content_type); !trouble.empty()) throw_model_error({prefix, trouble});
    const MeshKind& kind = *find_mesh_kind(asset_kind(file, content_type));
    const List<char> bytes = read_bytes(file, where);
    return kind.read ? kind.read(bytes, prefix) : read_obj(bytes, prefix, options);
}

}  // namespace mjx::inner
