// Rangefinders: the distance along one ray from a site, or a depth image from a camera.
//
// Reads   site and camera poses, geom poses
// A site looks along its z axis, a camera along its negative z axis through the centre of each pixel, row 0 at the top. What is
// written per ray is chosen by the bits of sensor_intprm: distance (-1 for nothing hit), direction, origin, point, normal, depth.
#pragma once

#include "mjx/collision/ray.hpp"
#include "mjx/model/sensor_kinds.hpp"

#include <numbers>

namespace mjx::inner {

// Focal lengths and principal point in pixels; half of the picture's height, in the world, for an orthographic camera.
template <class Real>
struct CameraIntrinsics {
    Real fx, fy, cx, cy, half_extent;
};
template <class M>
auto camera_intrinsics(const M& m, int cam) {
    using Real = typename M::real;
    using V = value_t<Real>;
    const V width = static_cast<V>(m.cam_resolution[cam][0]), height = static_cast<V>(m.cam_resolution[cam][1]);
    const auto& sensor = m.cam_sensorsize[cam];
    const auto& lens = m.cam_intrinsic[cam];
    CameraIntrinsics<Real> k{Real(width / 2), Real(height / 2), Real(width / 2), Real(height / 2), Real(m.cam_fovy[cam] * V(0.5))};
    if (m.cam_projection[cam] != 0) return k;
    if (all(sensor[0] != Real(0)) && all(sensor[1] != Real(0))) {
        k.fx = lens[0] / sensor[0] * width;
        k.fy = lens[1] / sensor[1] * height;
        k.cx = lens[2] / sensor[0] * width;
        k.cy = lens[3] / sensor[1] * height;
    } else {
        k.fx = k.fy = Real(V(0.5) * height) / tan(Real(m.cam_fovy[cam] * (std::numbers::pi_v<V> / 360)));
    }
    return k;
}

template <class S>
S* put(S* out, const Vec3<S>& v) {
    for (int k = 0; k < 3; ++k) *out++ = v[k];
    return out;
}

// Casts one ray and writes the fields asked for; returns where the next ray writes. `view`: the camera's z axis, null for a site.
template <class M, class D, class S>
S* cast_ray(const M& m, const D& d, int fields, const Vec3<S>& origin, const Vec3<S>& direction, int body, const Vec3<S>* view,
            const Vec3<S>& eye, S* out) {
    RayFilter filter;
    filter.exclude_body = body;
    const auto found = ray(m, d, origin, direction, filter);
    const auto hit = found.dist >= S(0);
    const auto wants = [&](int field) { return (fields & (1 << field)) != 0; };
    const Vec3<S> none = Vec3<S>::zero();
    const Vec3<S> point = select(hit, Vec3<S>(origin + direction * found.dist), none);
    if (wants(raydata::dist)) *out++ = found.dist;
    if (wants(raydata::dir)) out = put(out, select(hit, direction, none));
    if (wants(raydata::origin)) out = put(out, origin);
    if (wants(raydata::point)) out = put(out, point);
    if (wants(raydata::normal)) out = put(out, select(hit, found.normal, none));
    if (wants(raydata::depth)) *out++ = select(hit, view ? S(-dot(point - eye, *view)) : found.dist, S(-1));
    return out;
}

template <class M, class D, class S>
void camera_rangefinder(const M& m, const D& d, int cam, int fields, S* out) {
    using V = value_t<S>;
    const auto k = camera_intrinsics(m, cam);
    const Mat3<S>& mat = d.cam_xmat[cam];
    const Vec3<S> eye = d.cam_xpos[cam], view = mat.column(2);
    const bool orthographic = m.cam_projection[cam] != 0;
    for (int row = 0; row < m.cam_resolution[cam][1]; ++row)
        for (int col = 0; col < m.cam_resolution[cam][0]; ++col) {
            const S x((V(col) + V(0.5) - k.cx) / k.fx), y((k.cy - V(row) - V(0.5)) / k.fy);
            const S depth(orthographic ? 0 : -1);
            const Vec3<S> offset = mat * Vec3<S>{{x, y, depth}};
            const Vec3<S> origin = orthographic ? Vec3<S>(eye + offset * k.half_extent) : eye;
            const Vec3<S> direction = orthographic ? Vec3<S>(-view) : normalize(offset);
            out = cast_ray(m, d, fields, origin, direction, m.cam_bodyid[cam], &view, eye, out);
        }
}

template <class M, class D, class S>
void rangefinder(const M& m, const D& d, int i, S* out) {
    const int id = m.sensor_objid[i], fields = m.sensor_intprm[i][0];
    if (m.sensor_objtype[i] == obj::camera) return camera_rangefinder(m, d, id, fields, out);
    const Vec3<S> origin = d.site_xpos[id];
    cast_ray<M, D, S>(m, d, fields, origin, d.site_xmat[id].column(2), m.site_bodyid[id], nullptr, origin, out);
}

}  // namespace mjx::inner
