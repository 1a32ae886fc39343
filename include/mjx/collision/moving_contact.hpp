// How a contact moves with its two geoms: derivatives of what GJK, EPA and clipping find on plain numbers. Only duals come here.
//
// A single contact. The normal n points from geom 1 to geom 2, and x1 - x2 = -dist n. Each surface is described near its point x by
// the shifts (δx, δn) across n that keep n normal to it, as combinations u of two of them, δx = X u and δn = N u. A corner stays and
// turns its normal any way; a face keeps its normal and shifts its point any way; an edge does one along itself and the other across,
// and so does the side of a cylinder, whose point then follows with its radius; a curved surface has δx = H δn, where H is the
// second derivative of its support function. Each geom carries its point and normal along, with velocities v and w:
//     dn = w1 + N1 u1 = w2 + N2 u2,        v1 + X1 u1 - v2 - X2 u2 = dx1 - dx2 = -d(dist n)
// Across n these are four equations for u1 and u2; along n they say that d(dist) = n·(v2 - v1), the envelope theorem. They have no
// solution where faces or edges are parallel and the point of contact may be anywhere: then it is carried along as it is.
//
// A corner of a patch is where three planes meet: that of the face that was clipped and two of its sides or of the sides it was
// clipped by (an edge: three planes through its point). Each plane moves with its geom, which gives three equations for the point.
// The edge of a cylinder is the line of its side where EPA found the normal: it moves around the cylinder with the normal of the single
// contact that the patch replaces, which is that of the face, or turns with an edge between two faces.
//
// World coordinates, or any frame in which both geoms are given.
#pragma once

#include "mjx/collision/ccd.hpp"

#include <type_traits>

