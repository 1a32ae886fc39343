// read_msh: MuJoCo's binary mesh format: four ints (vertices, normals, texture coordinates, faces), then those arrays.
#pragma once

#include "mjx/io/mesh_data.hpp"
#include "mjx/io/read_file.hpp"

namespace mjx::inner {

[[gnu::cold]] inline MeshData read_msh(const List<char>& bytes, const std::string& prefix) {
    constexpr std::size_t header = 16;
    if (bytes.size() < header) throw_model_error({prefix, "is too short, expected the header of an MSH mesh"});
    const auto n = numbers_at<std::int32_t>(bytes, 0, 4);
    if (n[0] < 4 || n[1] < 0 || n[2] < 0 || n[3] < 0 || (n[1] > 0 && n[1] != n[0]) || (n[2] > 0 && n[2] != n[0]))
        throw_model_error({prefix, "has invalid sizes in its MSH header"});
    const auto vertices = static_cast<std::size_t>(n[0]), normals = static_cast<std::size_t>(n[1]),
               texcoords = static_cast<std::size_t>(n[2]), faces = static_cast<std::size_t>(n[3]);
    if (bytes.size() != header + 12 * vertices + 12 * normals + 8 * texcoords + 12 * faces)
        throw_model_error({prefix, "does not have the size its MSH header announces"});
    MeshData mesh;
    mesh.vert = numbers_at<float>(bytes, header, 3 * vertices);
    mesh.texcoord = numbers_at<float>(bytes, header + 12 * vertices + 12 * normals, 2 * texcoords);
    mesh.face = numbers_at<int>(bytes, header + 12 * vertices + 12 * normals + 8 * texcoords, 3 * faces);
    return mesh;
}

}  // namespace mjx::inner
