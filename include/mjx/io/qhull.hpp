// convex_hull: the hull of a set of points as triangles and as a graph of its vertices. The only header that includes qhull.
//
// The graph has MuJoCo's format: numvert, numface, vert_edgeadr[numvert], vert_globalid[numvert],
// edge_localid[numvert + 3 numface], face_globalid[3 numface]. The edges of a hull vertex are a list of hull vertices ended by -1;
// a triangulated sphere has twice as many directed edges as it has face corners, hence the sizes. Faces wind counterclockwise
// seen from outside. The options given to qhull, and so the order of vertices and faces, are MuJoCo's.
#pragma once

#include "mjx/model/spec.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#ifdef MJX_HAVE_QHULL
#include <csetjmp>
extern "C" {
#include <libqhull_r/qhull_ra.h>
}
#endif

namespace mjx::inner {

namespace detail {

// Why these points have no hull with a volume, or nullptr if they have one.
[[gnu::cold]] inline const char* flatness(const List<Vec3d>& points) {
    constexpr double tiny = 1e-15;
    const Vec3d origin = points[0];
    Vec3d edge = Vec3d::zero(), normal = Vec3d::zero();
    double length = 0;
    for (const Vec3d& p : points)
        if (length <= tiny) {
            edge = p - origin;
            length = norm(edge);
        }
    if (length <= tiny) return "all vertices coincide (use a small sphere instead)";
    double area = 0;
    for (const Vec3d& p : points) {
        normal = cross(edge, Vec3d(p - origin));
        area = norm(normal);
        if (area > tiny * length * norm(Vec3d(p - origin))) break;
        area = 0;
    }
    if (area == 0) return "all vertices are on one line (use a thin capsule instead)";
    normal *= 1 / area;
    for (const Vec3d& p : points)
        if (std::abs(dot(normal, p) - dot(normal, origin)) > tiny * length) return nullptr;
    return "all vertices are in one plane (use a plane or a thin box instead)";
}

#ifdef MJX_HAVE_QHULL
// qhull reports trouble by a long jump: nothing here has a destructor.
inline bool run_qhull(qhT* qh, coordT* points, int count, char* options) {
    if (setjmp(qh->errexit)) {
        qh->NOerrexit = True;
        return false;
    }
    qh->NOerrexit = False;
    qh_initflags(qh, options);
    qh_init_B(qh, points, count, 3, False);
    qh_qhull(qh);
    qh_triangulate(qh);
    qh_vertexneighbors(qh);
    qh->NOerrexit = True;
    return true;
}

struct Qhull {
    qhT state{};
    std::FILE* messages = std::tmpfile();

    Qhull() {
        std::FILE* const to = messages ? messages : stderr;
        qh_zero(&state, to);
        qh_init_A(&state, nullptr, to, to, 0, nullptr);
    }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;
    ~Qhull() {
        int remaining, total;
        qh_freeqhull(&state, !qh_ALL);
        qh_memfreeshort(&state, &remaining, &total);
        if (messages) std::fclose(messages);
    }
    // The corners of a triangle, or false if it is something else.
    bool corners(const facetT* facet, int (&id)[3]) {
        int n = 0;
        for (vertexT** v = reinterpret_cast<vertexT**>(&facet->vertices->e[0].p); *v; ++v) {
            if (n == 3) return false;
            id[n++] = qh_pointid(&state, (*v)->point);
        }
        return n == 3;
    }
};

// The graph of a hull that qhull has made; empty if a face is not a triangle.
inline List<int> hull_graph(Qhull& hull, int npoint) {
    qhT* const qh = &hull.state;
    const int numvert = qh->num_vertices, numface = qh->num_facets;
    List<int> edgeadr, globalid, edges, faces, local(static_cast<std::size_t>(npoint), -1);
    int corner[3];
    for (const vertexT* v = qh->vertex_list; v && v->next; v = v->next) {
        const int self = qh_pointid(qh, v->point);
        if (self < 0 || self >= npoint) return {};
        local[static_cast<std::size_t>(self)] = static_cast<int>(globalid.size());
        edgeadr.push_back(static_cast<int>(edges.size()));
        globalid.push_back(self);
        const std::size_t first = edges.size();
        for (facetT** f = reinterpret_cast<facetT**>(&v->neighbors->e[0].p); *f; ++f) {
            if (!hull.corners(*f, corner)) return {};
            for (const int other : corner)
                if (other != self && std::find(edges.begin() + static_cast<std::ptrdiff_t>(first), edges.end(), other) == edges.end())
                    edges.push_back(other);
        }
        edges.push_back(-1);
    }
    for (const facetT* f = qh->facet_list; f && f->next; f = f->next) {
        if (!hull.corners(f, corner)) return {};
        if (f->toporient) std::swap(corner[0], corner[1]);
        faces.append(corner, corner + 3);
    }
    if (static_cast<int>(edges.size()) != numvert + 3 * numface || static_cast<int>(faces.size()) != 3 * numface) return {};
    for (int& e : edges)
        if (e >= 0 && (e = local[static_cast<std::size_t>(e)]) < 0) return {};
    List<int> graph{numvert, numface};
    for (const auto* part : {&edgeadr, &globalid, &edges, &faces}) graph.append(part->begin(), part->end());
    return graph;
}
#endif

}  // namespace detail

// At most `maxhullvert` vertices when it is not negative. `where` names the mesh in error messages.
inline List<int> convex_hull(const List<Vec3d>& points, int maxhullvert, const std::string& where) {
    if (const char* why = detail::flatness(points)) throw_model_error({where, ": no convex hull: ", why});
#ifdef MJX_HAVE_QHULL
    std::string options = "qhull Qt";
    // Q9 adds the point furthest of all; TA counts the points beyond the first simplex.
    if (maxhullvert > -1) options += " Q9 TA" + std::to_string(maxhullvert - 4);
    List<double> coordinates;
    for (const Vec3d& p : points) coordinates.append(p.e, p.e + 3);
    detail::Qhull hull;
    if (!detail::run_qhull(&hull.state, coordinates.data(), static_cast<int>(points.size()), options.data()))
        throw_model_error({where, ": no convex hull: qhull found the vertices degenerate"});
    auto graph = detail::hull_graph(hull, static_cast<int>(points.size()));
    if (graph.empty()) throw_model_error({where, ": no convex hull: qhull did not return triangles"});
    return graph;
#else
    static_cast<void>(maxhullvert);
    throw_model_error({where, ": convex hulls need qhull, and mjx was built without it (define MJX_HAVE_QHULL and link qhull_r)"});
#endif
}

}  // namespace mjx::inner
