// Geom<S>: where one geom is and how large, as the narrow-phase and ray functions see it; and the frame of a contact.
//
// Sizes are MuJoCo's: sphere radius; capsule and cylinder radius, half length along z; ellipsoid semi-axes; box half sizes.
#pragma once

#include "mjx/collision/result.hpp"

namespace mjx::inner {

template <class S>
struct Geom {
    const Vec3<S>& pos;  // centre, world
    const Mat3<S>& mat;  // local axes in its columns, world
    Vec3<S> size;

    Vec3<S> axis() const { return mat.column(2); }
    // From its frame into the world, and the other way round. Many call these, so they are not inlined.
    [[gnu::noinline]] Vec3<S> world_direction(const Vec3<S>& v) const { return mat * v; }
    [[gnu::noinline]] Vec3<S> local_direction(const Vec3<S>& v) const { return transpose_mul(mat, v); }
    Vec3<S> world(const Vec3<S>& p) const { return world_direction(p) + pos; }
    Vec3<S> local(const Vec3<S>& p) const { return local_direction(p - pos); }
};

template <class M, class D>
auto geom_at(const M& m, const D& d, int geom) {
    using S = typename D::scalar;
    return Geom<S>{d.geom_xpos[geom], d.geom_xmat[geom], Vec3<S>::from(m.geom_size[geom])};
}

// A geom with its own pose: one lane of a pack.
template <class S>
struct OwnGeom {
    Vec3<S> pos;
    Mat3<S> mat;
    Vec3<S> size;

    Geom<S> view() const { return {pos, mat, size}; }
};

// The place of a coordinate in a grid, from 0 to `last` whatever it is: 0 where it is not a number.
template <class T>
constexpr int grid_index(T at, int last) {
    return at > T(0) ? (at < static_cast<T>(last) ? static_cast<int>(at) : last) : 0;
}

// The smallest relative difference worth looking at: MuJoCo's 1e-15 for double, a few epsilons for float.
template <class S>
inline constexpr value_t<S> tiny_v = epsilon_v<S> * 4 > minval_v<S> ? epsilon_v<S> * 4 : minval_v<S>;

// Rows: the unit normal, then two tangents. Without a hint the first tangent is the part of the y axis normal to it, or of the
// z axis where the normal is within 60 degrees of y (mju_makeFrame).
template <class S>
Mat3<S> contact_frame(const Vec3<S>& normal) {
    const auto along_y = abs(normal[1]) >= S(0.5);
    Vec3<S> y = normal * select(along_y, -normal[2], -normal[1]);
    y[1] += select(along_y, S(0), S(1));
    y[2] += select(along_y, S(1), S(0));
    y = normalize(y);
    Mat3<S> frame;
    frame.set_row(0, normal);
    frame.set_row(1, y);
    frame.set_row(2, cross(normal, y));
    return frame;
}

// The same with a unit hint: the first tangent lies along the part of the hint normal to the normal. Where the two are parallel
// that part is noise, and the x axis (or y, where the normal is x) takes the hint's place.
template <class S>
Mat3<S> contact_frame(const Vec3<S>& normal, const Vec3<S>& hint) {
    const auto part = [&](const Vec3<S>& v) { return Vec3<S>(v - normal * dot(normal, v)); };
    const auto near_x = abs(normal[0]) > S(0.9);
    const Vec3<S> other{{select(near_x, S(0), S(1)), select(near_x, S(1), S(0)), S(0)}};
    const Vec3<S> along = part(hint);
    const auto parallel = dot(along, along) < S(tiny_v<S> * tiny_v<S> * 100);
    const Vec3<S> y = normalize(select(parallel, part(other), along));
    Mat3<S> frame;
    frame.set_row(0, normal);
    frame.set_row(1, y);
    frame.set_row(2, cross(normal, y));
    return frame;
}

}  // namespace mjx::inner
