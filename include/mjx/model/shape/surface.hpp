// What shapes share: rays and where they meet a surface, how a surface moves, and what holds of a shape unless it says otherwise.
// Everything in the frame of the shape.
#pragma once

#include "mjx/math/plain.hpp"
#include "mjx/model/types.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mjx::inner {

// What stages ask of a shape before they ask for numbers, and the numbers of one whose asset has them.
struct ShapeTraits {
    static constexpr bool endless = false;      // a half space: no bounding sphere
    static constexpr bool ground = false;       // a plane or a height field: two of them do not collide
    static constexpr bool from_asset = false;   // its size and bounds come with a mesh or a height field
    static constexpr bool of_hfield = false;    // with a height field
    static constexpr bool of_mesh = false;      // with a mesh, which gives its mass too
    static constexpr bool is_field = false;     // collides by a signed distance field
    static constexpr bool polyhedral = false;   // faces, edges and corners: GJK comes to an end
    static constexpr bool faced = false;        // flat faces, which a patch of contacts may lie in
    static constexpr int corners_of_face = 4;      // that a face has at most, unless its asset says more
    static constexpr bool round = false;        // touches others in one point
    static constexpr bool rod = false;          // a ball that goes along z: its size is a radius, then half the way of its centre
    static constexpr bool fits_site = true;
    static constexpr bool by_support = false;   // a user's: known by its support function (model/shape/user.hpp)
    static constexpr int length_size = -1;      // the size that is half the distance of fromto's two points, if it may have them
    static constexpr int cable_size = -1;       // the size that is half the length of a cable's piece, if it may be one (section)
    static constexpr int tendon_wrap = wrap::none;  // what a tendon wraps around

    template <class R>
    static R volume(const Vec3<R>&, bool) {
        return R(0);
    }
    template <class R>
    static Vec3<R> inertia(const R&, const Vec3<R>&, bool) {
        return Vec3<R>::zero();
    }
    template <class R>
    static R radius(const Vec3<R>&) {
        return R(0);
    }
    template <class R>
    static constexpr Vec3<R> half_sizes(const Vec3<R>& size) {
        return size;
    }
};

// A ray: pnt + x vec with x >= 0. vec need not have unit length; x counts in its lengths.
template <class S>
struct LocalRay {
    Vec3<S> pnt, vec;

    Vec3<S> at(const S& x) const { return pnt + vec * x; }
};

// Where a ray meets a surface first: the smallest x, or -1, and the outer normal there, or zero.
template <class S>
struct SurfaceHit {
    S x = S(-1);
    Vec3<S> normal = Vec3<S>::zero();

    // Takes the solution x where it is on the surface (`where`), not behind the start and nearer than what there is.
    [[gnu::noinline]] void take(const S& solution, const Vec3<S>& n, const mask_t<S>& where) {
        const auto better = where && solution >= S(0) && (x < S(0) || solution < x);
        x = select(better, solution, x);
        normal = select(better, n, normal);
    }
    // The same with the normal turned from the frame of a shape into the world.
    SurfaceHit in_world(const Mat3<S>& mat) const { return {x, select(x >= S(0), Vec3<S>(mat * normal), Vec3<S>::zero())}; }
};

// Both solutions of a x² + 2 b x + c = 0, the smaller first; -1 where there are none.
template <class S>
void ray_quadratic(const S& a, const S& b, const S& c, S& x0, S& x1) {
    const S det = b * b - a * c;
    const auto real = det >= S(0) && a >= S(minval_v<S>);
    const S root = sqrt(select(real, det, S(1))), inverse = S(1) / select(real, a, S(1));
    x0 = select(real, (-b - root) * inverse, S(-1));
    x1 = select(real, (-b + root) * inverse, S(-1));
}

// The half of a ball around (0, 0, side * height) that is beyond its centre; with side 0 the whole ball around the origin.
template <class S>
void ray_ball(const LocalRay<S>& ray, const S& radius, const S& height, value_t<S> side, SurfaceHit<S>& hit) {
    const Vec3<S> centre{{S(0), S(0), height * side}}, from = ray.pnt - centre;
    S x[2];
    ray_quadratic(S(dot(ray.vec, ray.vec)), S(dot(ray.vec, from)), S(dot(from, from) - radius * radius), x[0], x[1]);
    for (int i = 0; i < 2; ++i) {
        const Vec3<S> p = ray.at(x[i]);
        hit.take(x[i], normalize(Vec3<S>(p - centre)), mask_t<S>(side == 0) || p[2] * side >= height);
    }
}

// The round side of a capsule or cylinder: the nearer solution not behind the start, between the ends.
template <class S>
void ray_side(const LocalRay<S>& ray, const S& radius, const S& height, SurfaceHit<S>& hit) {
    const Vec3<S>&p = ray.pnt, &v = ray.vec;
    S x0, x1;
    ray_quadratic(S(v[0] * v[0] + v[1] * v[1]), S(v[0] * p[0] + v[1] * p[1]), S(p[0] * p[0] + p[1] * p[1] - radius * radius), x0, x1);
    const S x = select(x0 >= S(0), x0, x1);
    Vec3<S> q = ray.at(x);
    const auto between = abs(q[2]) <= height;
    q[2] = S(0);
    hit.take(x, normalize(q), between);
}

// A point x of a surface with its outer normal and two tangents; `along` is 1, or -1 for a partner whose normal is the other's turned
// round.
template <class T>
struct SurfacePoint {
    Vec3<T> x, n, s, t;
    T along;
};

// How a surface can move on near a point: its shifts (δx, δn) in coordinates across the normal; rows are the two tangents, columns the
// two shifts. A corner by default, which stays and turns its normal any way (collision/moving_contact.hpp).
template <class T>
struct SurfaceShifts {
    T point[2][2] = {{T(0), T(0)}, {T(0), T(0)}};
    T normal[2][2] = {{T(1), T(0)}, {T(0), T(1)}};
    bool flat = false;

    static SurfaceShifts face() { return {{{T(1), T(0)}, {T(0), T(1)}}, {{T(0), T(0)}, {T(0), T(0)}}, true}; }
    static SurfaceShifts curved(T xx, T xy, T yy) { return {{{xx, xy}, {xy, yy}}, {{T(1), T(0)}, {T(0), T(1)}}, false}; }
    // Straight along (x, y), round with a radius across.
    static SurfaceShifts edge(T x, T y, T radius) {
        const T length = sqrt(x * x + y * y), c = x / length, s = y / length;
        return {{{c, -s * radius}, {s, c * radius}}, {{T(0), -s}, {T(0), c}}, false};
    }
};

// A coordinate that grows with a size.
template <class T, class L>
L grown(T x, const L& size) {
    return plain<T>(size) > T(0) ? size * (x / plain<T>(size)) : L(x);
}

}  // namespace mjx::inner
