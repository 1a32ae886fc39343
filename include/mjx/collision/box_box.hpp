// Box against box: up to eight contacts, by MuJoCo 3.12's rule.
//
// The axis of least overlap among the six face normals and the nine products of edge directions (separating axes, Gottschalk 1996)
// decides the kind of contact. A face axis: the opposing face of the other box is clipped by the sides of the reference face
// (Sutherland and Hodgman 1974) and every vertex within the margin is a contact, midway between the surfaces. An edge axis: one
// contact at the middle of the nearest points of the two edges. Faces win near ties: their patch of points holds better at rest.
// The search branches, so it runs lane by lane.
#pragma once

#include "mjx/collision/geom.hpp"

namespace mjx::inner {

// Rounding limits, relative to the boxes.
template <class L>
struct BoxTolerance {
    static constexpr bool single = sizeof(value_t<L>) == sizeof(float);
    static constexpr value_t<L> separation = static_cast<value_t<L>>(single ? 1e-6 : 1e-13);  // slack of the overlap tests
    static constexpr value_t<L> parallel = static_cast<value_t<L>>(single ? 1e-7 : 1e-16);    // sin² of edges that define no axis
    static constexpr value_t<L> ambiguous = static_cast<value_t<L>>(single ? 1e-5 : 1e-9);    // axis component without a sign
    static constexpr value_t<L> duplicate = static_cast<value_t<L>>(single ? 1e-10 : 1e-14);  // squared distance of one vertex
};

// The pair in each other's frames, and the axis of least overlap.
template <class L>
struct BoxPair {
    Vec3<L> size1, size2;
    Vec3<L> pos21, pos12;  // centre of box 2 in the frame of box 1, and the other way round
    Mat3<L> rot;           // axes of box 2 in the frame of box 1
    L slack;               // largest separation that still counts as contact
    L separation;          // along the chosen axis
    int code;              // 0-2 face of box 1, 3-5 face of box 2, 6 + 3 i + j edges i and j

