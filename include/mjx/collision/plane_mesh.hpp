// A plane against a mesh: the deepest vertex of its hull and, of the face around it that lies flattest on the plane, those corners that are
// below the margin and the geom's centre. Of more than four corners the deepest one and three others that span the face best are looked at.
//
// Of equally deep vertices the one wins that a climb from the hull's first vertex meets first. The vertex is chosen on plain
// numbers; the contact then depends exactly on the poses, for duals too. Plain scalars go by convex_real_t<M>: contacts in float are those
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

// As MuJoCo did up to 3.12: the deepest vertex and two of its neighbours on the hull graph that are below the margin too and further from
// the first contact than 0.3 of the bounding radius.
template <class C, class M>
void plane_mesh_by_neighbours(const M& m, int geom, const Geom<C>& plane, const Geom<C>& body, const C& margin, CollisionResult<C>& out) {
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

// The face around a vertex that looks most against the plane's normal (`down`: that reversed, in the mesh's frame), -1 for a vertex that is
// not of the hull.
template <class T, class M>
int lowest_face(const M& m, int mesh, int vertex, const Vec3<T>& down) {
    const int at = m.mesh_vertadr[mesh] + vertex;
    int best = -1;
    T most = T(0);
    for (int i = m.mesh_polymapadr[at]; i < m.mesh_polymapadr[at] + m.mesh_polymapnum[at]; ++i) {
        const T along = dot(down, plain_vec<T>(m.mesh_polynormal[m.mesh_polyadr[mesh] + m.mesh_polymap[i]]));
        if (best >= 0 && !(along > most + T(1e-12))) continue;  // of two that mirror each other the first, whatever the rounding
        best = m.mesh_polymap[i];
        most = along;
    }
    return best;
}

// The contact at a vertex: at most `margin` above the plane or, beside the first, below the geom's centre too.
template <class C, class M>
bool add_vertex(const M& m, int geom, int vertex, const Geom<C>& plane, const Geom<C>& body, const C& margin, bool first,
                CollisionResult<C>& out) {
    using T = value_t<C>;
    const Vec3<C> normal = plane.axis();
    const Vec3<C> p = body.mat * plain_vec<T>(m.mesh_vert[m.mesh_vertadr[m.geom_dataid[geom]] + vertex]) + body.pos;
    const C dist = dot(normal, Vec3<C>(p - plane.pos));
    if (first ? !(dist <= margin) : !(dist < margin && dist < dot(normal, Vec3<C>(body.pos - plane.pos)))) return false;
    out.add(dist, Vec3<C>(p - normal * (dist * T(0.5))), normal, true);
    return true;
}

// C is convex_real_t<M>, or a dual.
template <class C, class M>
void plane_mesh(const M& m, int geom, const Geom<C>& plane, const Geom<C>& body, const C& margin, CollisionResult<C>& out) {
    using T = value_t<C>;
    if (m.opt.mujoco < 313) return plane_mesh_by_neighbours(m, geom, plane, body, margin, out);
    const int mesh = m.geom_dataid[geom];
    const Vec3<T> down = plain_vec<T>(body.local_direction(-plane.axis()));
    int node;
    const int deepest = deepest_vertex(m, mesh, down, node);
    if (!add_vertex(m, geom, deepest, plane, body, margin, true, out)) return;
    const int face = lowest_face(m, mesh, deepest, down);
    if (face < 0) return;
    const int polygon = m.mesh_polyadr[mesh] + face, first = m.mesh_polyvertadr[polygon], n = m.mesh_polyvertnum[polygon];
    int start = 0;
    while (start + 1 < n && m.mesh_polyvert[first + start] != deepest) ++start;
    Polygon<T, polygon_capacity<M>()> corners;
    int vertex[polygon_capacity<M>()], chosen[4] = {0, 1, 2, 3};
    for (int i = 0; i < n && i < corners.capacity; ++i) {
        vertex[i] = m.mesh_polyvert[first + (start + i) % n];
        corners.add(plain_vec<T>(m.mesh_vert[m.mesh_vertadr[mesh] + vertex[i]]));
    }
    if (n > 4) largest_quad(corners, chosen, {.keep_first = true});
    for (int i = 1; i < (n < 4 ? n : 4); ++i) add_vertex(m, geom, vertex[chosen[i]], plane, body, margin, false, out);
}

}  // namespace mjx::inner
