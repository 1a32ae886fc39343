// Sensors of the acceleration stage, one function read_sensor for each kind (model/sensor_kinds.hpp).
//
// Reads   cacc, cfrc_int, contact, efc_force, actuator_force, qfrc_actuator
// Writes  the sensor's values at `out`
#pragma once

#include "mjx/sensor/contact.hpp"
#include "mjx/sensor/tactile.hpp"
#include "mjx/sensor/touch_grid.hpp"
#include "mjx/sensor/velocity.hpp"

namespace mjx::inner {

// Force and torque (torque first) through the joint between the body of sensor i's site and its parent, at the site and in its frame.
template <class M, class D>
auto interaction_force(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    const int site = m.sensor_objid[i], body = m.site_bodyid[site];
    const Vec3<S> arm = d.site_xpos[site] - d.subtree_com[m.body_rootid[body]];
    const Vec3<S> force = linear(d.cfrc_int[body]);
    return into_frame(d.site_xmat[site], spatial(Vec3<S>(angular(d.cfrc_int[body]) - cross(arm, force)), force));
}

// The force of an active limit.
template <class D>
auto limit_force(const D& d, int limit, int id) {
    return limit_value(d, limit, id, [&](int row) { return d.efc_force[row]; });
}

void read_sensor(sensor<sens::touch>, const auto& m, const auto& d, int i, auto* out) { out[0] = touch_force(m, d, m.sensor_objid[i]); }
void read_sensor(sensor<sens::contact>, const auto& m, const auto& d, int i, auto* out) { contact_sensor(m, d, i, out); }
void read_sensor(sensor<sens::grid>, const auto& m, const auto& d, int i, auto* out) { touch_grid(m, d, i, out); }
void read_sensor(sensor<sens::tactile>, const auto& m, const auto& d, int i, auto* out) { tactile(m, d, i, out); }
void read_sensor(sensor<sens::accelerometer>, const auto& m, const auto& d, int i, auto* out) {
    const int site = m.sensor_objid[i];
    write(out, transpose_mul(d.site_xmat[site], linear(object_acceleration(m, d, obj::site, site))));
}
void read_sensor(sensor<sens::force>, const auto& m, const auto& d, int i, auto* out) { write(out, linear(interaction_force(m, d, i))); }
void read_sensor(sensor<sens::torque>, const auto& m, const auto& d, int i, auto* out) { write(out, angular(interaction_force(m, d, i))); }
void read_sensor(sensor<sens::actuatorfrc>, const auto& m, const auto& d, int i, auto* out) {
    for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = d.actuator_force[m.actuator_outadr[m.sensor_objid[i]] + k];
}
void read_sensor(sensor<sens::jointactfrc>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = d.qfrc_actuator[m.jnt_dofadr[m.sensor_objid[i]]];
}
template <class M, class D, class S>
void read_sensor(sensor<sens::tendonactfrc>, const M& m, const D& d, int i, S* out) {
    out[0] = S(0);
    for (int a = 0; a < m.nactuator; ++a)
        if (actuator_drives(m, a, obj::tendon, m.sensor_objid[i])) out[0] += d.actuator_force[m.actuator_outadr[a]];
}
void read_sensor(sensor<sens::jointlimitfrc>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = limit_force(d, cnstr::limit_joint, m.sensor_objid[i]);
}
void read_sensor(sensor<sens::tendonlimitfrc>, const auto& m, const auto& d, int i, auto* out) {
    out[0] = limit_force(d, cnstr::limit_tendon, m.sensor_objid[i]);
}
void read_sensor(sensor<sens::framelinacc>, const auto& m, const auto& d, int i, auto* out) {
    write(out, linear(object_acceleration(m, d, m.sensor_objtype[i], m.sensor_objid[i])));
}
void read_sensor(sensor<sens::frameangacc>, const auto& m, const auto& d, int i, auto* out) {
    write(out, angular(object_acceleration(m, d, m.sensor_objtype[i], m.sensor_objid[i])));
}

}  // namespace mjx::inner
