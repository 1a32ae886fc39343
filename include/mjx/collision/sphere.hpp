// Spheres against spheres, capsules, cylinders and boxes: one contact each, in closed form and in lanes.
//
// The normal points from the sphere to the other geom. Where it is not defined (coincident centres) it is the cross product of the
// two z axes, or the x axis when these are parallel, as in MuJoCo.
#pragma once

#include "mjx/collision/geom.hpp"

namespace mjx::inner {

// Two balls of the given radii around points of the shapes a and b; `where` limits the lanes. Says which lanes touch.
template <class S>
mask_t<S> ball_ball(const Geom<S>& a, const Vec3<S>& centre1, const S& radius1, const Geom<S>& b, const Vec3<S>& centre2, const S& radius2,
                    const S& margin, const mask_t<S>& where, CollisionResult<S>& out) {
    const Vec3<S> apart = centre2 - centre1;
    const S distance2 = dot(apart, apart);
    const S reach = margin + radius1 + radius2;
    const auto active = where && (distance2 <= reach * reach) && (reach >= S(0));
    if (!any(active)) return active;

    S distance;
    Vec3<S> normal = normalize(apart, distance);
    const auto coincident = distance < S(minval_v<S>);
    if (any(active && coincident)) normal = select(coincident, normalize(cross(a.axis(), b.axis())), normal);
    const S dist = distance - radius1 - radius2;
    out.add(dist, centre1 + normal * (radius1 + dist * value_t<S>(0.5)), normal, active);
    return active;
}

template <class S>
void sphere_sphere(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    ball_ball(a, a.pos, a.size[0], b, b.pos, b.size[0], margin, mask_t<S>(true), out);
}

// The sphere against a ball of the capsule's radius at the nearest point of its segment.
template <class S>
void sphere_capsule(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    const Vec3<S> axis = b.axis();
    const S x = clamp(S(dot(axis, a.pos - b.pos)), S(-b.size[1]), b.size[1]);
    ball_ball(a, a.pos, a.size[0], b, Vec3<S>(b.pos + axis * x), b.size[0], margin, mask_t<S>(true), out);
}

// Three regions: beside the round side a ball on the axis, above or below a plane at the cap, else a point on the rim. A centre
// inside the cylinder belongs to the nearer surface.
template <class S>
void sphere_cylinder(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    const S radius = b.size[0], height = b.size[1];
    const Vec3<S> axis = b.axis();
    const Vec3<S> offset = a.pos - b.pos;
    const S x = dot(axis, offset);
    const Vec3<S> across = offset - axis * x;
    const S across2 = dot(across, across);
    const S across_length = sqrt(across2);

    const auto between = abs(x) < height, within = across2 < radius * radius;
    const auto nearer_cap = height - abs(x) < radius - across_length;
    const auto cap = within && (!between || nearer_cap);
    const auto side = between && (!within || !nearer_cap);
    const S up = select(x > S(0), S(1), S(-1));

    if (any(!cap)) {
        const Vec3<S> rim = across * safe_divide(radius, across_length) + axis * (up * height);
        const Vec3<S> centre = b.pos + select(side, Vec3<S>(axis * x), rim);
        ball_ball(a, a.pos, a.size[0], b, centre, select(side, radius, S(0)), margin, !cap, out);
    }
    const S dist = abs(x) - height - a.size[0];
    const auto active = cap && dist <= margin;
    const Vec3<S> normal = axis * -up;
    out.add(dist, a.pos + normal * (dist * value_t<S>(0.5) + a.size[0]), normal, active);
}

// The sphere against the nearest point of the box; a centre inside leaves through the nearest face.
template <class S>
void ball_box(const Vec3<S>& centre, const S& radius, const Geom<S>& box, const S& margin, const mask_t<S>& where,
              CollisionResult<S>& out) {
    const Vec3<S> local = box.local(centre);
    Vec3<S> nearest;
    for (int i = 0; i < 3; ++i) nearest[i] = clamp(local[i], S(-box.size[i]), box.size[i]);
    S distance;
    Vec3<S> normal = normalize(Vec3<S>(nearest - local), distance);
    const auto active = where && (distance - radius <= margin);
    if (!any(active)) return;

    Vec3<S> pos = (nearest + local + normal * radius) * value_t<S>(0.5);
    const auto inside = distance <= S(minval_v<S>);
    if (any(active && inside)) {
        S depth = (box.size[0] + box.size[1] + box.size[2]) * value_t<S>(2);
        Vec3<S> inward = Vec3<S>::zero();
        for (int i = 0; i < 6; ++i) {
            const value_t<S> sign = i % 2 ? 1 : -1;
            const S to_face = abs(box.size[i / 2] * sign - local[i / 2]);
            const auto closer = to_face < depth;
            depth = select(closer, to_face, depth);
            Vec3<S> face = Vec3<S>::zero();
            face[i / 2] = S(-sign);
            inward = select(closer, face, inward);
        }
        normal = select(inside, inward, normal);
        pos = select(inside, Vec3<S>(local + inward * ((radius - depth) * value_t<S>(0.5))), pos);
        distance = select(inside, -depth, distance);
    }
    const S dist = distance - radius;
    out.add(dist, box.world(pos), box.world_direction(normal), active && dist <= margin);
}

template <class S>
void sphere_box(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    ball_box(a.pos, a.size[0], b, margin, mask_t<S>(true), out);
}

}  // namespace mjx::inner
