// A plane against a mesh: the deepest vertex of its hull and up to two of its neighbours on the hull graph that are below the
// margin too and further from the first contact than 0.3 of the bounding radius (mjc_PlaneConvex). Three points at most.
//
// Of equally deep vertices the one wins that a climb from the hull's first vertex meets first. The vertex is chosen on plain
// numbers; the contact then depends exactly on the poses, for duals too. Plain scalars go by ConvexReal: contacts in float are those
// in double, rounded.
#pragma once

#include "mjx/collision/convex_pair.hpp"

namespace mjx {

// The vertex furthest in the local direction, and the node of the hull graph whose neighbours are looked at (-1: no graph). Small
// meshes are searched vertex by vertex; MuJoCo then takes the vertex's number for the node's, and so do we. Past the last node,
// of at most 10, it reads the lists that follow, which are longer.
template <class T, class M>
int deepest_vertex(const M& m, int mesh, const Vec3<T>& dir, int& node) {
    const int graph = m.mesh_graphadr[mesh];
    if (graph < 0 || m.mesh_vertnum[mesh] < 10) {
        ConvexObject<T> o;
        o.mesh = mesh;
        search_mesh(m, o, dir);
        node = graph < 0 ? -1 : o.vertex;
        return o.vertex;
    }
    const int globalid = graph + 2 + m.mesh_graph[graph];
    quad<T> low, high;
    along_block(m.mesh_node[m.mesh_nodeadr[mesh]], dir, low, high);
    node = climb<T>(m, mesh, 0, dir, low, high);
    return m.mesh_graph[globalid + node];
}

template <class L, class M>
CollisionResult<L, 3> plane_mesh_lane(const M& m, int geom, const OwnShape<L>& plane, const OwnShape<L>& body, const L& margin) {
    using C = std::conditional_t<std::is_floating_point_v<L>, ConvexReal, L>;
    using T = value_t<C>;
    CollisionResult<L, 3> out;
    const int mesh = m.geom_dataid[geom], first = m.mesh_vertadr[mesh], graph = m.mesh_graphadr[mesh];
    const int numvert = graph < 0 ? 0 : m.mesh_graph[graph];
    Mat3<C> mat;
    for (int i = 0; i < 9; ++i) mat[i] = C(body.mat[i]);
    const Vec3<C> pos = Vec3<C>::from(body.pos), origin = Vec3<C>::from(plane.pos), normal = Vec3<C>::from(plane.mat.column(2));
    const Vec3<T> down = plain_vec<T>(Vec3<C>(transpose_mul(mat, Vec3<C>(-normal))));
    const auto height = [&](const Vec3<C>& p) { return dot(normal, Vec3<C>(p - origin)); };
    const T threshold = plain<T>(height(pos) - C(margin)), apart = T(0.3) * plain<T>(m.geom_rbound[geom]);
    const int globalid = graph + 2 + numvert, edges = globalid + numvert;
    int node;
    const int deepest = deepest_vertex(m, mesh, down, node), list = node < 0 ? 0 : edges + m.mesh_graph[graph + 2 + node];
    Vec3<T> start;
    // the deepest vertex, then the others
    for (int i = -1; out.count < 3; ++i) {
        int vertex = i < 0 ? deepest : i;
        if (i >= 0 && node < 0) {
            if (i == m.mesh_vertnum[mesh]) break;
            if (i == deepest) continue;
        } else if (i >= 0) {
            if (m.mesh_graph[list + i] < 0) break;
            vertex = m.mesh_graph[globalid + m.mesh_graph[list + i]];
        }
        if (i >= 0 && !(dot_float(down, m.mesh_vert[first + vertex]) > threshold)) continue;
        const Vec3<C> p = mat * plain_vec<T>(m.mesh_vert[first + vertex]) + pos;
        const C dist = height(p);
        if (i < 0 && !(dist <= C(margin))) break;
        if (i >= 0 && norm(Vec3<T>(plain_vec<T>(p) - start)) < apart) continue;
        const Vec3<C> middle = p - normal * (dist * T(0.5));
        if (i < 0) start = plain_vec<T>(middle);
        out.add(L(dist), Vec3<L>::from(middle), Vec3<L>::from(normal), true);
    }
    return out;
}

template <class M, class S, int K>
void plane_mesh(const M& m, int geom, const Shape<S>& plane, const Shape<S>& body, const S& margin, const mask_t<S>& mask,
                CollisionResult<S, K>& out) {
    collide_by_lane(mask, out, [&](int k) { return plane_mesh_lane(m, geom, lane(plane, k), lane(body, k), lane_t<S>(lane(margin, k))); });
}

}  // namespace mjx
