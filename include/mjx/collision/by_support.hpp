// Geoms known by their support function alone (model/shape/user.hpp): points inside, rays, signed distances, contacts with a plane.
//
// How far a point is from the shape is a query of GJK, or of EPA inside. A ray advances to the plane that touches the shape at its point
// nearest to the ray's: since the distance is convex along the ray, this is Newton's method for its zero and never overshoots (conservative
// advancement; G. van den Bergen, Ray casting against general convex objects, 2004). Of the planes that touch the shape the one that the
// ray meets last is the one at its hit, which the last steps look for. Lane by lane on plain numbers; derivatives follow
// from the surface at the point that is found.
#pragma once

#include "mjx/collision/convex_pair.hpp"
#include "mjx/collision/ray_shape.hpp"

namespace mjx::inner {

// The distance of a point from a shape, negative inside, and the outer normal of the surface nearest to it; in the shape's frame.
template <class T, class M>
T point_distance(const M& m, int type, const Vec3<T>& size, const Vec3<T>& p, Vec3<T>& normal) {
    ConvexObject<T> point, object;
    point.pos = p;
    point.mat = object.mat = Mat3<T>::identity();
    object.type = type;
    object.size = size;
    ConvexQuery<T> q;
    q.max_iterations = 200;
    q.tolerance = T(1e-16);
    q.cutoff = T(1e10);
    const T dist = call_one_copy<convex_query<T, M>>(m, q, point, object);
    const Vec3<T> way = q.x1[0] - q.x2[0];
    normal = normalize(Vec3<T>(dist < T(0) ? -way : way));
    return dist;
}

// How the normal turns when a ray's point y moves along the surface, where it bends.
template <class L, class T>
Vec3<L> turned_normal(const SurfaceShifts<T>& shifts, const SurfacePoint<T>& at, const Vec3<L>& moved) {
    T matrix[2][2] = {{shifts.point[0][0], shifts.point[0][1]}, {shifts.point[1][0], shifts.point[1][1]}}, inverse[2][2];
    Vec3<L> n = Vec3<L>::from(plain_vec<value_t<L>>(at.n));
    if (!invert(matrix, inverse)) return n;
    const Vec3<value_t<L>> tangent[2] = {plain_vec<value_t<L>>(at.s), plain_vec<value_t<L>>(at.t)};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k)
            for (int j = 0; j < 2; ++j)
                n += tangent[i] * (dot(tangent[j], moved) * static_cast<value_t<L>>(shifts.normal[i][k] * inverse[k][j]));
    return n;
}

// A plane that touches a shape, and where a ray meets it.
template <class T>
struct TouchingPlane {
    Vec3<T> normal, point;
    T x;
};
template <class Shape, class T>
TouchingPlane<T> touching_plane(const Vec3<T>& size, const Vec3<T>& normal, const Vec3<T>& pnt, const Vec3<T>& vec) {
    const Vec3<T> point = Shape::support(size, normal);
    return {normal, point, dot(normal, Vec3<T>(point - pnt)) / dot(normal, vec)};
}

// One step of the plane towards that at the ray's point: on a face to the plane of its corners, across an edge and where the surface is
// curved by Newton's method.
template <class Shape, class T>
Vec3<T> better_normal(const Vec3<T>& size, const TouchingPlane<T>& plane, const Vec3<T>& pnt, const Vec3<T>& vec) {
    const Mat3<T> frame = contact_frame(plane.normal);
    const SurfacePoint<T> at{plane.point, plane.normal, frame.row(1), frame.row(2), T(1)};
    const SurfaceShifts<T> shifts = Shape::shifts(size, at);
    const auto across = [&](const Vec3<T>& tilt) {
        return Vec3<T>(Shape::support(size, normalize(Vec3<T>(at.n + tilt * T(1e-4)))) -
                       Shape::support(size, normalize(Vec3<T>(at.n - tilt * T(1e-4)))));
    };
    if (shifts.flat) {
        T area;
        const Vec3<T> n = normalize(cross(across(Vec3<T>(at.s + at.t)), across(Vec3<T>(at.t - at.s))), area);
        return area > T(0) ? (dot(n, at.n) > T(0) ? n : Vec3<T>(-n)) : at.n;
    }
    Vec3<T> moved = pnt + vec * plane.x - plane.point, edge = Vec3<T>::zero();
    if (shifts.normal[0][0] == T(0)) edge = normalize(across(Vec3<T>(at.s * shifts.point[0][0] + at.t * shifts.point[1][0])));
    moved -= edge * dot(edge, moved);
    const Vec3<T> n = turned_normal(shifts, at, moved);
    return normalize(Vec3<T>(n - edge * dot(edge, n)));
}

