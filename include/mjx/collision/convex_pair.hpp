// Convex against convex by GJK and EPA: the pairs without a closed form (ellipsoid, cylinder, mesh; see the driver's table).
//
// Boxes and meshes get the whole patch of contact from one run. Other pairs without a margin-free patch (a cylinder on a box, a
// capsule on a mesh) are turned by 0.001 rad about four axes through the first contact, and each new point further than 0.001 of
// the smaller bounding radius becomes a contact of the same depth (MuJoCo's multiccd, on by default). At most 5 points.
//
// Lanes run one after the other on plain numbers. For duals the contact is then carried by the two bodies: each witness point is
// fixed in its geom (scaled with its size), so dist has its exact derivative by the envelope theorem; pos is their midpoint; the
// normal turns with the geom whose face it belongs to, and is constant where neither has one (curved or edge contacts).
#pragma once

#include "mjx/collision/ccd.hpp"
#include "mjx/math/quat.hpp"

#include <type_traits>

namespace mjx {

// A contact on plain numbers; `flat` is the geom (1 or 2) whose face the normal belongs to, or 0.
template <class T>
struct ConvexPoint {
    T dist;
    Vec3<T> pos, normal;
    int flat;
};
template <class T>
struct ConvexContacts {
    static constexpr int capacity = max_points;
    int count = 0;
    ConvexPoint<T> point[max_points];
};

// Runs a query and appends what overlaps, distances corrected by the margin that the objects carry. NaN poses give nothing.
template <class T, class M>
int add_penetration(const M& m, ConvexObject<T>& a, ConvexObject<T>& b, int max_contacts, T margin, ConvexContacts<T>& out) {
    ConvexQuery<T> q;
    q.max_iterations = m.opt.ccd_iterations;
    q.tolerance = plain<T>(m.opt.ccd_tolerance);
    q.max_contacts = max_contacts;
    if (!(convex_query(m, q, a, b) < T(0))) return 0;
    int added = 0;
    for (int i = 0; i < q.count && out.count < out.capacity; ++i) {
        const Vec3<T> pos = (q.x1[i] + q.x2[i]) * T(0.5), normal = normalize(Vec3<T>(q.x1[i] - q.x2[i]));
        if (!isfinite(q.dist[i] + dot(pos, normal))) continue;
        out.point[out.count++] = {margin + q.dist[i], pos, normal, q.flat};
        ++added;
    }
    return added;
}

// Turns an object by `rot` about a point.
template <class T>
void rotate_about(ConvexObject<T>& o, const Vec3<T>& origin, const Mat3<T>& rot) {
    o.mat = rot * o.mat;
    const Vec3<T> rel = origin - o.pos;
    o.pos -= rot * rel - rel;
}

// Further contacts of a single one, by turning both objects slightly against each other.
template <class T, class M>
void perturb(const M& m, const ConvexObject<T>& a0, const ConvexObject<T>& b0, ConvexObject<T>& a, ConvexObject<T>& b, T margin, T radius,
             ConvexContacts<T>& out) {
    const T angle = T(1e-3), apart = T(1e-3) * radius;
    const Mat3<T> frame = contact_frame(normalize(out.point[0].normal));
    for (int turn = 0; turn < 4; ++turn) {
        const Mat3<T> rot = to_mat3(axis_angle(frame.row(1 + turn / 2), turn % 2 == 0 ? -angle : angle));
        rotate_about(a, out.point[0].pos, rot);
        rotate_about(b, out.point[0].pos, transpose(rot));
        if (add_penetration(m, a, b, 1, margin, out) > 0) {
            auto& last = out.point[out.count - 1];
            bool distinct = true;
            for (int i = 0; i < out.count - 1; ++i) distinct = distinct && !(norm(Vec3<T>(out.point[i].pos - last.pos)) <= apart);
            last.dist = out.point[0].dist;
            if (!distinct) --out.count;
        }
        a.pos = a0.pos;
        a.mat = a0.mat;
        b.pos = b0.pos;
        b.mat = b0.mat;
    }
}

// Contacts of the geoms g1 and g2 on plain numbers.
template <class T, class M, class L>
void convex_contacts(const M& m, int g1, int g2, const OwnShape<L>& s1, const OwnShape<L>& s2, T margin, ConvexContacts<T>& out) {
    ConvexObject<T> a = convex_object<T>(m, g1, s1, margin), b = convex_object<T>(m, g2, s2, margin);
    const bool many = !m.opt.disabled(disable::multiccd);
    const auto faceted = [](int type) { return type == shape::box || type == shape::mesh; };
    const auto round = [](int type) { return type == shape::sphere || type == shape::ellipsoid; };
    if (!(margin > T(0)) && faceted(a.type) && faceted(b.type)) {
        const bool boxes = a.type == shape::box && b.type == shape::box;
        if (boxes || many) {
            add_penetration(m, a, b, boxes ? 8 : 4, margin, out);
            return;
        }
    }
    const ConvexObject<T> a0 = a, b0 = b;
    add_penetration(m, a, b, 1, margin, out);
    if (out.count == 1 && many && !round(a.type) && !round(b.type))
        perturb(m, a0, b0, a, b, margin, min(plain<T>(m.geom_rbound[g1]), plain<T>(m.geom_rbound[g2])), out);
}

// A point of a geom's surface moved by its derivative of size: surface points stay on the surface. Local frame.
template <class L, class T>
Vec3<L> surface_point(int type, const Vec3<T>& p, const Vec3<L>& size) {
    Vec3<L> r = Vec3<L>::from(p);
    const auto scaled = [](T x, const L& s) { return plain<T>(s) > T(0) ? s * (x / plain<T>(s)) : L(x); };
    if (type == shape::sphere) {
        for (int i = 0; i < 3; ++i) r[i] = scaled(p[i], size[0]);
    } else if (type == shape::ellipsoid || type == shape::box) {
        for (int i = 0; i < 3; ++i) r[i] = scaled(p[i], size[i]);
    } else if (type == shape::cylinder || type == shape::capsule) {
        const T half = plain<T>(size[1]), along = clamp(p[2], -half, half);
        for (int i = 0; i < 2; ++i) r[i] = scaled(p[i], size[0]);
        r[2] = scaled(along, size[1]) + scaled(p[2] - along, size[0]);
    }
    return r;
}

// A plain contact as one that depends on the poses and sizes of the geoms.
template <class L, class T>
ContactPoint<L> carried_contact(const ConvexPoint<T>& c, int type1, int type2, const OwnShape<L>& s1, const OwnShape<L>& s2) {
    using V = value_t<L>;
    if constexpr (std::is_floating_point_v<L>) {
        return {plain<L>(c.dist), plain_vec<L>(c.pos), plain_vec<L>(c.normal), true};
    } else if constexpr (!std::is_same_v<T, V>) {
        return carried_contact(ConvexPoint<V>{plain<V>(c.dist), plain_vec<V>(c.pos), plain_vec<V>(c.normal), c.flat}, type1, type2, s1, s2);
    } else {
        const auto carry = [&](const Vec3<T>& x, int type, const OwnShape<L>& s) {
            const Vec3<T> local = transpose_mul(plain_mat<T>(s.mat), Vec3<T>(x - plain_vec<T>(s.pos)));
            return Vec3<L>(s.mat * surface_point(type, local, s.size) + s.pos);
        };
        const Vec3<L> x1 = carry(c.pos - c.normal * (c.dist * T(0.5)), type1, s1), x2 = carry(c.pos + c.normal * (c.dist * T(0.5)), type2, s2);
        const auto turned = [&](const OwnShape<L>& s) { return Vec3<L>(s.mat * transpose_mul(plain_mat<T>(s.mat), c.normal)); };
        const Vec3<L> normal = c.flat == 1 ? turned(s1) : c.flat == 2 ? turned(s2) : Vec3<L>::from(c.normal);
        return {dot(c.normal, Vec3<L>(x2 - x1)), (x1 + x2) * T(0.5), normal, true};
    }
}

// Runs find(shape1, shape2, margin, contacts) for each lane in `mask` and adds what it finds.
template <class T = ConvexReal, class M, class S, int K, class Find>
void collide_lanes(const M& m, int g1, int g2, const Shape<S>& s1, const Shape<S>& s2, const S& margin, const mask_t<S>& mask,
                   CollisionResult<S, K>& out, Find&& find) {
    using L = lane_t<S>;
    for_each_lane(mask, lanes_v<S>, [&](int k) {
        const OwnShape<L> a = lane(s1, k), b = lane(s2, k);
        ConvexContacts<T> found;
        find(a, b, plain<T>(lane(margin, k)), found);
        for (int i = 0, slot = 0; i < found.count; ++i) {
            const ContactPoint<L> c = carried_contact(found.point[i], m.geom_type[g1], m.geom_type[g2], a, b);
            if (isfinite(value_of(c.dist))) insert_lane(out, slot++, k, c);  // a broken pose may show only here
        }
    });
}

// Puts an object into the frame at pos with axes mat.
template <class T>
void enter_frame(ConvexObject<T>& o, const Vec3<T>& pos, const Mat3<T>& mat) {
    o.pos = transpose_mul(mat, Vec3<T>(o.pos - pos));
    o.mat = transpose(mat) * o.mat;
}

// The box around an object.
template <class T, class M>
void bound_object(const M& m, ConvexObject<T>& o, Vec3<T>& low, Vec3<T>& high) {
    for (int i = 0; i < 3; ++i) {
        Vec3<T> dir = Vec3<T>::zero(), point;
        dir[i] = T(1);
        support(m, o, dir, point);
        high[i] = point[i];
        dir[i] = T(-1);
        support(m, o, dir, point);
        low[i] = point[i];
    }
}

// Takes contacts from that frame into the world.
template <class T>
void leave_frame(ConvexContacts<T>& c, const Vec3<T>& pos, const Mat3<T>& mat) {
    for (int i = 0; i < c.count; ++i) {
        c.point[i].pos = mat * c.point[i].pos + pos;
        c.point[i].normal = mat * c.point[i].normal;
    }
}

}  // namespace mjx