namespace mjx::inner {

// The vertex of a polyhedron, without its margin, that a point of the Minkowski difference came from.
template <class T, class M>
Vec3<T> polyhedron_vertex(const M& m, const ConvexObject<T>& o, const Vec3<T>& point, int index) {
    if (!o.is_prism()) return object_vertex(m, o, index);
    const auto off = [&](int i) { return abs(norm(Vec3<T>(point - o.prism[i])) - T(0.5) * o.margin); };
    int best = 0;
    for (int i = 1; i < 6; ++i)
        if (off(i) < off(best)) best = i;
    return o.prism[best];
}

// A corner, an edge or a face, by the different vertices of the feature that the query ended with. frame: the outer normal of the
// first geom and two tangents; along: 1, or -1 for the second.
template <class T, class M>
SurfaceShifts<T> polyhedron_shifts(const M& m, const ConvexQuery<T>& q, const ConvexObject<T>& o, const Mat3<T>& frame, T along) {
    const int count = q.simplex_count < 3 ? q.simplex_count : 3;
    Vec3<T> vertex[3], side[2];
    int sides = 0;
    for (int i = 0; i < count; ++i) {
        const auto& v = q.simplex[i];
        vertex[i] = along > T(0) ? polyhedron_vertex(m, o, v.vert1, v.index1) : polyhedron_vertex(m, o, v.vert2, v.index2);
    }
    int top = 0;
    for (int i = 1; i < count; ++i)
        if (dot(frame.row(0), Vec3<T>(vertex[i] - vertex[top])) * along > T(0)) top = i;
    for (int i = 0; i < count; ++i) {
        const Vec3<T> to = vertex[i] - vertex[top];
        const T length = norm(to);
        // margins and curved partners leave the normal inexact: a vertex that lies clearly below is not of the feature
        if (!(length > T(0)) || abs(dot(frame.row(0), to)) > T(1e-2) * length) continue;
        if (sides == 1 && !(norm(cross(side[0], to)) > T(1e-6) * norm(side[0]) * length)) continue;
        side[sides++] = to;
    }
    if (sides == 0) return {};
    if (sides == 2) return SurfaceShifts<T>::face();
    return SurfaceShifts<T>::edge(dot(frame.row(1), side[0]), dot(frame.row(2), side[0]), T(0));
}

// The shifts of an object at its point x, as above.
template <class T, class M>
SurfaceShifts<T> surface_shifts(const M& m, const ConvexQuery<T>& q, const ConvexObject<T>& o, const Mat3<T>& frame, T along,
                                const Vec3<T>& x) {
    if (o.polyhedral()) return polyhedron_shifts(m, q, o, frame, along);
    const auto local = [&](const Vec3<T>& v) { return transpose_mul(o.mat, v); };
    const Vec3<T> outer = frame.row(0) * along;
    const SurfacePoint<T> at{local(Vec3<T>(x - o.pos)), local(outer), local(frame.row(1)), local(frame.row(2)), along};
    SurfaceShifts<T> shifts;
    shapes_of<M>::visit(o.type, [&](auto s) {
        if constexpr (requires { s.shifts(o.size, at); }) shifts = s.shifts(o.size, at);
    });
    return shifts;
}

// Gauss and Jordan, rows scaled to one. False if that has no inverse to speak of.
template <class T, int N>
bool invert(T (&a)[N][N], T (&inverse)[N][N]) {
    for (int i = 0; i < N; ++i) {
        T most = T(0);
        for (int k = 0; k < N; ++k) most = max(most, abs(a[i][k]));
        if (!(most > T(0))) return false;
        for (int k = 0; k < N; ++k) {
            a[i][k] /= most;
            inverse[i][k] = i == k ? T(1) / most : T(0);
        }
    }
    for (int i = 0; i < N; ++i) {
        int pivot = i;
        for (int r = i + 1; r < N; ++r)
            if (abs(a[r][i]) > abs(a[pivot][i])) pivot = r;
        if (!(abs(a[pivot][i]) > T(1e-7))) return false;
        for (int k = 0; k < N; ++k) {
            const T swap = a[i][k], swap_inverse = inverse[i][k];
            a[i][k] = a[pivot][k];
            a[pivot][k] = swap;
            inverse[i][k] = inverse[pivot][k];
            inverse[pivot][k] = swap_inverse;
        }
        const T scale = T(1) / a[i][i];
        for (int k = 0; k < N; ++k) {
            a[i][k] *= scale;
            inverse[i][k] *= scale;
        }
        for (int r = 0; r < N; ++r) {
            const T factor = a[r][i];
            for (int k = 0; k < N && r != i; ++k) {
                a[r][k] -= factor * a[i][k];
                inverse[r][k] -= factor * inverse[i][k];
            }
        }
    }
    return true;
}

// A point of its surface that a geom carries along, and that stays on it when its size changes. Prisms are given in their own frame,
// where they rest. n: the outer normal there, which corners do not need.
template <class M, class L, class T>
Vec3<L> carried_point(const ConvexObject<T>& o, const Geom<L>& g, const Vec3<T>& x, const Vec3<T>& n) {
    using V = value_t<L>;
    if (o.is_prism()) return Vec3<L>::from(plain_vec<V>(x));
    const Vec3<V> local = plain_vec<V>(Vec3<T>(transpose_mul(o.mat, Vec3<T>(x - o.pos))));
    Vec3<L> p = Vec3<L>::from(local);
    shapes_of<M>::visit(o.type, [&](auto s) {
        if constexpr (s.by_support)
            p = s.grow_at(local, plain_vec<V>(Vec3<T>(transpose_mul(o.mat, n))), g.size);
        else if constexpr (requires { s.grow(local, g.size); })
            p = s.grow(local, g.size);
    });
    return g.mat * p + g.pos;
}
// The normal of its surface likewise.
template <class M, class L, class T>
Vec3<L> carried_normal(const ConvexObject<T>& o, const Geom<L>& g, const Vec3<T>& n) {
    using V = value_t<L>;
    if (o.is_prism()) return Vec3<L>::from(plain_vec<V>(n));
    const Vec3<V> local = plain_vec<V>(Vec3<T>(transpose_mul(o.mat, n)));
    Vec3<L> turned = Vec3<L>::from(local);
    shapes_of<M>::visit(o.type, [&](auto s) {
        if constexpr (requires { s.grow_normal(local, g.size); }) turned = s.grow_normal(local, g.size);
    });
    return normalize(Vec3<L>(g.mat * turned));
}

// The points of the two surfaces and the normal between them.
template <class L>
struct MovingPoints {
    Vec3<L> x1, x2, normal;
};

// Two polyhedra: the origin projected on the face of their difference, whose corners are carried along. Exact wherever EPA stopped. Where
// an edge turns out to lie beside the face it was to be clipped by, the points have been exchanged (multicontact.hpp, as in MuJoCo).
template <class M, class L, class T>
MovingPoints<L> polyhedron_points(const ConvexQuery<T>& q, const ConvexObject<T>& a, const ConvexObject<T>& b, const Geom<L>& s1,
                                  const Geom<L>& s2, const Vec3<T>& n, T dist) {
    using V = value_t<L>;
    Vec3<L> c1[3], c2[3], c[3];
    for (int i = 0; i < 3; ++i) {
        c1[i] = carried_point<M>(a, s1, q.simplex[i].vert1, n);
        c2[i] = carried_point<M>(b, s2, q.simplex[i].vert2, n);
        c[i] = c1[i] - c2[i];
    }
    const Vec3<L> normal = cross(Vec3<L>(c[1] - c[0]), Vec3<L>(c[2] - c[0]));
    const L square = dot(normal, normal);
    const Vec3<L> at = normal * (dot(normal, c[0]) / square);
    MovingPoints<L> r{Vec3<L>::zero(), Vec3<L>::zero(), normalize(normal)};
    for (int i = 0; i < 3; ++i) {
        const L weight = dot(normal, cross(Vec3<L>(c[(i + 1) % 3] - at), Vec3<L>(c[(i + 2) % 3] - at))) / square;
        r.x1 += c1[i] * weight;
        r.x2 += c2[i] * weight;
    }
    if (value_of(dot(plain_vec<V>(n), r.normal)) < V(0)) r.normal = -r.normal;
    const bool exchanged = value_of(dot(plain_vec<V>(n), Vec3<L>(r.x2 - r.x1))) * static_cast<V>(dist) < V(0);
    return exchanged ? MovingPoints<L>{r.x2, r.x1, r.normal} : r;
}

// The first contact of a query, of distance `dist` between the surfaces without margins.
template <class L, class T, class M>
MovingPoints<L> moving_points(const M& m, const ConvexQuery<T>& q, const ConvexObject<T>& a, const ConvexObject<T>& b, const Geom<L>& s1,
                              const Geom<L>& s2, const Vec3<T>& n, T dist) {
    using V = value_t<L>;
    if (both_discrete(a, b) && q.simplex_count == 3) return polyhedron_points<M>(q, a, b, s1, s2, n, dist);
    const Mat3<T> frame = contact_frame(n);
    const Vec3<T> x1 = q.x1[0] - n * (T(0.5) * a.margin), x2 = q.x2[0] + n * (T(0.5) * b.margin);
    MovingPoints<L> r{carried_point<M>(a, s1, x1, n), carried_point<M>(b, s2, x2, Vec3<T>(-n)), carried_normal<M>(a, s1, n)};
    const Vec3<L> normal2 = carried_normal<M>(b, s2, n);
    const SurfaceShifts<T> shifts1 = surface_shifts(m, q, a, frame, T(1), x1), shifts2 = surface_shifts(m, q, b, frame, T(-1), x2);
    T matrix[4][4], inverse[4][4];
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) {
            matrix[i][k] = shifts1.normal[i][k];
            matrix[i][2 + k] = -shifts2.normal[i][k];
            matrix[2 + i][k] = shifts1.point[i][k] + dist * shifts1.normal[i][k];
            matrix[2 + i][2 + k] = -shifts2.point[i][k];
        }
    if (!invert(matrix, inverse)) {
        if (shifts2.flat && !shifts1.flat) r.normal = normal2;
        return r;
    }
    const Vec3<V> tangent[2] = {plain_vec<V>(frame.row(1)), plain_vec<V>(frame.row(2))};
    L right[4], u[4];
    for (int i = 0; i < 2; ++i) {
        right[i] = dot(tangent[i], Vec3<L>(normal2 - r.normal));
        right[2 + i] = dot(tangent[i], Vec3<L>(r.x2 - r.x1 - r.normal * static_cast<V>(dist)));
    }
    for (int i = 0; i < 4; ++i) {
        u[i] = L(0);
        for (int k = 0; k < 4; ++k) u[i] += right[k] * static_cast<V>(inverse[i][k]);
    }
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) {
            r.normal += tangent[i] * (u[k] * static_cast<V>(shifts1.normal[i][k]));
            r.x1 += tangent[i] * (u[k] * static_cast<V>(shifts1.point[i][k]));
            r.x2 += tangent[i] * (u[2 + k] * static_cast<V>(shifts2.point[i][k]));
        }
    return r;
}