    // Unit product of edge i of box 1 and edge j of box 2, frame of box 1. False when they are parallel.
    bool edge_axis(int i, int j, Vec3<L>& axis) const {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        const L x = -rot(i2, j), y = rot(i1, j);
        const L length2 = x * x + y * y;
        if (!(length2 >= L(BoxTolerance<L>::parallel))) return false;
        const L inverse = L(1) / sqrt(length2);
        axis[i] = L(0);
        axis[i1] = x * inverse;
        axis[i2] = y * inverse;
        return true;
    }
};

template <class L>
L box_extent(const Vec3<L>& size, const Vec3<L>& axis) {
    return size[0] * abs(axis[0]) + size[1] * abs(axis[1]) + size[2] * abs(axis[2]);
}

// Chooses the axis; false when the boxes are apart.
template <class L>
bool choose_axis(BoxPair<L>& p) {
    const value_t<L> edge_bias = static_cast<value_t<L>>(1e-6);
    L best = L(static_cast<value_t<L>>(-1e10));
    p.code = -1;
    for (int k = 0; k < 6; ++k) {
        const int i = k % 3;
        const L s = k < 3 ? L(abs(p.pos21[i]) - p.size1[i] - box_extent(p.size2, p.rot.row(i)))
                          : L(abs(p.pos12[i]) - p.size2[i] - box_extent(p.size1, p.rot.column(i)));
        if (!(s <= p.slack)) return false;
        if (s > best) {
            best = s;
            p.code = k;
        }
    }
    const L face = best;
    const int face_code = p.code;
    Vec3<L> axis, best_axis = Vec3<L>::zero();
    for (int k = 0; k < 9; ++k) {
        if (!p.edge_axis(k / 3, k % 3, axis)) continue;
        const L s = abs(dot(axis, p.pos21)) - box_extent(p.size1, axis) - box_extent(p.size2, transpose_mul(p.rot, axis));
        if (!(s <= p.slack)) return false;
        if (s - abs(s) * edge_bias > best && s > face) {
            best = s;
            best_axis = axis;
            p.code = 6 + k;
        }
    }
    // an edge axis within 8 degrees of the face normal and hardly better would make a resting stack flicker between the two
    if (p.code >= 6) {
        const L aligned = face_code < 3 ? abs(best_axis[face_code]) : abs(dot(best_axis, p.rot.column(face_code - 3)));
        if (aligned > L(static_cast<value_t<L>>(0.99)) && best < face + abs(face) * static_cast<value_t<L>>(0.05) + L(minval_v<L>)) {
            p.code = face_code;
            best = face;
        }
    }
    p.separation = best;
    return p.code >= 0;
}

// Nearest points of the segments c1 ± size1[i] e_i and c2 ± size2[j] column j, in the frame of box 1.
template <class L>
void edge_points(const BoxPair<L>& p, int i, int j, const Vec3<L>& c1, const Vec3<L>& c2, Vec3<L>& w1, Vec3<L>& w2) {
    const Vec3<L> d2 = p.rot.column(j), apart = c2 - c1;
    const L cosine = d2[i], sine2 = L(1) - cosine * cosine;
    const L along1 = apart[i], along2 = dot(d2, apart);
    const L size1 = p.size1[i], size2 = p.size2[j];
    L s = clamp(safe_divide(L(along1 - cosine * along2), sine2), L(-size1), size1);
    const L t = clamp(L(cosine * s - along2), L(-size2), size2);
    s = clamp(L(along1 + cosine * t), L(-size1), size1);
    w1 = c1;
    w1[i] += s;
    w2 = c2 + d2 * t;
}

template <class L>
void edge_contact(const BoxPair<L>& p, const Geom<L>& box1, CollisionResult<L>& out) {
    const int i = (p.code - 6) / 3, j = (p.code - 6) % 3;
    Vec3<L> axis = Vec3<L>::zero();
    p.edge_axis(i, j, axis);
    if (dot(axis, p.pos21) < L(0)) axis = -axis;  // from box 1 to box 2
    const Vec3<L> axis2 = transpose_mul(p.rot, axis);

    // Of the parallel edges the one that supports the axis; where the axis has no clear sign both are tried.
    const auto unclear = [](const Vec3<L>& v, int edge) {
        for (int k = 1; k < 3; ++k)
            if (abs(v[(edge + k) % 3]) < L(BoxTolerance<L>::ambiguous)) return (edge + k) % 3;
        return -1;
    };
    const int unclear1 = unclear(axis, i), unclear2 = unclear(axis2, j);
    Vec3<L> best1 = Vec3<L>::zero(), best2 = Vec3<L>::zero();
    L best = L(static_cast<value_t<L>>(1e10));
    const int flips = (unclear1 < 0 ? 0 : 1) | (unclear2 < 0 ? 0 : 2);
    for (int flip = 0; flip <= flips; ++flip) {
        if ((flip & ~flips) != 0) continue;
        Vec3<L> c1, c2, w1, w2;
        for (int k = 0; k < 3; ++k) {
            c1[k] = axis[k] >= L(0) ? p.size1[k] : L(-p.size1[k]);
            c2[k] = axis2[k] >= L(0) ? L(-p.size2[k]) : p.size2[k];
        }
        c1[i] = c2[j] = L(0);
        if (flip & 1) c1[unclear1] = -c1[unclear1];
        if (flip & 2) c2[unclear2] = -c2[unclear2];
        edge_points(p, i, j, c1, Vec3<L>(p.rot * c2 + p.pos21), w1, w2);
        const Vec3<L> gap = w2 - w1;
        const L gap2 = dot(gap, gap);
        if (!(gap2 < best)) continue;
        best = gap2;
        best1 = w1;
        best2 = w2;
    }
    const L dist = dot(best2 - best1, axis);
    const Vec3<L> middle = (best1 + best2) * value_t<L>(0.5);
    out.add(dist, box1.world(middle), box1.world_direction(axis), dist <= p.slack);
}

// A convex polygon in the plane of the reference face; z is the height above it.
template <class L>
struct FacePolygon {
    static constexpr int most = 12;
    Vec3<L> vertex[most];
    int count = 0;

