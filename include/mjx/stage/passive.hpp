// Passive forces: springs, dampers, gravity compensation, fluid, adhesion of contacts, elastic cables.
//
// Reads   qpos, qvel, cvel, cdof, poses, ten_*, contact
// Writes  qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_adhesion, qfrc_passive
// With springs and dampers both disabled there are no passive forces at all, as in MuJoCo.
#pragma once

#include "mjx/stage/cable.hpp"
#include "mjx/stage/fluid.hpp"
#include "mjx/stage/hooks.hpp"
#include "mjx/stage/spring_damper.hpp"

namespace mjx::inner {

// Holds bodies against gravity with the share body_gravcomp of their weight.
template <class M, class D>
void gravity_compensation(const M& m, D& d) {
    using S = typename D::scalar;
    using Real = typename M::real;
    if (m.opt.disabled(disable::gravity)) return;
    over_bodies<S>(m, [&](auto b) {
        if (!any(m.body_gravcomp[b] != Real(0))) return;
        const Vec3<S> lift = Vec3<S>::from(m.opt.gravity) * Real(-m.body_mass[b] * m.body_gravcomp[b]);
        apply_force(m, d, b, d.xipos[b], lift, Vec3<S>::zero(), d.qfrc_gravcomp);
    });
}

// Pulls the bodies of adhesive contacts together along the normal.
template <class M, class D>
void contact_adhesion(const M& m, D& d) {
    using S = typename D::scalar;
    if (m.opt.disabled(disable::contact)) return;
    for (int c = 0; c < d.ncon; ++c) {
        const auto& contact = d.contact[c];
        const auto sticky = contact.active && contact.adhesion != S(0);
        if (!any(sticky)) continue;
        const Vec3<S> pull = contact.frame.row(0) * select(sticky, contact.adhesion, S(0));
        apply_force(m, d, m.geom_bodyid[contact.geom1], contact.pos, pull, Vec3<S>::zero(), d.qfrc_adhesion);
        apply_force(m, d, m.geom_bodyid[contact.geom2], contact.pos, Vec3<S>(-pull), Vec3<S>::zero(), d.qfrc_adhesion);
    }
}

template <class M, class D, class H = no_hooks>
void passive(const M& m, D& d, const H& hooks = {}) {
    using S = typename D::scalar;
    for (int i = 0; i < m.nv; ++i) {
        d.qfrc_spring[i] = d.qfrc_damper[i] = d.qfrc_gravcomp[i] = S(0);
        d.qfrc_fluid[i] = d.qfrc_adhesion[i] = d.qfrc_passive[i] = S(0);
    }
    if (m.opt.disabled(disable::spring) && m.opt.disabled(disable::damper)) return;

    spring_damper(m, d);
    gravity_compensation(m, d);
    fluid(m, d);
    contact_adhesion(m, d);
    const auto sum = [&](int i) { return d.qfrc_spring[i] + d.qfrc_damper[i] + d.qfrc_fluid[i] + d.qfrc_adhesion[i]; };
    for (int i = 0; i < m.nv; ++i) d.qfrc_passive[i] = sum(i) + d.qfrc_gravcomp[i];
    // compensation that a joint's actuators provide is added to their force instead
    for (int j = 0; j < m.njnt; ++j)
        if (m.jnt_actgravcomp[j])
            for (int k = 0; k < M::joints::nv(m.jnt_type[j]); ++k) d.qfrc_passive[m.jnt_dofadr[j] + k] = sum(m.jnt_dofadr[j] + k);
    add_cable_torques(m, d);
    hook::passive::call(m, d, hooks);
}

}  // namespace mjx::inner
