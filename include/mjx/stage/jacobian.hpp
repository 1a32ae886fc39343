// Jacobians of points and bodies, one column per dof that moves them, and the forces they transmit.
//
// Reads   cdof, subtree_com
// Nothing is stored: callers walk the dofs of a body's chain (B_colind) and use each column at once.
#pragma once

#include "mjx/math/spatial.hpp"

namespace mjx::inner {

// The velocity of a world point fixed in `body` when dof i moves at unit speed.
template <class M, class D, class S>
Vec3<S> point_column(const M& m, const D& d, int body, const Vec3<S>& point, int i) {
    const Vec3<S> arm = point - d.subtree_com[m.body_rootid[body]];
    return linear(d.cdof[i]) + cross(angular(d.cdof[i]), arm);
}

// f(i) for each dof i that moves the body, from the root outwards.
template <class M, class F>
void for_each_dof_of(const M& m, int body, F&& f) {
    const int first = m.B_rowadr[body];
    for (int k = first; k < first + m.B_rownnz[body]; ++k) f(m.B_colind[k]);
}

// The velocity (rotation first) of a frame fixed in `body`, at a world point, along the world's axes; into_frame gives it along
// others.
template <class M, class D, class S>
Vec6<S> velocity_at(const M& m, const D& d, int body, const Vec3<S>& point) {
    const Vec3<S> w = angular(d.cvel[body]);
    const Vec3<S> arm = point - d.subtree_com[m.body_rootid[body]];
    return spatial(w, Vec3<S>(linear(d.cvel[body]) + cross(w, arm)));
}
template <class S>
Vec6<S> into_frame(const Mat3<S>& axes, const Vec6<S>& v) {
    return spatial(transpose_mul(axes, angular(v)), transpose_mul(axes, linear(v)));
}

// qfrc += Jᵀ (force, torque) for a force and torque acting on `body` at a world point.
template <class M, class D, class S, class Q>
void apply_force(const M& m, const D& d, int body, const Vec3<S>& point, const Vec3<S>& force, const Vec3<S>& torque, Q& qfrc) {
    const Vec3<S> arm = point - d.subtree_com[m.body_rootid[body]];
    const Vec6<S> about_com = spatial(Vec3<S>(torque + cross(arm, force)), force);
    for_each_dof_of(m, body, [&](int i) { qfrc[i] += dot(d.cdof[i], about_com); });
}

}  // namespace mjx::inner
