// How passive and applied forces change with position and velocity: by_q, by_v += d(-force)/dq, /dv.
//
// Reads   qpos, qvel, xipos, cdof, subtree_com, ten_length, ten_velocity, ten_J, xfrc_applied
// The springs of a ball act along the rotation vector x from their rest pose, whose change is Da δq (sub_quat_derivative's Da).
// A force φ and torque τ that keep their direction while their point moves along with a body by dp change the wrench on it by
// (dp × φ, 0), and axes beyond dof j turn (constraint/contact_derivative.hpp). Tendons here are sums of joints: their rows are constant.
#pragma once

#include "mjx/math/quat_derivative.hpp"
#include "mjx/stage/rne_derivative.hpp"
#include "mjx/stage/spring_damper.hpp"
#include "mjx/stage/tendon.hpp"

namespace mjx::inner {

// by_q -= d(what a force and a torque of fixed direction at a point of a body do to the joints).
template <class M, class D, class S, class Q>
void subtract_fixed_wrench(const M& m, const D& d, const TreeMotion<S>& t, int body, const Vec3<S>& point, const Vec3<S>& force,
                           const Vec3<S>& torque, Q&& by_q) {
    const Vec3<S> arm = point - d.subtree_com[m.body_rootid[body]];
    const Vec6<S> wrench = spatial(Vec3<S>(torque + cross(arm, force)), force);
    for_each_dof_of(m, body, [&](int j) {
        const Vec3<S> dp = linear(d.cdof[j]) + cross(angular(d.cdof[j]), arm);
        const Vec6<S> far = spatial(cross(dp, force), Vec3<S>::zero()), near = far - cross_force(d.cdof[j], wrench);
        for_each_dof_of(m, body, [&](int i) { by_q(i, j) -= dot(d.cdof[i], t.reach[i] >= j ? near : far); });
    });
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

template <class M, class D, class Q, class V>
void add_tendon_slopes(const M& m, const D& d, Q&& by_q, V&& by_v) {
    using S = typename D::scalar;
    for (int t = 0; t < m.ntendon; ++t) {
        const auto b = tendon_total_damping(m, t);
        const auto row = tendon_row(m, d, t);
        if (!m.opt.disabled(disable::spring) && poly_present(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t])) {
            const S x = tendon_stretch(m, d, t);
            const auto loose = d.ten_length[t] < S(m.tendon_lengthspring[t][1]) && d.ten_length[t] > S(m.tendon_lengthspring[t][0]);
            const S slope = poly_slope(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t], x, Parity::plain);
            add_row_product(row, select(loose, S(0), slope), by_q);
        }
        if (!m.opt.disabled(disable::damper) && poly_present(b.linear, b.poly))
            add_row_product(row, poly_slope(b.linear, b.poly, d.ten_velocity[t], Parity::even), by_v);
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
    for (int b = 1; b < m.nbody && !m.opt.disabled(disable::gravity); ++b) {
        if (is_nothing(m.body_gravcomp[b])) continue;
        const Vec3<S> lift = Vec3<S>::from(m.opt.gravity) * Real(-m.body_mass[b] * m.body_gravcomp[b]);
        subtract_fixed_wrench(m, d, t, b, d.xipos[b], lift, Vec3<S>::zero(), by_q);
    }
}

// The user's forces and torques at the centres of mass.
template <class M, class D, class S, class Q>
void add_applied_slopes(const M& m, const D& d, const TreeMotion<S>& t, Q&& by_q) {
    for (int b = 1; b < m.nbody; ++b) {
        const Vec6<S>& x = d.xfrc_applied[b];  // force first
        bool present = false;
        for (int k = 0; k < 6; ++k) present = present || !is_nothing(x[k]);
        if (present) subtract_fixed_wrench(m, d, t, b, d.xipos[b], angular(x), linear(x), by_q);
    }
}

}  // namespace mjx::inner
