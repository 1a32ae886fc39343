// How passive and applied forces change with position and velocity: by_q, by_v += d(-force)/dq, /dv.
//
// Reads   qpos, qvel, xipos, cdof, cdof_dot, subtree_com, poses, ten_length, ten_velocity, ten_J, xfrc_applied
// The springs of a ball act along the rotation vector x from their rest pose, whose change is Da δq (sub_quat_derivative's Da).
// A force φ and torque τ that keep their direction while their point moves along with a body by dp change the wrench on it by
// (dp × φ, 0), and axes beyond dof j turn (constraint/contact_derivative.hpp). Forces of a fluid turn with their body, and answer to what
// its motion through the fluid changes by: ψ̇_j (rne_derivative.hpp), and the wind that does not turn along.
// The torque of a cable's joint is a function of that joint alone, differentiated on duals of its three rotations.
// Rows of fixed tendons are constant; what other tendons do by position is left to derivative/bent_terms.hpp.
#pragma once

#include "mjx/math/quat_derivative.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/stage/cable.hpp"
#include "mjx/stage/fluid_derivative.hpp"
#include "mjx/stage/rne_derivative.hpp"
#include "mjx/stage/spring_damper.hpp"
#include "mjx/stage/tendon.hpp"

namespace mjx::inner {

// by_q -= d(what a force and a torque of fixed direction at a point of a body do to the joints), of which dof i feels share(i).
template <class M, class D, class S, class Q, class Share>
void subtract_fixed_wrench(const M& m, const D& d, const TreeMotion<S>& t, int body, const Vec3<S>& point, const Vec3<S>& force,
                           const Vec3<S>& torque, const Share& share, Q&& by_q) {
    const Vec3<S> arm = point - d.subtree_com[m.body_rootid[body]];
    const Vec6<S> wrench = spatial(Vec3<S>(torque + cross(arm, force)), force);
    for_each_dof_of(m, body, [&](int j) {
        const Vec3<S> dp = linear(d.cdof[j]) + cross(angular(d.cdof[j]), arm);
        const Vec6<S> far = spatial(cross(dp, force), Vec3<S>::zero()), near = far - cross_force(d.cdof[j], wrench);
        for_each_dof_of(m, body, [&](int i) { by_q(i, j) -= dot(d.cdof[i], t.reach[i] >= j ? near : far) * share(i); });
    });
}

// The share of a force among those of its joint's actuators that a dof feels: none where the joint has no more to give.
template <class M, class D>
auto dof_share(const M& m, const D& d, int dof) {
    using S = typename D::scalar;
    const int j = m.dof_jntid[dof];
    if (!m.jnt_actfrclimited[j]) return S(1);
    const S force = d.qfrc_actuator[dof];
    const auto inside = force > S(m.jnt_actfrcrange[j][0]) && force < S(m.jnt_actfrcrange[j][1]);
    return select(inside, S(1), S(0));
}

// Springs along a vector x: force -k(|x|) x with k(l) = c + c₁ l + c₂ l².
template <class M, class D, class Q>
void add_joint_stiffness(const M& m, const D& d, Q&& by_q) {
    using S = typename D::scalar;
    for (int j = 0; j < m.njnt; ++j) {
        if (!poly_present(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j])) continue;
        for_each_displacement(m, d, j, [&](int dof, const auto& x, const S& length) {
            constexpr int dim = std::remove_cvref_t<decltype(x)>::size;
            const S slope = poly_slope(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j], length, Parity::plain);
            if constexpr (dim == 1) {
                by_q(dof, dof) += slope;
            } else {
                const S k = poly_coefficient(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j], length, Parity::plain);
                const auto away = length > S(minval_v<S>);
                const S radial = select(away, S((slope - k) / select(away, S(length * length), S(1))), S(0));
                Mat3<S> by = Mat3<S>::identity();
                if constexpr (dim == 3)
                    if (M::joints::turns_with_body(m.jnt_type[j], dof - m.jnt_dofadr[j])) by = inverse_right_jacobian(x);
                for (int r = 0; r < dim; ++r)
                    for (int c = 0; c < dim; ++c) {
                        S sum = k * by(r, c);
                        for (int e = 0; e < dim; ++e) sum += radial * x[r] * x[e] * by(e, c);
                        by_q(dof + r, dof + c) += sum;
                    }
            }
        });
    }
}

