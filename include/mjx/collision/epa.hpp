// EPA: how deep two overlapping convex objects are in each other, by expanding a polytope inside their Minkowski difference.
//
// The face closest to the origin bounds the depth from below; the support point beyond it bounds it from above and becomes a new
// vertex (van den Bergen, Proximity Queries and Penetration Depth Computation on 3D Game Objects, 2001). The polytope starts
// from what GJK found around the origin: a segment, a triangle or a tetrahedron. Of equally deep faces the first one in the list
// wins. Tolerances and order are MuJoCo's; where the start is degenerate (the origin on its surface) there is no contact. One thing
// differs: faces further out than the upper bound are dropped, and the last face of two polyhedra often lies exactly there. Where
// rounding loses it, MuJoCo returns an earlier face that is not the deepest (one pose in a hundred thousand, up to 0.01 too shallow
// for shapes of size 0.1). Such faces are kept in reserve here, and come into play when the others have run out too early.
#pragma once

#include "mjx/collision/depth_descent.hpp"
#include "mjx/collision/polytope.hpp"

namespace mjx::inner {

// The square of the distance below which the origin counts as on a face.
template <class T>
inline constexpr T face_tolerance_v = minval_v<T> * minval_v<T>;

template <class T, int N, class M>
[[gnu::noinline]] int epa_support(const M& m, Polytope<T, N>& p, ConvexObject<T>& a, ConvexObject<T>& b, const Vec3<T>& along, T length) {
    Point<T> dir;
    if (length > T(minval_v<T>))
        dir.set(along[0] / length, along[1] / length, along[2] / length);
    else
        dir.set(T(1), T(0), T(0));
    minkowski_support<T>(m, a, b, dir, p.vert[p.vertices]);
    return p.vertices++;
}

// The origin and d on the same side of the plane of a, b, c.
template <class T>
bool origin_on_side(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d) {
    const Vec3<T> normal = cross(Vec3<T>(b - a), Vec3<T>(c - a));
    return same_sign(dot(normal, Vec3<T>(d - a)), dot(normal, -a));
}
template <class T>
bool origin_in_tetrahedron(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d) {
    return origin_on_side(a, b, c, d) && origin_on_side(b, c, d, a) && origin_on_side(c, d, a, b) && origin_on_side(d, a, b, c);
}

template <class T>
void affine_coordinates(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& p, T (&lambda)[3]) {
    const T size = triangle_parts(a, b, c, p, lambda);
    for (T& l : lambda) l /= size;
}

template <class T>
bool point_on_triangle(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& p) {
    T lambda[3];
    affine_coordinates(a, b, c, p, lambda);
    if (lambda[0] < T(0) || lambda[1] < T(0) || lambda[2] < T(0)) return false;
    return norm(Vec3<T>(a * lambda[0] + b * lambda[1] + c * lambda[2] - p)) < T(minval_v<T>);
}

// The six faces of two pyramids over a triangle; the first of them that the origin lies on, or -1.
template <class T, int N>
int attach_pyramids(Polytope<T, N>& p, int top, int bottom, const int (&base)[3], int (&corner)[3]) {
    constexpr int adjacent[6][3] = {{1, 3, 2}, {2, 4, 0}, {0, 5, 1}, {5, 0, 4}, {3, 1, 5}, {4, 2, 3}};
    for (int i = 0; i < 6; ++i) {
        const int from = base[(3 - i % 3) % 3], to = base[(4 - i % 3) % 3];  // once around, against the order of the base
        corner[0] = i < 3 ? top : bottom;
        corner[1] = i < 3 ? from : to;
        corner[2] = i < 3 ? to : from;
        if (!(p.attach(corner[0], corner[1], corner[2], adjacent[i][0], adjacent[i][1], adjacent[i][2]) >= face_tolerance_v<T>)) return i;
    }
    return -1;
}

// Two pyramids over a triangle.
template <class T, int N, class M>
[[gnu::cold]] bool start_from_triangle(const M& m, Polytope<T, N>& p, const ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b) {
    const Vec3<T> v1 = q.simplex[0].vert, v2 = q.simplex[1].vert, v3 = q.simplex[2].vert;
    p.center = (v1 + v2 + v3) * T(T(1) / T(3));
    const Vec3<T> normal = cross(Vec3<T>(v2 - v1), Vec3<T>(v3 - v1));
    const T length = norm(normal);
    if (!(length >= T(minval_v<T>))) return false;
    const int i1 = p.add(q.simplex[0]), i2 = p.add(q.simplex[1]), i3 = p.add(q.simplex[2]);
    const int i5 = epa_support(m, p, a, b, Vec3<T>(-normal), length), i4 = epa_support(m, p, a, b, normal, length);
    const Vec3<T> v4 = p.vert[i4].vert, v5 = p.vert[i5].vert;
    if (point_on_triangle(v1, v2, v3, v4) || point_on_triangle(v1, v2, v3, v5)) return false;
    if (q.dist[0] > T(10 * minval_v<T>) && !origin_in_tetrahedron(v1, v2, v3, v4) && !origin_in_tetrahedron(v1, v2, v3, v5)) return false;
    const int base[3] = {i1, i2, i3};
    int corner[3];
    if (attach_pyramids(p, i4, i5, base, corner) >= 0) return false;
    for (int i = 0; i < 6; ++i) p.list(i);
    return true;
}

// The origin lies on a face of the start: begin again from that face.
template <class T, int N, class M>
bool restart_from_face(const M& m, Polytope<T, N>& p, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b, const int (&corner)[3]) {
    q.simplex_count = 3;
    for (int i = 0; i < 3; ++i) q.simplex[i] = p.vert[corner[i]];
    p.clear();
    return start_from_triangle(m, p, q, a, b);
}

// The sign of the passage of the line a-b through the triangle c, d, e; 0 if it passes outside.
template <class T>
bool line_meets_triangle(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d, const Vec3<T>& e) {
    const Vec3<T> ab = b - a, ac = c - a, ad = d - a, ae = e - a;
    const T v1 = determinant(ac, ad, ab), v2 = determinant(ad, ae, ab), v3 = determinant(ae, ac, ab);
    return (v1 >= T(0) && v2 >= T(0) && v3 >= T(0)) || (v1 <= T(0) && v2 <= T(0) && v3 <= T(0));
}

// Rotation by 120 degrees about an axis of any length (Rodrigues' formula).
template <class T>
Mat3<T> turn_120(const Vec3<T>& axis) {
    const T length = norm(axis), s = T(0.86602540378), c = T(-0.5);
    const T x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
    const T xy = x * y * (T(1) - c), xz = x * z * (T(1) - c), yz = y * z * (T(1) - c);
    return {{c + x * x * (T(1) - c), xy - z * s, xz + y * s, xy + z * s, c + y * y * (T(1) - c), yz - x * s, xz - y * s, yz + x * s,
             c + z * z * (T(1) - c)}};
}

// Two pyramids over a triangle around the segment, its corners in directions 120 degrees apart.
template <class T, int N, class M>
[[gnu::cold]] bool start_from_segment(const M& m, Polytope<T, N>& p, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b) {
    const Vec3<T> v1 = q.simplex[0].vert, v2 = q.simplex[1].vert, along = v2 - v1;
    p.center = (v1 + v2) * T(0.5);
    int least = 0;
    for (int i = 1; i < 3; ++i)
        if (abs(along[i]) < abs(along[least])) least = i;
    Vec3<T> axis = Vec3<T>::zero();
    axis[least] = T(1);
    const Mat3<T> turn = turn_120(along);
    const int top = p.add(q.simplex[0]), bottom = p.add(q.simplex[1]);
    int base[3], corner[3];
    Vec3<T> dir = cross(axis, along);
    for (int i = 0; i < 3; ++i) {
        base[i] = epa_support(m, p, a, b, dir, norm(dir));
        dir = turn * dir;
    }
    if (attach_pyramids(p, top, bottom, base, corner) >= 0) return restart_from_face(m, p, q, a, b, corner);
    if (!line_meets_triangle(v1, v2, p.vert[base[0]].vert, p.vert[base[1]].vert, p.vert[base[2]].vert)) return false;
    for (int i = 0; i < 6; ++i) p.list(i);
    return true;
}

template <class T, int N, class M>
bool start_from_tetrahedron(const M& m, Polytope<T, N>& p, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b) {
    for (int i = 0; i < 4; ++i) p.add(q.simplex[i]);
    p.center = (p.vert[0].vert + p.vert[1].vert + p.vert[2].vert + p.vert[3].vert) * T(0.25);
    constexpr int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
    constexpr int adjacent[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {2, 0, 1}};
    for (int i = 0; i < 4; ++i)
        if (!(p.attach(corner[i][0], corner[i][1], corner[i][2], adjacent[i][0], adjacent[i][1], adjacent[i][2]) >= face_tolerance_v<T>))
            return restart_from_face(m, p, q, a, b, corner[i]);
    if (!origin_in_tetrahedron(p.vert[0].vert, p.vert[1].vert, p.vert[2].vert, p.vert[3].vert)) return false;
    for (int i = 0; i < 4; ++i) p.list(i);
    return true;
}

// What is known of the depth: that it is at most `upper`, the way out along `normal`.
template <class T>
struct DepthBound {
    Vec3<T> normal{{T(1), T(0), T(0)}};
    T upper = std::numeric_limits<T>::max(), upper2 = upper;
    T reserve2 = upper;       // the square of the same with room for rounding, which slivers magnify
    bool use_reserve = false;