// Planes through a point of a patch, found one by one: the first is given, of the others the nearest that are not parallel.
template <class T>
struct PatchPlanes {
    Vec3<T> normal[3];
    bool subject[3];  // moves with the object that was clipped, else with the one it was clipped by
    int count = 0;
    T off[3] = {};

    void add(const Vec3<T>& n, bool of_subject, T distance) {
        normal[count] = n;
        subject[count] = of_subject;
        off[count++] = abs(distance);
    }
};

// The sides of a face, as planes along its normal: see(normal, distance of p).
template <class T, class M, class See>
void face_sides(const M& m, const ConvexObject<T>& o, int face, const Vec3<T>& p, See&& see) {
    Polygon<T, polygon_capacity<M>()> polygon;
    face_polygon(m, o, face, polygon);
    const Vec3<T> normal = face_normal(m, o, face);
    for (int i = 0; i < polygon.count; ++i) {
        const Vec3<T> side = normalize(cross(Vec3<T>(polygon.after(i) - polygon.point[i]), normal));
        see(side, dot(side, Vec3<T>(p - polygon.point[i])));
    }
}

// The planes of the patch that meet at p. `subject` was clipped by a face of `frame`.
template <class T, class M>
PatchPlanes<T> patch_planes(const M& m, const ContactPatch<T>& patch, const ConvexObject<T>& subject, const ConvexObject<T>& frame,
                            const Vec3<T>& p) {
    PatchPlanes<T> planes;
    Vec3<T> edge;
    if (patch.subject_face >= 0) {
        planes.add(face_normal(m, subject, patch.subject_face), true, T(0));
    } else {
        const Mat3<T> around = contact_frame(edge = normalize(Vec3<T>(patch.end - patch.start)));
        planes.add(around.row(1), true, T(0));
        planes.add(around.row(2), true, T(0));
    }
    // keeps the nearest planes that do not contain the direction in which p can still move
    const int given = planes.count;
    const auto consider = [&](const Vec3<T>& n, bool of_subject, T distance) {
        PatchPlanes<T> next = planes;
        next.count = given;
        int from = given;
        bool taken = false;
        while (next.count < 3 && (from < planes.count || !taken)) {
            const bool take = !taken && (from == planes.count || abs(distance) < planes.off[from]);
            const Vec3<T> normal = take ? n : planes.normal[from];
            const bool parallel = next.count == 2 && !(abs(determinant(next.normal[0], next.normal[1], normal)) > T(1e-4));
            if (!parallel) next.add(normal, take ? of_subject : planes.subject[from], take ? distance : planes.off[from]);
            taken = taken || take;
            from += take ? 0 : 1;
        }
        planes = next;
    };
    if (patch.subject_face >= 0) {
        face_sides(m, subject, patch.subject_face, p, [&](const Vec3<T>& n, T distance) { consider(n, true, distance); });
    } else {
        consider(edge, true, dot(edge, Vec3<T>(p - patch.start)));
        consider(edge, true, dot(edge, Vec3<T>(p - patch.end)));
    }
    face_sides(m, frame, patch.frame_face, p, [&](const Vec3<T>& n, T distance) { consider(n, false, distance); });
    return planes;
}

