// Positions as points of a curved space: moving along a velocity, differences, what lies between two, random ones within limits.
//
//     integrate_position(m, qpos, v, h)            qpos ← qpos ⊕ h v: rotations turn by the exponential map (mj_integratePos)
//     position_difference(m, from, to, v)          v = to ⊖ from: the velocity from one to the other in unit time (mj_differentiatePos)
//     interpolate_position(m, a, b, t, qpos)       a at t = 0, b at t = 1, along the shortest turn
//     random_position(m, random, qpos)   random: a generator such as std::mt19937
// A limited hinge or slide is drawn from its range, a limited ball within its cone; hinges without limits from a whole turn, slides from a
// metre to each side of qpos0; balls in all directions; free bodies within a metre of their place.
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

// Uniform in [low, high), a number for each lane. From the upper bits of the generator, the same on every machine.
template <class S, class Random>
S random_between(Random& random, const S& low, const S& high) {
    using L = lane_t<S>;
    S result(low);
    for (int k = 0; k < lanes_v<S>; ++k) {
        const double range = static_cast<double>(Random::max() - Random::min()) + 1;
        const double u = static_cast<double>(random() - Random::min()) / range;
        const L a = lane(low, k), b = lane(high, k);
        set_lane(result, k, L(a + (b - a) * static_cast<value_t<S>>(u)));
    }
    return result;
}

// A rotation drawn uniformly (Shoemake 1992).
template <class S, class Random>
Quat<S> random_rotation(Random& random) {
    const value_t<S> turn = static_cast<value_t<S>>(6.283185307179586);
    const S u = random_between(random, S(0), S(1)), a = random_between(random, S(0), S(turn)), b = random_between(random, S(0), S(turn));
    const S r = sqrt(S(S(1) - u)), s = sqrt(u);
    return {{cos(b) * s, sin(a) * r, cos(a) * r, sin(b) * s}};
}

template <class M, class Random, class Q>
void random_position(const M& m, Random& random, Q&& qpos) {
    using S = std::remove_cvref_t<decltype(qpos[0])>;
    const S pi(static_cast<value_t<S>>(3.141592653589793));
    for (int i = 0; i < m.nq; ++i) qpos[i] = S(m.qpos0[i]);
    for (int j = 0; j < m.njnt; ++j) {
        const int q = m.jnt_qposadr[j], type = m.jnt_type[j];
        const S low(m.jnt_range[j][0]), high(m.jnt_range[j][1]), rest = qpos[q];
        const int angle = M::joints::angle(type), rotation = M::joints::rotation(type);
        if (M::joints::is_scalar(type)) {
            const S reach = angle == 0 ? pi : S(1);
            qpos[q] = m.jnt_limited[j] ? random_between(random, low, high) : random_between(random, S(rest - reach), S(rest + reach));
            continue;
        }
        // translations, limited by their distance from rest, and angles; then a rotation, limited by its angle
        const S far = m.jnt_limited[j] ? S(high * static_cast<value_t<S>>(0.7071)) : S(1);
        for (int k = 0; k < (rotation < 0 ? M::joints::nq(type) : rotation); ++k)
            qpos[q + k] += random_between(random, S(-1), S(1)) * (k == angle ? pi : far);
        if (rotation >= 0 && m.jnt_limited[j]) {
            Vec3<S> axis;
            for (int k = 0; k < 3; ++k) axis[k] = random_between(random, S(-1), S(1));
            store(qpos, q + rotation, exp_quat(Vec3<S>(normalize(axis) * random_between(random, S(0), high))));
        } else if (rotation >= 0) {
            store(qpos, q + rotation, random_rotation<S>(random));
        }
    }
}

}  // namespace mjx::inner