    void lower_to(T reach, const Vec3<T>& at, const Vec3<T>& along) {
        if (!(reach < upper)) return;
        upper = reach;
        normal = along;
        upper2 = upper * upper;
        const T rounded = upper + T(1 << 28) * epsilon_v<T> * norm(at);
        reserve2 = rounded * rounded;
    }
    T limit2() const { return use_reserve ? reserve2 : upper2; }
};

// The listed face closest to the origin, within the bound; -1 if there is none. Takes the reserve when the faces within the bound
// have run out before one came as far as the bound.
template <class T, int N>
int closest_face(Polytope<T, N>& p, DepthBound<T>& bound, int previous, T tolerance) {
    for (;;) {
        int face = -1;
        T lower2 = std::numeric_limits<T>::max();
        for (int i = 0; i < p.mapped; ++i)
            if (p.face[p.map[i]].dist2 < lower2) {
                face = p.map[i];
                lower2 = p.face[face].dist2;
            }
        if (face >= 0 && !(lower2 > bound.limit2())) return face;
        const bool early = previous >= 0 && bound.upper - sqrt(p.face[previous].dist2) > max(tolerance, T(1e-9) * bound.upper);
        if (bound.use_reserve || !early) return -1;
        bound.use_reserve = true;
        p.list_spares();
    }
}

// Closes the horizon with faces to the vertex w. False when one of them has no plane.
template <class T, int N>
bool close_horizon(Polytope<T, N>& p, int w, T lower2, const DepthBound<T>& bound) {
    const int first = p.faces, n = p.edges;
    for (int i = 0; i < n; ++i) {
        const int other = p.edge_face[i], side = p.edge_side[i];
        const int v1 = p.face[other].vert[side], v2 = p.face[other].vert[(side + 1) % 3];
        p.face[other].adjacent[side] = first + i;
        const T dist2 = p.attach(w, v2, v1, first + (i + n - 1) % n, other, first + (i + 1) % n);
        if (dist2 == T(0)) return false;
        if (!(dist2 >= lower2 - plane_noise(lower2))) continue;
        if (dist2 <= bound.limit2())
            p.list(first + i);
        else if (dist2 <= bound.reserve2)
            p.keep(first + i);
    }
    return true;
}

// Expands the polytope; the face that approximates the depth best, or -1. `full` says that there was no room for the expansions the
// query asks for.
template <class T, int N, class M>
int expand(const M& m, Polytope<T, N>& p, const ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b, DepthBound<T>& bound,
           bool& full) {
    const bool discrete = both_discrete(a, b);
    const T tolerance = discrete ? T(minval_v<T>) : q.tolerance;
    int face = -1;
    const int limit = q.max_iterations < N ? q.max_iterations : N, most_faces = 6 * limit;
    full = false;
    for (int k = 0; k < limit; ++k) {
        const int next = closest_face(p, bound, face, tolerance);
        if (next < 0) break;
        face = next;
        const T lower2 = p.face[face].dist2;
        if (!(lower2 > T(0))) break;
        const T lower = sqrt(lower2);
        const int w = epa_support(m, p, a, b, p.face[face].v, lower);
        bound.lower_to(dot(p.face[face].v, p.vert[w].vert) / lower, p.vert[w].vert, p.face[face].v);
        if (bound.upper - lower < tolerance) {
            // the origin is outside after all, unless that is rounding
            if (k == 0 && bound.upper < lower - T(1e-10) - plane_noise(lower)) face = -1;
            break;
        }
        bool repeated = false;
        for (int i = 0; discrete && i < w && !repeated; ++i)
            repeated = p.vert[w].index1 == p.vert[i].index1 && p.vert[w].index2 == p.vert[i].index2;
        if (repeated) break;
        full = N < q.max_iterations;
        if (!p.find_horizon(face, p.vert[w].vert)) break;
        if (p.edges < 3) return -1;
        if (p.edges > most_faces - p.faces) break;
        if (!close_horizon(p, w, lower2, bound)) return -1;
        full = full && k == N - 1;
    }
    return face;
}

template <class T, class M>
void finish_by_descent(const M& m, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b, const Vec3<T>& along) {
    Vec3<T> normal = normalize(along);
    MinkowskiVertex<T> best;
    if (!descend(m, a, b, normal, best)) return;
    q.x1[0] = best.vert1;
    q.x2[0] = best.vert2;
    q.dist[0] = -dot(normal, best.vert);
}

// Where rounding has broken the polytope, the shortest way out that was seen is a contact, of one point.
template <class T, class M>
void settle_by_bound(const M& m, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b, const DepthBound<T>& bound) {
    const Vec3<T> normal = normalize(bound.normal);
    q.x1[0] = minkowski_support(m, a, b, normal).vert1;
    q.x2[0] = q.x1[0] - normal * bound.upper;
    q.dist[0] = -bound.upper;
    q.count = 1;
}

// Overlap found by gjk() becomes depth and witness points. The query's simplex becomes the face of the difference they lie on.
template <class T, int N, class M>
bool epa(const M& m, Polytope<T, N>& p, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b) {
    const bool started = q.simplex_count == 2   ? start_from_segment(m, p, q, a, b)
                         : q.simplex_count == 3 ? start_from_triangle(m, p, q, a, b)
                                                : start_from_tetrahedron(m, p, q, a, b);
    if (!started) return false;
    DepthBound<T> bound;
    bool full;
    const int face = expand(m, p, q, a, b, bound, full);
    q.count = 0;
    q.dist[0] = T(0);
    if (face < 0) {
        if constexpr (has_plane_noise<T>)
            if (bound.upper > T(0)) settle_by_bound(m, q, a, b, bound);
        return false;
    }
    MinkowskiVertex<T>(&feature)[4] = q.simplex;
    q.simplex_count = 3;
    for (int i = 0; i < 3; ++i) feature[i] = p.vert[p.face[face].vert[i]];
    T lambda[3];
    affine_coordinates(feature[0].vert, feature[1].vert, feature[2].vert, p.face[face].v, lambda);
    q.x1[0] = combine(feature, &MinkowskiVertex<T>::vert1, lambda, 3);
    q.x2[0] = combine(feature, &MinkowskiVertex<T>::vert2, lambda, 3);
    q.dist[0] = -sqrt(p.face[face].dist2);
    q.count = 1;
    if (full) finish_by_descent(m, q, a, b, bound.normal);
    return true;
}

}  // namespace mjx::inner
