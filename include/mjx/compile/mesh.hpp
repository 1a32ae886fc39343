// process_mesh: a mesh asset becomes what the model holds: vertices about the centre of mass along the principal axes, faces,
// convex hull graph, polygons of the hull, volume and equivalent inertia box.
//
// Steps in MuJoCo's order: read or generate; hull and polygons of the vertices as given; refpos, refquat, scale; volume and centre
// of mass; inertia; principal frame. A geom of this mesh gets the frame (pos, quat) accumulated into its own. Lengths in model
// units, unit density.
#pragma once

#include "mjx/compile/field_mesh.hpp"
#include "mjx/compile/mesh_builtin.hpp"
#include "mjx/compile/mesh_inertia.hpp"
#include "mjx/compile/mesh_polygons.hpp"
#include "mjx/io/mesh.hpp"
#include "mjx/io/qhull.hpp"

namespace mjx::inner::compiler {

struct ProcessedMesh {
    List<Vec3<float>> vert{};       // mesh frame: centre of mass and principal axes
    List<Vec<int, 3>> face{};
    List<Vec6<float>> tangent{};    // two for each vertex, or none
    List<int> graph{};              // as convex_hull() describes; empty when no hull was asked for
    List<List<int>> polygons{};    // of the hull
    List<Vec3d> polygon_normal{};
    List<List<int>> polygon_map{};  // polygons around each vertex
    Vec3d pos = Vec3d::zero();             // mesh frame in the frame of the file
    Quatd quat = Quatd::identity();
    double volume = 0;                     // or the area of a shell
    Vec3d box = Vec3d::zero();             // half sizes of the box with the same volume-normalized inertia
    Vec3d low = Vec3d::zero(), high = Vec3d::zero();  // bounds in the mesh frame

