// MeshData: vertices and triangles as a file or an element gives them, before any processing. Mesh coordinates, file units.
#pragma once

#include "mjx/scalar/language.hpp"

#include <string>
#include <vector>

namespace mjx::inner {

struct MeshData {
    std::vector<float> vert{};  // x y z ...
    std::vector<int> face{};    // three vertices each; may be empty: the mesh is then the convex hull of the vertices
    std::vector<float> tangent{};  // two for each vertex, of generated surfaces that may feel (sensor/tactile.hpp)
    std::vector<float> texcoord{};  // u, v from the picture's upper left corner; for viewers, who ask for them
    std::vector<int> face_texcoord{};  // three for each face; may be empty: those of the vertices
};

}  // namespace mjx::inner
