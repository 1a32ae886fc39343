// Planar: moves in the plane normal to the joint's axis and turns about the axis: x, y, angle.
//
// The plane is fixed in the parent; its x and y are where the shortest rotation from z to the axis takes those of the body's frame, as in
// MuJoCo's reading of URDF. The anchor moves with the body. A limit bounds the distance from rest, springs act along the translation and
// about the axis, an actuator's gear is (force x, force y, torque).
#pragma once

#include "mjx/math/quat.hpp"
#include "mjx/model/joint/joint.hpp"

namespace mjx::inner {

struct Planar : JointDefaults {
    static constexpr int type = jnt::planar, nq = 3, nv = 3, angle = 2, limit_entries = 2;
    static constexpr const char *name = "planar", *cpp_name = "mjx::inner::Planar", *urdf = "planar";
    static constexpr bool turns = true;

    static constexpr void rest(const Vec3<double>&, const Quat<double>&, double ref, double* q) { store(q, 0, Vec3<double>{{0, 0, ref}}); }

    // Its frame: x and y in the plane, z along the axis.
    template <class M>
    static auto plane(const M& m, int j) {
        return to_mat3(z_to(m.jnt_axis[j]));
    }

    template <class M, class D, class S>
    static void move(const M& m, D& d, int j, Vec3<S>& xpos, Quat<S>& xquat) {
        const int q = m.jnt_qposadr[j];
        const auto frame = plane(m, j);
        const S x = d.qpos[q] - m.qpos0[q], y = d.qpos[q + 1] - m.qpos0[q + 1];
        shift_anchor(d, j, xpos, rotate(xquat, frame.column(0) * x + frame.column(1) * y));
        xquat = turn(xquat, m.jnt_axis[j], d.jnt_sin[j], d.jnt_cos[j]);
    }
    // The body shows the plane's axes turned back by the angle.
    template <class M, class D, class S>
    static void axes(const M& m, D& d, int j, int dof, const Mat3<S>& xmat, const Vec3<S>& arm) {
        const auto frame = plane(m, j);
        const S s = d.jnt_sin[j] * d.jnt_cos[j] * value_t<S>(2), c = S(1) - d.jnt_sin[j] * d.jnt_sin[j] * value_t<S>(2);
        const Vec3<S> x = xmat * frame.column(0), y = xmat * frame.column(1);
        d.cdof[dof] = translation_dof(Vec3<S>(x * c - y * s));
        d.cdof[dof + 1] = translation_dof(Vec3<S>(x * s + y * c));
        d.cdof[dof + 2] = rotation_dof(d.xaxis[j], arm);
    }
    template <class Q, class V, class H>
    static void integrate(Q& qpos, int q, const V& qvel, int v, const H& h) {
        for (int k = 0; k < 3; ++k) qpos[q + k] += qvel[v + k] * h;
    }
    template <class V, class A, class B>
    static void difference(V& dq, int v, const A& to, const B& from, int q) {
        for (int k = 0; k < 3; ++k) dq[v + k] = to[q + k] - from[q + k];
    }
    template <class Q, class R, class F>
    static void displacements(const Q& qpos, const R& spring, int q, F&& f) {
        using S = std::remove_cvref_t<decltype(qpos[q])>;
        const Vec<S, 2> x{{qpos[q] - spring[q], qpos[q + 1] - spring[q + 1]}};
        const S turned = qpos[q + 2] - spring[q + 2];
        f(0, x, norm(x));
        f(2, Vec<S, 1>{{turned}}, turned);
    }
    template <class M, class D, class F>
    static void limits(const M& m, const D& d, int j, F&& row) {
        using S = typename D::scalar;
        const int q = m.jnt_qposadr[j];
        S distance;
        const Vec<S, 2> outward = normalize(Vec<S, 2>{{d.qpos[q] - m.qpos0[q], d.qpos[q + 1] - m.qpos0[q + 1]}}, distance);
        row(S(m.jnt_range[j][1] - distance), Vec<S, 2>(-outward));
    }
    template <class Q, class G, class F>
    static auto transmission(const Q& qpos, int q, const G& gear, bool, F&& moment) {
        using S = std::remove_cvref_t<decltype(qpos[q])>;
        S length(0);
        for (int k = 0; k < 3; ++k) {
            moment(k, S(gear[k]));
            length += qpos[q + k] * gear[k];
        }
        return length;
    }
    // In the disk that the limit leaves, or one of a metre; at any angle.
    template <class M, class Random, class Q>
    static void random(const M& m, int j, Random& random, Q& qpos) {
        using S = std::remove_cvref_t<decltype(qpos[0])>;
        const int q = m.jnt_qposadr[j];
        const S most = m.jnt_limited[j] ? S(m.jnt_range[j][1]) : S(1), far = most * sqrt(random_between(random, S(0), S(1)));
        const S toward = random_angle<S>(random);
        qpos[q] = S(m.qpos0[q]) + far * cos(toward);
        qpos[q + 1] = S(m.qpos0[q + 1]) + far * sin(toward);
        qpos[q + 2] = S(m.qpos0[q + 2]) + random_angle<S>(random);
    }
};

}  // namespace mjx::inner
