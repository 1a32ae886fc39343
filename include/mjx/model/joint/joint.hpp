// What a joint is: a struct whose constants and functions are all that the library knows of it.
//
// Stages never ask which joint it is, but what it is: whether it is scalar, which of its dofs rotate, how it moves its body. A joint's
// struct derives from JointDefaults or ScalarJoint and says where it differs; slide.hpp is the shortest, free.hpp the fullest.
//
// Conventions (MuJoCo): qpos of a hinge or slide is measured from qpos0; a ball is a quaternion relative to the parent; a free
// joint is a global position and quaternion. Velocities of rotations are in the body's local frame, of a free joint's
// translation in the world frame.
#pragma once

#include "mjx/math/random.hpp"
#include "mjx/math/spatial.hpp"
#include "mjx/model/types.hpp"

#include <concepts>

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

// Every joint has
//     type, name, cpp_name    its number in jnt_type, its word in files and messages, how C++ spells the struct
//     nq, nv                  coordinates and dofs
//     rest(pos, quat, ref, q)                     its coordinates at rest in a body at this pose of its parent
//     move(m, d, j, xpos, xquat)                  moves the frame of its body; d.xanchor[j] and d.xaxis[j] are those before it moves
//     axes(m, d, j, dof, xmat, arm)               d.cdof of its dofs, about the tree's com, which is `arm` from the anchor
//     integrate(qpos, q, qvel, v, h)              qpos ⊕ h qvel
//     difference(dq, v, to, from, q)              to ⊖ from: the velocity that takes one to the other in unit time
//     displacements(qpos, spring, q, f)           f(k, x, r) for each spring: the dofs from k on are the vector x away from its rest; r
//                                                 is x itself, with its sign, if it is one number, and else the length of x
//     limits(m, d, j, row)                        row(distance, Jacobian over its first dofs) for each limit; distance < 0 beyond it
//     transmission(qpos, q, gear, in_parent, f)   the length of an actuator with this gear; f(k, moment) for its dofs
//     random(m, j, random, qpos)                  coordinates drawn within its limits, or about qpos0
// and the constants below.
struct JointDefaults {
    static constexpr bool scalar = false;      // one coordinate, whose rate is its velocity: sensors, equalities and tendons may read it
    static constexpr bool turns = false;       // it turns the body about its anchor, and kinematics puts the anchor back in its place
    static constexpr bool floats = false;      // a global pose instead of a frame in the parent: alone in a child of the world
    static constexpr bool has_axis = true;     // its axis means something
    static constexpr bool axis_after = false;  // it neither moves nor needs its axis to move: kinematics may read it off the final frame
    static constexpr bool decoupled = false;  // its dofs do not couple in M when its axis is a principal one of a body that stands alone
    static constexpr bool analytic = false;  // derivative/ knows its motion; the step of others is differentiated by duals
    static constexpr int group = 1;  // dofs that move together: their axes turn with what is before them, they share invweight0
    static constexpr int angle = -1;  // the coordinate that is an angle about the axis: jnt_sin and jnt_cos are of its half
    static constexpr int rotation = -1;  // where three dofs of rotation and their quaternion begin: axes fixed in the body they turn
    static constexpr int limit_entries = 0;  // dofs in the row of a limit; 0: it cannot be limited
    static constexpr const char* urdf = "";  // its words in URDF, separated by |

    template <class M, class D, class F>
    static void limits(const M&, const D&, int, F&&) {}
};

// What slides, hinges and joints like them share: the velocity is the coordinate's rate of change. Every scalar joint derives from this and
// keeps integrate and difference as they are here: runs of scalar joints are taken together (integrator/advance.hpp), and none of them is
// asked. A joint whose coordinate moves in another way is no scalar one.
struct ScalarJoint : JointDefaults {
    static constexpr int nq = 1, nv = 1, limit_entries = 1;
    static constexpr bool scalar = true;

    static constexpr void rest(const Vec3<double>&, const Quat<double>&, double ref, double* q) { q[0] = ref; }

