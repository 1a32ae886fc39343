// The rotation of a weld: the orientations it compares, how its error turns with them, and the torque of its rows.
//
// Reads   xquat, efc_force
// The error is the vector part of conj(q2) q1 times torquescale. When body 1 turns with angular velocity w (world) it changes by half of
// conj(q2) w q1 (a product of quaternions), so rows of forces f act with the torque whose i-th component is f against that of axis i.
#pragma once

#include "mjx/math/quat.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

// The orientations a weld compares: q1 relpose and q2, or those of the two sites.
template <class S>
struct WeldFrames {
    Quat<S> first, second;
};

template <class M, class D>
auto weld_frames(const M& m, const D& d, int e, int body1, int body2) {
    using S = typename D::scalar;
    if (m.eq_objtype[e] == obj::site)
        return WeldFrames<S>{Quat<S>(d.xquat[body1] * m.site_quat[m.eq_obj1id[e]]), Quat<S>(d.xquat[body2] * m.site_quat[m.eq_obj2id[e]])};
    return WeldFrames<S>{Quat<S>(d.xquat[body1] * quat_at(m.eq_data[e], 6)), d.xquat[body2]};
}

// Vector part of a (0, v) b.
template <class S>
Vec3<S> sandwich(const Quat<S>& a, const Vec3<S>& v, const Quat<S>& b) {
    const Quat<S> r = a * Quat<S>{{S(0), v[0], v[1], v[2]}} * b;
    return {{r[1], r[2], r[3]}};
}

// The torque on body 1, and against body 2, of the three rows from `row` on.
template <class M, class D>
auto weld_torque(const M& m, const D& d, int e, int body1, int body2, int row) {
    using S = typename D::scalar;
    const WeldFrames<S> frames = weld_frames(m, d, e, body1, body2);
    const Quat<S> back = conjugate(frames.second);
    const Vec3<S> force{{d.efc_force[row], d.efc_force[row + 1], d.efc_force[row + 2]}};
    const S half_scale = S(m.eq_data[e][10]) * value_t<S>(0.5);
    Vec3<S> torque;
    for (int i = 0; i < 3; ++i) {
        Vec3<S> axis = Vec3<S>::zero();
        axis[i] = S(1);
        torque[i] = dot(sandwich(back, axis, frames.first), force) * half_scale;
    }
    return torque;
}

}  // namespace mjx::inner
