// SurfaceShop: the surface of every geom and site of a model, of any kind; equal ones are shared.
#pragma once

#include "mjx/collision/sdf.hpp"
#include "mjx/compile/field_mesh.hpp"
#include "mjx/view/surface.hpp"
#include "mjx/view/texcoords.hpp"

#include <map>
#include <vector>

namespace mjx::inner::show {

// The number in one lane of any scalar, without its derivatives.
template <class S>
double number(const S& x, int k = 0) {
    if constexpr (std::is_arithmetic_v<S>)
        return static_cast<double>(x);
    else
        return static_cast<double>(value_of(lane(x, k)));
}
template <class V>
Vec3f vec3f(const V& v, int k = 0) {
    return {{static_cast<float>(number(v[0], k)), static_cast<float>(number(v[1], k)), static_cast<float>(number(v[2], k))}};
}
template <class V>
Vec<float, 4> vec4f(const V& v, int k = 0) {
    Vec<float, 4> out{};
    for (int i = 0; i < 4; ++i) out[i] = static_cast<float>(number(v[i], k));
    return out;
}

template <class M>
class SurfaceShop {
    const M& m_;
    std::vector<Surface>& surfaces_;
    std::map<std::vector<double>, int> made_{};

    Surface mesh(int id, const MeshTexcoords& picture) const {
        const int vert = m_.mesh_vertadr[id], face = m_.mesh_faceadr[id];
        const auto vertex = [&](int i) -> Vec3f { return m_.mesh_vert[vert + i]; };
        const auto corners = [&](int i) { return m_.mesh_face[face + i]; };
        if (picture.at.empty()) return creased_surface(m_.mesh_vertnum[id], m_.mesh_facenum[id], vertex, corners);
        return creased_surface(m_.mesh_vertnum[id], m_.mesh_facenum[id], vertex, corners,
                               [&](int i, int k) { return picture.of_corner(i, k); });
    }
    // The graph is numvert, numface, vert_edgeadr, vert_globalid, edge_localid, face_globalid.
    Surface hull(int id) const {
        const int graph = m_.mesh_graphadr[id], vert = m_.mesh_vertadr[id];
        const int numvert = m_.mesh_graph[graph], numface = m_.mesh_graph[graph + 1], face = graph + 2 + 3 * numvert + 3 * numface;
        return creased_surface(
            m_.mesh_vertnum[id], numface, [&](int i) -> Vec3f { return m_.mesh_vert[vert + i]; },
            [&](int i) {
                return Vec<int, 3>{{m_.mesh_graph[face + 3 * i], m_.mesh_graph[face + 3 * i + 1], m_.mesh_graph[face + 3 * i + 2]}};
            });
    }
    Surface hfield(int id) const {
        const auto& size = m_.hfield_size[id];
        const int columns = m_.hfield_ncol[id], first = m_.hfield_adr[id];
        const auto top = static_cast<float>(number(size[2]));
        return hfield_surface(m_.hfield_nrow[id], columns, static_cast<float>(number(size[0])), static_cast<float>(number(size[1])),
                              -static_cast<float>(number(size[3])),
                              [&](int r, int c) { return top * m_.hfield_data[first + r * columns + c]; });
    }
    // The surface where a field by formula, or the user's own, is zero.
    Surface field(int geom) const {
        Vec3<double> half{};
        for (int i = 0; i < 3; ++i) half[i] = 1.02 * number(m_.geom_size[geom][i]);
        const GeomField<M, double> distance(m_, geom, half);
        const MeshData data = compiler::FieldMesher(half, [&](const Vec3<double>& p) { return distance(p); }).take();
        const auto at = [&](int i) { return static_cast<std::size_t>(3 * i); };
        return creased_surface(
            static_cast<int>(data.vert.size() / 3), static_cast<int>(data.face.size() / 3),
            [&](int i) {
                return Vec3f{{data.vert[at(i)], data.vert[at(i) + 1], data.vert[at(i) + 2]}};
            },
            [&](int i) {
                return Vec<int, 3>{{data.face[at(i)], data.face[at(i) + 1], data.face[at(i) + 2]}};
            });
    }
    // A shape that has no surface to look at, as the user's own: the points furthest along the normals of a ball.
    template <class Shape>
    static Surface supported(Shape shape, const Vec3f& size) {
        Surface s = round_surface({{1, 1, 1}}, 0);
        const auto wide = [](const Vec3f& v) { return Vec3<double>{{v[0], v[1], v[2]}}; };
        for (Vec3f& n : s.normal)  // the same at the same place, where a rounding error would choose another corner
            for (int i = 0; i < 3; ++i) n[i] = std::abs(n[i]) < 1e-6f ? 0 : n[i];
        for (std::size_t i = 0; i < s.vert.size(); ++i) s.vert[i] = vec3f(shape.support(wide(size), wide(s.normal[i])));
        return s;
    }
    template <class Make>
    int shared(const std::vector<double>& key, Make&& make) {
        const auto [found, fresh] = made_.emplace(key, static_cast<int>(surfaces_.size()));
        if (fresh) surfaces_.push_back(make());
        return found->second;
    }

  public:
    SurfaceShop(const M& m, std::vector<Surface>& surfaces) : m_(m), surfaces_(surfaces) {}

    int primitive(int type, const Vec3f& size) {
        return shared({double(type), double(size[0]), double(size[1]), double(size[2])}, [&] {
            Surface made = surface_of(Sphere{}, size);  // where an asset is missing
            shapes_of<M>::visit(type, [&](auto shape) {
                if constexpr (requires { surface_of(shape, size); })
                    made = surface_of(shape, size);
                else if constexpr (requires { shape.support(Vec3<double>{}, Vec3<double>{}); })
                    made = supported(shape, size);
            });
            return made;
        });
    }
    int hull_of_mesh(int id) {
        if (m_.mesh_graphadr[id] < 0) return -1;
        return shared({double(shape::count), double(id)}, [&] { return hull(id); });
    }
    // `pictured`: it has a flat texture, which wants texture coordinates.
    int geom(int g, const Visual& visual, bool pictured) {
        const int type = m_.geom_type[g], id = m_.geom_dataid[g];
        if (id >= 0 && is_of_mesh(type))
            return shared({double(Mesh::type), double(id), double(pictured)},
                          [&] { return mesh(id, pictured ? mesh_texcoords(m_, id, visual) : MeshTexcoords{}); });
        if (is_of_hfield(type)) return shared({double(type), double(id)}, [&] { return hfield(id); });
        if (is_field(type)) return shared({double(type), double(g)}, [&] { return field(g); });
        return primitive(type, vec3f(m_.geom_size[g]));
    }
};

}  // namespace mjx::inner::show
