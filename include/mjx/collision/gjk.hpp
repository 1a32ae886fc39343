// GJK: the distance of two convex objects, or a simplex of their Minkowski difference around the origin when they overlap.
//
// Gilbert, Johnson, Keerthi 1988, run as the Frank-Wolfe method: step k asks for the support point against x_k, the closest point
// found so far, and stops when the duality gap <x_k, x_k - s_k> is small. When only contact matters, a tetrahedron is handed to
// an intersection test that moves face by face towards the origin. Polyhedra converge in finitely many steps, so they need no
// tolerance. Tolerances, order of tests and iteration counts are MuJoCo's. All in the frame of the objects (world).
#pragma once

#include "mjx/collision/simplex.hpp"
#include "mjx/collision/support.hpp"

namespace mjx::inner {

// Where the points of a query come from if they are the corners of a patch: a face or an edge of `subject` was clipped by a face.
template <class T>
struct ContactPatch {
    int subject = 0;  // object 1 or 2; 0: no patch
    int subject_face = -1, frame_face = -1;
    Vec3<T> start, end;  // the edge, where there is no subject_face,
    Vec3<T> x1, x2;  // and the witness points that the patch replaces
};

// Answer and settings of one query. dist, x1, x2 hold up to eight points.
template <class T>
struct ConvexQuery {
    static constexpr int capacity = 8;
    T dist[capacity];
    Vec3<T> x1[capacity], x2[capacity];  // witness points on object 1 and 2
    int count = 0;                       // points found
    bool separated = false;
    int max_iterations = 35;
    T tolerance = T(1e-6);
    int max_contacts = 1;
    T cutoff = T(0);                     // distances above it are not needed; 0: only contact is
    MinkowskiVertex<T> simplex[4];       // in the end: what the first point lies on
    int simplex_count = 0;
    int iterations = 0;
    ContactPatch<T> patch;
    Vec3<T> axis = Vec3<T>::zero();  // along which the objects were found to be separated, if they were

    void set_separated(const Vec3<T>& along) {
        axis = along;
        separated = true;
        simplex_count = 0;
        count = 0;
        dist[0] = std::numeric_limits<T>::max();
    }
};

// Finite convergence: both have flat faces and nothing rounds them.
template <class T>
bool both_discrete(const ConvexObject<T>& a, const ConvexObject<T>& b) {
    return a.margin == T(0) && b.margin == T(0) && a.polyhedral() && b.polyhedral();
}

// The point of the difference a - b furthest along the unit vector dir.
template <class T, class M>
void minkowski_support(const M& m, ConvexObject<T>& a, ConvexObject<T>& b, const Vec3<T>& dir, MinkowskiVertex<T>& v) {
    Point<T> opposite;
    opposite = Vec3<T>(-dir);
    if (a.climbs && b.climbs) {
        call_one_copy<mesh_supports<T, M>>(m, a, b, dir, v.vert1, v.vert2);
    } else {
        call_one_copy<support<T, M>>(m, a, dir, v.vert1);
        call_one_copy<support<T, M>>(m, b, opposite, v.vert2);
    }
    if (a.margin > T(0)) v.vert1 = Vec3<T>(v.vert1 + dir * (T(0.5) * a.margin));
    if (b.margin > T(0)) v.vert2 = Vec3<T>(v.vert2 + opposite * (T(0.5) * b.margin));
    v.vert.set_difference(v.vert1, v.vert2);
    v.index1 = a.vertex;
    v.index2 = b.vertex;
}
template <class T, class M>
MinkowskiVertex<T> minkowski_support(const M& m, ConvexObject<T>& a, ConvexObject<T>& b, const Vec3<T>& dir) {
    MinkowskiVertex<T> v;
    minkowski_support(m, a, b, dir, v);
    return v;
}

enum class Overlap { no, yes, unknown };

// The four faces of a tetrahedron, face i opposite to vertex i and seen from inside: signed distances of the origin, positive inside,
// and unit normals. The distance is the greatest number where a face has no normal.
template <class T>
struct TetrahedronFaces {
    quad<T> dist, normal[3];

