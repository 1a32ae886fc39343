// A plane against sphere, capsule, ellipsoid, cylinder and box, in closed form and in lanes.
//
// The plane is the half space below its z axis, which is the normal of every contact. Points lie midway between the deepest point
// of the geom and the plane.
#pragma once

#include "mjx/collision/geom.hpp"

namespace mjx::inner {

// A ball around `centre`.
template <class S>
void plane_ball(const Geom<S>& plane, const Vec3<S>& centre, const S& radius, const S& margin, CollisionResult<S>& out) {
    const Vec3<S> normal = plane.axis();
    const S dist = dot(centre - plane.pos, normal) - radius;
    out.add(dist, centre - normal * (dist * value_t<S>(0.5) + radius), normal, dist <= margin);
}

template <class S>
void plane_sphere(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    plane_ball(a, b.pos, b.size[0], margin, out);
}

// The two end balls; the first tangent follows the capsule.
template <class S>
void plane_capsule(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    const Vec3<S> axis = b.axis(), segment = axis * b.size[1];
    plane_ball(a, Vec3<S>(b.pos + segment), b.size[0], margin, out);
    plane_ball(a, Vec3<S>(b.pos - segment), b.size[0], margin, out);
    out.has_tangent = true;
    out.tangent = axis;
}

// The support point of the ellipsoid against the normal.
template <class S>
void plane_ellipsoid(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    const Vec3<S> normal = a.axis();
    Vec3<S> support = b.local_direction(-normal);
    for (int i = 0; i < 3; ++i) support[i] = support[i] * b.size[i];
    support = normalize(support);
    for (int i = 0; i < 3; ++i) support[i] = support[i] * b.size[i];
    const Vec3<S> point = b.world(support);
    const S dist = dot(normal, point - a.pos);
    out.add(dist, point - normal * (dist * value_t<S>(0.5)), normal, dist <= margin);
}

// The lowest point of the rim, the one above it on the other cap, and two more on the lower rim that make a triangle with the
// first. A cylinder standing upright has no lowest point: its x axis takes that place.
template <class S>
void plane_cylinder(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    const S radius = b.size[0], half = value_t<S>(0.5);
    const Vec3<S> normal = a.axis();
    S along = dot(normal, b.axis());
    const S down = select(along > S(0), S(-1), S(1));
    along = along * down;
    const Vec3<S> axis = b.axis() * down;

    const Vec3<S> tilt = axis * along - normal;  // the part of -normal across the axis
    const S tilt2 = dot(tilt, tilt);
    const auto upright = tilt2 < S(tiny_v<S> * tiny_v<S>);
    const S scale = radius / sqrt(select(upright, S(1), tilt2));
    const Vec3<S> rim = select(upright, Vec3<S>(b.mat.column(0) * radius), Vec3<S>(tilt * scale));

    const S centre = dot(b.pos - a.pos, normal);
    const S by_rim = dot(rim, normal), by_axis = along * b.size[1];
    const Vec3<S> to_cap = axis * b.size[1];
    const auto touching = centre + by_axis + by_rim <= margin;
    if (!any(touching)) return;
    const S third = centre + by_axis - by_rim * half;
    const S dist[4] = {centre + by_axis + by_rim, centre - by_axis + by_rim, third, third};
    Vec3<S> offset[4] = {rim + to_cap, rim - to_cap};
    int points = 2;
    if (any(third <= margin)) {
        const Vec3<S> aside = normalize(cross(rim, to_cap)) * (radius * static_cast<value_t<S>>(0.86602540378443864676));
        offset[2] = aside + to_cap - rim * half;
        offset[3] = to_cap - aside - rim * half;
        points = 4;
    }
    for (int i = 0; i < points; ++i) out.add(dist[i], b.pos + offset[i] - normal * (dist[i] * half), normal, touching && dist[i] <= margin);
}

// The corners below the centre and within the margin, four at most.
template <class S>
void plane_box(const Geom<S>& a, const Geom<S>& b, const S& margin, CollisionResult<S>& out) {
    const Vec3<S> normal = a.axis();
    const S centre = dot(b.pos - a.pos, normal);
    const Vec3<S> local = b.local_direction(normal);
    Vec3<S> reach;
    for (int i = 0; i < 3; ++i) reach[i] = local[i] * b.size[i];
    if (!any(centre - abs(reach[0]) - abs(reach[1]) - abs(reach[2]) <= margin)) return;
    S found(0);
    for (int i = 0; i < 8; ++i) {
        const value_t<S> x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1, z = i & 4 ? 1 : -1;
        const S below = reach[0] * x + reach[1] * y + reach[2] * z;
        const S dist = centre + below;
        const auto active = (dist <= margin) && (below <= S(0)) && (found < S(4));
        if (!any(active)) continue;
        const Vec3<S> corner = b.world({{b.size[0] * x, b.size[1] * y, b.size[2] * z}});
        out.add(dist, corner - normal * (dist * value_t<S>(0.5)), normal, active);
        found += select(active, S(1), S(0));
    }
}

}  // namespace mjx::inner
