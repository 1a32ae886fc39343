// What the constraints want: the reference acceleration of every row.
//
// Reads   qvel, cvel, cdof, cdof_dot, efc_J, efc_KBIP, efc_pos, efc_margin, efc_R, contact, geom frames
// Writes  efc_vel, efc_aref
// aref = -b v - k d (pos - margin): a spring and damper acting on the row. Moving surfaces add to v; connect, weld and
// distance subtract the acceleration J' v that the row has at qacc = 0 (MuJoCo, computation chapter).
#pragma once

#include "mjx/constraint/equality.hpp"

namespace mjx::inner {

// What a point fixed in a body accelerates by when qacc = 0: rotation then translation.
template <class M, class D, class S>
Vec6<S> row_bias(const M& m, const D& d, int body, const Vec3<S>& point) {
    Vec6<S> sum = Vec6<S>::zero();
    for_each_dof_of(m, body, [&](int i) {
        const int j = m.dof_jntid[i];
        const bool turns = M::joints::turns_with_body(m.jnt_type[j], i - m.jnt_dofadr[j]);
        sum += (turns ? cross_motion(d.cvel[m.dof_bodyid[i]], d.cdof[i]) : d.cdof_dot[i]) * d.qvel[i];
    });
    const Vec3<S> arm = point - d.subtree_com[m.body_rootid[body]];
    const Vec3<S> w = angular(d.cvel[body]), velocity = linear(velocity_at(m, d, body, point));
    return spatial(angular(sum), Vec3<S>(linear(sum) + cross(angular(sum), arm) + cross(w, velocity)));
}

// The rotation rows of a weld are the vector part of conj(q2) (J1 - J2) q1, so their rate has three terms; a
// quaternion's own rate is half the angular velocity (world) times it.
template <class M, class D, class S>
Vec3<S> weld_rotation_bias(const M& m, const D& d, int e, const Anchors<S>& a, const Vec3<S>& difference) {
    const WeldFrames<S> frames = weld_frames(m, d, e, a.body1, a.body2);
    const Vec3<S> w1 = angular(d.cvel[a.body1]), w2 = angular(d.cvel[a.body2]), w = w1 - w2;
    const auto rate = [](const Quat<S>& q, const Vec3<S>& v) {
        const Vec3<S> half = v * S(0.5);
        return Quat<S>(Quat<S>{{S(0), half[0], half[1], half[2]}} * q);
    };
    const Quat<S> rate1 = rate(frames.first, w1), rate2 = conjugate(rate(frames.second, w2));
    const Quat<S> second = conjugate(frames.second);
    const Vec3<S> sum = sandwich(rate2, w, frames.first) + sandwich(second, difference, frames.first) + sandwich(second, w, rate1);
    return sum * S(m.eq_data[e][10] * 0.5);
}

template <class M, class D>
void subtract_bias(const M& m, D& d) {
    using S = typename D::scalar;
    for (int b = 0; b < d.nblock && d.block_row[b] < d.ne; ++b) {
        const int row = d.block_row[b], e = d.efc_id[row], type = m.eq_type[e];
        if (!ties_points(type)) continue;
        const Anchors<S> a = equality_anchors(m, d, e);
        const Vec6<S> difference = row_bias(m, d, a.body1, a.point1) - row_bias(m, d, a.body2, a.point2);
        if (ties_distance(type)) {
            S length;
            const Vec3<S> direction = normalize(Vec3<S>(a.point1 - a.point2), length);
            const Vec3<S> velocity = linear(Vec6<S>(velocity_at(m, d, a.body1, a.point1) - velocity_at(m, d, a.body2, a.point2)));
            const S along = dot(direction, velocity);
            const S across = dot(velocity, velocity) - along * along;
            d.efc_aref[row] -= dot(direction, linear(difference)) + across / max(length, S(1e-6));
            continue;
        }
        for (int k = 0; k < 3; ++k) d.efc_aref[row + k] -= difference[3 + k];
        if (!ties_rotations(type)) continue;
        const Vec3<S> turn = weld_rotation_bias(m, d, e, a, angular(difference));
        for (int k = 0; k < 3; ++k) d.efc_aref[row + 3 + k] -= turn[k];
    }
}

template <class V>
bool is_zero(const V& v) {
    for (int k = 0; k < V::size; ++k)
        if (any(v[k] != 0)) return false;
    return true;
}

// Conveyor belts: the surface of a geom moves in its own frame. What that adds to the velocity of a contact, in its frame: along
// the tangents and about the normal.
template <class M, class D>
auto surface_velocity(const M& m, const D& d, int c) {
    using S = typename D::scalar;
    const auto& contact = d.contact[c];
    Vec3<S> move = Vec3<S>::zero(), turn = Vec3<S>::zero();
    for (const int g : {contact.geom1, contact.geom2}) {
        const S sign = g == contact.geom2 ? S(1) : S(-1);
        const auto& v = m.geom_surfacevel[g];
        const Vec3<S> w = d.geom_xmat[g] * vec3_at(v, 3);
        const Vec3<S> u = d.geom_xmat[g] * vec3_at(v, 0) + cross(w, Vec3<S>(contact.pos - d.geom_xpos[g]));
        move += u * sign;
        turn += w * sign;
    }
    return Vec6<S>{{S(0), dot(contact.frame.row(1), move), dot(contact.frame.row(2), move), dot(contact.frame.row(0), turn), S(0), S(0)}};
}
template <class M, class D>
bool surface_moves(const M& m, const D& d, int c) {
    return !is_zero(m.geom_surfacevel[d.contact[c].geom1]) || !is_zero(m.geom_surfacevel[d.contact[c].geom2]);
}

template <class M, class D>
void add_surface_velocity(const M& m, D& d) {
    using S = typename D::scalar;
    for (int b = 0; b < d.nblock; ++b) {
        const int row = d.block_row[b];
        if (d.efc_type[row] < cnstr::contact_frictionless || !surface_moves(m, d, d.efc_id[row])) continue;
        const Vec6<S> p = surface_velocity(m, d, d.efc_id[row]);
        to_rows<S>(d, b, p.e, [&](int i, const S& value) { d.efc_vel[i] += value; });
    }
}

// An adhesive contact's compression is as hard as without adhesion: the pull is in the passive forces, its support here.
template <class M, class D>
void add_adhesion_reference(const M&, D& d) {
    using S = typename D::scalar;
    for (int b = 0; b < d.nblock; ++b) {
        const int row = d.block_row[b];
        if (d.efc_type[row] < cnstr::contact_frictionless) continue;
        const S adhesion = d.contact[d.efc_id[row]].adhesion;
        if (!any(adhesion != S(0))) continue;
        const bool pyramid = is_pyramid(d, b);
        const int rows = pyramid ? block_rows(d, b) : 1;
        const S share = adhesion * (value_t<S>(1) / static_cast<value_t<S>>(rows));
        for (int i = row; i < row + rows; ++i) d.efc_aref[i] += d.efc_R[i] * share;
    }
}

template <class M, class D>
void reference_constraint(const M& m, D& d) {
    using S = typename D::scalar;
    if (d.nefc == 0) return;
    jacobian_product<S>(d, d.qvel, d.efc_vel);
    add_surface_velocity(m, d);
    for (int i = 0; i < d.nefc; ++i) {
        const Vec<S, 4>& k = d.efc_KBIP[i];
        d.efc_aref[i] = -k[1] * d.efc_vel[i] - k[0] * k[2] * (d.efc_pos[i] - d.efc_margin[i]);
    }
    add_adhesion_reference(m, d);
    subtract_bias(m, d);
}

}  // namespace mjx::inner
