// Surfaces to look at: every shape as triangles with normals and, where there are any, texture coordinates, in the frame of its geom.
//
// Round shapes are cut into `around` slices. Surfaces from triangles (meshes, hulls, fields) keep edges sharper than `crease` and are
// smooth elsewhere: a corner's normal is the sum of those of the faces around the point, weighted by area, that turn by less.
#pragma once

#include "mjx/model/shape/list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace mjx::inner::show {

using Vec2f = Vec<float, 2>;
using Vec3f = Vec3<float>;

struct Surface {
    std::vector<Vec3f> vert{}, normal{};
    std::vector<Vec2f> uv{};  // from the upper left corner of a picture; one for each vertex, or none: it is then seen along z
    std::vector<std::uint32_t> index{};  // three for each triangle, counter-clockwise from outside

    std::uint32_t add(const Vec3f& v, const Vec3f& n) {
        vert.push_back(v);
        normal.push_back(n);
        return static_cast<std::uint32_t>(vert.size() - 1);
    }
    std::uint32_t add(const Vec3f& v, const Vec3f& n, const Vec2f& at) {
        uv.push_back(at);
        return add(v, n);
    }
    void add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) { index.insert(index.end(), {a, b, c}); }
    void add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        add_face(a, b, c);
        add_face(a, c, d);
    }
};

inline constexpr int around = 32;

inline Vec3f unit_or_up(const Vec3f& v) {
    const float length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return length > 0 ? v * (1 / length) : Vec3f{{0, 0, 1}};
}

// A sphere cut at its equator, its halves moved apart along z by `apart` each way, then stretched along the axes.
inline Surface round_surface(const Vec3f& radii, float apart) {
    Surface s;
    constexpr int rings = around / 2;
    const int rows = apart > 0 ? rings + 2 : rings + 1;
    for (int i = 0; i < rows; ++i) {
        const int ring = apart > 0 && i > rings / 2 ? i - 1 : i;
        const float shift = apart > 0 ? (i > rings / 2 ? -apart : apart) : 0;
        const double down = std::numbers::pi * ring / rings;
        for (int j = 0; j <= around; ++j) {
            const double turn = 2 * std::numbers::pi * j / around;
            const Vec3f n{{static_cast<float>(std::sin(down) * std::cos(turn)), static_cast<float>(std::sin(down) * std::sin(turn)),
                           static_cast<float>(std::cos(down))}};
            const Vec3f stretched{{n[0] / radii[0], n[1] / radii[1], n[2] / radii[2]}};
            s.add({{n[0] * radii[0], n[1] * radii[1], n[2] * radii[2] + shift}}, unit_or_up(stretched),
                  {{static_cast<float>(j) / around, static_cast<float>(i) / static_cast<float>(rows - 1)}});
        }
    }
    const auto at = [](int i, int j) { return static_cast<std::uint32_t>(i * (around + 1) + j); };
    for (int i = 0; i + 1 < rows; ++i)
        for (int j = 0; j < around; ++j) {
            if (i > 0) s.add_face(at(i, j), at(i + 1, j), at(i, j + 1));
            if (i + 2 < rows) s.add_face(at(i, j + 1), at(i + 1, j), at(i + 1, j + 1));
        }
    return s;
}

inline Surface cylinder_surface(float radius, float half) {
    Surface s;
    for (const float side : {1.0f, -1.0f}) s.add({{0, 0, side * half}}, {{0, 0, side}}, {{0.5f, 0.5f}});
    for (int j = 0; j <= around; ++j) {
        const double turn = 2 * std::numbers::pi * j / around;
        const Vec3f n{{static_cast<float>(std::cos(turn)), static_cast<float>(std::sin(turn)), 0}};
        const auto first = static_cast<std::uint32_t>(s.vert.size());
        for (const float side : {1.0f, -1.0f}) {
            const Vec3f v{{n[0] * radius, n[1] * radius, side * half}};
            s.add(v, n, {{static_cast<float>(j) / around, (1 - side) / 2}});
            s.add(v, {{0, 0, side}}, {{(1 + n[0]) / 2, (1 - side * n[1]) / 2}});
        }
        if (j == 0) continue;
        s.add_quad(first - 4, first - 2, first + 2, first);
        s.add_face(0, first - 3, first + 1);
        s.add_face(1, first + 3, first - 1);
    }
    return s;
}

// Pictures stand upright on its sides, seen from outside.
inline Surface box_surface(const Vec3f& half) {
    Surface s;
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {1.0f, -1.0f}) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            const auto corner = [&](float a, float b) {
                Vec3f at{}, normal{};
                at[axis] = side * half[axis];
                at[u] = a * half[u];
                at[v] = b * side * half[v];
                normal[axis] = side;
                const Vec2f picture = axis == 1 ? Vec2f{{1 - b, 1 - a}} : Vec2f{{1 + side * a, 1 - side * b}};
                return s.add(at, normal, picture * 0.5f);
            };
            const auto a = corner(-1, -1), b = corner(1, -1), c = corner(1, 1), d = corner(-1, 1);
            s.add_quad(a, b, c, d);
        }
    return s;
}

// A rectangle in the plane z = 0.
inline Surface plane_surface(float half_x, float half_y) {
    Surface s;
    const Vec3f up{{0, 0, 1}};
    const auto corner = [&](float a, float b) { return s.add({{a * half_x, b * half_y, 0}}, up, {{(1 + a) / 2, (1 - b) / 2}}); };
    const auto a = corner(-1, -1), b = corner(1, -1), c = corner(1, 1), d = corner(-1, 1);
    s.add_quad(a, b, c, d);
    return s;
}