// The ray pnt + x vec against a shape: x, or -1, and the outer normal; in the shape's frame.
template <class Shape, class T, class M>
T ray_advance(const M& m, const Vec3<T>& size, const Vec3<T>& pnt, const Vec3<T>& vec, Vec3<T>& normal) {
    const T radius = norm(Shape::half_sizes(size));
    T length;
    const Vec3<T> dir = normalize(vec, length);
    if (!(length > T(minval_v<T>))) return T(-1);
    const bool within = point_distance(m, Shape::type, size, pnt, normal) <= T(0);
    // a ray that starts inside is met from its far end
    const T far = norm(pnt) + T(2) * radius;
    const Vec3<T> from = within ? Vec3<T>(pnt + dir * far) : pnt, way = within ? -dir : dir;
    TouchingPlane<T> plane{Vec3<T>::zero(), from, T(0)};
    for (int step = 0; step < 100; ++step) {
        const T dist = point_distance(m, Shape::type, size, Vec3<T>(from + way * plane.x), normal);
        if (step > 0 && dist < T(1e-6) * radius) break;  // so near that its normal is noise
        if (!(dot(normal, way) < T(-1e-9)) || !(plane.x <= T(2) * far)) return T(-1);
        const TouchingPlane<T> next = touching_plane<Shape>(size, normal, from, way);
        if (step > 0 && !(next.x > plane.x)) break;
        plane = next;
        if (dist < T(1e-3) * radius) break;
    }
    for (int step = 0; step < 10; ++step) {
        const TouchingPlane<T> next = touching_plane<Shape>(size, better_normal<Shape>(size, plane, from, way), from, way);
        if (!(dot(next.normal, way) < T(0)) || !(next.x >= plane.x - T(1e-13) * far)) break;
        const bool settled = norm(Vec3<T>(next.normal - plane.normal)) < T(1e-12);
        plane = next;
        if (settled) break;
    }
    normal = plane.normal;
    return (within ? far - plane.x : plane.x) / length;
}

// A ray against a shape, in its frame.
template <class Shape, class M, class S>
void ray_by_support(const M& m, const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
    using L = lane_t<S>;
    using V = value_t<S>;
    using T = convex_real_t<M>;
    for (int k = 0; k < lanes_v<S>; ++k) {
        const Vec3<L> pnt = lane(ray.pnt, k), vec = lane(ray.vec, k), own = lane(size, k);
        const Vec3<T> plain_size = plain_vec<T>(own);
        Vec3<T> n;
        const T found = ray_advance<Shape>(m, plain_size, plain_vec<T>(pnt), plain_vec<T>(vec), n);
        if (!(found >= T(0))) continue;
        L x = L(static_cast<V>(found));
        Vec3<L> normal = Vec3<L>::from(plain_vec<V>(n));
        if constexpr (!std::is_floating_point_v<L>) {
            const Vec3<L> touched = Shape::support(own, normal);
            const L exact = dot(plain_vec<V>(n), Vec3<L>(touched - pnt)) / dot(plain_vec<V>(n), vec);
            x = with_derivatives(static_cast<V>(found), exact);
            const Mat3<T> frame = contact_frame(n);
            const Vec3<L> at_hit = pnt + vec * x, moved = at_hit - plain_vec<V>(at_hit) - (touched - plain_vec<V>(touched));
            const SurfacePoint<T> at{plain_vec<T>(at_hit), n, frame.row(1), frame.row(2), T(1)};
            normal = turned_normal(Shape::shifts(plain_size, at), at, moved);
        }
        set_lane(hit.x, k, x);
        set_lane(hit.normal, k, normal);
    }
}

