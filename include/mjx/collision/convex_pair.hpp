// Convex against convex by GJK and EPA: the pairs without a closed form (ellipsoid, cylinder, mesh; see the table in closed_form.hpp).
//
// Boxes, meshes and cylinders get the whole patch of contact from one run. Other pairs, and those with a margin (a capsule on a mesh), are
// turned by 0.001 rad about four axes through the first contact, and each new point further than 0.001 of the smaller bounding radius
// becomes a contact of the same depth (MuJoCo's multiccd, on by default). At most 5 points.
//
// Lanes run one after the other on plain numbers T; moving_contact.hpp adds the derivatives of what is found. Contacts are made of C:
// of T, or of duals.
#pragma once

#include "mjx/collision/by_lane.hpp"
#include "mjx/collision/moving_contact.hpp"
#include "mjx/math/quat.hpp"

namespace mjx::inner {

// Contact i of a query, with `margin` added to its distance. The shapes are those of the objects, with derivatives.
template <class T, class M, class C>
ContactPoint<C> query_contact(const M& m, const ConvexQuery<T>& q, int i, const ConvexObject<T>& a, const ConvexObject<T>& b,
                              const Geom<C>& s1, const Geom<C>& s2, T margin) {
    const Vec3<T> pos = (q.x1[i] + q.x2[i]) * T(0.5), normal = normalize(Vec3<T>(q.x1[i] - q.x2[i]));
    if constexpr (std::is_floating_point_v<C>) {
        return {margin + q.dist[i], pos, normal, true};
    } else {
        using V = value_t<C>;
        const T half1 = T(0.5) * a.margin, half2 = T(0.5) * b.margin;
        const MovingPoints<C> moving = q.patch.subject != 0 ? moving_patch_points(m, q, i, a, b, s1, s2)
                                                            : moving_points(m, q, a, b, s1, s2, normal, q.dist[i] + half1 + half2);
        const Vec3<C> between = (moving.x1 + moving.x2) * V(0.5) + moving.normal * static_cast<V>((half1 - half2) * T(0.5));
        ContactPoint<C> r;
        r.active = true;
        r.dist = with_derivatives(static_cast<V>(margin + q.dist[i]), C(dot(plain_vec<V>(normal), Vec3<C>(moving.x2 - moving.x1))));
        for (int k = 0; k < 3; ++k) {
            r.pos[k] = with_derivatives(static_cast<V>(pos[k]), between[k]);
            r.normal[k] = with_derivatives(static_cast<V>(normal[k]), moving.normal[k]);
        }
        return r;
    }
}

// Whether two objects, freshly made, lie apart along the direction that separated them last, by more than the tolerance: then there is no
// contact to be found. That costs one support point where GJK takes about five.
template <class T, class M>
bool still_apart(const M& m, ConvexObject<T>& a, ConvexObject<T>& b, const Vec3<float>& last) {
    Vec3<T> dir{{static_cast<T>(last[0]), static_cast<T>(last[1]), static_cast<T>(last[2])}};
    const T square = dot(dir, dir);
    if (!(square > T(0.5))) return false;
    dir *= T(1) / sqrt(square);
    const MinkowskiVertex<T> v = minkowski_support(m, a, b, dir);
    a.vertex = a.hull_vertex = b.vertex = b.hull_vertex = -1;  // nobody is to know that this was asked for
    T extent(0);
    for (int i = 0; i < 3; ++i) extent += abs(v.vert1[i]) + abs(v.vert2[i]);
    return dot(dir, v.vert) < -(T(4) * plain<T>(m.opt.ccd_tolerance) + T(1e-8) * extent);
}

// Runs a query and appends what overlaps, distances corrected by the margin that the objects carry. NaN poses give nothing.
template <class T, class M, class C>
int add_penetration(const M& m, ConvexObject<T>& a, ConvexObject<T>& b, const Geom<C>& s1, const Geom<C>& s2, int max_contacts, T margin,
                    CollisionResult<C>& out, Vec3<float>* last = nullptr) {
    ConvexQuery<T> q;
    q.max_iterations = m.opt.ccd_iterations;
    q.tolerance = plain<T>(m.opt.ccd_tolerance);
    q.max_contacts = max_contacts;
    const T least = call_one_copy<convex_query<T, M>>(m, q, a, b);
    if (last && q.separated)
        *last = plain_vec<float>(q.axis);
    else if (last && least > T(0) && q.count > 0)
        *last = plain_vec<float>(normalize(Vec3<T>(q.x2[0] - q.x1[0])));
    if (!(least < T(0))) return 0;
    int added = 0;
    for (int i = 0; i < q.count && out.count < out.capacity; ++i) {
        const ContactPoint<C> point = query_contact(m, q, i, a, b, s1, s2, margin);
        if (!isfinite(point.dist + dot(point.pos, point.normal))) continue;
        out.point[out.count++] = point;
        ++added;
    }
    return added;
}

// Turns an object or a shape by `rot` about a point.
template <class T, class Object>
void rotate_about(Object& o, const Vec3<T>& origin, const Mat3<T>& rot) {
    o.mat = rot * o.mat;
    const Vec3<T> rel = origin - o.pos;
    o.pos -= rot * rel - rel;
}

// Further contacts of a single one, by turning both objects slightly against each other.
template <class T, class M, class C>
void perturb(const M& m, ConvexObject<T>& a, ConvexObject<T>& b, const Geom<C>& s1, const Geom<C>& s2, T margin, T radius,
             CollisionResult<C>& out) {
    const T angle = T(1e-3), apart = T(1e-3) * radius;
    const Mat3<C> frame = contact_frame(normalize(out.point[0].normal));
    const Vec3<T> origin = plain_vec<T>(out.point[0].pos);
    for (int turn = 0; turn < 4; ++turn) {
        const Mat3<C> rot = to_mat3(axis_angle(frame.row(1 + turn / 2), C(static_cast<value_t<C>>(turn % 2 == 0 ? -angle : angle))));
        const Mat3<T> plain_rot = plain_mat<T>(rot);
        rotate_about(a, origin, plain_rot);
        rotate_about(b, origin, transpose(plain_rot));
        int added;
        if constexpr (std::is_floating_point_v<C>) {
            added = add_penetration(m, a, b, s1, s2, 1, margin, out);
        } else {
            OwnGeom<C> turned1{s1.pos, s1.mat, s1.size}, turned2{s2.pos, s2.mat, s2.size};
            rotate_about(turned1, out.point[0].pos, rot);
            rotate_about(turned2, out.point[0].pos, transpose(rot));
            added = add_penetration(m, a, b, turned1.view(), turned2.view(), 1, margin, out);
        }
        if (added > 0) {
            auto& last = out.point[out.count - 1];
            bool distinct = true;
            for (int i = 0; i < out.count - 1; ++i)
                distinct = distinct && !(norm(plain_vec<T>(Vec3<C>(out.point[i].pos - last.pos))) <= apart);
            last.dist = out.point[0].dist;
            if (!distinct) --out.count;
        }
        a.pos = plain_vec<T>(s1.pos);
        a.mat = plain_mat<T>(s1.mat);
        b.pos = plain_vec<T>(s2.pos);
        b.mat = plain_mat<T>(s2.mat);
    }
}

// Contacts of the geoms g1 and g2. `last`: the direction that separated them last, if somebody keeps it.
template <class T, class M, class C>
void convex_contacts(const M& m, int g1, int g2, const Geom<C>& s1, const Geom<C>& s2, T margin, CollisionResult<C>& out,
                     Vec3<float>* last = nullptr) {
    ConvexObject<T> a = convex_object<T>(m, g1, s1, margin), b = convex_object<T>(m, g2, s2, margin);
    if (last && still_apart(m, a, b, *last)) return;
    const bool many = !m.opt.disabled(disable::multiccd);
    const auto round = [](int type) { return shapes_of<M>::is(type, [](auto s) { return s.round; }); };
    const auto faced = [&](const ConvexObject<T>& o) { return m.opt.mujoco >= 313 ? is_faced(o.type) : o.polyhedral(); };
    if (many && !(margin > T(0)) && faced(a) && faced(b)) {
        add_penetration(m, a, b, s1, s2, 4, margin, out, last);
        return;
    }
    add_penetration(m, a, b, s1, s2, 1, margin, out, last);
    if (out.count == 1 && many && !round(a.type) && !round(b.type))
        perturb(m, a, b, s1, s2, margin, min(plain<T>(m.geom_rbound[g1]), plain<T>(m.geom_rbound[g2])), out);
}

// What the contacts of a lane are made of where the collider runs on T.
template <class L, class T>
using contact_t = std::conditional_t<std::is_floating_point_v<L>, T, L>;

// A shape in the frame at pos with axes mat.
template <class C, class B>
OwnGeom<C> in_frame(const Geom<C>& s, const Vec3<B>& pos, const Mat3<B>& mat) {
    return {transpose_mul(mat, Vec3<C>(s.pos - pos)), transpose(mat) * s.mat, s.size};
}

// The box around an object.
template <class T, class M>
void bound_object(const M& m, ConvexObject<T>& o, Vec3<T>& low, Vec3<T>& high) {
    for (int i = 0; i < 3; ++i) {
        Vec3<T> dir = Vec3<T>::zero();
        Point<T> point;
        dir[i] = T(1);
        support(m, o, dir, point);
        high[i] = point[i];
        dir[i] = T(-1);
        support(m, o, dir, point);
        low[i] = point[i];
    }
}

// Takes contacts from that frame into the world.
template <class C>
void leave_frame(CollisionResult<C>& c, const Vec3<C>& pos, const Mat3<C>& mat) {
    for (int i = 0; i < c.count; ++i) {
        c.point[i].pos = mat * c.point[i].pos + pos;
        c.point[i].normal = mat * c.point[i].normal;
    }
}

}  // namespace mjx::inner