    // Furthest extent to either side of the origin: what geom_size of a mesh geom holds.
    Vec3d reach() const {
        Vec3d r;
        for (int i = 0; i < 3; ++i) r[i] = std::max(std::abs(low[i]), std::abs(high[i]));
        return r;
    }
    double rbound() const { return norm(reach()); }
    Vec6<double> aabb() const {
        Vec6<double> r;
        for (int i = 0; i < 3; ++i) {
            r[i] = (high[i] + low[i]) / 2;
            r[3 + i] = (high[i] - low[i]) / 2;
        }
        return r;
    }
    // Principal moments of a geom of this shape.
    Vec3d inertia(double mass) const {
        const double x = box[0] * box[0], y = box[1] * box[1], z = box[2] * box[2];
        return {{mass * (y + z) / 3, mass * (x + z) / 3, mass * (x + y) / 3}};
    }
};

// Vertices and faces of a mesh element from its file, its generator or its own attributes.
[[gnu::cold]] inline MeshData mesh_source(const SpecMesh& spec, int mujoco, const std::string& where) {
    MeshData mesh{spec.vert, spec.face};
    if (!spec.builtin.empty() && spec.builtin != "none") {
        if (!spec.file.empty() || !spec.vert.empty()) throw_model_error({where, ": has a builtin shape and a file or vertices as well"});
        mesh = builtin_mesh(spec, where);
    } else if (!spec.sdf.empty()) {
        mesh = field_mesh(spec);
    } else if (!spec.file.empty()) {
        mesh = read_mesh(spec.file, spec.content_type, where, {.mujoco = mujoco});
        if (!spec.vert.empty() || (!spec.face.empty() && !mesh.face.empty()))
            throw_model_error({where, ": vertices or faces are given both in the file and in the element"});
        if (mesh.face.empty()) mesh.face = spec.face;
    }
    if (mesh.vert.size() % 3 != 0 || mesh.face.size() % 3 != 0)
        throw_model_error({where, ": vertex and face need a multiple of 3 numbers"});
    if (mesh.vert.size() < 12) throw_model_error({where, ": needs at least 4 vertices"});
    for (const float v : mesh.vert)
        if (!std::isfinite(v)) throw_model_error({where, ": a vertex coordinate is not finite"});
    const int nvert = static_cast<int>(mesh.vert.size() / 3);
    for (const int v : mesh.face)
        if (v < 0 || v >= nvert) throw_model_error({where, ": a face refers to vertex ", std::to_string(v), ", which does not exist"});
    return mesh;
}

// Faces of an exact mesh must agree on what is outside: no directed edge occurs twice.
inline void check_orientation(const List<Vec3d>& vert, const List<int>& face, const std::string& where) {
    List<std::pair<int, int>> edges;
    for (std::size_t i = 0; i < face.size(); i += 3) {
        const auto corner = [&](std::size_t k) { return vert[static_cast<std::size_t>(face[i + k])]; };
        if (triangle_of(corner(0), corner(1), corner(2)).area <= std::sqrt(minval)) continue;
        for (std::size_t k = 0; k < 3; ++k) edges.emplace_back(face[i + k], face[i + (k + 1) % 3]);
    }
    std::sort(edges.begin(), edges.end());
    const auto twice = std::adjacent_find(edges.begin(), edges.end());
    if (twice != edges.end())
        throw_model_error({where, ": exact inertia needs consistently wound faces; see the faces with vertices ",
                           std::to_string(twice->first), " and ", std::to_string(twice->second)});
}

// refpos, refquat and scale: from the file's frame into the one the element describes.
[[gnu::cold]] inline void place_vertices(List<Vec3d>& vert, const SpecMesh& spec) {
    const Mat3d turn = to_mat3(normalize(spec.refquat));
    const Quatd& q = spec.refquat;
    const bool turned = q[0] != 1 || q[1] != 0 || q[2] != 0 || q[3] != 0;
    for (Vec3d& v : vert) {
        v -= spec.refpos;
        if (turned) v = transpose_mul(turn, v);
        for (int i = 0; i < 3; ++i) v[i] *= spec.scale[i];
    }
}

// The tangents of the vertices in the mesh frame; they scale as normals do.
[[gnu::cold]] inline List<Vec6<float>> place_tangents(const MeshData& source, const SpecMesh& spec, const Quatd& quat) {
    const Mat3d turn = to_mat3(normalize(spec.refquat)), into = to_mat3(conjugate(quat));
    const auto in_float = [](const Vec3d& v) { return Vec3<float>{{float(v[0]), float(v[1]), float(v[2])}}; };
    List<Vec6<float>> tangents(source.tangent.size() / 6);
    for (std::size_t i = 0; i < 2 * tangents.size(); ++i) {
        const float* const given = source.tangent.data() + 3 * i;
        Vec3<float> t = in_float(transpose_mul(turn, Vec3d{{given[0], given[1], given[2]}}));
        for (int k = 0; k < 3; ++k) t[k] = static_cast<float>(t[k] / spec.scale[k]);
        const float square = t[0] * t[0] + t[1] * t[1] + t[2] * t[2], inverse = 1 / std::sqrt(square);
        for (int k = 0; k < 3; ++k) t[k] *= inverse;
        const Vec3<float> placed = in_float(into * Vec3d::from(t));
        for (int k = 0; k < 3; ++k) tangents[i / 2][static_cast<int>(3 * (i % 2)) + k] = placed[k];
    }
    return tangents;
}

// Volume, principal frame and box; moves the vertices into that frame, unless they belong to a field, whose frame is that of its
// formula. (Its box then has the principal moments in descending order, along axes that are not the principal ones: MuJoCo's rule.)
[[gnu::cold]] inline void move_to_principal_frame(ProcessedMesh& mesh, List<Vec3d>& vert, const MassTriangles& faces,
                                                  const MassTriangles& body, bool keep_frame, int mujoco, const std::string& where) {
    const MassCentre surface = face_centroid(faces);
    if (surface.amount < minval) throw_model_error({where, ": the surface area is too small"});
    const MassCentre mass = mass_centre(body, surface.centre);
    if (mass.amount < 0) throw_model_error({where, ": the volume is negative, the faces are wound inside out"});
    if (mass.amount < minval) throw_model_error({where, ": the volume is too small; inertia=\"shell\" may be what you need"});
    List<Vec3d> centred(vert);
    for (Vec3d& v : centred) v -= mass.centre;
    const MeshInertia inertia = mesh_moments({centred, body.face, body.nface, body.rule});
    const auto axes = principal_axes(inertia.moments, mujoco, mesh_axes);
    const Vec3d& e = axes.moments;
    const auto violates = [](double a, double b, double c) { return a + b < c * (1 - 1e-6) - 1e-9; };
    if (!(e[2] > 0)) throw_model_error({where, ": an eigenvalue of the inertia is not positive"});
    if (violates(e[0], e[1], e[2]) || violates(e[0], e[2], e[1]) || violates(e[1], e[2], e[0]))
        throw_model_error({where, ": the inertia violates A + B >= C; the faces may be wound inconsistently"});
    mesh.volume = inertia.amount;
    for (int i = 0; i < 3; ++i) mesh.box[i] = 0.5 * std::sqrt(std::max(0.0, 6 * (e[(i + 1) % 3] + e[(i + 2) % 3] - e[i]) / mesh.volume));
    if (keep_frame) {
        centred = vert;
    } else {
        mesh.pos = mass.centre;
        mesh.quat = axes.quat;
    }
    const Mat3d into = to_mat3(conjugate(mesh.quat));
    mesh.low = {{1e10, 1e10, 1e10}};
    mesh.high = -mesh.low;
    for (std::size_t i = 0; i < vert.size(); ++i) {
        vert[i] = into * centred[i];
        for (int k = 0; k < 3; ++k) {
            mesh.low[k] = std::min(mesh.low[k], vert[i][k]);
            mesh.high[k] = std::max(mesh.high[k], vert[i][k]);
        }
    }
}

[[gnu::cold]] inline void add_polygons(ProcessedMesh& mesh, const List<Vec3d>& vert) {
    mesh.polygon_map.resize(vert.size());
    for (std::size_t i = 0; i < mesh.polygons.size(); ++i) {
        const auto& p = mesh.polygons[i];
        const auto at = [&](std::size_t k) { return vert[static_cast<std::size_t>(p[k])]; };
        const Vec3d normal = cross(Vec3d(at(1) - at(0)), Vec3d(at(2) - at(0)));
        const double length = norm(normal);
        const Vec3d unit_normal{{normal[0] / length, normal[1] / length, normal[2] / length}};
        mesh.polygon_normal.push_back(length < eps ? Vec3d{{1, 0, 0}} : unit_normal);
        for (const int v : p) mesh.polygon_map[static_cast<std::size_t>(v)].push_back(static_cast<int>(i));
    }
}

// `need_hull`: some geom of this mesh may collide.
[[gnu::cold]] inline ProcessedMesh process_mesh(const SpecMesh& spec, bool need_hull, int mujoco = 314) {
    const std::string where = spec.where + ": mesh '" + spec.name + "'";
    const int rule = spec.builtin == "plate" ? static_cast<int>(mesh_inertia::shell) : spec.inertia;
    MeshData source = mesh_source(spec, mujoco, where);
    const bool unscaled = spec.scale[0] == 1 && spec.scale[1] == 1 && spec.scale[2] == 1;
    if (!spec.sdf.empty() && !unscaled) throw_model_error({where, ": the surface of a signed distance field cannot be scaled"});
    for (int i = 0; i < 3; ++i)
        if (spec.scale[i] == 0 || !std::isfinite(spec.scale[i]))
            throw_model_error({where, ": scale has a component that is zero or not finite"});
    if (!is_rotation(spec.refquat)) throw_model_error({where, ": refquat is zero or not finite, expected a rotation"});
    List<Vec3d> vert;
    for (std::size_t i = 0; i < source.vert.size(); i += 3) vert.push_back({{source.vert[i], source.vert[i + 1], source.vert[i + 2]}});
    if (rule == mesh_inertia::exact) check_orientation(vert, source.face, where);

    ProcessedMesh mesh;
    const bool hull = need_hull || source.face.empty() || rule == mesh_inertia::convex;
    const bool mirrored = spec.scale[0] * spec.scale[1] * spec.scale[2] < 0;
    const int* hull_face = nullptr;
    int hull_nface = 0;
    if (hull) {
        if (spec.maxhullvert > -1 && spec.maxhullvert < 4) throw_model_error({where, ": maxhullvert must be larger than 3"});
        mesh.graph = convex_hull(vert, spec.maxhullvert, where);
        hull_nface = mesh.graph[1];
        hull_face = mesh.graph.data() + 2 + 3 * mesh.graph[0] + 3 * hull_nface;
        if (source.face.empty()) source.face.assign(hull_face, hull_face + 3 * hull_nface);
        mesh.polygons = hull_polygons(vert, hull_face, hull_nface);
    }
    const bool swapped_by_reader = asset_kind(spec.file, spec.content_type) == ".msh" || spec.content_type == "model/vnd.mujoco.msh";
    if (mirrored && !swapped_by_reader)
        for (std::size_t i = 0; i < source.face.size(); i += 3) std::swap(source.face[i + 1], source.face[i + 2]);

    place_vertices(vert, spec);
    const MassTriangles faces{vert, source.face.data(), static_cast<int>(source.face.size() / 3), rule};
    const MassTriangles body = rule == mesh_inertia::convex ? MassTriangles{vert, hull_face, hull_nface, rule} : faces;
    move_to_principal_frame(mesh, vert, faces, body, !spec.sdf.empty(), mujoco, where);
    add_polygons(mesh, vert);
    mesh.tangent = place_tangents(source, spec, mesh.quat);
    for (const Vec3d& v : vert) mesh.vert.push_back({{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])}});
    for (std::size_t i = 0; i < source.face.size(); i += 3) mesh.face.push_back({{source.face[i], source.face[i + 1], source.face[i + 2]}});
    return mesh;
}

}  // namespace mjx::inner::compiler
