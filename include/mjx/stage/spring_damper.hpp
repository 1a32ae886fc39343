// Springs and dampers of joints, dofs and tendons.
//
// Reads   qpos, qvel, ten_length, ten_velocity, ten_J
// Writes  qfrc_spring, qfrc_damper
// A force is -x (k + k₂ x + k₃ x²) for a displacement x, and -v (b + b₂|v| + b₃ v²) for a velocity v. Springs of ball and free
// joints act along the rotation vector (and the translation) from the spring's rest pose, those of planar joints along their translation
// and about their angle.
#pragma once

#include "mjx/math/poly.hpp"
#include "mjx/math/quat.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/stage/actuator_damping.hpp"

namespace mjx::inner {

// f(dof, x, r) for each spring of joint j: its displacement x, a number, a translation or a rotation vector; r is the number itself, with
// its sign, or else the length of the vector.
template <class M, class D, class F>
[[gnu::always_inline]] inline void for_each_displacement(const M& m, const D& d, auto j, F&& f) {
    M::joints::visit(
        known(m, j, [](const auto& all, int i) { return all.jnt_type[i]; }), [&](auto joint) __attribute__((always_inline)) {
            joint.displacements(d.qpos, m.qpos_spring, m.jnt_qposadr[j],
                                [&](int k, const auto& x, const auto& length) { f(m.jnt_dofadr[j] + k, x, length); });
        });
}

// How far a tendon's length is outside its spring's dead band.
template <class M, class D>
auto tendon_stretch(const M& m, const D& d, int t) {
    using S = typename D::scalar;
    const S over = d.ten_length[t] - m.tendon_lengthspring[t][1];
    const S under = d.ten_length[t] - m.tendon_lengthspring[t][0];
    // at rest, with both ends of the band there, the derivative is that of a plain spring
    return select(over >= S(0), over, select(under <= S(0), under, S(0)));
}

template <class M, class D>
void joint_springs(const M& m, D& d) {
    using S = typename D::scalar;
    over_joints<S>(m, [&](auto j) {
        if (!poly_present(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j])) return;
        for_each_displacement(m, d, j, [&](int dof, const auto& x, const S& length) {
            const S k = poly_coefficient(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j], length, Parity::plain);
            for (int i = 0; i < x.size; ++i) d.qfrc_spring[dof + i] -= x[i] * k;
        });
    });
}

template <class M, class D>
void dof_dampers(const M& m, D& d) {
    using S = typename D::scalar;
    if (has_plain_damping<S>(m)) {
        for (int i = 0; i < m.nv; ++i) d.qfrc_damper[i] = select(mask_t<S>(m.dof_damping[i] != 0), S(-d.qvel[i] * m.dof_damping[i]), S(0));
        return;
    }
    over_dofs<S>(m, [&](auto i) {
        const auto b = dof_total_damping(m, i);
        if (poly_present(b.linear, b.poly)) d.qfrc_damper[i] = -d.qvel[i] * poly_coefficient(b.linear, b.poly, d.qvel[i], Parity::even);
    });
}

// The forces of a tendon's spring and damper along it.
template <class S>
struct TendonPassive {
    S spring, damper;
    bool present;
};

template <class M, class D>
auto tendon_passive(const M& m, const D& d, int t) {
    using S = typename D::scalar;
    TendonPassive<S> f{S(0), S(0), false};
    const auto b = tendon_total_damping(m, t);
    const bool springs = !m.opt.disabled(disable::spring) && poly_present(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t]);
    const bool dampers = !m.opt.disabled(disable::damper) && poly_present(b.linear, b.poly);
    if (springs) {
        const S x = tendon_stretch(m, d, t);
        f.spring = -x * poly_coefficient(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t], x, Parity::plain);
    }
    if (dampers) f.damper = -d.ten_velocity[t] * poly_coefficient(b.linear, b.poly, d.ten_velocity[t], Parity::even);
    f.present = springs || dampers;
    return f;
}

template <class M, class D>
void tendon_spring_dampers(const M& m, D& d) {
    for (int t = 0; t < m.ntendon; ++t) {
        const auto f = tendon_passive(m, d, t);
        if (!f.present) continue;
        for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
            d.qfrc_spring[m.ten_J_colind[k]] += d.ten_J[k] * f.spring;
            d.qfrc_damper[m.ten_J_colind[k]] += d.ten_J[k] * f.damper;
        }
    }
}

template <class M, class D>
void spring_damper(const M& m, D& d) {
    if (!m.opt.disabled(disable::spring)) joint_springs(m, d);
    if (!m.opt.disabled(disable::damper)) dof_dampers(m, d);
    tendon_spring_dampers(m, d);
}

}  // namespace mjx::inner