    template <class Q, class V, class H>
    static void integrate(Q& qpos, int q, const V& qvel, int v, const H& h) {
        qpos[q] += qvel[v] * h;
    }
    template <class V, class A, class B>
    static void difference(V& dq, int v, const A& to, const B& from, int q) {
        dq[v] = to[q] - from[q];
    }
    template <class Q, class R, class F>
    [[gnu::always_inline]] static void displacements(const Q& qpos, const R& spring, int q, F&& f) {
        using S = std::remove_cvref_t<decltype(qpos[q])>;
        const S x = qpos[q] - spring[q];
        f(0, Vec<S, 1>{{x}}, x);
    }
    template <class M, class D, class F>
    static void limits(const M& m, const D& d, int j, F&& row) {
        using S = typename D::scalar;
        const S value = d.qpos[m.jnt_qposadr[j]];
        row(S(value - m.jnt_range[j][0]), Vec<S, 1>{{S(1)}});
        row(S(m.jnt_range[j][1] - value), Vec<S, 1>{{S(-1)}});
    }
    template <class Q, class G, class F>
    static auto transmission(const Q& qpos, int q, const G& gear, bool, F&& moment) {
        using S = std::remove_cvref_t<decltype(qpos[q])>;
        moment(0, S(gear[0]));
        return S(qpos[q] * gear[0]);
    }
    // Without limits, a whole turn or a metre to each side.
    template <class M, class Random, class Q>
    static void random(const M& m, int j, Random& random, Q& qpos) {
        using S = std::remove_cvref_t<decltype(qpos[0])>;
        const int q = m.jnt_qposadr[j];
        const S rest(m.qpos0[q]), reach(static_cast<value_t<S>>(M::joints::angle(m.jnt_type[j]) == 0 ? 3.141592653589793 : 1.0));
        const bool limited = m.jnt_limited[j] != 0;
        qpos[q] = random_between(random, limited ? S(m.jnt_range[j][0]) : S(rest - reach),
                                 limited ? S(m.jnt_range[j][1]) : S(rest + reach));
    }
};

// A joint that moves along its own axis while it turns takes its anchor with it.
template <class D, class S, class V>
[[gnu::always_inline]] inline void shift_anchor(D& d, int j, Vec3<S>& xpos, const V& by) {
    xpos += by;
    d.xanchor[j] += by;
}

// What can be asked without a model. The functions are templates, which only their use can check.
template <class J>
concept joint_like = std::derived_from<J, JointDefaults> && requires(double* q) {
    { J::type } -> std::convertible_to<int>;
    { J::nq + J::nv } -> std::convertible_to<int>;
    { J::name } -> std::convertible_to<const char*>;
    { J::cpp_name } -> std::convertible_to<const char*>;
    J::rest(Vec3<double>{}, Quat<double>{}, 0.0, q);
    requires J::nv > 0 && J::nv <= 6 && J::nq >= J::nv&& J::nv % J::group == 0;
};

// Whether a scalar joint moves on as ScalarJoint has it: its functions are the inherited ones.
template <class J>
constexpr bool adds_velocity = !J::scalar || requires {
    requires& J::template integrate<double*, double*, double> == &ScalarJoint::integrate<double*, double*, double>;
    requires& J::template difference<double*, double*, double*> == &ScalarJoint::difference<double*, double*, double*>;
};

// The same as numbers, for code that compiles models of any set and for readers.
struct JointKind {
    int type, nq, nv, group, angle, rotation, limit_entries;
    bool scalar, turns, floats, has_axis, decoupled;
    const char *name, *cpp_name, *urdf;
    void (*rest)(const Vec3<double>& pos, const Quat<double>& quat, double ref, double* q);

    // Whether dof k of the joint is a rotation.
    constexpr bool rotates(int k) const { return k == angle || (rotation >= 0 && k >= rotation); }
    // Whether the joint is a rotation and nothing else, as a ball.
    constexpr bool is_rotation() const { return rotation == 0; }
    // Whether it slides along its axis.
    constexpr bool slides() const { return scalar && decoupled && !turns; }
    // What its range bounds, if it has one, is an angle.
    constexpr bool limits_angle() const { return rotation == 0 || (scalar && angle == 0); }
};
template <joint_like J>
constexpr JointKind kind_of{J::type,  J::nq,     J::nv,       J::group,     J::angle, J::rotation, J::limit_entries, J::scalar,
                            J::turns, J::floats, J::has_axis, J::decoupled, J::name,  J::cpp_name, J::urdf,          &J::rest};

}  // namespace mjx::inner
