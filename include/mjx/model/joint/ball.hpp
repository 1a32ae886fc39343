// Ball: any rotation about the joint's anchor, a quaternion relative to the parent. Its velocity is in the body's frame.
//
// A limit bounds the angle of the rotation from rest, a spring acts along the rotation vector from its own rest, an actuator reads
// the rotation vector along its gear.
#pragma once

#include "mjx/math/quat.hpp"
#include "mjx/model/joint/joint.hpp"

namespace mjx::inner {

struct Ball : JointDefaults {
    static constexpr int type = jnt::ball, nq = 4, nv = 3, group = 3, rotation = 0, limit_entries = 3;
    static constexpr const char *name = "ball", *cpp_name = "mjx::inner::Ball", *urdf = "spherical";
    static constexpr bool turns = true, has_axis = false, decoupled = true, analytic = true;

    static constexpr void rest(const Vec3<double>&, const Quat<double>&, double, double* q) { store(q, 0, Quat<double>::identity()); }

    template <class M, class D, class S>
    [[gnu::always_inline]] static void move(const M& m, const D& d, int j, Vec3<S>&, Quat<S>& xquat) {
        xquat = xquat * normalize(quat_at(d.qpos, m.jnt_qposadr[j]));
    }
    template <class M, class D, class S>
    [[gnu::always_inline]] static void axes(const M&, D& d, int, int dof, const Mat3<S>& xmat, const Vec3<S>& arm) {
        for (int k = 0; k < 3; ++k) d.cdof[dof + k] = rotation_dof(xmat.column(k), arm);
    }
    template <class Q, class V, class H>
    static void integrate(Q& qpos, int q, const V& qvel, int v, const H& h) {
        store(qpos, q, inner::integrate(quat_at(qpos, q), vec3_at(qvel, v), h));
    }
    template <class V, class A, class B>
    static void difference(V& dq, int v, const A& to, const B& from, int q) {
        store(dq, v, inner::difference(quat_at(to, q), quat_at(from, q)));
    }
    template <class Q, class R, class F>
    static void displacements(const Q& qpos, const R& spring, int q, F&& f) {
        using S = std::remove_cvref_t<decltype(qpos[q])>;
        const Quat<S> origin{{S(spring[q]), S(spring[q + 1]), S(spring[q + 2]), S(spring[q + 3])}};
        const Vec3<S> x = inner::difference(normalize(quat_at(qpos, q)), origin);
        f(0, x, norm(x));
    }
    template <class M, class D, class F>
    static void limits(const M& m, const D& d, int j, F&& row) {
        using S = typename D::scalar;
        S angle;
        const Vec3<S> axis = normalize(log_quat(normalize(quat_at(d.qpos, m.jnt_qposadr[j]))), angle);
        row(S(S(max(m.jnt_range[j][0], m.jnt_range[j][1])) - angle), Vec3<S>(-axis));
    }
    // A torque in the child's frame, or in the parent's.
    template <class Q, class G, class F>
    static auto transmission(const Q& qpos, int q, const G& gear, bool in_parent, F&& moment) {
        using S = std::remove_cvref_t<decltype(qpos[q])>;
        const Quat<S> quat = normalize(quat_at(qpos, q));
        Vec3<S> axis = Vec3<S>::from(vec3_at(gear, 0));
        if (in_parent) axis = rotate(conjugate(quat), axis);
        for (int k = 0; k < 3; ++k) moment(k, axis[k]);
        return S(dot(log_quat(quat), axis));
    }
    template <class M, class Random, class Q>
    static void random(const M& m, int j, Random& random, Q& qpos) {
        using S = std::remove_cvref_t<decltype(qpos[0])>;
        if (!m.jnt_limited[j]) return store(qpos, m.jnt_qposadr[j], random_rotation<S>(random));
        const Vec3<S> axis = rotate(random_rotation<S>(random), Vec3<S>{{S(0), S(0), S(1)}});
        const S angle = random_between(random, S(0), S(max(m.jnt_range[j][0], m.jnt_range[j][1])));
        store(qpos, m.jnt_qposadr[j], exp_quat(Vec3<S>(axis * angle)));
    }
};

}  // namespace mjx::inner
