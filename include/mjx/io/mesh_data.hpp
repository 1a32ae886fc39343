// MeshData: vertices and triangles as a file or an element gives them, before any processing. Mesh coordinates, file units.
#pragma once

#include "mjx/model/list.hpp"
#include "mjx/scalar/language.hpp"

#include <string>

namespace mjx::inner {

struct MeshData {
    List<float> vert{};  // x y z ...
    List<int> face{};    // three vertices each; may be empty: the mesh is then the convex hull of the vertices
    List<float> tangent{};  // two for each vertex, of generated surfaces that may feel (sensor/tactile.hpp)
    List<float> texcoord{};  // u, v from the picture's upper left corner; for viewers, who ask for them
    List<int> face_texcoord{};  // three for each face; may be empty: those of the vertices
};

}  // namespace mjx::inner
