// The touch grid of MuJoCo's plugin mujoco.sensor.touch_grid: contact forces on the body of a site as pictures, one for each component.
//
// Reads   contact, efc_force, site poses
// Writes  the sensor's values at `out`: channel by channel, row by row
// The site looks along its -z axis, as cameras do. A contact falls into a cell by its azimuth (towards x) and elevation (towards y), and
// its force and torque are added there, in the site's frame in the order z, x, y. Lanes may find one contact in different cells.
#pragma once

#include "mjx/stage/contact_force.hpp"

namespace mjx::inner {

// Force and torque of contact c in the frame of a site, the component along z first, as the plugin signs them: by the numbers of bodies.
template <class M, class D>
auto felt_wrench(const M& m, const D& d, int c, int site) {
    using S = typename D::scalar;
    const auto& contact = d.contact[c];
    const int body = m.body_weldid[m.site_bodyid[site]];
    const bool flip = body < m.geom_bodyid[contact.geom1] || body < m.geom_bodyid[contact.geom2];
    const Vec6<S> wrench = contact_force(m, d, c);
    const auto& mat = d.site_xmat[site];
    const Vec3<S> force = transpose_mul(mat, transpose_mul(contact.frame, angular(wrench)));
    const Vec3<S> torque = transpose_mul(mat, transpose_mul(contact.frame, linear(wrench)));
    const Vec6<S> felt{{force[2], force[0], force[1], torque[2], torque[0], torque[1]}};
    return flip ? Vec6<S>(-felt) : felt;
}

template <class M, class D, class S>
void touch_grid(const M& m, const D& d, int i, S* out) {
    const int site = m.sensor_objid[i], body = m.body_weldid[m.site_bodyid[site]];
    const int channels = m.sensor_intprm[i][0], columns = m.sensor_intprm[i][1], rows = m.sensor_intprm[i][2];
    const int column_edge = m.sensor_gridadr[i], row_edge = column_edge + columns + 1;
    const auto between = [&](const S& x, int edge) { return x > S(m.grid_edge[edge]) && x <= S(m.grid_edge[edge + 1]); };
    for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = S(0);
    for (int c = 0; c < d.ncon; ++c) {
        const auto& contact = d.contact[c];
        if (m.body_weldid[m.geom_bodyid[contact.geom1]] != body && m.body_weldid[m.geom_bodyid[contact.geom2]] != body) continue;
        const Vec6<S> felt = felt_wrench(m, d, c, site);
        const Vec3<S> p = transpose_mul(d.site_xmat[site], contact.pos - d.site_xpos[site]);
        const S azimuth = atan2(p[0], S(-p[2])), elevation = atan2(p[1], sqrt(S(p[0] * p[0] + p[2] * p[2])));
        for (int x = 0; x < columns; ++x) {
            const auto in_column = contact.active && between(azimuth, column_edge + x);
            if (!any(in_column)) continue;
            for (int y = 0; y < rows; ++y) {
                const auto here = in_column && between(elevation, row_edge + y);
                if (!any(here)) continue;
                for (int k = 0; k < channels; ++k) out[(k * rows + y) * columns + x] += select(here, felt[k], S(0));
            }
        }
    }
}

}  // namespace mjx::inner
