// Transmissions: the length of each actuator and the dofs its force acts on.
//
// Reads   qpos, xquat, site_xpos, site_xmat, ten_length, ten_J, cdof, subtree_com, contact; qvel
// Writes  actuator_length, actuator_moment (values at moment_colind); actuator_velocity
// The moment is d length / d q, so that velocity = moment · qvel and qfrc = momentᵀ force. Where no meaningful length exists (free
// joints, sites without a reference, adhesion) it is 0 and the gear gives the direction of the wrench.
#pragma once

#include "mjx/model/facts.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/model/transmission_kinds.hpp"
#include "mjx/stage/row.hpp"

namespace mjx::inner {

template <class M, class D>
auto moment_row(const M& m, D& d, int out) {
    return Row{d.actuator_moment, m.moment_colind, m.moment_rowadr[out], m.moment_rownnz[out]};
}

template <class R, class S>
void set_in_row(const R& row, int dof, const S& value) {
    for (int k = row.first; k < row.first + row.count; ++k)
        if (row.columns[k] == dof) row.values[k] = value;
}

// Scalar joints: a scalar gear and one dof. Says whether the actuator has such a joint.
template <class M, class D>
bool scalar_joint_transmission(const M& m, D& d, int i) {
    if (!drives_joint(m.actuator_trntype[i])) return false;
    const int j = m.actuator_trnid[i][0], out = m.actuator_outadr[i];
    if (!M::joints::is_scalar(m.jnt_type[j])) return false;
    const auto gear = m.actuator_gear[out][0];
    d.actuator_length[out] = d.qpos[m.jnt_qposadr[j]] * gear;
    d.actuator_moment[m.moment_rowadr[out]] = typename D::scalar(gear);
    return true;
}

// Other joints: a torque or a wrench, in the child's frame, or in the parent's (the world's for a free joint) with jointinparent.
template <class M, class D>
void joint_transmission(const M& m, D& d, int i) {
    const int j = m.actuator_trnid[i][0], out = m.actuator_outadr[i], dof = m.jnt_dofadr[j];
    const auto row = moment_row(m, d, out);
    const bool in_parent = gears_in_parent(m.actuator_trntype[i]);
    M::joints::visit(m.jnt_type[j], [&](auto joint) {
        d.actuator_length[out] = joint.transmission(d.qpos, m.jnt_qposadr[j], m.actuator_gear[out], in_parent,
                                                    [&](int k, const auto& moment) { set_in_row(row, dof + k, moment); });
    });
}

// Slider-crank: a rod of given length connects the crank's pin (first site) to a slider on the z axis of the second site.
// length = a·v - sqrt((a·v)² + r² - v·v) with v from the slider's site to the pin; out of reach, the rod is taken as absent.
template <class M, class D>
void slidercrank_transmission(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const int pin = m.actuator_trnid[i][0], slider = m.actuator_trnid[i][1], out = m.actuator_outadr[i];
    const S rod(m.actuator_cranklength[i]), gear(m.actuator_gear[out][0]);
    const Vec3<S> axis = d.site_xmat[slider].column(2);
    const Vec3<S> v = d.site_xpos[pin] - d.site_xpos[slider];
    const S along = dot(v, axis), det = along * along + rod * rod - dot(v, v);
    const auto reach = det > S(0);
    const S root = sqrt(select(reach, det, S(1)));
    d.actuator_length[out] = (along - select(reach, root, S(0))) * gear;

    const S share = select(reach, S(S(1) - along / root), S(1));
    const Vec3<S> by_v = (axis * share + v * select(reach, S(S(1) / root), S(0))) * gear;
    const Vec3<S> by_axis = v * S(share * gear);
    const auto row = moment_row(m, d, out);
    add_to_row(m, d, row, m.site_bodyid[pin], d.site_xpos[pin], by_v, Vec3<S>::zero());
    add_to_row(m, d, row, m.site_bodyid[slider], d.site_xpos[slider], Vec3<S>(-by_v), Vec3<S>(cross(axis, by_axis)));
}

template <class M, class D>
void tendon_transmission(const M& m, D& d, int i) {
    const int t = m.actuator_trnid[i][0], out = m.actuator_outadr[i];
    const auto row = moment_row(m, d, out);
    const auto gear = m.actuator_gear[out][0];
    d.actuator_length[out] = d.ten_length[t] * gear;
    for (int k = 0; k < row.count; ++k) row.values[row.first + k] = d.ten_J[m.ten_J_rowadr[t] + k] * gear;
}

// Rotation of site s relative to site r as a rotation vector. The factors of each orientation come in MuJoCo's order.
template <class M, class D>
auto relative_rotation(const M& m, const D& d, int s, int r) {
    using S = typename D::scalar;
    const Quat<S> quat = m.site_quat[s] * d.xquat[m.site_bodyid[s]];
    const Quat<S> reference = m.site_quat[r] * d.xquat[m.site_bodyid[r]];
    return difference(quat, reference);
}

// Site: a wrench in the site's frame, or, with a reference site, in that frame and on both, where dofs that move both do not count.
template <class M, class D>
void site_transmission(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const int s = m.actuator_trnid[i][0], r = m.actuator_trnid[i][1], out = m.actuator_outadr[i];
    const auto row = moment_row(m, d, out);
    const Vec3<S> push = Vec3<S>::from(vec3_at(m.actuator_gear[out], 0)), turn = Vec3<S>::from(vec3_at(m.actuator_gear[out], 3));
    const int frame = r < 0 ? s : r, body = m.site_bodyid[s];
    const Vec3<S> force = d.site_xmat[frame] * push, torque = d.site_xmat[frame] * turn;
    d.actuator_length[out] = S(0);
    if (r < 0) {
        add_to_row(m, d, row, body, d.site_xpos[s], force, torque);
        return;
    }
    using Real = typename M::real;
    bool turns = false;
    for (int k = 3; k < 6; ++k) turns = turns || any(m.actuator_gear[out][k] != Real(0));
    d.actuator_length[out] = dot(transpose_mul(d.site_xmat[r], d.site_xpos[s] - d.site_xpos[r]), push);
    if (turns) d.actuator_length[out] += dot(relative_rotation(m, d, s, r), turn);

    const int other = m.site_bodyid[r], common = common_dofs(m, body, other);
    add_to_row(m, d, row, body, d.site_xpos[s], force, torque, common);
    add_to_row(m, d, row, other, d.site_xpos[r], Vec3<S>(-force), Vec3<S>(-torque), common);
}

// Orientation: three lengths, the rotation vector of a ball joint or of a site relative to another; torques in the local frame.
template <class M, class D>
void so3_transmission(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const int id = m.actuator_trnid[i][0], r = m.actuator_trnid[i][1], out = m.actuator_outadr[i];
    if (r < 0) {
        const Vec3<S> angle = log_quat(normalize(quat_at(d.qpos, m.jnt_qposadr[id])));
        for (int k = 0; k < 3; ++k) {
            d.actuator_length[out + k] = angle[k];
            set_in_row(moment_row(m, d, out + k), m.jnt_dofadr[id] + k, S(1));
        }
        return;
    }
    const Vec3<S> angle = relative_rotation(m, d, id, r);
    const int body = m.site_bodyid[id], other = m.site_bodyid[r], common = common_dofs(m, body, other);
    for (int k = 0; k < 3; ++k) {
        d.actuator_length[out + k] = angle[k];
        const auto row = moment_row(m, d, out + k);
        const Vec3<S> axis = d.site_xmat[id].column(k), none = Vec3<S>::zero();
        add_to_row(m, d, row, body, d.site_xpos[id], none, axis, common);
        add_to_row(m, d, row, other, d.site_xpos[r], none, Vec3<S>(-axis), common);
    }
}

// Body: adhesion. The force pulls along the normals of the body's contacts, shared evenly; contacts in the gap count too.
template <class M, class D>
void body_transmission(const M& m, D& d, int i) {
    using S = typename D::scalar;
    const int id = m.actuator_trnid[i][0], out = m.actuator_outadr[i];
    const auto row = moment_row(m, d, out);
    d.actuator_length[out] = S(0);
    S count(0);
    for (int c = 0; c < d.ncon; ++c) {
        const auto& contact = d.contact[c];
        const int body1 = m.geom_bodyid[contact.geom1], body2 = m.geom_bodyid[contact.geom2];
        if (body1 != id && body2 != id) continue;
        const bool fixed = m.B_rownnz[body1] == 0 && m.B_rownnz[body2] == 0;
        const auto in_gap = contact.dist >= contact.includemargin && contact.adhesion == S(0);
        const auto counts = contact.active && (in_gap || mask_t<S>(!fixed));
        const S weight = select(counts, S(1), S(0));
        count += weight;
        const Vec3<S> normal = contact.frame.row(0) * weight;
        add_to_row(m, d, row, body1, contact.pos, normal, Vec3<S>::zero());
        add_to_row(m, d, row, body2, contact.pos, Vec3<S>(-normal), Vec3<S>::zero());
    }
    const S share = S(1) / max(count, S(1));
    for (int k = row.first; k < row.first + row.count; ++k) row.values[k] *= share;
}

// Whether some actuator of a model may act through this kind of transmission.
template <class M>
constexpr bool may_transmit(int type) {
    return may<M>([&](const auto& m) {
        for (int i = 0; i < m.nactuator; ++i)
            if (m.actuator_trntype[i] == type) return true;
        return false;
    });
}

template <class M, class D>
void transmission(const M& m, D& d) {
    for (int i = 0; i < m.nactuator; ++i) {
        if (scalar_joint_transmission(m, d, i)) continue;
        for (int k = 0; k < m.actuator_outnum[i]; ++k) clear_row(moment_row(m, d, m.actuator_outadr[i] + k));
        switch (m.actuator_trntype[i]) {
            case trn::joint:
            case trn::jointinparent: joint_transmission(m, d, i); break;
            case trn::slidercrank:
                if constexpr (may_transmit<M>(trn::slidercrank)) slidercrank_transmission(m, d, i);
                break;
            case trn::tendon:
                if constexpr (may_transmit<M>(trn::tendon)) tendon_transmission(m, d, i);
                break;
            case trn::site:
                if constexpr (may_transmit<M>(trn::site)) site_transmission(m, d, i);
                break;
            case trn::body:
                if constexpr (may_transmit<M>(trn::body)) body_transmission(m, d, i);
                break;
            case trn::so3:
                if constexpr (may_transmit<M>(trn::so3)) so3_transmission(m, d, i);
                break;
        }
    }
}

template <class M, class D>
void actuator_velocity(const M& m, D& d) {
    using S = typename D::scalar;
    const bool off = m.opt.disabled(disable::actuation);
    for (int out = 0; out < m.nout; ++out) d.actuator_velocity[out] = off ? S(0) : row_times(moment_row(m, d, out), d.qvel);
}

}  // namespace mjx::inner
