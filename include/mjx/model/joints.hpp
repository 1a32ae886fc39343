// The four joint types, one struct each: how a joint moves its body, which axes it adds, how its coordinates integrate.
//
// Conventions (MuJoCo): qpos of a hinge or slide is measured from qpos0; a ball is a quaternion relative to the parent; a free
// joint is a global position and quaternion. Velocities of rotations are in the body's local frame, of a free joint's
// translation in the world frame.
#pragma once

#include "mjx/math/spatial.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

template <class A>
constexpr auto quat_at(const A& a, int i) {
    return Quat<std::remove_cvref_t<decltype(a[i])>>{{a[i], a[i + 1], a[i + 2], a[i + 3]}};
}
template <class A>
constexpr auto vec3_at(const A& a, int i) {
    return Vec3<std::remove_cvref_t<decltype(a[i])>>{{a[i], a[i + 1], a[i + 2]}};
}
template <class A, class V>
constexpr void store(A& a, int i, const V& v) {
    for (int k = 0; k < V::size; ++k) a[i + k] = v[k];
}

// A joint gets: anchor and axis in the world before it moves, its own tables through m and j, and the body frame to move. Hinges and
// balls turn the frame about its origin; kinematics then puts the anchor back in its place. Sine and cosine of half a hinge's
// angle are computed ahead, for all hinges together.

// What a slide and a hinge share: the velocity is the coordinate's rate of change.
struct OneCoordinate {
    static constexpr int nq = 1, nv = 1;

    template <class Q, class V, class H>
    static void integrate(Q& qpos, int q, const V& qvel, int v, const H& h) {
        qpos[q] += qvel[v] * h;
    }
    template <class V, class A, class B>
    static void difference(V& dq, int v, const A& to, const B& from, int q) {
        dq[v] = to[q] - from[q];
    }
};

struct Slide : OneCoordinate {
    static constexpr int type = jnt::slide;
    static constexpr const char* name = "slide";

    template <class M, class D, class S>
    [[gnu::always_inline]] static void move(const M& m, const D& d, int j, Vec3<S>& xpos, Quat<S>&) {
        const int q = m.jnt_qposadr[j];
        xpos += d.xaxis[j] * (d.qpos[q] - m.qpos0[q]);
    }
    template <class D, class S>
    [[gnu::always_inline]] static void axes(D& d, int j, int dof, const Mat3<S>&, const Vec3<S>&) {
        d.cdof[dof] = translation_dof(d.xaxis[j]);
    }
};

struct Hinge : OneCoordinate {
    static constexpr int type = jnt::hinge;
    static constexpr const char* name = "hinge";

    template <class M, class D, class S>
    [[gnu::always_inline]] static void move(const M& m, const D& d, int j, Vec3<S>&, Quat<S>& xquat) {
        xquat = turn(xquat, m.jnt_axis[j], d.jnt_sin[j], d.jnt_cos[j]);
    }
    template <class D, class S>
    [[gnu::always_inline]] static void axes(D& d, int j, int dof, const Mat3<S>&, const Vec3<S>& arm) {
        d.cdof[dof] = rotation_dof(d.xaxis[j], arm);
    }
};

struct Ball {
    static constexpr int type = jnt::ball, nq = 4, nv = 3;
    static constexpr const char* name = "ball";

    template <class M, class D, class S>
    [[gnu::always_inline]] static void move(const M& m, const D& d, int j, Vec3<S>&, Quat<S>& xquat) {
        xquat = xquat * normalize(quat_at(d.qpos, m.jnt_qposadr[j]));
    }
    template <class D, class S>
    [[gnu::always_inline]] static void axes(D& d, int, int dof, const Mat3<S>& xmat, const Vec3<S>& arm) {
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
};

// Replaces the body frame: a free joint stands alone in a child of the world.
struct Free {
    static constexpr int type = jnt::free, nq = 7, nv = 6;
    static constexpr const char* name = "free";

    template <class M, class D, class S>
    [[gnu::always_inline]] static void move(const M& m, D& d, int j, Vec3<S>& xpos, Quat<S>& xquat) {
        const int q = m.jnt_qposadr[j];
        xpos = vec3_at(d.qpos, q);
        xquat = normalize(quat_at(d.qpos, q + 3));
        d.xanchor[j] = xpos;
        d.xaxis[j] = Vec3<S>::from(m.jnt_axis[j]);
    }
    template <class D, class S>
    [[gnu::always_inline]] static void axes(D& d, int, int dof, const Mat3<S>& xmat, const Vec3<S>& arm) {
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
};

// A set of joint types in MuJoCo's order. visit() finds the struct of a type; sets that lack a joint do not compile its code.
template <class... J>
struct joint_list {
    static constexpr int count = sizeof...(J);

    static constexpr bool contains(int type) { return ((type == J::type) || ...); }

    template <class F>
    [[gnu::always_inline]] static constexpr void visit(int type, F&& f) {
        if constexpr (count == 1)
            (f(J{}), ...);
        else
            (void)((type == J::type && (f(J{}), true)) || ...);
    }
};
using all_joints = joint_list<Free, Ball, Slide, Hinge>;

constexpr int joint_nq(int type) { return type == jnt::free ? 7 : type == jnt::ball ? 4 : 1; }
constexpr int joint_nv(int type) { return type == jnt::free ? 6 : type == jnt::ball ? 3 : 1; }

}  // namespace mjx::inner
