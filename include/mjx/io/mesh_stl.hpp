// read_stl: STL meshes, binary and ASCII. Corners with the same bits become one vertex, numbered by first appearance.
//
// A binary file is 80 bytes, the number n of triangles, and n records of 50 bytes (normal, three corners, two spare bytes); its
// size says so exactly. Everything else must be ASCII. MuJoCo reads the binary form only, with the same limits.
#pragma once

#include "mjx/io/mesh_data.hpp"
#include "mjx/io/numbers.hpp"
#include "mjx/io/read_file.hpp"
#include "mjx/model/list.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace mjx::inner {

namespace detail {

// Corners with equal bits are one vertex, numbered as they come. Found again by hashing, with open addressing.
struct StlCorners {
    MeshData mesh{};

    void add(const float (&v)[3], const std::string& prefix) {
        for (const float x : v)
            if (!(x <= 1073741824.0f && x >= -1073741824.0f)) throw_model_error({prefix, "a coordinate is not finite or beyond 2^30"});
        const std::size_t count = mesh.vert.size() / 3;
        if (2 * count >= place.size()) grow();
        std::size_t at = hash(v) & (place.size() - 1);
        while (place[at] >= 0 && std::memcmp(&mesh.vert[3 * static_cast<std::size_t>(place[at])], v, sizeof v) != 0)
            at = (at + 1) & (place.size() - 1);
        if (place[at] < 0) {
            place[at] = static_cast<int>(count);
            mesh.vert.append(v, v + 3);
        }
        mesh.face.push_back(place[at]);
    }

  private:
    List<int> place = List<int>(1024, -1);  // vertices by their hash, -1 where there is none

    static std::size_t hash(const float* v) {
        std::uint64_t h = 0;
        for (int i = 0; i < 3; ++i) {
            h = (h ^ std::bit_cast<std::uint32_t>(v[i])) * 0x9E3779B97F4A7C15u;
            h ^= h >> 32;
        }
        return static_cast<std::size_t>(h);
    }
    void grow() {
        place = List<int>(2 * place.size(), -1);
        for (std::size_t i = 0; 3 * i < mesh.vert.size(); ++i) {
            std::size_t at = hash(&mesh.vert[3 * i]) & (place.size() - 1);
            while (place[at] >= 0) at = (at + 1) & (place.size() - 1);
            place[at] = static_cast<int>(i);
        }
    }
};

// Only what stands between `vertex` and `endsolid` counts: normals are computed, names may be anything.
inline MeshData read_stl_ascii(std::string_view text, const std::string& prefix) {
    StlCorners corners;
    int coordinates_due = 0;
    float corner[3] = {};
    bool ended = false;
    for (std::string_view word; take_word(text, word);) {
        if (coordinates_due > 0) {
            const auto number = parse_number<float>(word);
            if (!number) throw_model_error({prefix, "'", word, "' is not a coordinate"});
            corner[3 - coordinates_due] = *number;
            if (--coordinates_due == 0) corners.add(corner, prefix);
        } else if (word == "vertex") {
            coordinates_due = 3;
        } else if (word == "endloop" && corners.mesh.face.size() % 3 != 0) {
            throw_model_error({prefix, "has a facet without three vertices"});
        } else if (word == "endsolid") {
            ended = true;
        }
    }
    if (!ended || coordinates_due != 0 || corners.mesh.face.empty() || corners.mesh.face.size() % 3 != 0)
        throw_model_error({prefix, "is neither a binary STL file of the size it announces nor a complete ASCII one"});
    return std::move(corners.mesh);
}

}  // namespace detail

inline MeshData read_stl(const List<char>& bytes, const std::string& prefix) {
    constexpr std::size_t header = 84, record = 50, max_faces = 200000;
    if (bytes.empty()) throw_model_error({prefix, "is empty, expected an STL mesh"});
    const std::size_t n = bytes.size() >= header ? numbers_at<std::uint32_t>(bytes, 80, 1)[0] : 0;
    if (n == 0 || bytes.size() != header + record * n) return detail::read_stl_ascii({bytes.data(), bytes.size()}, prefix);
    if (n > max_faces) throw_model_error({prefix, "has ", std::to_string(n), " triangles, expected at most 200000"});
    detail::StlCorners corners;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            float v[3];
            std::memcpy(v, bytes.data() + header + record * i + 12 * (j + 1), sizeof(v));
            corners.add(v, prefix);
        }
    return std::move(corners.mesh);
}

}  // namespace mjx::inner