// The normal of the single contact that a patch replaces, out of its subject.
template <class L, class T, class M>
Vec3<L> moving_subject_normal(const M& m, const ConvexQuery<T>& q, const ConvexObject<T>& a, const ConvexObject<T>& b, const Geom<L>& s1,
                              const Geom<L>& s2, const Vec3<L>& otherwise) {
    const Vec3<T> apart = q.patch.x1 - q.patch.x2;
    const T depth = norm(apart);
    if (!(depth > T(0))) return otherwise;
    ConvexQuery<T> single = q;
    single.x1[0] = q.patch.x1;
    single.x2[0] = q.patch.x2;
    const Vec3<L> normal = moving_points(m, single, a, b, s1, s2, Vec3<T>(apart * (T(1) / depth)), T(-depth)).normal;
    return q.patch.subject == 2 ? -normal : normal;
}

// A point of an edge that was clipped by a face of normal `face` (in the plain world): carried along, or on the side whose normal is n.
template <class M, class L, class T>
Vec3<L> carried_edge_point(const ConvexObject<T>& o, const Geom<L>& g, const Vec3<T>& x, const Vec3<T>& face, const Vec3<L>& n) {
    using V = value_t<L>;
    Vec3<L> p = carried_point<M>(o, g, x, face);
    shapes_of<M>::visit(o.type, [&](auto s) {
        if constexpr (requires { s.roll(p, p, p, p); }) {
            const Vec3<V> local = plain_vec<V>(Vec3<T>(transpose_mul(o.mat, Vec3<T>(x - o.pos))));
            p = g.mat * s.roll(local, plain_vec<V>(o.size), g.size, Vec3<L>(transpose_mul(g.mat, n))) + g.pos;
        }
    });
    return p;
}

