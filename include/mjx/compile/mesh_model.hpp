// From a processed mesh into the model: its tables appended, geoms placed in its frame, primitives fitted to it.
#pragma once

#include "mjx/compile/mesh.hpp"
#include "mjx/compile/mesh_bvh.hpp"
#include "mjx/model/model.hpp"

#include <bit>

namespace mjx::inner::compiler {

// The hull vertex furthest in each of the directions {-1, 0, 1}³, x slowest; in float, as MuJoCo compares.
[[gnu::cold]] inline Vec<int, 27> hull_extrema(const ProcessedMesh& mesh) {
    Vec<int, 27> furthest{};
    float reach[27];
    std::fill(reach, reach + 27, std::numeric_limits<float>::lowest());
    const int numvert = mesh.graph.empty() ? 0 : mesh.graph[0];
    for (int i = 0; i < numvert; ++i) {
        const Vec3<float>& v = mesh.vert[static_cast<std::size_t>(mesh.graph[static_cast<std::size_t>(2 + numvert + i)])];
        for (int k = 0; k < 27; ++k) {
            const float along = v[0] * static_cast<float>(k / 9 - 1) + v[1] * static_cast<float>(k / 3 % 3 - 1) +
                                v[2] * static_cast<float>(k % 3 - 1);
            if (along <= reach[k]) continue;
            reach[k] = along;
            furthest[k] = i;
        }
    }
    return furthest;
}

// The hull graph as the support function climbs it: a block for each node, then those for neighbours that do not fit there. Node and
// neighbours in the order of mesh_graph; the node fills up the rest; its own place holds the next block, or 0.
[[gnu::cold]] inline void append_nodes(Model<double>& m, const ProcessedMesh& mesh) {
    const int nodes = m.mesh_node.size();
    m.mesh_nodeadr.push_back(nodes);
    const auto graph = [&](int i) { return mesh.graph[static_cast<std::size_t>(i)]; };
    const int numvert = mesh.graph.empty() ? 0 : graph(0), globalid = 2 + numvert, edges = globalid + numvert;
    m.mesh_node.resize(nodes + numvert);
    for (int node = 0; node < numvert; ++node) {
        int e = edges + graph(2 + node);
        for (int block = node, next = 1; next != 0; block = next) {
            Vec<int, 32> b;
            for (int k = 0; k < 8; ++k) {
                const int near = k == 0 || graph(e) < 0 ? node : graph(e++);
                for (int i = 0; i < 3; ++i)
                    b[8 * i + k] = std::bit_cast<int>(mesh.vert[static_cast<std::size_t>(graph(globalid + near))][i]);
                b[24 + k] = near;
            }
            b[24] = next = graph(e) < 0 ? 0 : m.mesh_node.size() - nodes;
            m.mesh_node[nodes + block] = b;
            if (next != 0) m.mesh_node.push_back({});
        }
    }
}

// Appends the mesh to the model's mesh_* tables; its id is the value of nmesh before. Faces go in the order of the tree over them.
[[gnu::cold]] inline void append_mesh(Model<double>& m, const ProcessedMesh& mesh, const SpecMesh& spec) {
    m.mesh_name.push_back(spec.name);
    m.mesh_scale.push_back(spec.scale);
    m.mesh_pos.push_back(mesh.pos);
    m.mesh_quat.push_back(mesh.quat);
    m.mesh_vertadr.push_back(m.mesh_vert.size());
    m.mesh_vertnum.push_back(static_cast<int>(mesh.vert.size()));
    m.mesh_faceadr.push_back(m.mesh_face.size());
    m.mesh_facenum.push_back(static_cast<int>(mesh.face.size()));
    m.mesh_graphadr.push_back(mesh.graph.empty() ? -1 : m.mesh_graph.size());
    m.mesh_extrema.push_back(hull_extrema(mesh));
    append_nodes(m, mesh);
    m.mesh_gridadr.push_back(-1);  // made later for meshes that serve as distance fields
    m.mesh_gridnum.push_back({});
    m.mesh_gridbox.push_back({});
    m.mesh_polyadr.push_back(m.mesh_polynormal.size());
    m.mesh_polynum.push_back(static_cast<int>(mesh.polygons.size()));
    for (const auto& v : mesh.vert) m.mesh_vert.push_back(v);
    m.mesh_tangentadr.push_back(mesh.tangent.empty() ? -1 : m.mesh_tangent.size());
    for (const auto& t : mesh.tangent) m.mesh_tangent.push_back(t);
    const MeshTree tree = make_mesh_tree(mesh.vert, mesh.face);
    for (const auto& f : tree.face) m.mesh_face.push_back(f);
    m.mesh_bvhadr.push_back(m.mesh_bvhnode.size());
    m.mesh_bvhnum.push_back(static_cast<int>(tree.node.size()));
    for (const auto& n : tree.node) m.mesh_bvhnode.push_back(n);
    for (const auto& b : tree.box) m.mesh_bvhbox.push_back(b);
    for (const int g : mesh.graph) m.mesh_graph.push_back(g);
    for (const Vec3d& n : mesh.polygon_normal) m.mesh_polynormal.push_back(n);
    for (const auto& p : mesh.polygons) {
        m.mesh_polyvertadr.push_back(m.mesh_polyvert.size());
        m.mesh_polyvertnum.push_back(static_cast<int>(p.size()));
        for (const int v : p) m.mesh_polyvert.push_back(v);
    }
    for (const auto& around : mesh.polygon_map) {
        m.mesh_polymapadr.push_back(m.mesh_polymap.size());
        m.mesh_polymapnum.push_back(static_cast<int>(around.size()));
        for (const int p : around) m.mesh_polymap.push_back(p);
    }
    ++m.nmesh;
}

// Puts a frame given relative to the mesh file's frame where the processed mesh is; `centre` is a point of the mesh frame.
[[gnu::cold]] inline void enter_mesh_frame(const ProcessedMesh& mesh, const Vec3d& centre, Vec3d& pos, Quatd& quat) {
    const Vec3d at = Vec3d(rotate(mesh.quat, centre)) + mesh.pos;
    pos += to_mat3(quat) * at;
    quat = unit_product(quat, mesh.quat);
}

// A belt's velocity (linear first) moves with the frame: its angular part turns about the new origin.
[[gnu::cold]] inline Vec6<double> surfacevel_in_mesh_frame(const ProcessedMesh& mesh, const Vec3d& centre, const Vec6<double>& v) {
    const Vec3d at = Vec3d(rotate(mesh.quat, centre)) + mesh.pos;
    const Vec3d angular{{v[3], v[4], v[5]}};
    const Vec3d linear = Vec3d{{v[0], v[1], v[2]}} + cross(angular, at);
    const Vec3d l = rotate(conjugate(mesh.quat), linear), a = rotate(conjugate(mesh.quat), angular);
    return {{l[0], l[1], l[2], a[0], a[1], a[2]}};
}

struct MeshFit {
    Vec3d size = Vec3d::zero();
    Vec3d centre = Vec3d::zero();  // mesh frame
};

// The size of a primitive standing in for a mesh: by the box of equal inertia, or (fitaabb) by the bounding box.
[[gnu::cold]] inline MeshFit fit_to_mesh(const ProcessedMesh& mesh, int type, bool fitaabb, double fitscale, const std::string& where) {
    MeshFit fit;
    const Vec6<double> bounds = mesh.aabb();
    const Vec3d half = fitaabb ? Vec3d{{bounds[3], bounds[4], bounds[5]}} : mesh.box;
    if (fitaabb) fit.centre = {{bounds[0], bounds[1], bounds[2]}};
    bool fitted = false;
    all_shapes::visit(type, [&](auto s) {
        if constexpr (requires { s.fitted(half, fitaabb); }) {
            fit.size = s.fitted(half, fitaabb);
            fitted = true;
        }
    });
    if (!fitted) throw_model_error({where, ": a mesh can be fitted by a sphere, capsule, cylinder, ellipsoid or box only"});
    fit.size *= fitscale;
    return fit;
}

}  // namespace mjx::inner::compiler
