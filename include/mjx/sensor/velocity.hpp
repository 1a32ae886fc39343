// Sensors of the velocity stage, one by one.
//
// Reads   qvel, cvel, poses, ten_velocity, actuator_velocity, subtree_linvel, subtree_angmom, limit rows
// Writes  the sensor's values at `out`
#pragma once

#include "mjx/sensor/position.hpp"

namespace mjx::inner {

// Whether a sensor reads the velocities of subtrees.
constexpr bool needs_subtree_velocity(int type) {
    return type == sens::subtreelinvel || type == sens::subtreeangmom || type == sens::user;
}

// Velocity of a frame in the world, or as seen from a moving frame and in its axes.
template <class M, class D>
auto frame_velocity(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    const int objtype = m.sensor_objtype[i], id = m.sensor_objid[i], reftype = m.sensor_reftype[i], ref = m.sensor_refid[i];
    const Vec6<S> velocity = object_velocity(m, d, objtype, id);
    if (ref < 0) return velocity;
    const Vec6<S> carrier = object_velocity(m, d, reftype, ref);
    const Vec3<S> arm = object_pos(d, objtype, id) - object_pos(d, reftype, ref);
    const Vec3<S> turn = angular(velocity) - angular(carrier);
    const Vec3<S> move = linear(velocity) - linear(carrier) + cross(arm, angular(carrier));
    return into_frame(object_mat(d, reftype, ref), spatial(turn, move));
}

template <class M, class D, class S>
void velocity_sensor(const M& m, D& d, int i, S* out) {
    const int id = m.sensor_objid[i];
    const auto rate = [&](int row) { return d.efc_vel[row]; };
    const auto site_velocity = [&] { return into_frame(d.site_xmat[id], object_velocity(m, d, obj::site, id)); };
    switch (m.sensor_type[i]) {
        case sens::velocimeter: write(out, linear(site_velocity())); break;
        case sens::gyro: write(out, angular(site_velocity())); break;
        case sens::jointvel: out[0] = d.qvel[m.jnt_dofadr[id]]; break;
        case sens::tendonvel: out[0] = d.ten_velocity[id]; break;
        case sens::actuatorvel:
            for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = d.actuator_velocity[m.actuator_outadr[id] + k];
            break;
        case sens::ballangvel: write(out, vec3_at(d.qvel, m.jnt_dofadr[id])); break;
        case sens::jointlimitvel: out[0] = limit_value(d, cnstr::limit_joint, id, rate); break;
        case sens::tendonlimitvel: out[0] = limit_value(d, cnstr::limit_tendon, id, rate); break;
        case sens::framelinvel: write(out, linear(frame_velocity(m, d, i))); break;
        case sens::frameangvel: write(out, angular(frame_velocity(m, d, i))); break;
        case sens::subtreelinvel: write(out, d.subtree_linvel[id]); break;
        case sens::subtreeangmom: write(out, d.subtree_angmom[id]); break;
    }
}

}  // namespace mjx::inner