    explicit TetrahedronFaces(const MinkowskiVertex<T> (&v)[4], const int (&s)[4]) {
        quad<T> a[3], ab[3], ac[3];
        for (int k = 0; k < 3; ++k) {
            const quad<T> x{v[s[0]].vert[k], v[s[1]].vert[k], v[s[2]].vert[k], v[s[3]].vert[k]};
            a[k] = __builtin_shufflevector(x, x, 2, 0, 1, 0);
            ab[k] = __builtin_shufflevector(x, x, 1, 2, 0, 1) - a[k];
            ac[k] = __builtin_shufflevector(x, x, 3, 3, 3, 2) - a[k];
        }
        for (int k = 0; k < 3; ++k) normal[k] = ac[(k + 1) % 3] * ab[(k + 2) % 3] - ac[(k + 2) % 3] * ab[(k + 1) % 3];
        const quad<T> square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
        const auto good = (square > T(minval_v<T> * minval_v<T>)) & (square < T(1e20));
        quad<T> root;
        for (int i = 0; i < 4; ++i) root[i] = sqrt(square[i]);
        const quad<T> inverse = T(1) / root;
        for (int k = 0; k < 3; ++k) normal[k] *= inverse;
        const quad<T> most = quad<T>{} + std::numeric_limits<T>::max();
        dist = good ? normal[0] * a[0] + normal[1] * a[1] + normal[2] * a[2] : most;
    }
};

// Walks tetrahedra towards the origin, starting from the query's four vertices. On yes the query holds one around it; otherwise they
// are as they were.
template <class T, class M>
Overlap intersect_tetrahedron(const M& m, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b) {
    MinkowskiVertex<T> simplex[4] = {q.simplex[0], q.simplex[1], q.simplex[2], q.simplex[3]};
    int s[4] = {0, 1, 2, 3};
    for (; q.iterations < q.max_iterations; ++q.iterations) {
        const TetrahedronFaces<T> face(simplex, s);
        const T d0 = face.dist[0], d1 = face.dist[1], d2 = face.dist[2], d3 = face.dist[3];
        if (d0 == T(0) || d1 == T(0) || d2 == T(0) || d3 == T(0)) return Overlap::unknown;  // no side to move to
        const bool first = d0 < d1, third = d2 < d3;
        const T low = first ? d0 : d1, high = third ? d2 : d3;
        const int worst = low < high ? (first ? 0 : 1) : (third ? 2 : 3);
        if ((low < high ? low : high) > T(0)) {
            q.simplex_count = 4;
            for (int k = 0; k < 4; ++k) q.simplex[k] = simplex[s[k]];
            return Overlap::yes;
        }
        Point<T> normal;
        normal.set(face.normal[0][worst], face.normal[1][worst], face.normal[2][worst]);
        minkowski_support<T>(m, a, b, normal, simplex[s[worst]]);
        if (dot(normal, simplex[s[worst]].vert) < T(0)) {
            q.set_separated(normal);
            return Overlap::no;
        }
        const int k = (worst + 1) & 3, l = (worst + 2) & 3;  // an exchange keeps the orientation
        const int swap = s[k];
        s[k] = s[l];
        s[l] = swap;
    }
    return Overlap::unknown;
}

// Keeps the vertices with a coordinate that is not 0; their number.
template <class T>
int reduce_simplex(MinkowskiVertex<T> (&simplex)[4], T (&lambda)[4]) {
    int n = 0;
    for (int i = 0; i < 4; ++i) {
        if (lambda[i] == T(0)) continue;
        if (n != i) simplex[n] = simplex[i];
        lambda[n++] = lambda[i];
    }
    return n;
}

// The point with the barycentric coordinates lambda: of the difference, or of one of the objects.
template <class T>
Vec3<T> combine(const MinkowskiVertex<T>* simplex, Point<T> MinkowskiVertex<T>::*vert, const T* lambda, int n) {
    Vec3<T> r = simplex[0].*vert * lambda[0];
    for (int i = 1; i < n; ++i) r += simplex[i].*vert * lambda[i];
    return r;
}

// The answer from a simplex of n vertices whose point with the coordinates lambda is the closest to the origin, `length` away.
template <class T>
[[gnu::always_inline]] inline void take_closest(ConvexQuery<T>& q, const T (&lambda)[4], int n, const T& length) {
    if (n > 0) {
        q.x1[0] = combine(q.simplex, &MinkowskiVertex<T>::vert1, lambda, n);
        q.x2[0] = combine(q.simplex, &MinkowskiVertex<T>::vert2, lambda, n);
    }
    q.count = 1;
    q.simplex_count = n;
    q.dist[0] = n == 4 && !q.separated ? T(0) : length;
}

// At a standstill close to touching, one more support point tells whether a plane separates the objects.
template <class T, class M>
void look_between(const M& m, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b, const Vec3<T>& x, const T& length) {
    const Vec3<T> dir = x * (T(-1) / (length > T(0) ? length : T(1)));
    if (length > T(0) && dot(x, minkowski_support(m, a, b, dir).vert) > T(0)) {
        q.separated = true;
        q.axis = dir;
    }
}

// x1[0] and x2[0] hold a first guess: a point of each object. Afterwards they are the closest points, dist[0] the distance.
template <class T, class M>
void gjk(const M& m, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b) {
    const bool need_distance = q.cutoff > T(0), discrete = both_discrete(a, b);
    const T gap = discrete ? T(0) : T(0.5) * (q.tolerance * q.tolerance);
    const T touching = discrete ? T(minval_v<T>) : q.tolerance;
    bool try_intersection = !need_distance;
    T lambda[4] = {T(1), T(0), T(0), T(0)};
    int n = 0;
    q.separated = false;
    Vec3<T> x = q.x1[0] - q.x2[0];
    T length = norm(x), previous = T(0);
    for (; q.iterations < q.max_iterations; ++q.iterations) {
        if (!(length >= touching) || abs(previous - length) < T(minval_v<T>)) break;
        Point<T> dir;
        dir = Vec3<T>(x * (T(-1) / length));
        minkowski_support<T>(m, a, b, dir, q.simplex[n]);
        const Vec3<T>& s = q.simplex[n].vert;
        if (dot(x, Vec3<T>(x - s)) < gap) break;
        const T lower = dot(x, s);  // lower/length bounds the distance from below
        if (need_distance ? lower > T(0) && q.cutoff < std::numeric_limits<T>::max() && lower >= q.cutoff * length : lower > T(0)) {
            q.set_separated(dir);
            return;
        }
        if (n == 3 && try_intersection) {
            const Overlap found = intersect_tetrahedron(m, q, a, b);
            if (found == Overlap::no) return;
            if (found == Overlap::yes) {
                q.count = 0;
                q.dist[0] = T(0);
                return;
            }
            try_intersection = false;
        }
        closest_on_simplex(q.simplex, n + 1, lambda);
        n = reduce_simplex(q.simplex, lambda);
        if (n < 1) {
            q.set_separated(Vec3<T>::zero());
            return;
        }
        x = combine(q.simplex, &MinkowskiVertex<T>::vert, lambda, n);
        previous = length;
        length = norm(x);
        if (n == 4) break;  // a tetrahedron around the origin
    }
    look_between(m, q, a, b, x, length);
    take_closest(q, lambda, n, length);
}

}  // namespace mjx::inner
