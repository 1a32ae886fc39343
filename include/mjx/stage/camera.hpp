// Poses of cameras and lights, with their tracking and targeting modes.
//
// Reads   xpos, xquat, xmat, subtree_com
// Writes  cam_xpos, cam_xmat, light_xpos, light_xdir (world)
#pragma once

#include "mjx/model/types.hpp"
#include "mjx/stage/kinematics.hpp"

namespace mjx::inner {

// Camera axes at `pos` looking at `target`: z away from it, x level.
template <class S>
Mat3<S> look_at(const Vec3<S>& pos, const Vec3<S>& target) {
    const Vec3<S> z = normalize(Vec3<S>(pos - target));
    const Vec3<S> x = normalize(cross(Vec3<S>{{S(0), S(0), S(1)}}, z));
    Mat3<S> r;
    r.set_column(0, x);
    r.set_column(1, normalize(cross(z, x)));
    r.set_column(2, z);
    return r;
}

template <class M, class D>
void cameras(const M& m, D& d) {
    using S = typename D::scalar;
    for (int c = 0; c < m.ncam; ++c) {
        const int b = m.cam_bodyid[c], target = m.cam_targetbodyid[c], mode = m.cam_mode[c];
        local_to_world(d, b, m.cam_pos[c], m.cam_quat[c], d.cam_xpos[c], d.cam_xmat[c]);
        if (mode == camlight::track || mode == camlight::trackcom) {
            for (int k = 0; k < 9; ++k) d.cam_xmat[c][k] = S(m.cam_mat0[c][k]);
            d.cam_xpos[c] = mode == camlight::track ? d.xpos[b] + m.cam_pos0[c] : d.subtree_com[b] + m.cam_poscom0[c];
        } else if (mode != camlight::fixed && target >= 0) {
            d.cam_xmat[c] = look_at(d.cam_xpos[c], mode == camlight::targetbody ? d.xpos[target] : d.subtree_com[target]);
        }
    }
}

template <class M, class D>
void lights(const M& m, D& d) {
    using S = typename D::scalar;
    for (int l = 0; l < m.nlight; ++l) {
        const int b = m.light_bodyid[l], target = m.light_targetbodyid[l], mode = m.light_mode[l];
        d.light_xpos[l] = d.xpos[b] + d.xmat[b] * m.light_pos[l];
        d.light_xdir[l] = rotate(d.xquat[b], m.light_dir[l]);
        if (mode == camlight::track || mode == camlight::trackcom) {
            d.light_xdir[l] = Vec3<S>::from(m.light_dir0[l]);
            d.light_xpos[l] = mode == camlight::track ? d.xpos[b] + m.light_pos0[l] : d.subtree_com[b] + m.light_poscom0[l];
        } else if (mode != camlight::fixed && target >= 0) {
            d.light_xdir[l] = (mode == camlight::targetbody ? d.xpos[target] : d.subtree_com[target]) - d.light_xpos[l];
        }
        d.light_xdir[l] = normalize(d.light_xdir[l]);
    }
}

}  // namespace mjx::inner
