// Free: a global position and quaternion in place of the body's frame; it stands alone in a child of the world.
//
// Translations are in the world frame, rotations in the body's. It cannot be limited; an actuator on it has no length.
#pragma once

#include "mjx/model/joint/ball.hpp"

namespace mjx::inner {

struct Free : JointDefaults {
    static constexpr int type = jnt::free, nq = 7, nv = 6, group = 3, rotation = 3;
    static constexpr const char *name = "free", *cpp_name = "mjx::inner::Free", *urdf = "floating";
    static constexpr bool floats = true, has_axis = false, decoupled = true, analytic = true;

    static constexpr void rest(const Vec3<double>& pos, const Quat<double>& quat, double, double* q) {
        store(q, 0, pos);
        store(q, 3, quat);
    }

    template <class M, class D, class S>
    [[gnu::always_inline]] static void move(const M& m, D& d, int j, Vec3<S>& xpos, Quat<S>& xquat) {
        const int q = m.jnt_qposadr[j];
        xpos = vec3_at(d.qpos, q);
        xquat = normalize(quat_at(d.qpos, q + 3));
        d.xanchor[j] = xpos;
        d.xaxis[j] = Vec3<S>::from(m.jnt_axis[j]);
    }
    template <class M, class D, class S>
    [[gnu::always_inline]] static void axes(const M&, D& d, int, int dof, const Mat3<S>& xmat, const Vec3<S>& arm) {
        for (int k = 0; k < 3; ++k) {
            Vec3<S> e = Vec3<S>::zero();
            e[k] = S(1);
            d.cdof[dof + k] = translation_dof(e);
            d.cdof[dof + 3 + k] = rotation_dof(xmat.column(k), arm);
        }
    }
    template <class Q, class V, class H>
    static void integrate(Q& qpos, int q, const V& qvel, int v, const H& h) {
        for (int k = 0; k < 3; ++k) qpos[q + k] += qvel[v + k] * h;
        Ball::integrate(qpos, q + 3, qvel, v + 3, h);
    }
    template <class V, class A, class B>
    static void difference(V& dq, int v, const A& to, const B& from, int q) {
        for (int k = 0; k < 3; ++k) dq[v + k] = to[q + k] - from[q + k];
        Ball::difference(dq, v + 3, to, from, q + 3);
    }
    template <class Q, class R, class F>
    static void displacements(const Q& qpos, const R& spring, int q, F&& f) {
        using S = std::remove_cvref_t<decltype(qpos[q])>;
        Vec3<S> x;
        for (int k = 0; k < 3; ++k) x[k] = qpos[q + k] - spring[q + k];
        f(0, x, norm(x));
        Ball::displacements(qpos, spring, q + 3, [&](int k, const auto& turn, const S& angle) { f(3 + k, turn, angle); });
    }
    // A force in the world's frame, then a torque in the body's, or in the world's too.
    template <class Q, class G, class F>
    static auto transmission(const Q& qpos, int q, const G& gear, bool in_parent, F&& moment) {
        using S = std::remove_cvref_t<decltype(qpos[q])>;
        Vec3<S> axis = Vec3<S>::from(vec3_at(gear, 3));
        if (in_parent) axis = rotate(conjugate(normalize(quat_at(qpos, q + 3))), axis);
        for (int k = 0; k < 3; ++k) {
            moment(k, S(gear[k]));
            moment(3 + k, axis[k]);
        }
        return S(0);
    }
    // Within a metre of its place, in all directions.
    template <class M, class Random, class Q>
    static void random(const M& m, int j, Random& random, Q& qpos) {
        using S = std::remove_cvref_t<decltype(qpos[0])>;
        const int q = m.jnt_qposadr[j];
        for (int k = 0; k < 3; ++k) qpos[q + k] = S(m.qpos0[q + k]) + random_between(random, S(-1), S(1));
        store(qpos, q + 3, random_rotation<S>(random));
    }
};

}  // namespace mjx::inner
