// read_dae: COLLADA meshes. The only header that includes assimp, which the build finds or not (MJX_HAVE_ASSIMP; CMake option MJX_COLLADA).
//
// All triangles of all nodes, each where its node puts it, in metres (<unit> is applied), as one mesh. As in ROS <up_axis> is not applied:
// the coordinates of the file are those of the link. Corners with the same bits become one vertex.
#pragma once

#include "mjx/io/mesh_stl.hpp"

#ifdef MJX_HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <memory>
#endif

namespace mjx::inner {

inline constexpr const char* without_collada =
    "COLLADA meshes need assimp (Debian: libassimp-dev) when mjx is built, expected OBJ, STL or MSH without it";

#ifdef MJX_HAVE_ASSIMP

inline constexpr bool have_collada = true;

[[gnu::cold]] inline MeshData read_dae(const List<char>& bytes, const std::string& prefix) {
    const std::unique_ptr<aiPropertyStore, void (*)(aiPropertyStore*)> settings(aiCreatePropertyStore(), aiReleasePropertyStore);
    aiSetImportPropertyInteger(settings.get(), AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    constexpr unsigned flags = aiProcess_Triangulate | aiProcess_PreTransformVertices;
    const std::unique_ptr<const aiScene, void (*)(const aiScene*)> scene(
        aiImportFileFromMemoryWithProperties(bytes.data(), static_cast<unsigned>(bytes.size()), flags, "dae", settings.get()),
        aiReleaseImport);
    if (!scene) throw_model_error({prefix, "is not a COLLADA mesh: ", aiGetErrorString()});
    detail::StlCorners corners;
    for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
        const aiMesh& mesh = *scene->mMeshes[i];
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
            const aiFace& face = mesh.mFaces[f];
            for (unsigned k = 0; face.mNumIndices == 3 && k < 3; ++k) {  // lines and points have no surface
                const aiVector3D& v = mesh.mVertices[face.mIndices[k]];
                const float corner[3] = {v.x, v.y, v.z};
                corners.add(corner, prefix);
            }
        }
    }
    if (corners.mesh.face.empty()) throw_model_error({prefix, "has no triangles, expected a COLLADA mesh"});
    return std::move(corners.mesh);
}

#else

inline constexpr bool have_collada = false;

inline MeshData read_dae(const List<char>&, const std::string& prefix) { throw_model_error({prefix, without_collada}); }

#endif

}  // namespace mjx::inner
