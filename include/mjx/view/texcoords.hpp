// mesh_texcoords: where the corners of a mesh's faces lie in a picture. A model does not hold them: they are read from the mesh's file
// when someone looks.
#pragma once

#include "mjx/io/mesh.hpp"
#include "mjx/model/visual.hpp"
#include "mjx/view/surface.hpp"

#include <map>

namespace mjx::inner::show {

struct MeshTexcoords {
    List<float> at{};  // u, v from the picture's upper left corner; empty: there are none
    List<int> face{};  // three for each face of the model's mesh; -1: none
    Vec2f of_corner(int i, int k) const {
        const int t = face[static_cast<std::size_t>(3 * i + k)];
        if (t < 0) return {};
        return {{at[static_cast<std::size_t>(2 * t)], at[static_cast<std::size_t>(2 * t + 1)]}};
    }
};

// The faces of a file by their vertices: a model has them in another order, and mirrored ones turned over.
class FacesByVertices {
    const List<int>& face_;
    std::map<std::array<int, 3>, int> first_corner_{};

    static std::array<int, 3> sorted(int a, int b, int c) {
        std::array<int, 3> key{a, b, c};
        std::sort(key.begin(), key.end());
        return key;
    }
    int vertex(int corner) const { return face_[static_cast<std::size_t>(corner)]; }

  public:
    explicit FacesByVertices(const List<int>& face) : face_(face) {
        for (int c = 0; c + 2 < static_cast<int>(face.size()); c += 3)
            first_corner_.emplace(sorted(vertex(c), vertex(c + 1), vertex(c + 2)), c);
    }
    // The corner of the file's face that has vertex v, or -1.
    int corner(const Vec<int, 3>& vertices, int v) const {
        const auto found = first_corner_.find(sorted(vertices[0], vertices[1], vertices[2]));
        for (int k = 0; k < 3 && found != first_corner_.end(); ++k)
            if (vertex(found->second + k) == v) return found->second + k;
        return -1;
    }
};

// Nothing where the file is gone.
template <class M>
MeshTexcoords mesh_texcoords(const M& m, int id, const Visual& visual) {
    const MeshLook* look = visual.meshes.begin();
    while (look != visual.meshes.end() && look->name != m.mesh_name[id]) ++look;
    if (look == visual.meshes.end()) return {};
    MeshData data;
    try {
        if (!look->file.empty()) data = read_mesh(look->file, look->content_type, "mesh", {true, m.opt.mujoco});
    } catch (const model_error&) {
        return {};
    }
    if (!look->texcoord.empty()) data.texcoord = look->texcoord, data.face_texcoord.clear();
    MeshTexcoords found{std::move(data.texcoord), {}};
    if (found.at.empty()) return found;
    const int count = static_cast<int>(found.at.size() / 2);
    const FacesByVertices faces(data.face);
    for (int f = 0; f < m.mesh_facenum[id]; ++f) {
        const Vec<int, 3>& vertices = m.mesh_face[m.mesh_faceadr[id] + f];
        for (int k = 0; k < 3; ++k) {
            const int corner = data.face_texcoord.empty() ? -1 : faces.corner(vertices, vertices[k]);
            const int t = data.face_texcoord.empty() ? vertices[k] : corner < 0 ? -1 : data.face_texcoord[static_cast<std::size_t>(corner)];
            found.face.push_back(t < count ? t : -1);
        }
    }
    return found;
}

}  // namespace mjx::inner::show
