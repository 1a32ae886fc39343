// Contacts as robots feel them: their Jacobians, and their forces in the world frame and by body.
//
// Reads   contact, ncon, efc_type, efc_force, cdof, subtree_com, xipos (forward computes all of them)
// In the contact's frame rows and forces come with translation first: along the normal from geom1 to geom2, along two tangents, then
// rotation about the three. What acts is what geom1 does to geom2.
#pragma once

#include "mjx/robotics/jacobian.hpp"
#include "mjx/stage/contact_force.hpp"

namespace mjx::inner {

// The motion of geom2's body relative to geom1's at the contact, in its frame: 6 x nv. The contact acts along the first `dim` rows.
template <class M, class D, class J>
void contact_jacobian(const M& m, const D& d, int c, J& out) {
    using S = typename D::scalar;
    clear_matrix(out, 6, m.nv);
    const auto& contact = d.contact[c];
    const auto add = [&](int body, value_t<S> sign) {
        for_each_column(m, d, body, contact.pos, [&](int i, const Vec6<S>& column) {
            const Vec3<S> moved = contact.frame * linear(column), turned = contact.frame * angular(column);
            for (int r = 0; r < 3; ++r) out(r, i) += moved[r] * sign;
            for (int r = 0; r < 3; ++r) out(3 + r, i) += turned[r] * sign;
        });
    };
    add(m.geom_bodyid[contact.geom2], 1);
    add(m.geom_bodyid[contact.geom1], -1);
}

// Force, then torque about the contact point, that geom1 exerts on geom2: world axes.
template <class M, class D>
auto contact_force_world(const M& m, const D& d, int c) {
    using S = typename D::scalar;
    const Vec6<S> f = contact_force(m, d, c);
    const Mat3<S>& frame = d.contact[c].frame;
    const Vec3<S> force{{f[0], f[1], f[2]}}, torque{{f[3], f[4], f[5]}};
    return spatial(Vec3<S>(transpose_mul(frame, force)), Vec3<S>(transpose_mul(frame, torque)));
}

// All that contacts do to a body: force, then torque about its centre of mass, world axes, as in xfrc_applied.
template <class M, class D>
auto body_contact_force(const M& m, const D& d, int b) {
    using S = typename D::scalar;
    Vec3<S> force = Vec3<S>::zero(), torque = Vec3<S>::zero();
    for (int c = 0; c < d.ncon; ++c) {
        const int first = m.geom_bodyid[d.contact[c].geom1], second = m.geom_bodyid[d.contact[c].geom2];
        if ((first == b) == (second == b)) continue;
        const Vec6<S> wrench = contact_force_world(m, d, c) * value_t<S>(second == b ? 1 : -1);
        const Vec3<S> push{{wrench[0], wrench[1], wrench[2]}}, twist{{wrench[3], wrench[4], wrench[5]}};
        force += push;
        torque += twist + cross(Vec3<S>(d.contact[c].pos - d.xipos[b]), push);
    }
    return spatial(force, torque);
}

}  // namespace mjx::inner
