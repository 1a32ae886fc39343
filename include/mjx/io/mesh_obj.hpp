// read_obj: Wavefront OBJ meshes. Vertices are kept as they are, in order; polygons are cut into triangles: quadrangles along the shorter
// diagonal, others by clipping ears. MuJoCo before 3.13 clipped those of quadrangles too.
//
// As MuJoCo reads it: all vertices of the file, but only the faces of its first shape (up to the first "o" or "g" after a face).
// Texture coordinates are read for those who ask; normals, materials, lines and points are skipped.
#pragma once

#include "mjx/io/mesh_data.hpp"
#include "mjx/io/numbers.hpp"
#include "mjx/io/read_file.hpp"

#include <cmath>
#include <limits>

namespace mjx::inner {

struct ObjOptions {
    bool texcoords = false;
    int mujoco = 314;  // the version that polygons are cut by
};

namespace detail {

// A polygon of an OBJ file seen along its dominant axis, for clipping ears.
struct ObjPolygon {
    const List<float>& vert;
    List<int> corners;
    List<int> texcoords;  // of the corners, or none
    bool by_corner;  // MuJoCo 3.13 and newer
    std::size_t axis[2] = {1, 2};
    float area = 0;

    float coordinate(int vertex, std::size_t k) const { return vert[3 * static_cast<std::size_t>(vertex) + k]; }
    int corner(std::size_t i) const { return corners[i % corners.size()]; }

    ObjPolygon(const List<float>& vertices, List<int> ring, List<int> pictured, int mujoco)
        : vert(vertices), corners(std::move(ring)), texcoords(std::move(pictured)), by_corner(mujoco >= 313) {
        for (std::size_t i = 0; i < corners.size(); ++i) {
            float a[3], b[3];
            for (std::size_t k = 0; k < 3; ++k) {
                a[k] = coordinate(corner(i + 1), k) - coordinate(corner(i), k);
                b[k] = coordinate(corner(i + 2), k) - coordinate(corner(i + 1), k);
            }
            const float x = std::abs(a[1] * b[2] - a[2] * b[1]), y = std::abs(a[2] * b[0] - a[0] * b[2]),
                        z = std::abs(a[0] * b[1] - a[1] * b[0]);
            constexpr float tiny = std::numeric_limits<float>::epsilon();
            if (x <= tiny && y <= tiny && z <= tiny) continue;
            if (!(x > y && x > z)) axis[0] = 0;
            if (axis[0] == 0 && z > x && z > y) axis[1] = 1;
            break;
        }
        for (std::size_t i = 0; i < corners.size(); ++i) area += swept(i);
    }
    // The signed area that the edge from corner i sweeps, seen from the origin.
    float swept(std::size_t i) const { return 0.5f * (plane(i, 0) * plane(i + 1, 1) - plane(i, 1) * plane(i + 1, 0)); }
    float plane(std::size_t i, std::size_t k) const { return coordinate(corner(i), axis[k]); }

    // Twice the signed area of corners i, j and the point of corner p.
    float side(std::size_t i, std::size_t j, std::size_t p) const {
        return (plane(j, 0) - plane(i, 0)) * (plane(p, 1) - plane(j, 1)) - (plane(j, 1) - plane(i, 1)) * (plane(p, 0) - plane(j, 0));
    }
    // A corner that turns the other way than the polygon is none; newer versions of MuJoCo take the turn of one edge about the origin for
    // that of the polygon, and may lose triangles by it.
    bool is_ear(std::size_t i) const {
        if (side(i, i + 1, i + 2) * (by_corner ? swept(i) : area) < 0) return false;
        for (std::size_t other = 3; other < corners.size(); ++other) {
            bool inside = false;
            for (std::size_t a = 0, b = 2; a < 3; b = a++) {
                const float ya = plane(i + a, 1), yb = plane(i + b, 1), y = plane(i + other, 1);
                if ((ya > y) == (yb > y)) continue;
                const float xa = plane(i + a, 0), xb = plane(i + b, 0);
                if (plane(i + other, 0) < (xb - xa) * (y - ya) / (yb - ya) + xa) inside = !inside;
            }
            if (inside) return false;
        }
        return true;
    }