    void add(const Vec3<L>& v) {
        if (count < most) vertex[count++] = v;
    }
};

// The part of the polygon where sign * v[axis] <= limit.
template <class L>
void clip(FacePolygon<L>& polygon, int axis, int sign, const L& limit) {
    const FacePolygon<L> in = polygon;
    polygon.count = 0;
    for (int k = 0; k < in.count; ++k) {
        const Vec3<L>& p = in.vertex[k];
        const Vec3<L>& q = in.vertex[k + 1 == in.count ? 0 : k + 1];
        const L dp = p[axis] * value_t<L>(sign) - limit, dq = q[axis] * value_t<L>(sign) - limit;
        if (dp <= L(0)) polygon.add(p);
        if ((dp < L(0) && dq > L(0)) || (dp > L(0) && dq < L(0))) polygon.add(p + (q - p) * (dp / (dp - dq)));
    }
}

// `reference` owns the face a, `other` the opposing one; `axes` holds the other's axes in the reference frame and `centre` its
// centre. `outward` is 1 when the reference is box 1.
template <class L>
void face_contact(const Geom<L>& reference, const Geom<L>& other, const Mat3<L>& axes, const Vec3<L>& centre, int a, int outward,
                  const L& margin, CollisionResult<L>& out) {
    const value_t<L> sign = centre[a] >= L(0) ? 1 : -1;
    int b = 0;
    for (int k = 1; k < 3; ++k)
        if (abs(axes(a, k)) > abs(axes(a, b))) b = k;
    const value_t<L> facing = axes(a, b) * sign > L(0) ? -1 : 1;

    const int x = (a + 1) % 3, y = (a + 2) % 3, u = (b + 1) % 3, v = (b + 2) % 3;
    const Vec3<L> face = centre + axes.column(b) * (other.size[b] * facing);
    const Vec3<L> du = axes.column(u) * other.size[u], dv = axes.column(v) * other.size[v];
    FacePolygon<L> polygon;
    for (int k = 0; k < 4; ++k) {
        const value_t<L> su = k == 0 || k == 3 ? 1 : -1, sv = k < 2 ? 1 : -1;
        const Vec3<L> corner = face + du * su + dv * sv;
        polygon.add({{corner[x], corner[y], corner[a] * sign - reference.size[a]}});
    }
    for (int axis = 0; axis < 2; ++axis)
        for (int side = 1; side >= -1; side -= 2) clip(polygon, axis, side, reference.size[axis == 0 ? x : y]);

    const L same = (reference.size[x] * reference.size[x] + reference.size[y] * reference.size[y]) * BoxTolerance<L>::duplicate;
    FacePolygon<L> kept;
    const Vec3<L> normal = reference.mat.column(a) * (sign * value_t<L>(outward));
    for (int k = 0; k < polygon.count && out.count < 8; ++k) {
        const Vec3<L>& p = polygon.vertex[k];
        bool fresh = p[2] <= margin;
        for (int q = 0; q < kept.count && fresh; ++q) {
            const L dx = kept.vertex[q][0] - p[0], dy = kept.vertex[q][1] - p[1];
            fresh = !(dx * dx + dy * dy < same);
        }
        if (!fresh) continue;
        kept.add(p);
        Vec3<L> local;
        local[x] = p[0];
        local[y] = p[1];
        local[a] = (reference.size[a] + p[2] * value_t<L>(0.5)) * sign;
        out.add(p[2], reference.world(local), normal, true);
    }
}

template <class L>
void box_box_lane(const Geom<L>& a, const Geom<L>& b, const L& margin, CollisionResult<L>& out) {
    BoxPair<L> p;
    p.size1 = a.size;
    p.size2 = b.size;
    p.pos21 = a.local(b.pos);
    p.pos12 = b.local(a.pos);
    p.rot = transpose(a.mat) * b.mat;
    p.slack = margin + (a.size[0] + a.size[1] + a.size[2] + b.size[0] + b.size[1] + b.size[2]) * BoxTolerance<L>::separation;
    if (!choose_axis(p)) return;
    if (p.code >= 6)
        edge_contact(p, a, out);
    else if (p.code < 3)
        face_contact(a, b, p.rot, p.pos21, p.code, 1, margin, out);
    else
        face_contact(b, a, transpose(p.rot), p.pos12, p.code - 3, -1, margin, out);
}

}  // namespace mjx::inner
