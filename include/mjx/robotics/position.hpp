// Positions as points of a curved space: moving along a velocity, differences, what lies between two, random ones within limits.
//
//     integrate_position(m, qpos, v, h)            qpos ← qpos ⊕ h v: rotations turn by the exponential map (mj_integratePos)
//     position_difference(m, from, to, v)          v = to ⊖ from: the velocity from one to the other in unit time (mj_differentiatePos)
//     interpolate_position(m, a, b, t, qpos)       a at t = 0, b at t = 1, along the shortest turn
//     random_position(m, random, qpos)             random: a generator such as std::mt19937; each joint within its limits
//     move_within_limits(m, d, j)                  d.qpos of joint j
#pragma once

#include "mjx/integrator/advance.hpp"

namespace mjx::inner {

template <class M, class Q, class V, class H>
void integrate_position(const M& m, Q&& qpos, const V& velocity, const H& h) {
    integrate_pos(m, qpos, velocity, h);
}

template <class M, class A, class B, class V>
void position_difference(const M& m, const A& from, const B& to, V&& velocity) {
    differentiate_pos(m, velocity, to, from);
}

template <class M, class A, class B, class T, class Q>
void interpolate_position(const M& m, const A& a, const B& b, const T& t, Q&& qpos) {
    using S = std::remove_cvref_t<decltype(qpos[0])>;
    for (int j = 0; j < m.njnt; ++j)
        M::joints::visit(m.jnt_type[j], [&](auto joint) {
            const int q = m.jnt_qposadr[j];
            S step[decltype(joint)::nv];
            joint.difference(step, 0, b, a, q);
            for (int k = 0; k < decltype(joint)::nq; ++k) qpos[q + k] = a[q + k];
            joint.integrate(qpos, q, step, 0, t);
        });
}

template <class M, class Random, class Q>
void random_position(const M& m, Random& random, Q&& qpos) {
    using S = std::remove_cvref_t<decltype(qpos[0])>;
    for (int i = 0; i < m.nq; ++i) qpos[i] = S(m.qpos0[i]);
    for (int j = 0; j < m.njnt; ++j) M::joints::visit(m.jnt_type[j], [&](auto joint) { joint.random(m, j, random, qpos); });
}

// Moves a joint that is beyond its limits back to them, along the rows of its limits. They are straight in the joint's dofs, so one move
// is all of it but for rounding; another takes that away.
template <class M, class D>
void move_within_limits(const M& m, D& d, int j) {
    using S = typename D::scalar;
    if (!m.jnt_limited[j]) return;
    M::joints::visit(m.jnt_type[j], [&](auto joint) {
        S step[decltype(joint)::nv];
        for (int round = 0; round < 2; ++round) {
            for (S& x : step) x = S(0);
            joint.limits(m, d, j, [&](const S& distance, const auto& row) {
                const S square = dot(row, row);
                const auto beyond = distance < S(0) && square > S(0);
                const S by = select(beyond, S(-distance / select(beyond, square, S(1))), S(0));
                for (int k = 0; k < row.size; ++k) step[k] += row[k] * by;
            });
            joint.integrate(d.qpos, m.jnt_qposadr[j], step, 0, S(1));
        }
    });
}

}  // namespace mjx::inner