// by(i, j) += slope row_i row_j
template <class R, class S, class Q>
void add_row_product(const R& row, const S& slope, Q&& by) {
    for (int i = row.first; i < row.first + row.count; ++i)
        for (int j = row.first; j < row.first + row.count; ++j) by(row.columns[i], row.columns[j]) += row.values[i] * slope * row.values[j];
}

// Whether a tendon is more than a sum of hinges and slides, whose row is constant and the gradient of its length.
template <class M>
constexpr bool is_bent_tendon(const M& m, int t) {
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w)
        if (m.wrap_type[w] != wrap::joint || !M::joints::is_scalar(m.jnt_type[m.wrap_objid[w]])) return true;
    return false;
}
template <class M>
constexpr bool has_bent_tendon(const M& m) {
    bool found = false;
    for (int t = 0; t < m.ntendon; ++t) found = found || is_bent_tendon(m, t);
    return found;
}

template <class M, class D, class Q, class V>
void add_tendon_slopes(const M& m, const D& d, Q&& by_q, V&& by_v) {
    using S = typename D::scalar;
    for (int t = 0; t < m.ntendon; ++t) {
        const auto b = tendon_total_damping(m, t);
        const auto row = tendon_row(m, d, t);
        const bool springs = !m.opt.disabled(disable::spring) && !has_bent_tendon(m);
        if (springs && poly_present(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t])) {
            const S x = tendon_stretch(m, d, t);
            const auto loose = d.ten_length[t] < S(m.tendon_lengthspring[t][1]) && d.ten_length[t] > S(m.tendon_lengthspring[t][0]);
            const S slope = poly_slope(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t], x, Parity::plain);
            add_row_product(row, select(loose, S(0), slope), by_q);
        }
        if (!m.opt.disabled(disable::damper) && poly_present(b.linear, b.poly))
            add_row_product(row, poly_slope(b.linear, b.poly, d.ten_velocity[t], Parity::even), by_v);
    }
}

// A force in a body's own axes that answers to its motion through the fluid by B.
template <class M, class D, class S, class Q, class V>
void add_wet_slopes(const M& m, const D& d, const TreeMotion<S>& t, int body, const Vec3<S>& pos, const Mat3<S>& axes, const Vec6<S>& local,
                    const Mat6<S>& B, Q&& by_q, V&& by_v) {
    const Vec3<S> arm = pos - d.subtree_com[m.body_rootid[body]], wind = Vec3<S>::from(m.opt.wind);
    const auto wrench = [&](const Vec6<S>& f) {
        const Vec3<S> push = axes * linear(f);
        return spatial(Vec3<S>(axes * angular(f) + cross(arm, push)), push);
    };
    const auto answer = [&](const Vec6<S>& motion) {
        const Vec6<S> v = into_frame(axes, spatial(angular(motion), Vec3<S>(linear(motion) + cross(angular(motion), arm))));
        Vec6<S> f = Vec6<S>::zero();
        for (int r = 0; r < 6; ++r)
            for (int c = 0; c < 6; ++c) f[r] += B(r, c) * v[c];
        return wrench(f);
    };
    const Vec6<S> whole = wrench(local);
    for_each_dof_of(m, body, [&](int j) {
        const Vec6<S>& s = d.cdof[j];
        const Vec6<S> by_motion = answer(s), late = answer(d.cdof_dot[j] + spatial(Vec3<S>::zero(), cross(angular(s), wind)));
        const Vec6<S> turned = late + cross_force(s, whole);
        for_each_dof_of(m, body, [&](int i) {
            by_v(i, j) -= dot(d.cdof[i], by_motion);
            by_q(i, j) -= dot(d.cdof[i], t.reach[i] >= j ? late : turned);
        });
    });
}
template <class M, class D, class S, class Q, class V>
void add_fluid_slopes(const M& m, const D& d, const TreeMotion<S>& t, Q&& by_q, V&& by_v) {
    const auto geom = [&](int b, int g) {
        const Vec6<S> v = velocity_in_wind(m, d, b, d.geom_xpos[g], d.geom_xmat[g]);
        const auto size = half_sizes<shapes_of<M>>(m.geom_type[g], m.geom_size[g]);
        // of the force as it is, which geom_fluid_derivative is not for thin sheets, where MuJoCo keeps denominators from vanishing
        const auto f = ellipsoid_force(tabulate<Vec6<dual<S, 6>>>([&](int k) { return dual<S, 6>::variable(v[k], k); }), m.geom_fluid[g],
                                       size, m.opt.density, m.opt.viscosity, m.opt.mujoco);
        const auto active = m.geom_fluid[g][fluid_coef::active];
        Mat6<S> B;
        for (int k = 0; k < 36; ++k) B.e[k] = f[k / 6].partial[k % 6] * active;
        const auto force = tabulate<Vec6<S>>([&](int k) { return S(f[k].value * active); });
        add_wet_slopes(m, d, t, b, d.geom_xpos[g], d.geom_xmat[g], force, B, by_q, by_v);
    };
    for_each_wet(m, geom, [&](int b) {
        const auto drag = box_drag(m, b);
        const Vec6<S> v = velocity_in_wind(m, d, b, d.xipos[b], d.ximat[b]);
        Vec6<S> f;
        for (int k = 0; k < 6; ++k) f[k] = -v[k] * (drag.linear[k] + abs(v[k]) * drag.quadratic[k]);
        add_wet_slopes(m, d, t, b, d.xipos[b], d.ximat[b], f, inertia_box_derivative(m, b, v), by_q, by_v);
    });
}

