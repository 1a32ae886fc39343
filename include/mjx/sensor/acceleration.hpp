// Sensors of the acceleration stage, one by one.
//
// Reads   cacc, cfrc_int, contact, efc_force, actuator_force, qfrc_actuator
// Writes  the sensor's values at `out`
#pragma once

#include "mjx/sensor/contact.hpp"
#include "mjx/sensor/velocity.hpp"

namespace mjx::inner {

// Whether a sensor reads what rne_post_constraint computes.
constexpr bool needs_post(int type) {
    return type == sens::accelerometer || type == sens::force || type == sens::torque || type == sens::framelinacc ||
           type == sens::frameangacc || type == sens::user;
}

// Force and torque (torque first) through the joint between the site's body and its parent, at the site and in its frame.
template <class M, class D>
auto interaction_force(const M& m, const D& d, int site) {
    using S = typename D::scalar;
    const int body = m.site_bodyid[site];
    const Vec3<S> arm = d.site_xpos[site] - d.subtree_com[m.body_rootid[body]];
    const Vec3<S> force = linear(d.cfrc_int[body]);
    return into_frame(d.site_xmat[site], spatial(Vec3<S>(angular(d.cfrc_int[body]) - cross(arm, force)), force));
}

template <class M, class D, class S>
void acceleration_sensor(const M& m, D& d, int i, S* out) {
    const int id = m.sensor_objid[i], type = m.sensor_objtype[i];
    const auto force = [&](int row) { return d.efc_force[row]; };
    switch (m.sensor_type[i]) {
        case sens::touch: out[0] = touch_force(m, d, id); break;
        case sens::contact: contact_sensor(m, d, i, out); break;
        case sens::accelerometer:
            write(out, transpose_mul(d.site_xmat[id], linear(object_acceleration(m, d, obj::site, id))));
            break;
        case sens::force: write(out, linear(interaction_force(m, d, id))); break;
        case sens::torque: write(out, angular(interaction_force(m, d, id))); break;
        case sens::actuatorfrc:
            for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = d.actuator_force[m.actuator_outadr[id] + k];
            break;
        case sens::jointactfrc: out[0] = d.qfrc_actuator[m.jnt_dofadr[id]]; break;
        case sens::tendonactfrc:
            out[0] = S(0);
            for (int a = 0; a < m.nactuator; ++a)
                if (m.actuator_trntype[a] == trn::tendon && m.actuator_trnid[a][0] == id)
                    out[0] += d.actuator_force[m.actuator_outadr[a]];
            break;
        case sens::jointlimitfrc: out[0] = limit_value(d, cnstr::limit_joint, id, force); break;
        case sens::tendonlimitfrc: out[0] = limit_value(d, cnstr::limit_tendon, id, force); break;
        case sens::framelinacc: write(out, linear(object_acceleration(m, d, type, id))); break;
        case sens::frameangacc: write(out, angular(object_acceleration(m, d, type, id))); break;
    }
}

}  // namespace mjx::inner
