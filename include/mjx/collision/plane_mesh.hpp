// A plane against a mesh: the deepest vertex of its hull and up to two of its neighbours on the hull graph that are below the
// margin too and further from the first contact than 0.3 of the bounding radius (mjc_PlaneConvex). Three points at most.
//
// Of equally deep vertices the one wins that a climb from the hull's first vertex meets first. The vertex is chosen on plain
// numbers; the contact then depends exactly on the poses, for duals too. Plain scalars go by ConvexReal: contacts in float are those
// in double, rounded.
#pragma once

#include "mjx/collision/convex_pair.hpp"

namespace mjx::inner {

// The vertex furthest in the local direction, and the node of the hull graph whose neighbours are looked at (-1: no graph). Small
// meshes are searched vertex by vertex; MuJoCo then takes the vertex's number for the node's, and so do we. Past the last node,
// of at most 10, it reads the lists that follow, which are longer.
template <class T, class M>
int deepest_vertex(const M& m, int mesh, const Vec3<T>& dir, int& node) {
    const int graph = m.mesh_graphadr[mesh];
    if (graph < 0 || m.mesh_vertnum[mesh] < 10) {
        const int vertex = search_mesh(m, mesh, -1, dir);
        node = graph < 0 ? -1 : vertex;
        return vertex;
    }
    const int globalid = graph + 2 + m.mesh_graph[graph];
    node = climb(m, mesh, 0, 0, dir);
    return m.mesh_graph[globalid + node];
}

// C is ConvexReal, or a dual.
template <class C, class M>
void plane_mesh(const M& m, int geom, const Geom<C>& plane, const Geom<C>& body, const C& margin, CollisionResult<C>& out) {
    using T = value_t<C>;
    const int mesh = m.geom_dataid[geom], first = m.mesh_vertadr[mesh], graph = m.mesh_graphadr[mesh];
    const int numvert = graph < 0 ? 0 : m.mesh_graph[graph];
    const Vec3<C> normal = plane.axis();
    const Vec3<T> down = plain_vec<T>(body.local_direction(-normal));
    const auto height = [&](const Vec3<C>& p) { return dot(normal, Vec3<C>(p - plane.pos)); };
    const T threshold = plain<T>(height(body.pos) - margin), apart = T(0.3) * plain<T>(m.geom_rbound[geom]);
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
        const Vec3<C> p = body.mat * plain_vec<T>(m.mesh_vert[first + vertex]) + body.pos;
        const C dist = height(p);
        if (i < 0 && !(dist <= margin)) break;
        if (i >= 0 && norm(Vec3<T>(plain_vec<T>(p) - start)) < apart) continue;
        const Vec3<C> middle = p - normal * (dist * T(0.5));
        if (i < 0) start = plain_vec<T>(middle);
        out.add(dist, middle, normal, true);
    }
}

}  // namespace mjx::inner
