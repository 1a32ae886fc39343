// builtin_mesh: the shapes that <mesh builtin="..." params="..."> generates, with MuJoCo's vertices and faces.
//
// All fit into [-1, 1]³ and are sized by the mesh's scale. Shapes without faces are the convex hull of their vertices.
#pragma once

#include "mjx/compile/inertia.hpp"
#include "mjx/io/mesh_data.hpp"
#include "mjx/model/spec.hpp"

#include <map>

namespace mjx::inner::compiler {

[[gnu::cold]] inline void add_vertex(MeshData& mesh, double x, double y, double z) {
    for (const double v : {x, y, z}) mesh.vert.push_back(static_cast<float>(v));
}
// Two unit vectors along the surface at the vertex.
[[gnu::cold]] inline void add_tangents(MeshData& mesh, const Vec3d& first, const Vec3d& second) {
    for (const Vec3d& t : {first, second})
        for (int k = 0; k < 3; ++k) mesh.tangent.push_back(static_cast<float>(t[k]));
}
inline void add_face(MeshData& mesh, int a, int b, int c) { mesh.face.append({a, b, c}); }

// An icosahedron whose triangles are cut in four `subdivisions` times, projected to the unit sphere.
[[gnu::cold]] inline MeshData sphere_mesh(int subdivisions) {
    const float phi = static_cast<float>((1.0 + std::sqrt(5.0)) / 2.0);
    MeshData mesh;
    mesh.vert = {-1, phi, 0,    1, phi, 0,    -1,  -phi, 0,  1,   -phi, 0, 0,    -1, phi, 0,    1, phi,
                 0,  -1,  -phi, 0, 1,   -phi, phi, 0,    -1, phi, 0,    1, -phi, 0,  -1,  -phi, 0, 1};
    const double length = std::sqrt(1.0 + static_cast<double>(phi * phi));
    for (float& v : mesh.vert) v = static_cast<float>(v / length);
    mesh.face = {0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4,  11, 10, 2,  10, 7, 6, 7, 1, 8,
                 3, 9,  4, 3, 4, 2, 3, 2, 6, 3, 6, 8,  3, 8,  9,  4, 9, 5, 2, 4,  11, 6,  2,  10, 8,  6, 7, 9, 8, 1};
    for (int round = 0; round < subdivisions; ++round) {
        std::map<int, int> middle;  // by the two ends in one number
        const int ends = static_cast<int>(mesh.vert.size() / 3);
        const auto midpoint = [&](int a, int b) {
            const auto [it, fresh] = middle.emplace(std::min(a, b) * ends + std::max(a, b), static_cast<int>(mesh.vert.size() / 3));
            if (fresh) {
                float m[3];
                for (int k = 0; k < 3; ++k)
                    m[k] = (mesh.vert[static_cast<std::size_t>(3 * a + k)] + mesh.vert[static_cast<std::size_t>(3 * b + k)]) / 2.0f;
                const float n = std::sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
                for (const float x : m) mesh.vert.push_back(x / n);
            }
            return it->second;
        };
        const List<int> old = std::move(mesh.face);
        mesh.face.clear();
        for (std::size_t i = 0; i < old.size(); i += 3) {
            const int a = old[i], b = old[i + 1], c = old[i + 2];
            const int ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
            add_face(mesh, a, ab, ca);
            add_face(mesh, b, bc, ab);
            add_face(mesh, c, ca, bc);
            add_face(mesh, ab, bc, ca);
        }
    }
    return mesh;
}

// A pyramid over the equator's square, its rows pushed out to the sphere, and a fan that closes the equator.
[[gnu::cold]] inline MeshData hemisphere_mesh(int resolution) {
    constexpr double equator[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    MeshData mesh;
    add_vertex(mesh, 0, 0, 1);
    for (int row = 0; row <= resolution; ++row)
        for (int side = 0; side < 4; ++side) {
            const double factor = static_cast<double>(row + 1) / (resolution + 1);
            const double* from = equator[side];
            const double* to = equator[(side + 1) % 4];
            for (int i = 0; i < row + 1; ++i) {
                const double x = factor * from[0] + i * ((factor * to[0] - factor * from[0]) / (row + 1));
                const double y = factor * from[1] + i * ((factor * to[1] - factor * from[1]) / (row + 1));
                const double z = 1 + factor * -1.0;
                const double n = std::sqrt(x * x + y * y + z * z);
                add_vertex(mesh, x / n, y / n, z / n);
            }
        }
    add_vertex(mesh, 0, 0, 0);
    for (int side = 0; side < 4; ++side) add_face(mesh, 0, 1 + side, 1 + (side + 1) % 4);
    for (int row = 0; row < resolution; ++row) {
        const int start = 2 * row * (row + 1) + 1, count = 4 * (row + 1), below = start + count, count_below = 4 * (row + 2);
        for (int side = 0; side < 4; ++side)
            for (int i = 0; i < row + 2; ++i) {
                const int here = i + (row + 1) * side, next = i + (row + 2) * side;
                add_face(mesh, start + here % count, below + next % count_below, below + (next + 1) % count_below);
                if (i < row + 1) add_face(mesh, start + here % count, below + (next + 1) % count_below, start + (here + 1) % count);
            }
    }
    const int start = 2 * resolution * (resolution + 1) + 1, count = 4 * (resolution + 1);
    const int centre = static_cast<int>(mesh.vert.size() / 3) - 1;
    for (int i = 0; i < count; ++i) add_face(mesh, start + i, centre, start + (i + 1) % count);
    return mesh;
}

// |cos|^m and |sin|^m with their signs: superquadrics.
inline double signed_power(double x, double m) { return std::copysign(std::pow(std::abs(x), m), x); }

[[gnu::cold]] inline MeshData supersphere_mesh(int resolution, double e, double n) {
    MeshData mesh;
    add_vertex(mesh, 0, 0, -1);
    for (int i = 1; i < resolution; ++i)
        for (int j = 0; j < resolution; ++j) {
            const double v = -pi / 2 + i * pi / resolution, u = -pi + j * 2 * pi / resolution;
            add_vertex(mesh, signed_power(std::cos(v), n) * signed_power(std::cos(u), e),
                       signed_power(std::cos(v), n) * signed_power(std::sin(u), e), signed_power(std::sin(v), n));
        }
    add_vertex(mesh, 0, 0, 1);
    const int last = 1 + (resolution - 2) * resolution, north = static_cast<int>(mesh.vert.size() / 3) - 1;
    for (int j = 0; j < resolution; ++j) add_face(mesh, 0, 1 + (j + 1) % resolution, 1 + j);
    for (int i = 0; i < resolution - 2; ++i)
        for (int j = 0; j < resolution; ++j) {
            const int a = 1 + i * resolution + j, b = 1 + i * resolution + (j + 1) % resolution;
            add_face(mesh, a, b, a + resolution);
            add_face(mesh, b, b + resolution, a + resolution);
        }
    for (int j = 0; j < resolution; ++j) add_face(mesh, last + j, last + (j + 1) % resolution, north);
    return mesh;
}

[[gnu::cold]] inline MeshData supertorus_mesh(int resolution, double radius, double s, double t) {
    MeshData mesh;
    for (int i = 0; i < resolution; ++i)
        for (int j = 0; j < resolution; ++j) {
            const double u = 2 * pi * i / resolution, v = 2 * pi * j / resolution;
            const double ring = 1 + radius * signed_power(std::cos(v), s);
            add_vertex(mesh, ring * signed_power(std::cos(u), t), ring * signed_power(std::sin(u), t),
                       radius * signed_power(std::sin(v), s));
        }
    for (int i = 0; i < resolution; ++i)
        for (int j = 0; j < resolution; ++j) {
            const int i1 = (i + 1) % resolution, j1 = (j + 1) % resolution;
            add_face(mesh, i * resolution + j, i1 * resolution + j, i * resolution + j1);
            add_face(mesh, i1 * resolution + j, i1 * resolution + j1, i * resolution + j1);
        }
    return mesh;
}

// A flat grid of nx by ny points at z = -1; its mass sits on the surface.
[[gnu::cold]] inline MeshData plate_mesh(int nx, int ny) {
    MeshData mesh;
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j) {
            add_vertex(mesh, -1 + (i + 0.5) * (2.0 / nx), -1 + (j + 0.5) * (2.0 / ny), -1);
            add_tangents(mesh, {{0, 1, 0}}, {{0, 0, 1}});  // MuJoCo's: y and the normal
            if (i == 0 || j == 0) continue;
            const int here = i * ny + j;
            add_face(mesh, here - ny - 1, here - 1, here - ny);
            add_face(mesh, here, here - ny, here - 1);
        }
    return mesh;
}

// Points of a patch of the unit sphere seen from its centre along -z, denser in the middle by `gamma`.
[[gnu::cold]] inline MeshData wedge_mesh(int nx, int ny, double fov_x, double fov_y, double gamma) {
    const auto edge = [&](int i, int n, double fov) {
        const double x = -1 + 2.0 * i / n;
        return (gamma * std::pow(x, 5) + (1 - gamma) * x) * fov * pi / 180;
    };
    MeshData mesh;
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j) {
            const double a = 0.5 * (edge(i + 1, nx, fov_x) + edge(i, nx, fov_x));
            const double e = 0.5 * (edge(j + 1, ny, fov_y) + edge(j, ny, fov_y));
            add_vertex(mesh, std::cos(e) * std::sin(a), std::sin(e), -std::cos(e) * std::cos(a));
            const Vec3d round{{std::cos(e) * std::cos(a), 0, std::cos(e) * std::sin(a)}};
            add_tangents(mesh, unit(round), {{-std::sin(e) * std::sin(a), std::cos(e), std::sin(e) * std::cos(a)}});
        }
    return mesh;
}