// Triangles of shared points become a surface with normals; `vertex(i)` and `face(i)` give them, `uv(i, k)` the texture coordinates of
// corner k of face i.
// The surface of each shape that has one by its size alone.
inline Surface surface_of(Plane, const Vec3f& size) { return plane_surface(size[0], size[1]); }
inline Surface surface_of(Sphere, const Vec3f& size) { return round_surface({{size[0], size[0], size[0]}}, 0); }
inline Surface surface_of(Capsule, const Vec3f& size) { return round_surface({{size[0], size[0], size[0]}}, size[1]); }
inline Surface surface_of(Ellipsoid, const Vec3f& size) { return round_surface(size, 0); }
inline Surface surface_of(Cylinder, const Vec3f& size) { return cylinder_surface(size[0], size[1]); }
inline Surface surface_of(Box, const Vec3f& size) { return box_surface(size); }

struct NoPicture {};
template <class Vertex, class Face, class Uv = NoPicture>
Surface creased_surface(int vertices, int faces, Vertex&& vertex, Face&& face, Uv&& uv = {}) {
    constexpr bool pictured = !std::is_same_v<std::remove_cvref_t<Uv>, NoPicture>;
    constexpr float crease = 0.76f;  // cosine of 40 degrees
    std::vector<Vec3f> area(static_cast<std::size_t>(faces));
    std::vector<std::uint32_t> place(static_cast<std::size_t>(vertices));  // the same for points at the same place
    std::map<std::array<float, 3>, std::uint32_t> places;
    for (int i = 0; i < vertices; ++i) {
        const Vec3f v = vertex(i);
        place[static_cast<std::size_t>(i)] =
            places.emplace(std::array{v[0], v[1], v[2]}, static_cast<std::uint32_t>(places.size())).first->second;
    }
    std::vector<std::vector<int>> faces_at(places.size());
    for (int f = 0; f < faces; ++f) {
        const auto corners = face(f);
        const Vec3f a = vertex(corners[0]), b = vertex(corners[1]), c = vertex(corners[2]);
        area[static_cast<std::size_t>(f)] = cross(b - a, c - a);
        for (int k = 0; k < 3; ++k) faces_at[place[static_cast<std::size_t>(corners[k])]].push_back(f);
    }
    Surface s;
    std::map<std::pair<std::uint32_t, std::array<float, 5>>, std::uint32_t> made;  // by place, normal and texture coordinates
    for (int f = 0; f < faces; ++f) {
        const auto corners = face(f);
        const auto at_corner = [&](int k) { return place[static_cast<std::size_t>(corners[k])]; };
        if (at_corner(0) == at_corner(1) || at_corner(1) == at_corner(2) || at_corner(2) == at_corner(0)) continue;  // a line
        const Vec3f own = unit_or_up(area[static_cast<std::size_t>(f)]);
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t at = at_corner(k);
            Vec3f sum{{0, 0, 0}};
            for (const int other : faces_at[at]) {
                const Vec3f& n = area[static_cast<std::size_t>(other)];
                if (dot(own, unit_or_up(n)) > crease) sum += n;
            }
            const Vec3f n = unit_or_up(sum);
            Vec2f picture{};
            if constexpr (pictured) picture = uv(f, k);
            const auto [found, fresh] = made.emplace(std::pair{at, std::array{n[0], n[1], n[2], picture[0], picture[1]}},
                                                     static_cast<std::uint32_t>(s.vert.size()));
            if (fresh) s.add(vertex(corners[k]), n);
            if (fresh && pictured) s.uv.push_back(picture);
            s.index.push_back(found->second);
        }
    }
    return s;
}

// A height field: its top, smooth, and walls down to `base` along its edges. height(row, column); rows run along y.
template <class Height>
Surface hfield_surface(int rows, int columns, float half_x, float half_y, float base, Height&& height) {
    Surface s;
    const auto place = [&](int r, int c) {
        return Vec3f{{half_x * (2 * static_cast<float>(c) / static_cast<float>(columns - 1) - 1),
                      half_y * (2 * static_cast<float>(r) / static_cast<float>(rows - 1) - 1), height(r, c)}};
    };
    const auto clamped = [&](int r, int c) { return place(std::min(std::max(r, 0), rows - 1), std::min(std::max(c, 0), columns - 1)); };
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            s.add(place(r, c), unit_or_up(cross(clamped(r, c + 1) - clamped(r, c - 1), clamped(r + 1, c) - clamped(r - 1, c))));
    const auto at = [&](int r, int c) { return static_cast<std::uint32_t>(r * columns + c); };
    for (int r = 0; r + 1 < rows; ++r)
        for (int c = 0; c + 1 < columns; ++c) s.add_quad(at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c));
    const auto wall = [&](int r0, int c0, int r1, int c1, const Vec3f& out) {
        const Vec3f p = place(r0, c0), q = place(r1, c1);
        s.add_quad(s.add(p, out), s.add({{p[0], p[1], base}}, out), s.add({{q[0], q[1], base}}, out), s.add(q, out));
    };
    for (int c = 0; c + 1 < columns; ++c) {
        wall(0, c, 0, c + 1, {{0, -1, 0}});
        wall(rows - 1, c + 1, rows - 1, c, {{0, 1, 0}});
    }
    for (int r = 0; r + 1 < rows; ++r) {
        wall(r + 1, 0, r, 0, {{-1, 0, 0}});
        wall(r, columns - 1, r + 1, columns - 1, {{1, 0, 0}});
    }
    return s;
}

}  // namespace mjx::inner::show
