// field_mesh: the surface of a signed distance field by formula as triangles, for the mass, the bounds and the planes of a geom.
//
// The field is sampled in single precision on a grid of 300 points along the three half sizes of its box together, as MuJoCo does.
// Vertices lie where the edges of the grid cross the surface, by linear interpolation (Lorensen and Cline 1987), and are numbered in
// the order in which cells meet them. The faces of a cell are the loops that the surface cuts out of its walls; where a wall has
// two opposite corners inside, they stay apart. Loops are not flat, so that volume and area depend on the diagonals that make triangles
// of them: MuJoCo's are taken.
#pragma once

#include "mjx/collision/sdf_parts.hpp"
#include "mjx/compile/sdf.hpp"
#include "mjx/io/mesh.hpp"

#include <array>

namespace mjx::inner::compiler {

// Half sizes of the box that is sampled.
inline Vec3d field_mesh_box(const SpecMesh& spec, const FieldKind& kind) {
    if (!kind.half_sizes) fail(spec, "mesh", {"the field '", spec.sdf, "' has no surface that could be made a mesh"});
    return (kind.sampled ? kind.sampled : kind.half_sizes)(sdf_parameters(spec));
}

class FieldMesher {
    using Corner = std::array<int, 3>;

    std::array<int, 3> count_{};
    Vec3d half_;
    List<float> value_{};
    List<std::array<int, 3>> vertex_{};  // of the edges that leave a point along x, y, z; -1: not crossed or not met yet
    MeshData mesh_{};

    std::size_t at(const Corner& c) const { return static_cast<std::size_t>((c[2] * count_[1] + c[1]) * count_[0] + c[0]); }
    // Corner k of a cell: bit i of k says whether it is the far one along axis i.
    static Corner corner(const Corner& cell, int k) { return {cell[0] + (k & 1), cell[1] + (k >> 1 & 1), cell[2] + (k >> 2)}; }
    bool inside(const Corner& c) const { return value_[at(c)] < 0; }

    // The edge of a cell along `axis` whose other coordinates are those of corner k (bit `axis` clear).
    int edge_vertex(const Corner& cell, int k, int axis) {
        const Corner a = corner(cell, k), b = corner(cell, k | 1 << axis);
        if (inside(a) == inside(b)) return -1;
        int& id = vertex_[at(a)][static_cast<std::size_t>(axis)];
        if (id >= 0) return id;
        id = static_cast<int>(mesh_.vert.size() / 3);
        for (int i = 0; i < 3; ++i) {
            const auto u = static_cast<std::size_t>(i);
            float x = static_cast<float>(a[u]);
            if (i == axis) x += value_[at(a)] / (value_[at(a)] - value_[at(b)]);
            mesh_.vert.push_back(static_cast<float>(2 * half_[i] * static_cast<double>(x) / (count_[u] - 1) - half_[i]));
        }
        return id;
    }
    static int edge_number(int k1, int k2) {  // axis and lower corner of the edge between two corners
        const int axis = (k1 ^ k2) == 1 ? 0 : (k1 ^ k2) == 2 ? 1 : 2;
        return 8 * axis + (k1 & k2);
    }

    void add_cell(const Corner& cell) {
        int signs = 0;
        for (int k = 0; k < 8; ++k) signs |= inside(corner(cell, k)) ? 1 << k : 0;
        if (signs == 0 || signs == 255) return;
        int id[24];
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < 8; ++k)
                if (!(k >> axis & 1)) id[8 * axis + k] = edge_vertex(cell, k, axis);
        // the walls, their corners counterclockwise from outside the cell
        static constexpr int wall[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
        int next[24];
        std::fill(next, next + 24, -1);
        for (const auto& w : wall)
            for (int i = 0; i < 4; ++i) {
                const int from = w[i], to = w[(i + 1) % 4];
                if (!(signs >> from & 1) || (signs >> to & 1)) continue;
                int start = i;  // back to where this run of inside corners begins
                while (signs >> w[(start + 3) % 4] & 1) start = (start + 3) % 4;
                next[edge_number(w[(start + 3) % 4], w[start])] = edge_number(from, to);
            }
        for (int first = 0; first < 24; ++first) {
            int loop[12], count = 0;
            for (int e = first; next[e] >= 0; ++count) {
                loop[count] = id[e];
                const int after = next[e];
                next[e] = -1;
                e = after;
            }
            if (count > 0) add_loop(loop, count, diagonals[signs]);
        }
    }