template <class M, class D, class Q>
void add_cable_slopes(const M& m, const D& d, Q&& by_q) {
    using S = typename D::scalar;
    using L = dual<S, 3>;
    const auto turn = tabulate<Vec3<L>>([](int k) { return L::variable(S(0), k); });
    for (int c = 0; c < m.ncable; ++c) {
        const Quat<S> joint = cable_joint(m, d, c);
        const auto torque = cable_torque(m, c, Quat<L>(tabulate<Quat<L>>([&](int k) { return L(joint[k]); }) * exp_quat(turn)));
        const int dof = m.jnt_dofadr[m.cable_jntid[c]];
        for (int r = 0; r < 3; ++r)
            for (int k = 0; k < 3; ++k) by_q(dof + r, dof + k) -= torque[r].partial[k];
    }
}

template <class M, class D, class S, class Q, class V>
void add_passive_slopes(const M& m, const D& d, const TreeMotion<S>& t, Q&& by_q, V&& by_v) {
    using Real = typename M::real;
    if (m.opt.disabled(disable::spring) && m.opt.disabled(disable::damper)) return;
    if (!m.opt.disabled(disable::spring)) add_joint_stiffness(m, d, by_q);
    if (!m.opt.disabled(disable::damper))
        for (int i = 0; i < m.nv; ++i) {
            const auto b = dof_total_damping(m, i);
            by_v(i, i) += poly_slope(b.linear, b.poly, d.qvel[i], Parity::even);
        }
    add_tendon_slopes(m, d, by_q, by_v);
    add_fluid_slopes(m, d, t, by_q, by_v);
    add_cable_slopes(m, d, by_q);
    for (int b = 1; b < m.nbody && !m.opt.disabled(disable::gravity); ++b) {
        if (is_nothing(m.body_gravcomp[b])) continue;
        const Vec3<S> lift = Vec3<S>::from(m.opt.gravity) * Real(-m.body_mass[b] * m.body_gravcomp[b]);
        const bool idle = m.nactuator == 0 || m.opt.disabled(disable::actuation);
        const auto share = [&](int i) { return !m.jnt_actgravcomp[m.dof_jntid[i]] ? S(1) : idle ? S(0) : dof_share(m, d, i); };
        subtract_fixed_wrench(m, d, t, b, d.xipos[b], lift, Vec3<S>::zero(), share, by_q);
    }
}

// The user's forces and torques at the centres of mass.
template <class M, class D, class S, class Q>
void add_applied_slopes(const M& m, const D& d, const TreeMotion<S>& t, Q&& by_q) {
    for (int b = 1; b < m.nbody; ++b) {
        const Vec6<S>& x = d.xfrc_applied[b];  // force first
        bool present = false;
        for (int k = 0; k < 6; ++k) present = present || !is_nothing(x[k]);
        if (present)
            subtract_fixed_wrench(
                m, d, t, b, d.xipos[b], angular(x), linear(x), [](int) { return S(1); }, by_q);
    }
}

}  // namespace mjx::inner