// A frustum over a regular polygon; a pyramid when the upper radius is 0.
[[gnu::cold]] inline MeshData cone_mesh(int edges, double radius) {
    MeshData mesh;
    for (int i = 0; i < edges; ++i) add_vertex(mesh, std::cos(2 * i * pi / edges), std::sin(2 * i * pi / edges), -1);
    for (int i = edges; radius > 0 && i < 2 * edges; ++i)
        add_vertex(mesh, radius * std::cos(2 * i * pi / edges), radius * std::sin(2 * i * pi / edges), 1);
    if (!(radius > 0)) add_vertex(mesh, 0, 0, 1);
    return mesh;
}

[[gnu::cold]] inline MeshData builtin_mesh(const SpecMesh& spec, const std::string& where) {
    const auto& p = spec.params;
    const auto require = [&](bool good, const char* what) {
        if (!good) throw_model_error({where, ": builtin '", spec.builtin, "' ", what});
    };
    const auto count = [&](std::size_t i, int low, int high) {
        require(p[i] >= low && p[i] <= high, "has a resolution outside its range");
        return static_cast<int>(p[i]);
    };
    const auto needs = [&](std::size_t n) { require(p.size() == n, ("needs " + std::to_string(n) + " params").c_str()); };
    constexpr int most = 1000;
    if (spec.builtin == "sphere") {
        needs(1);
        return sphere_mesh(count(0, 0, 4));
    }
    if (spec.builtin == "hemisphere") {
        needs(1);
        return hemisphere_mesh(count(0, 0, 10));
    }
    if (spec.builtin == "cone") {
        needs(2);
        return cone_mesh(count(0, 3, most), p[1]);
    }
    if (spec.builtin == "supersphere") {
        needs(3);
        require(p[1] >= 0 && p[2] >= 0, "needs exponents that are not negative");
        return supersphere_mesh(count(0, 3, most), p[1], p[2]);
    }
    if (spec.builtin == "supertorus") {
        needs(4);
        require(p[1] > 0 && p[1] <= 1 && p[2] > 0 && p[3] > 0, "needs a radius in (0, 1] and positive exponents");
        return supertorus_mesh(count(0, 3, most), p[1], p[2], p[3]);
    }
    if (spec.builtin == "wedge") {
        needs(5);
        require(p[2] > 0 && p[2] <= 180 && p[3] > 0 && p[3] <= 90 && p[4] >= 0 && p[4] <= 1,
                "has a field of view or gamma outside its range");
        return wedge_mesh(count(0, 1, most), count(1, 1, most), p[2], p[3], p[4]);
    }
    require(spec.builtin == "plate", "is unknown");
    needs(2);
    return plate_mesh(count(0, 1, most), count(1, 1, most));
}

}  // namespace mjx::inner::compiler
