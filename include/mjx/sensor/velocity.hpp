// Sensors of the velocity stage, one function read_sensor for each kind (model/sensor_kinds.hpp).
//
// Reads   qvel, cvel, poses, ten_velocity, actuator_velocity, subtree_linvel, subtree_angmom, limit rows
// Writes  the sensor's values at `out`
#pragma once

#include "mjx/sensor/position.hpp"

namespace mjx::inner {

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

// Velocity of the sensor's site, in its own frame.
template <class M, class D>
auto site_velocity(const M& m, const D& d, int i) {
    const int site = m.sensor_objid[i];
    return into_frame(d.site_xmat[site], object_velocity(m, d, obj::site, site));
}

// The speed at which an active limit is approached.
template <class D>
auto limit_speed(const D& d, int limit, int id) {
    return limit_value(d, limit, id, [&](int row) { return d.efc_vel[row]; });
}

void read_sensor(sensor<sens::velocimeter>, const auto& m, const auto& d, int i, auto* out) { write(out, linear(site_velocity(m, d, i))); }
void read_sensor(sensor<sens::gyro>, const auto& m, const auto& d, int i, auto* out) { write(out, angular(site_velocity(m, d, i))); }
void read_sensor(sensor<sens::jointvel>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = d.qvel[m.jnt_dofadr[m.sensor_objid[i]]];
}
void read_sensor(sensor<sens::tendonvel>, const auto& m, const auto& d, int i, auto* out) { out[0] = d.ten_velocity[m.sensor_objid[i]]; }
void read_sensor(sensor<sens::actuatorvel>, const auto& m, const auto& d, int i, auto* out) {
    for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = d.actuator_velocity[m.actuator_outadr[m.sensor_objid[i]] + k];
}
void read_sensor(sensor<sens::ballangvel>, const auto& m, const auto& d, int i, auto* out) {
    write(out, vec3_at(d.qvel, m.jnt_dofadr[m.sensor_objid[i]]));
}
void read_sensor(sensor<sens::jointlimitvel>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = limit_speed(d, cnstr::limit_joint, m.sensor_objid[i]);
}
void read_sensor(sensor<sens::tendonlimitvel>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = limit_speed(d, cnstr::limit_tendon, m.sensor_objid[i]);
}
void read_sensor(sensor<sens::framelinvel>, const auto& m, const auto& d, int i, auto* out) { write(out, linear(frame_velocity(m, d, i))); }
void read_sensor(sensor<sens::frameangvel>, const auto& m, const auto& d, int i, auto* out) {
    write(out, angular(frame_velocity(m, d, i)));
}
void read_sensor(sensor<sens::subtreelinvel>, const auto& m, const auto& d, int i, auto* out) {
    write(out, d.subtree_linvel[m.sensor_objid[i]]);
}
void read_sensor(sensor<sens::subtreeangmom>, const auto& m, const auto& d, int i, auto* out) {
    write(out, d.subtree_angmom[m.sensor_objid[i]]);
}

}  // namespace mjx::inner
