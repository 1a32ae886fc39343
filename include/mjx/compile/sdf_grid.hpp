// make_sdf_grids: the distance to a mesh's surface on a voxel grid, for geoms of type sdf that have a mesh.
//
// The grid covers the mesh and a border of two voxels, 40 voxels along the longest side. Distances are those to the nearest
// triangle, negative inside; a point is inside when rays in most of three directions cross the surface an odd number of times.
#pragma once

#include "mjx/collision/ray_mesh.hpp"
#include "mjx/model/field_kinds.hpp"
#include "mjx/model/model.hpp"

namespace mjx::inner::compiler {

// The point of a triangle closest to p (C. Ericson, Real-Time Collision Detection, 5.1.5).
inline Vec3<double> closest_on_face(const Vec3<double>& p, const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
    const Vec3<double> ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d1 <= 0 && d2 <= 0) return a;
    if (d3 >= 0 && d4 <= d3) return b;
    if (d6 >= 0 && d5 <= d6) return c;
    const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + ab * (d1 / (d1 - d3));
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + ac * (d2 / (d2 - d6));
    if (va <= 0 && d4 >= d3 && d5 >= d6) return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    const double sum = va + vb + vc;
    return sum > 0 ? a + ab * (vb / sum) + ac * (vc / sum) : a;
}

struct MeshSurface {
    const Model<double>& m;
    int mesh;

    // Calls use(corners) for the faces of each node that near(box) accepts.
    template <class Near, class Use>
    void for_faces(Near&& near, Use&& use) const {
        const int first = m.mesh_bvhadr[mesh];
        for (int i = 0; i < m.mesh_bvhnum[mesh];) {
            const auto& node = m.mesh_bvhnode[first + i];
            if (!near(m.mesh_bvhbox[first + i])) {
                i = node[0];
                continue;
            }
            for (int f = node[1]; f < node[1] + node[2]; ++f) {
                Vec3<double> v[3];
                const auto& face = m.mesh_face[m.mesh_faceadr[mesh] + f];
                for (int k = 0; k < 3; ++k) v[k] = plain_vec<double>(m.mesh_vert[m.mesh_vertadr[mesh] + face[k]]);
                use(v);
            }
            ++i;
        }
    }
    double distance(const Vec3<double>& p, double guess) const {
        double best = guess * guess;
        for_faces(
            [&](const Vec6<float>& box) {
                double square = 0;
                for (int k = 0; k < 3; ++k) {
                    const double out = std::max(std::max(static_cast<double>(box[k]) - p[k], p[k] - static_cast<double>(box[3 + k])), 0.0);
                    square += out * out;
                }
                return square < best;
            },
            [&](const Vec3<double>(&v)[3]) {
                const Vec3<double> apart = closest_on_face(p, v[0], v[1], v[2]) - p;
                best = std::min(best, dot(apart, apart));
            });
        return std::sqrt(best);
    }
    bool inside(const Vec3<double>& p) const {
        const Vec3<double> dirs[3] = {{{0.8213, 0.4127, 0.3931}}, {{-0.3371, 0.8839, -0.3239}}, {{0.2917, -0.3643, -0.8843}}};
        int votes = 0;
        for (const auto& dir : dirs) {
            const TriangleRay<double> ray(p, dir);
            int crossings = 0;
            for_faces([&](const Vec6<float>& box) { return ray.meets_box(box, -1); },
                      [&](const Vec3<double>(&v)[3]) {
                          Vec3<double> normal;
                          crossings += ray.meet(v[0], v[1], v[2], normal) >= 0;
                      });
            votes += crossings % 2;
        }
        return votes >= 2;
    }
};

inline void make_sdf_grid(Model<double>& m, int mesh) {
    const MeshSurface surface{m, mesh};
    const Vec6<float>& root = m.mesh_bvhbox[m.mesh_bvhadr[mesh]];
    double longest = 0;
    for (int k = 0; k < 3; ++k) longest = std::max(longest, static_cast<double>(root[3 + k]) - static_cast<double>(root[k]));
    const double step = longest / 40;
    Vec<int, 3> n;
    Vec3<double> low;
    for (int k = 0; k < 3; ++k) {
        low[k] = static_cast<double>(root[k]) - 2 * step;
        n[k] = static_cast<int>(std::ceil((static_cast<double>(root[3 + k]) - static_cast<double>(root[k])) / step)) + 5;
    }
    m.mesh_gridadr[mesh] = m.mesh_grid.size();
    m.mesh_gridnum[mesh] = n;
    m.mesh_gridbox[mesh] = {{low[0], low[1], low[2], step, step, step}};
    for (int z = 0; z < n[2]; ++z)
        for (int y = 0; y < n[1]; ++y) {
            double guess = 4 * longest;
            for (int x = 0; x < n[0]; ++x) {
                const Vec3<double> p{{low[0] + x * step, low[1] + y * step, low[2] + z * step}};
                const double distance = surface.distance(p, guess);
                guess = distance + 2 * step;  // the next point is one step away
                m.mesh_grid.push_back(static_cast<float>(surface.inside(p) ? -distance : distance));
            }
        }
}

inline void make_sdf_grids(Model<double>& m) {
    for (int g = 0; g < m.ngeom; ++g)
        if (m.geom_sdf[g] == sdf_kind::mesh && m.mesh_gridadr[m.geom_dataid[g]] < 0) make_sdf_grid(m, m.geom_dataid[g]);
}

}  // namespace mjx::inner::compiler
