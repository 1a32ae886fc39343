// read_mesh: a mesh file of any kind, chosen by its content type or else by its extension: OBJ, STL, MSH.
#pragma once

#include "mjx/io/mesh_msh.hpp"
#include "mjx/io/mesh_obj.hpp"
#include "mjx/io/mesh_stl.hpp"

namespace mjx::inner {

// `where` names the element in error messages.
inline MeshData read_mesh(const std::string& file, const std::string& content_type, const std::string& where) {
    const std::string kind = asset_kind(file, content_type);
    const std::string prefix = where + ": file '" + file + "': ";
    if (kind == ".obj" || kind == "model/obj") return read_obj(read_bytes(file, where), prefix);
    if (kind == ".stl" || kind == "model/stl") return read_stl(read_bytes(file, where), prefix);
    if (kind == ".msh" || kind == "model/vnd.mujoco.msh") return read_msh(read_bytes(file, where), prefix);
    throw_model_error({prefix, "unknown kind of mesh '", kind, "', expected OBJ, STL or MSH"});
}

}  // namespace mjx::inner