    // How the longest loop of a cell is cut, by its corners inside; the loop begins at its first edge along x, y or z. A digit is the
    // vertex at which all diagonals meet. Of six vertices: m, n have a triangle in the middle, at the first or second vertex; x, y, z
    // have a diagonal from the first, second or third vertex to the one opposite and one on each side of it from its two ends, so
    // that they make a z, and X, Y, Z its mirror image.
    static constexpr const char* diagonals = "00000101000212100002040x000m1n130011011m004X12m411201n2411m30000"
                                             "0000101n00021xm4030n00020311m06100111003004X1X352xm3m2102X440000"
                                             "00000101003m2mX30002040X013424X1110m10063300n1201mX413X2n6010030"
                                             "00012m2011n003411m10x1X0m220415022n0m550XX1031000431304042100000";

    void add_loop(const int* loop, int count, char cut) {
        const auto add = [&](int from, std::initializer_list<int> corners) {
            for (int c : corners) mesh_.face.push_back(loop[(from + c) % count]);
        };
        if (count < 6 || (cut >= '0' && cut <= '6')) {
            for (int i = 1; i + 1 < count; ++i) add(count == 3 ? 0 : cut - '0', {0, i, i + 1});
        } else if (cut == 'm' || cut == 'n') {
            add(cut - 'm', {0, 2, 4, 0, 1, 2, 2, 3, 4, 4, 5, 0});
        } else if (cut >= 'x') {
            add(cut - 'x', {0, 1, 2, 0, 2, 3, 3, 4, 5, 3, 5, 0});
        } else {
            add(cut - 'X', {1, 2, 3, 0, 1, 3, 0, 3, 4, 0, 4, 5});
        }
    }

  public:
    template <class Field>
    FieldMesher(const Vec3d& half, Field&& field) : half_(half) {
        const double total = half[0] + half[1] + half[2];
        for (std::size_t i = 0; i < 3; ++i) count_[i] = std::max(2, static_cast<int>(std::floor(300 / total * half.e[i])) + 1);
        const auto place = [&](int i, std::size_t axis) { return -half.e[axis] + 2 * half.e[axis] * i / (count_[axis] - 1); };
        for (int z = 0; z < count_[2]; ++z)
            for (int y = 0; y < count_[1]; ++y)
                for (int x = 0; x < count_[0]; ++x)
                    value_.push_back(static_cast<float>(field(Vec3d{{place(x, 0), place(y, 1), place(z, 2)}})));
        vertex_.resize(value_.size(), {-1, -1, -1});
        for (int z = 0; z + 1 < count_[2]; ++z)
            for (int y = 0; y + 1 < count_[1]; ++y)
                for (int x = 0; x + 1 < count_[0]; ++x) add_cell({x, y, z});
    }
    MeshData take() { return std::move(mesh_); }
};

inline MeshData field_mesh(const SpecMesh& spec) {
    const FieldKind& kind = require_sdf(spec, "mesh");
    const Vec3d half = field_mesh_box(spec, kind);
    for (int i = 0; i < 3; ++i)
        if (!(half[i] > 0) || !std::isfinite(half[i]))
            fail(spec, "mesh", {"the field '", spec.sdf, "' has parameters that give it no size"});
    const Vec6<double> param = sdf_parameters(spec);
    return FieldMesher(half, [&](const Vec3d& p) { return formula_field<double>(kind.type, param, p, nullptr); }).take();
}

}  // namespace mjx::inner::compiler
