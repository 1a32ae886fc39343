// Rows of dry friction in dofs and tendons, and of joint and tendon limits.
//
// Reads   qpos, ten_length, ten_J
// Writes  blocks of type cnstr::friction_* and limit_*: efc_pos, efc_margin, efc_frictionloss, efc_J, efc_diagA
// A limit's position is the distance to it, negative beyond. What is limited is the joint's to say.
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/stage/sleep.hpp"

namespace mjx::inner {

// One row along a single dof.
template <class M, class D, class Mask>
int add_dof_row(const M& m, D& d, int type, int id, int dof, const Mask& active, const typename D::scalar& jacobian) {
    using S = typename D::scalar;
    if (dof_sleeps(m, d, dof)) return -1;
    const int b = add_block(m, d, type, id, 1, 1, active);
    if (b < 0) return -1;
    d.efc_J_colind[d.block_J[b]] = dof;
    d.efc_J[d.block_J[b]] = jacobian;
    d.efc_diagA[d.block_row[b]] = S(m.dof_invweight0[dof]);
    return d.block_row[b];
}

// One row along a tendon's length, times sign.
template <class M, class D, class Mask>
int add_tendon_row(const M& m, D& d, int type, int t, const Mask& active, value_t<typename D::scalar> sign) {
    using S = typename D::scalar;
    const int nnz = m.ten_J_rownnz[t], from = m.ten_J_rowadr[t];
    if (nnz == 0 || columns_sleep(m, d, m.ten_J_colind, from, nnz)) return -1;
    const int b = add_block(m, d, type, t, 1, nnz, active);
    if (b < 0) return -1;
    for (int k = 0; k < nnz; ++k) {
        d.efc_J_colind[d.block_J[b] + k] = m.ten_J_colind[from + k];
        d.efc_J[d.block_J[b] + k] = d.ten_J[from + k] * sign;
    }
    if (drop_zero_block(m, d, b)) return -1;
    d.efc_diagA[d.block_row[b]] = S(m.tendon_invweight0[t]);
    return d.block_row[b];
}

// The lanes that have dry friction where some have: all of them, unless they have losses of their own.
template <class S, class Mask>
mask_t<S> rubbing(const Mask& some) {
    if constexpr (std::is_same_v<Mask, bool>)
        return mask_t<S>(true);
    else
        return some;
}

// As in MuJoCo a dof whose loss is below zero has a row of it, and a tendon has none.
template <class M, class D>
void add_friction_rows(const M& m, D& d) {
    using S = typename D::scalar;
    if (m.opt.disabled(disable::frictionloss)) return;
    for (int i = 0; i < m.nv; ++i) {
        if (!any(m.dof_frictionloss[i] != 0)) continue;
        const int row = add_dof_row(m, d, cnstr::friction_dof, i, i, rubbing<S>(m.dof_frictionloss[i] != 0), S(1));
        if (row >= 0) d.efc_frictionloss[row] = S(m.dof_frictionloss[i]);
    }
    for (int t = 0; t < m.ntendon; ++t) {
        if (!any(m.tendon_frictionloss[t] > 0)) continue;
        const int row = add_tendon_row(m, d, cnstr::friction_tendon, t, rubbing<S>(m.tendon_frictionloss[t] > 0), 1);
        if (row >= 0) d.efc_frictionloss[row] = S(m.tendon_frictionloss[t]);
    }
}

// One row where the joint is nearer to a limit than its margin, `active`: `jacobian` is over the joint's first dofs.
template <class M, class D, class S, int N>
void add_joint_limit(const M& m, D& d, int j, const S& dist, const Vec<S, N>& jacobian, const mask_t<S>& active) {
    const int dof = m.jnt_dofadr[j];
    if (dof_sleeps(m, d, dof)) return;
    const int b = add_block(m, d, cnstr::limit_joint, j, 1, N, active);
    if (b < 0) return;
    const int row = d.block_row[b];
    for (int k = 0; k < N; ++k) {
        d.efc_J_colind[d.block_J[b] + k] = dof + k;
        d.efc_J[d.block_J[b] + k] = jacobian[k];
    }
    d.efc_pos[row] = dist;
    d.efc_margin[row] = S(m.jnt_margin[j]);
    d.efc_diagA[row] = S(m.dof_invweight0[dof]);
}

template <class M, class D>
void add_limit_rows(const M& m, D& d) {
    using S = typename D::scalar;
    using T = value_t<S>;
    if (m.opt.disabled(disable::limit)) return;
    for (int j = 0; j < m.njnt; ++j) {
        if (!m.jnt_limited[j]) continue;
        M::joints::visit(m.jnt_type[j], [&](auto joint) {
            joint.limits(m, d, j, [&](const S& dist, const auto& jacobian) {
                const mask_t<S> active = dist < S(m.jnt_margin[j]);
                if (any(active)) add_joint_limit(m, d, j, dist, jacobian, active);
            });
        });
    }
    for (int t = 0; t < m.ntendon; ++t) {
        if (!m.tendon_limited[t]) continue;
        for (int side = 0; side < 2; ++side) {
            const S dist = side ? S(m.tendon_range[t][1] - d.ten_length[t]) : S(d.ten_length[t] - m.tendon_range[t][0]);
            const auto active = dist < S(m.tendon_margin[t]);
            if (!any(active)) continue;
            const int row = add_tendon_row(m, d, cnstr::limit_tendon, t, active, side ? T(-1) : T(1));
            if (row < 0) continue;
            d.efc_pos[row] = dist;
            d.efc_margin[row] = S(m.tendon_margin[t]);
        }
    }
}

}  // namespace mjx::inner