// Lanes in which a point is inside.
template <class Shape, class M, class S>
mask_t<S> inside_by_support(const M& m, const Vec3<S>& size, const Vec3<S>& p) {
    using T = convex_real_t<M>;
    mask_t<S> inside(false);
    for (int k = 0; k < lanes_v<S>; ++k) {
        Vec3<T> n;
        const T dist = point_distance(m, Shape::type, plain_vec<T>(lane(size, k)), plain_vec<T>(lane(p, k)), n);
        set_lane(inside, k, dist < 0);
    }
    return inside;
}

// The signed distance and its gradient unless that is null, as of a field. T is a plain number or a dual.
template <class Shape, class M, class T>
[[gnu::cold]] T field_by_support(const M& m, const Vec3<T>& size, const Vec3<T>& p, Vec3<T>* gradient) {
    using V = value_t<T>;
    using R = convex_real_t<M>;
    Vec3<R> n;
    const V dist = static_cast<V>(point_distance(m, Shape::type, plain_vec<R>(size), plain_vec<R>(p), n));
    const Vec3<T> normal = Vec3<T>::from(plain_vec<V>(n));
    if (gradient) *gradient = normal;
    if constexpr (std::is_floating_point_v<T>)
        return dist;
    else
        return with_derivatives(dist, T(dot(normal, Vec3<T>(p - Shape::support(size, normal)))));
}

// A plane against a shape: its deepest point and those that become the deepest when it is tilted by 0.001 rad about four axes, if they
// are further apart than 0.01 of its bounding radius: the corners of a face that lies flat. C is convex_real_t<M>, or a dual.
template <class C, class M>
void plane_support(const M& m, int geom, const Geom<C>& plane, const Geom<C>& body, const C& margin, CollisionResult<C>& out) {
    using T = value_t<C>;
    const Vec3<C> normal = plane.axis(), down = body.local_direction(-normal);
    const T apart = T(0.01) * plain<T>(m.geom_rbound[geom]);
    // tilts are diagonal to the shape's own axes, along which its edges are likely to lie
    const Vec3<T> n = plain_vec<T>(down);
    Vec3<T> axis = Vec3<T>::zero();
    axis[abs(n[0]) < abs(n[1]) ? 0 : 1] = T(1);
    const Vec3<T> s = normalize(Vec3<T>(axis - n * dot(n, axis))), t = cross(n, s);
    shapes_of<M>::visit(m.geom_type[geom], [&](auto shape) {
        if constexpr (shape.by_support)
            for (int i = 0; i < 5; ++i) {
                const Vec3<T> tilt = i == 0 ? Vec3<T>::zero() : Vec3<T>((s * T(i & 1 ? 1 : -1) + t * T(i & 2 ? 1 : -1)) * T(7e-4));
                const Vec3<C> p = body.world(shape.support(body.size, normalize(Vec3<C>(down + tilt))));
                const C dist = dot(normal, Vec3<C>(p - plane.pos));
                const Vec3<C> middle = p - normal * (dist * T(0.5));
                bool distinct = dist <= margin;
                for (int j = 0; j < out.count; ++j) distinct = distinct && norm(plain_vec<T>(Vec3<C>(middle - out.point[j].pos))) > apart;
                if (distinct) out.add(dist, middle, normal, true);
            }
    });
}

}  // namespace mjx::inner