// The points of a patch's corner p, which lies `dist` (negative) below the face it was clipped by.
template <class L, class T, class M>
MovingPoints<L> moving_patch_points(const M& m, const ConvexQuery<T>& q, int i, const ConvexObject<T>& a, const ConvexObject<T>& b,
                                    const Geom<L>& s1, const Geom<L>& s2) {
    using V = value_t<L>;
    const ContactPatch<T>& patch = q.patch;
    const bool second = patch.subject == 2;
    const ConvexObject<T>&subject = second ? b : a, &frame = second ? a : b;
    const Geom<L>&subject_shape = second ? s2 : s1, &frame_shape = second ? s1 : s2;
    const Vec3<T> at = second ? q.x2[i] : q.x1[i], face = face_normal(m, frame, patch.frame_face);
    const Vec3<L> up = carried_normal<M>(frame, frame_shape, face);
    const Vec3<L> with_subject = patch.subject_face >= 0 ? carried_point<M>(subject, subject_shape, at, face)
                                                         : carried_edge_point<M>(subject, subject_shape, at, face,
                                                                                 moving_subject_normal(m, q, a, b, s1, s2, Vec3<L>(-up)));
    const Vec3<L> with_frame = carried_point<M>(frame, frame_shape, at, face);
    const PatchPlanes<T> planes = patch_planes(m, patch, subject, frame, at);
    Vec3<L> p = with_subject;
    T matrix[3][3], inverse[3][3];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) matrix[r][c] = planes.count == 3 ? planes.normal[r][c] : T(0);
    if (invert(matrix, inverse)) {
        p = Vec3<L>::from(plain_vec<V>(at));
        for (int r = 0; r < 3; ++r) {
            const Vec3<L> moved = (planes.subject[r] ? with_subject : with_frame) - plain_vec<V>(at);
            const L along = dot(plain_vec<V>(planes.normal[r]), moved);
            for (int c = 0; c < 3; ++c) p[c] += along * static_cast<V>(inverse[c][r]);
        }
    }
    // the other point lies along the normal of the subject's face, or of the frame's where the subject is an edge
    const Vec3<L> on_face = carried_point<M>(frame, frame_shape, Vec3<T>(at - face * q.dist[i]), face);
    const L dist = dot(plain_vec<V>(face), Vec3<L>(p - on_face));
    Vec3<L> dir = -up;
    if (patch.subject_face >= 0) dir = carried_normal<M>(subject, subject_shape, face_normal(m, subject, patch.subject_face));
    const Vec3<L> other = p + dir * dist, normal = second ? -dir : dir;
    return second ? MovingPoints<L>{other, p, normal} : MovingPoints<L>{p, other, normal};
}

// The number x with the derivatives of `like`.
template <class L>
L with_derivatives(value_t<L> x, const L& like) {
    return like + (x - value_of(like));
}

}  // namespace mjx::inner