    void add_triangle(std::size_t a, std::size_t b, std::size_t c, MeshData& mesh) const {
        for (const std::size_t k : {a, b, c}) {
            mesh.face.push_back(corner(k));
            if (!texcoords.empty()) mesh.face_texcoord.push_back(texcoords[k % texcoords.size()]);
        }
    }
    float diagonal(std::size_t i, std::size_t j) const {  // squared
        float sum = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const float along = coordinate(corner(j), k) - coordinate(corner(i), k);
            sum += along * along;
        }
        return sum;
    }
    void halve(MeshData& mesh) const {
        const bool first = diagonal(0, 2) < diagonal(1, 3);
        add_triangle(0, 1, first ? 2 : 3, mesh);
        add_triangle(first ? 0 : 1, 2, 3, mesh);
    }
    // Appends the triangles; a polygon without an ear (it crosses itself), or that shows its first one at the last try, loses its rest.
    void triangulate(MeshData& mesh) {
        if (by_corner && corners.size() == 4) return halve(mesh);
        std::size_t start = 0, tries = corners.size(), before = tries;
        while (corners.size() > 3 && tries > 0) {
            tries = corners.size() == before ? tries - 1 : corners.size();
            before = corners.size();
            start %= corners.size();
            if (!is_ear(start)) {
                ++start;
                continue;
            }
            add_triangle(start, start + 1, start + 2, mesh);
            const auto clipped = static_cast<std::ptrdiff_t>((start + 1) % corners.size());
            corners.erase(corners.begin() + clipped);
            if (!texcoords.empty()) texcoords.erase(texcoords.begin() + clipped);
        }
        if (corners.size() == 3) add_triangle(0, 1, 2, mesh);
    }
};

// "7", "7/1", "7//3", "-1/2/3": the vertex or, as the part after the first '/', the texture coordinate, from 0; -1 if it is not there.
inline int obj_index(std::string_view word, std::size_t count) {
    const auto index = parse_number<int>(word.substr(0, word.find('/')));
    if (!index || *index == 0) return -1;
    const long long vertex = *index > 0 ? *index - 1LL : static_cast<long long>(count) + *index;
    return vertex >= 0 && vertex < static_cast<long long>(count) ? static_cast<int>(vertex) : -1;
}

struct ObjFace {
    List<int> corners{}, texcoords{};
};

inline List<int> obj_texcoords(const List<std::string_view>& words, std::size_t corners, std::size_t count) {
    List<int> found;
    for (std::size_t i = 1; i <= corners; ++i) {
        const std::size_t slash = words[i].find('/');
        found.push_back(slash == std::string_view::npos ? -1 : obj_index(words[i].substr(slash + 1), count));
    }
    return found;
}

}  // namespace detail

inline MeshData read_obj(const List<char>& bytes, const std::string& prefix, const ObjOptions& options = {}) {
    using namespace detail;
    MeshData mesh;
    List<ObjFace> polygons;
    const std::string_view text(bytes.data(), bytes.size());
    bool first_shape = true;
    int line_number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const auto words = split_words(text.substr(at, end - at));
        at = end + 1;
        ++line_number;
        const auto fail = [&](const char* what) { throw_model_error({prefix, "line ", std::to_string(line_number), ": ", what}); };
        if (words.empty()) continue;
        if (words[0] == "v") {
            if (words.size() < 4) fail("a vertex needs three coordinates");
            for (std::size_t i = 1; i < 4; ++i) {
                const auto number = parse_number<double>(words[i]);
                if (!number) fail("a vertex coordinate is not a number");
                mesh.vert.push_back(static_cast<float>(*number));
            }
        } else if (words[0] == "vt" && options.texcoords) {
            for (std::size_t i = 1; i < 3; ++i) {
                const auto number = i < words.size() ? parse_number<double>(words[i]) : std::optional(0.0);
                if (!number) fail("a texture coordinate is not a number");
                mesh.texcoord.push_back(static_cast<float>(i == 1 ? *number : 1 - *number));
            }
        } else if (words[0] == "f" && first_shape) {
            List<int> corners;
            for (std::size_t i = 1; i < words.size() && words[i][0] != '#'; ++i) {
                corners.push_back(obj_index(words[i], mesh.vert.size() / 3));
                if (corners.back() < 0) fail("a face refers to a vertex that does not exist");
            }
            if (corners.size() < 3) continue;
            List<int> pictured;
            if (options.texcoords) pictured = obj_texcoords(words, corners.size(), mesh.texcoord.size() / 2);
            polygons.push_back({std::move(corners), std::move(pictured)});
        } else if ((words[0] == "o" || words[0] == "g") && !polygons.empty()) {
            first_shape = false;
        }
    }
    if (mesh.vert.empty()) throw_model_error({prefix, "has no vertices, expected an OBJ mesh"});
    for (ObjFace& f : polygons) ObjPolygon(mesh.vert, std::move(f.corners), std::move(f.texcoords), options.mujoco).triangulate(mesh);
    return mesh;
}

}  // namespace mjx::inner
