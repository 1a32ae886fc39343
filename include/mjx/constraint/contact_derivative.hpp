// How the rows and the force of a contact change with the position: by_q += d(-Jᵀ f)/dq at fixed acceleration and velocity.
//
// Reads   contact, cdof, cdof_dot, cvel, subtree_com, the motions of the tree (rne_derivative.hpp) and of the contact (contact_motion.hpp)
// Dof j moves the contact by dp, dist' and θ. In its frame the rows of J a are the acceleration A = Γ₂ - Γ₁ at the point, Γ = Σ s a over a
// body's dofs, along e_r, and its rotation about e_r; of J v likewise. Γ of a body beyond j changes by s_j × Γ - s_j × Γ⁻_j, so
//     d(e_r · A) = e_r · (dA + α × dp - θ × A),       α the rotational part of Γ₂ - Γ₁.
// With the forces held, (φ, τ) at the point turn with the frame; as a wrench w about the com of the body's tree it changes by
// dw = (θ × τ + dp × φ + arm × (θ × φ), θ × φ), and an axis s_i that dof j carries along by s_j × s_i, which is s_i · (s_j ×* w)
// in -s_i · w.
#pragma once

#include "mjx/collision/contact_motion.hpp"
#include "mjx/constraint/jacobian.hpp"
#include "mjx/constraint/row_derivative.hpp"
#include "mjx/stage/rne_derivative.hpp"

namespace mjx::inner {

// A motion of the two bodies against each other at a point: body 2 minus body 1.
template <class S>
struct RelativeMotion {
    Vec3<S> turn, move;

    void add(const Vec6<S>& motion, const Vec3<S>& arm, value_t<S> sign) {
        turn += angular(motion) * sign;
        move += (linear(motion) + cross(angular(motion), arm)) * sign;
    }
};

// One side of a contact.
template <class S>
struct ContactSide {
    int body;
    value_t<S> sign;
    Vec3<S> arm;  // from the com of the body's tree to the point
    Vec6<S> wrench;  // of the contact on the body, about that com
    const ContactMotion<S>* motion;
};

template <class S>
struct ContactTerms {
    Mat3<S> frame;
    Vec3<S> force, torque;
    RelativeMotion<S> acceleration, velocity;
    ContactSide<S> side[2];
};

// What dof j does to the contact, as the force (first) and torque at the point that balance it: -d(force, torque).
template <class M, class D, class S>
void contact_change(const M&, const D& d, const TreeMotion<S>& t, const BlockResponse<S>& response, const ContactTerms<S>& c, int j,
                    const bool (&moves)[2], Vec3<S>& force, Vec3<S>& torque, Vec3<S>& dp) {
    const Vec6<S>& s = d.cdof[j];
    S dist(0);
    Vec3<S> turn = Vec3<S>::zero();
    dp = Vec3<S>::zero();
    RelativeMotion<S> a{turn, turn}, v{turn, turn};
    for (int k = 0; k < 2; ++k) {
        if (!moves[k]) continue;
        const ContactSide<S>& side = c.side[k];
        dist += dot(side.motion->dist, s);
        for (int r = 0; r < 3; ++r) {
            dp[r] += dot(side.motion->point[r], s);
            turn[r] += dot(side.motion->turn[r], s);
        }
        a.add(cross_motion(s, t.pushed[side.body]) + t.turned[j], side.arm, side.sign);
        v.add(cross_motion(s, d.cvel[side.body]) + d.cdof_dot[j], side.arm, side.sign);
    }
    const auto settle = [&](RelativeMotion<S>& change, const RelativeMotion<S>& of) {
        change.move += cross(of.turn, dp) - cross(turn, of.move);
        change.turn -= cross(turn, of.turn);
    };
    settle(a, c.acceleration);
    settle(v, c.velocity);
    S dx[max_block_dim];
    for (int r = 0; r < response.dim; ++r) {
        const Vec3<S> e = c.frame.row(r % 3);
        dx[r] = r < 3 ? S(dot(e, a.move) + response.damping[r] * dot(e, v.move)) : S(dot(e, a.turn) + response.damping[r] * dot(e, v.turn));
    }
    dx[0] += response.stiffness * dist;
    force = -cross(turn, c.force);
    torque = -cross(turn, c.torque);
    for (int r = 0; r < response.dim; ++r) {
        S g = -response.force[r] * response.hardening * dist;
        for (int k = 0; k < response.dim; ++k) g += response.W[r][k] * dx[k];
        (r < 3 ? force : torque) += c.frame.row(r % 3) * g;
    }
}

// In the lanes `where`; the contact's response there, and how it moves with body 1 and body 2.
template <class M, class D, class S, class Q>
void add_contact_derivative(const M& m, const D& d, const TreeMotion<S>& t, const Contact<S>& contact, const BlockResponse<S>& response,
                            const ContactMotion<S> (&motion)[2], const mask_t<S>& where, Q&& by_q) {
    const Vec3<S> none = Vec3<S>::zero();
    ContactTerms<S> c{contact.frame, none, none, {none, none}, {none, none}, {}};
    for (int r = 0; r < response.dim; ++r) (r < 3 ? c.force : c.torque) += contact.frame.row(r % 3) * response.force[r];
    for (int k = 0; k < 2; ++k) {
        ContactSide<S>& side = c.side[k];
        side.body = m.geom_bodyid[k == 0 ? contact.geom1 : contact.geom2];
        side.sign = k == 0 ? value_t<S>(-1) : value_t<S>(1);
        side.arm = contact.pos - d.subtree_com[m.body_rootid[side.body]];
        side.wrench = spatial(Vec3<S>(c.torque + cross(side.arm, c.force)), c.force) * side.sign;
        side.motion = &motion[k];
        c.acceleration.add(t.pushed[side.body], side.arm, side.sign);
        c.velocity.add(d.cvel[side.body], side.arm, side.sign);
    }
    const ChainPair chains = chain_pair(m, c.side[0].body, c.side[1].body);
    const int first[2] = {chains.adr1 + chains.common, chains.adr2 + chains.common};
    const int end[2] = {chains.adr1 + chains.n1, chains.adr2 + chains.n2};
    for_each_of_pair(m, chains, true, [&](int, int j, bool in1, bool in2) {
        const bool moves[2] = {in1, in2};
        Vec3<S> force, torque, dp;
        contact_change(m, d, t, response, c, j, moves, force, torque, dp);
        for (int k = 0; k < 2; ++k) {
            const ContactSide<S>& side = c.side[k];
            if (first[k] == end[k]) continue;
            Vec6<S> far = spatial(Vec3<S>(torque + cross(side.arm, force) - cross(dp, c.force)), force) * side.sign;
            if constexpr (lanes_v<S> > 1) far = select(where, far, Vec6<S>::zero());
            Vec6<S> near = far;
            if (moves[k]) {
                Vec6<S> carried = cross_force(d.cdof[j], side.wrench);
                if constexpr (lanes_v<S> > 1) carried = select(where, carried, Vec6<S>::zero());
                near += carried;
            }
            for (int at = first[k]; at < end[k]; ++at) {
                const int i = m.B_colind[at];
                by_q(i, j) += dot(d.cdof[i], t.reach[i] >= j ? near : far);
            }
        }
    });
}

}  // namespace mjx::inner
