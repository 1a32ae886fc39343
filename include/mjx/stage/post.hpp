// Accelerations of bodies and the forces between them, once qacc is known.
//
// Reads   qacc, qvel, cdof, cdof_dot, cvel, cinert, xfrc_applied, contact, efc_force, and what tendon_force.hpp reads
// Writes  cacc, cfrc_ext, cfrc_int
// About the tree's com, world axes, rotation first. cfrc_ext holds the user's forces, contacts, the equality constraints that act at a
// point (connect, weld) and spatial tendons; cfrc_int is what a body gets from its parent (Newton-Euler, Featherstone 2008, ch. 5.3).
// Up to 3.13 MuJoCo left out the tendons, and took the forces of a weld's rotation for a torque.
#pragma once

#include "mjx/model/equality_kinds.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/stage/contact_force.hpp"
#include "mjx/stage/jacobian.hpp"
#include "mjx/stage/tendon_force.hpp"
#include "mjx/stage/weld.hpp"

namespace mjx::inner {

// cfrc_ext[body] += sign * (torque, force) acting at a world point.
template <class M, class D, class S>
void add_external(const M& m, D& d, int body, const Vec3<S>& point, const Vec3<S>& force, const Vec3<S>& torque, value_t<S> sign) {
    if (body == 0) return;
    const Vec3<S> arm = point - d.subtree_com[m.body_rootid[body]];
    d.cfrc_ext[body] += spatial(Vec3<S>(torque + cross(arm, force)), force) * sign;
}

template <class M, class D>
void add_equality_forces(const M& m, D& d) {
    using S = typename D::scalar;
    for (int row = 0; row < d.ne;) {
        const int e = d.efc_id[row], type = m.eq_type[e];
        if (!ties_frames(type)) {
            ++row;
            continue;
        }
        const bool weld = ties_rotations(type), bodies = m.eq_objtype[e] == obj::body;
        const auto body_of = [&](int object) { return bodies ? object : static_cast<int>(m.site_bodyid[object]); };
        Vec3<S> force, torque = Vec3<S>::zero();
        for (int k = 0; k < 3; ++k) {
            force[k] = d.efc_force[row + k];
            if (weld) torque[k] = d.efc_force[row + 3 + k];
        }
        if (weld && m.opt.mujoco >= 314) torque = weld_torque(m, d, e, body_of(m.eq_obj1id[e]), body_of(m.eq_obj2id[e]), row + 3);
        for (int side = 0; side < 2; ++side) {
            const int object = side == 0 ? m.eq_obj1id[e] : m.eq_obj2id[e], body = body_of(object);
            // the anchor of body 1 comes first for connect and second for weld
            const auto anchor = bodies ? vec3_at(m.eq_data[e], (side == 0) == weld ? 3 : 0) : m.site_pos[object];
            const Vec3<S> point = d.xpos[body] + d.xmat[body] * anchor;
            add_external(m, d, body, point, force, torque, side == 0 ? value_t<S>(1) : value_t<S>(-1));
        }
        row += equality_kinds[type].rows;
    }
}

template <class M, class D>
void external_forces(const M& m, D& d) {
    using S = typename D::scalar;
    for (int b = 0; b < m.nbody; ++b) {
        d.cfrc_ext[b] = Vec6<S>::zero();
        add_external(m, d, b, d.xipos[b], angular(d.xfrc_applied[b]), linear(d.xfrc_applied[b]), value_t<S>(1));
    }
    for (int c = 0; c < d.ncon; ++c) {
        const auto& contact = d.contact[c];
        if (contact.efc_address < 0) continue;
        const Vec6<S> local = contact_force(m, d, c);
        const Vec3<S> force = transpose_mul(contact.frame, angular(local));  // force first in the contact frame
        const Vec3<S> torque = transpose_mul(contact.frame, linear(local));
        add_external(m, d, m.geom_bodyid[contact.geom1], contact.pos, force, torque, value_t<S>(-1));
        add_external(m, d, m.geom_bodyid[contact.geom2], contact.pos, force, torque, value_t<S>(1));
    }
    add_equality_forces(m, d);
    if (m.opt.mujoco < 314) return;
    for (int t = 0; t < m.ntendon; ++t) {
        if (m.wrap_type[m.tendon_adr[t]] == wrap::joint) continue;
        const auto push = [&](int body, const Vec3<S>& point, const Vec3<S>& force) {
            add_external(m, d, body, point, force, Vec3<S>::zero(), value_t<S>(1));
        };
        for_each_tendon_push(m, d, t, tendon_force(m, d, t), push);
    }
}

template <class M, class D>
void rne_post_constraint(const M& m, D& d) {
    using S = typename D::scalar;
    external_forces(m, d);
    d.cacc[0] = d.cfrc_int[0] = Vec6<S>::zero();
    if (!m.opt.disabled(disable::gravity))
        for (int k = 0; k < 3; ++k) d.cacc[0][3 + k] = S(-m.opt.gravity[k]);
    for (int b = 1; b < m.nbody; ++b) {
        Vec6<S> a = d.cacc[m.body_parentid[b]];
        const int first = m.body_dofadr[b];
        for (int i = first; i < first + m.body_dofnum[b]; ++i) a += d.cdof_dot[i] * d.qvel[i] + d.cdof[i] * d.qacc[i];
        d.cacc[b] = a;
        d.cfrc_int[b] = d.cinert[b] * a + cross_force(d.cvel[b], d.cinert[b] * d.cvel[b]) - d.cfrc_ext[b];
    }
    for (int b = m.nbody - 1; b > 0; --b) d.cfrc_int[m.body_parentid[b]] += d.cfrc_int[b];
}

}  // namespace mjx::inner
