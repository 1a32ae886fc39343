// Wrapping of a tendon around a sphere or a cylinder: the two points where the straight pieces touch the surface.
//
// In the plane of the circle (for a sphere: the plane of its centre and both end points; for a cylinder: across its axis) the
// straight pieces are tangents. Of the two tangent pairs the one on the side of the side site is taken, or the shorter one. A
// side site inside the geom asks for the inverse: the tendon stays inside and touches the circle from within at one point,
// where both pieces meet the surface at the same angle (MuJoCo, computation chapter, "Tendon length").
// All of this branches, so lanes of a pack go one by one; derivatives pass through.
#pragma once

#include "mjx/math/mat3.hpp"
#include "mjx/model/types.hpp"

#include <numbers>

namespace mjx::inner {

// Where a tendon piece touches the geom and how long the arc between the two points is; world frame.
template <class T>
struct WrapResult {
    bool wrapped;
    T length;
    Vec3<T> first, second;
};

template <class T>
constexpr T cross2(const Vec<T, 2>& a, const Vec<T, 2>& b) {
    return a[0] * b[1] - a[1] * b[0];
}

// Whether the segments a0-a1 and b0-b1 of the plane have a common point.
template <class T>
bool segments_intersect(const Vec<T, 2>& a0, const Vec<T, 2>& a1, const Vec<T, 2>& b0, const Vec<T, 2>& b1) {
    const Vec<T, 2> u = a1 - a0, v = b1 - b0, w = a0 - b0;
    const T det = cross2(u, v);
    if (abs(det) < T(minval_v<T>)) return false;
    const T a = cross2(v, w) / det, b = cross2(u, w) / det;
    return a >= T(0) && a <= T(1) && b >= T(0) && b <= T(1);
}

// The point of the segment nearest to the origin.
template <class T>
Vec<T, 2> nearest_to_origin(const Vec<T, 2>& from, const Vec<T, 2>& along, const T& length_squared) {
    return from + along * clamp(T(-dot(along, from) / length_squared), T(0), T(1));
}

// Outside wrap of a circle at the origin. Writes the tangent points and returns the arc's length, or -1 if there is no wrap.
template <class T>
T wrap_circle(Vec<T, 2> point[2], const Vec<T, 2> end[2], const Vec<T, 2>* side, const T& radius) {
    const T square0 = dot(end[0], end[0]), square1 = dot(end[1], end[1]), square = radius * radius;
    if (square0 < square || square1 < square || radius < T(minval_v<T>)) return T(-1);
    const Vec<T, 2> along = end[1] - end[0];
    const T apart = dot(along, along);
    if (apart < T(minval_v<T>)) return T(-1);

    // the straight line passes the circle, and on the right side
    const Vec<T, 2> nearest = nearest_to_origin(end[0], along, apart);
    if (dot(nearest, nearest) > square && (!side || dot(*side, nearest) >= T(0))) return T(-1);

    const T tangent0 = sqrt(square0 - square), tangent1 = sqrt(square1 - square);
    Vec<T, 2> pair[2][2];
    T good[2];
    for (int i = 0; i < 2; ++i) {
        const T turn = i == 0 ? radius : T(-radius);
        const Vec<T, 2> quarter0{{end[0][1], -end[0][0]}}, quarter1{{-end[1][1], end[1][0]}};
        pair[i][0] = (end[0] * square + quarter0 * T(turn * tangent0)) * (T(1) / square0);
        pair[i][1] = (end[1] * square + quarter1 * T(turn * tangent1)) * (T(1) / square1);
        const Vec<T, 2> gap = pair[i][0] - pair[i][1];
        good[i] = side ? T(dot(normalize(Vec<T, 2>(pair[i][0] + pair[i][1])), *side)) : T(-dot(gap, gap));
        if (segments_intersect(end[0], pair[i][0], end[1], pair[i][1])) good[i] = T(-10000);
    }
    const int best = good[0] > good[1] ? 0 : 1;
    point[0] = pair[best][0];
    point[1] = pair[best][1];
    if (segments_intersect(end[0], point[0], end[1], point[1])) return T(-1);

    const T turn = cross2(point[0], point[1]);
    const T angle = atan2(abs(turn), dot(point[0], point[1]));
    const bool long_way = best == 0 ? turn > T(0) : turn < T(0);
    return radius * (long_way ? T(T(2 * std::numbers::pi_v<value_t<T>>) - angle) : angle);
}

// Inside wrap of a circle at the origin: one touching point, written to *point. False if the tendon passes straight.
//
// With z the sine of the angle between a piece and the radius at that point, the triangles give
//     asin(A z) + asin(B z) - 2 asin(z) + G = 0,   A, B = radius / distance of the ends,   G the angle between the ends,
// solved by Newton's method from z near 1; the function is concave there, so the iterates go down monotonically.
template <class T>
bool wrap_inside(Vec<T, 2>* point, const Vec<T, 2> end[2], const T& radius) {
    const T tiny(minval_v<T>), tolerance(static_cast<value_t<T>>(1e-6));
    const T length0 = norm(end[0]), length1 = norm(end[1]);
    const Vec<T, 2> along = end[1] - end[0];
    const T apart = dot(along, along);
    if (length0 <= radius || length1 <= radius || radius < tiny || length0 < tiny || length1 < tiny) return false;
    if (apart > tiny) {
        const T a = -dot(along, end[0]) / apart;
        if (a > T(0) && a < T(1) && norm(Vec<T, 2>(end[0] + along * a)) <= radius) return false;
    }

    // halfway, when the equation has no usable solution
    *point = normalize(Vec<T, 2>((end[0] + end[1]) * value_t<T>(0.5))) * radius;
    const T A = radius / length0, B = radius / length1;
    const T cos_gap = (length0 * length0 + length1 * length1 - apart) / (T(2) * length0 * length1);
    if (cos_gap < T(-1) + tiny) return false;
    if (cos_gap > T(1) - tiny) return true;
    const T gap = acos(cos_gap);
    const auto f_at = [&](const T& z) { return T(asin(T(A * z)) + asin(T(B * z)) - T(2) * asin(z) + gap); };
    const auto slope_at = [&](const T& z) {
        const auto part = [&](const T& k) { return T(k / max(tiny, sqrt(T(1) - z * z * k * k))); };
        return T(part(A) + part(B) - T(2) * part(T(1)));
    };
    // the last iterations round off to z = 1 in float
    T z = T(min(value_t<T>(1 - 1e-7), value_t<T>(1) - 4 * epsilon_v<T>)), f = f_at(z);
    if (f > T(0)) return true;
    int steps = 0;
    for (; steps < 20 && abs(f) > tolerance; ++steps) {
        const T slope = slope_at(z);
        if (slope > -tiny) return true;
        const T next = z - f / slope;
        if (next > z) return true;
        z = next;
        f = f_at(z);
        if (f > tolerance) return true;
    }
    if (steps == 20) return true;
    // the derivative of z is that of the equation's root (f's own value left out, so that z itself stays)
    z = z - (f - T(value_of(f))) / slope_at(z);

    const bool from_first = cross2(end[0], end[1]) > T(0);
    const Vec<T, 2> unit = normalize(from_first ? end[0] : end[1]);
    T s, c;
    sincos(T(asin(z) - asin(T((from_first ? A : B) * z))), s, c);
    *point = Vec<T, 2>{{radius * (c * unit[0] - s * unit[1]), radius * (s * unit[0] + c * unit[1])}};
    return true;
}

// The axes of the plane in which a sphere is wrapped: through the centre and both points.
template <class T>
void sphere_plane(Vec3<T> axis[2], const Vec3<T> p[2]) {
    axis[0] = normalize(p[0]);
    T length;
    Vec3<T> normal = normalize(Vec3<T>(cross(p[0], p[1])), length);
    if (length < T(minval_v<T>)) {
        // the points and the centre are on one line: any plane through it
        const T x = abs(axis[0][0]), y = abs(axis[0][1]), z = abs(axis[0][2]);
        Vec3<T> other{{T(1), T(1), T(1)}};
        other[z > x && z > y ? 2 : y > x && y > z ? 1 : 0] = T(0);
        normal = normalize(Vec3<T>(cross(axis[0], other)));
    }
    axis[1] = normalize(Vec3<T>(cross(normal, axis[0])));
}

// Whether a line clearly passes the geom by as it should, which most do and which needs no root: outside on the side asked for, or, with a
// side site inside, through the geom. Its ends and the side site are seen from the geom, along the world's axes.
template <class T>
bool passes_by(Vec3<T> from, Vec3<T> to, const Mat3<T>& xmat, const T& radius, int type, const Vec3<T>* side) {
    const T hair(sqrt(epsilon_v<T>)), square = radius * radius, none(0);
    if (type == wrap::cylinder) {
        const Vec3<T> axis = xmat.column(2);
        from = from - axis * dot(axis, from);
        to = to - axis * dot(axis, to);
    }
    const Vec3<T> along = to - from;
    const Vec3<T> nearest = from + along * clamp(T(-dot(along, from) / dot(along, along)), none, T(1));
    const T distance = dot(nearest, nearest), far = side ? T(dot(*side, *side)) : none;
    if (side && far < square - hair * square) return distance < square - hair * square;
    if (side && !(far > square + hair * square && dot(*side, nearest) > hair * (far + distance))) return false;
    return distance > square + hair * square;
}

// Wraps the line x0-x1 around the geom at xpos, xmat. `side` is the side site or null.
template <class T>
WrapResult<T> wrap_geom(const Vec3<T>& x0, const Vec3<T>& x1, const Vec3<T>& xpos, const Mat3<T>& xmat, const T& radius, int type,
                        const Vec3<T>* side) {
    WrapResult<T> none{false, T(0), x1, x1};
    const Vec3<T> beside = side ? Vec3<T>(*side - xpos) : Vec3<T>::zero();
    if (passes_by(Vec3<T>(x0 - xpos), Vec3<T>(x1 - xpos), xmat, radius, type, side ? &beside : nullptr)) return none;
    const Vec3<T> p[2] = {transpose_mul(xmat, x0 - xpos), transpose_mul(xmat, x1 - xpos)};
    if (norm(p[0]) < T(minval_v<T>) || norm(p[1]) < T(minval_v<T>)) return none;

    Vec3<T> axis[2] = {{{T(1), T(0), T(0)}}, {{T(0), T(1), T(0)}}};
    if (type == wrap::sphere) sphere_plane(axis, p);
    const auto project = [&](const Vec3<T>& v) { return Vec<T, 2>{{dot(v, axis[0]), dot(v, axis[1])}}; };
    const Vec<T, 2> end[2] = {project(p[0]), project(p[1])};

    Vec<T, 2> touch[2];
    T arc(0);
    const Vec3<T> local_side = transpose_mul(xmat, beside);
    if (side && norm(local_side) < radius) {
        if (!wrap_inside(&touch[0], end, radius)) return none;
        touch[1] = touch[0];
    } else {
        const Vec<T, 2> direction = normalize(project(local_side)) * radius;
        arc = wrap_circle(touch, end, side ? &direction : nullptr, radius);
        if (arc < T(0)) return none;
    }

    Vec3<T> local[2];
    for (int i = 0; i < 2; ++i) local[i] = axis[0] * touch[i][0] + axis[1] * touch[i][1];
    if (type == wrap::cylinder) {
        // a helix: the height grows evenly along the unrolled path
        const T before = norm(Vec<T, 2>(end[0] - touch[0])), after = norm(Vec<T, 2>(end[1] - touch[1]));
        const T rise = (p[1][2] - p[0][2]) / (before + arc + after);
        local[0][2] = p[0][2] + rise * before;
        local[1][2] = p[0][2] + rise * (before + arc);
        arc = norm(Vec<T, 2>{{arc, rise * arc}});
    }
    return {true, arc, xpos + xmat * local[0], xpos + xmat * local[1]};
}

}  // namespace mjx::inner
