// Constants that follow from the model at rest, found by running the pipeline's own stages at qpos0 and at qpos_spring.
//
// Writes  (of the model) body_subtreemass, body_invweight0, dof_invweight0, dof_M0, tendon_length0, tendon_invweight0,
//         tendon_lengthspring, actuator_length0, actuator_acc0, actuator_biasprm (damping ratios become damping), eq_data of connect
//         and weld, and the rest poses of cameras and lights; d is used as work space and left at qpos_spring
// invweight0 is the mean diagonal of J M⁻¹ Jᵀ: how easily a body or joint moves, which scales constraint softness (MuJoCo,
// computation chapter: "Diagonal approximation").
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/model/actuator_kinds.hpp"
#include "mjx/model/equality_kinds.hpp"
#include "mjx/stage/com.hpp"
#include "mjx/stage/crba.hpp"
#include "mjx/stage/factor.hpp"
#include "mjx/stage/jacobian.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/reset.hpp"
#include "mjx/stage/same_frames.hpp"
#include "mjx/stage/tendon.hpp"
#include "mjx/stage/tendon_armature.hpp"
#include "mjx/stage/transmission.hpp"

namespace mjx::inner {

template <class M>
void set_subtree_mass(M& m) {
    for (int b = 0; b < m.nbody; ++b) m.body_subtreemass[b] = m.body_mass[b];
    for (int b = m.nbody - 1; b > 0; --b) m.body_subtreemass[m.body_parentid[b]] += m.body_subtreemass[b];
}

// A body that only slides along its own principal axes, alone or on a fixed child of the world: M is diagonal with the mass.
// MuJoCo takes 1/mass for its invweight0, armature not counted; so do we.
template <class M>
bool slides_alone(const M& m, int b) {
    using R = typename M::real;
    const auto zero = [](const R& x) { return all(abs(value_of(x)) < static_cast<value_t<R>>(1e-6)); };
    const auto null = [&](const Vec3<R>& v) { return zero(v[0]) && zero(v[1]) && zero(v[2]); };
    const int parent = m.body_parentid[b];
    const bool leaf = b + 1 == m.nbody || m.body_parentid[b + 1] != b;
    if (!m.body_simple[b] || m.body_dofnum[b] == 0 || !leaf) return false;
    if (m.body_rootid[b] != b && (m.body_parentid[parent] != 0 || m.body_dofnum[parent] != 0)) return false;
    const Quat<R>& q = m.body_iquat[b];
    if (!null(m.body_ipos[b]) || !zero(q[1]) || !zero(q[2]) || !zero(q[3]) || !zero(R(abs(q[0]) - R(1)))) return false;
    for (int j = m.body_jntadr[b]; j < m.body_jntadr[b] + m.body_jntnum[b]; ++j) {
        int nonzero = 0;
        for (int k = 0; k < 3; ++k) nonzero += any(abs(value_of(m.jnt_axis[j][k])) > static_cast<value_t<R>>(1e-14));
        if (!M::joints::kind(m.jnt_type[j]).slides() || nonzero != 1 || !null(m.jnt_pos[j])) return false;
    }
    return !carries_armature(m, b);
}

// xᵀ M⁻¹ x = Σ y²/D with y = L⁻ᵀ x, which only touches ancestors of the dofs in x; x is zero outside [first, last) and afterwards.
template <class M, class D, class X>
auto inverse_inertia_form(const M& m, const D& d, X& x, int first, int last) {
    using S = typename D::scalar;
    S sum(0);
    for (int i = last - 1; i >= first; --i) {
        const S y = x[i];
        if (vanishes(y)) continue;
        x[i] = S(0);
        sum += y * y * d.qLDiagInv[i];
        const int row = m.M_rowadr[i];
        for (int c = 0; c < m.M_rownnz[i] - 1; ++c) x[m.M_colind[row + c]] -= d.qLD[row + c] * y;
    }
    return sum;
}

template <class R>
R inverse_mass(const R& mass) {
    return R(1) / max(R(static_cast<value_t<R>>(1e-15)), mass);
}

// x: room for nv numbers, all zero; left so.
template <class M, class D, class X>
void set_body_invweight(M& m, const D& d, X& x) {
    using R = typename M::real;
    for (int b = 0; b < m.nbody; ++b) {
        m.body_invweight0[b] = Vec<R, 2>::zero();
        if (m.body_dofnum[m.body_weldid[b]] == 0) continue;
        if (slides_alone(m, b)) {
            m.body_invweight0[b][0] = inverse_mass(m.body_mass[b]);
            continue;
        }
        Vec<R, 2> weight = Vec<R, 2>::zero();
        const int chain = m.B_rowadr[b], first = m.B_colind[chain], last = m.B_colind[chain + m.B_rownnz[b] - 1] + 1;
        for (int k = 0; k < 3; ++k) {
            for_each_dof_of(m, b, [&](int i) { x[i] = point_column(m, d, b, d.xipos[b], i)[k]; });
            weight[0] += inverse_inertia_form(m, d, x, first, last) / value_t<R>(3);
            for_each_dof_of(m, b, [&](int i) { x[i] = d.cdof[i][k]; });
            weight[1] += inverse_inertia_form(m, d, x, first, last) / value_t<R>(3);
        }
        m.body_invweight0[b] = weight;
    }
}

// Dofs that move together share the mean.
template <class M, class D, class X>
void set_dof_invweight(M& m, const D& d, X& x) {
    using R = typename M::real;
    for (int j = 0; j < m.njnt; ++j) {
        const int body = m.jnt_bodyid[j], group = M::joints::group(m.jnt_type[j]);
        for (int first = m.jnt_dofadr[j]; first < m.jnt_dofadr[j] + M::joints::nv(m.jnt_type[j]); first += group) {
            R mean(0);
            for (int i = first; i < first + group; ++i) {
                x[i] = R(1);
                mean += inverse_inertia_form(m, d, x, m.tree_dofadr[m.dof_treeid[i]], i + 1) / value_t<R>(group);
            }
            if (slides_alone(m, body)) mean = inverse_mass(m.body_mass[body]);
            for (int i = first; i < first + group; ++i) m.dof_invweight0[i] = mean;
        }
    }
}

template <class M, class D>
void set_cameras_and_lights(M& m, const D& d) {
    using R = typename M::real;
    for (int c = 0; c < m.ncam; ++c) {
        const int b = m.cam_bodyid[c], target = m.cam_targetbodyid[c];
        Vec3<R> pos;
        local_to_world(d, b, m.cam_pos[c], m.cam_quat[c], pos, m.cam_mat0[c]);
        m.cam_pos0[c] = pos - d.xpos[b];
        m.cam_poscom0[c] = pos - d.subtree_com[target >= 0 ? target : b];
    }
    for (int l = 0; l < m.nlight; ++l) {
        const int b = m.light_bodyid[l], target = m.light_targetbodyid[l];
        const Vec3<R> pos = d.xpos[b] + d.xmat[b] * m.light_pos[l];
        m.light_pos0[l] = pos - d.xpos[b];
        m.light_poscom0[l] = pos - d.subtree_com[target >= 0 ? target : b];
        m.light_dir0[l] = normalize(rotate(d.xquat[b], m.light_dir[l]));
    }
}

// The part of eq_data that the user left to the rest pose: the same anchor seen from the other body, the relative orientation.
template <class M, class D>
void set_equality_data(M& m, const D& d) {
    using R = typename M::real;
    for (int i = 0; i < m.neq; ++i) {
        const int b1 = m.eq_obj1id[i], b2 = m.eq_obj2id[i];
        auto& data = m.eq_data[i];
        const Vec3<R> anchor{{data[0], data[1], data[2]}};
        const auto seen_from = [&](int to, int from) {
            return transpose_mul(d.xmat[to], Vec3<R>(d.xpos[from] + d.xmat[from] * anchor - d.xpos[to]));
        };
        const bool bodies = m.eq_objtype[i] == obj::body;
        if (!ties_frames(m.eq_type[i])) continue;
        if (!ties_rotations(m.eq_type[i])) {
            if (bodies)
                store(data, 3, seen_from(b2, b1));
            else
                data = Vec<R, neqdata>::zero();
        } else if (bodies) {
            const Quat<R> given = quat_at(data, 6);
            const auto open = given[0] == R(0) && given[1] == R(0) && given[2] == R(0) && given[3] == R(0);
            store(data, 3, select(open, Vec3<R>(seen_from(b1, b2)), vec3_at(data, 3)));
            store(data, 6, select(open, Quat<R>(conjugate(d.xquat[b1]) * d.xquat[b2]), normalize(given)));
        }
    }
}

// How easily tendons and actuators move the model: JM⁻¹Jᵀ of a tendon, |M⁻¹ moment| of an actuator's output. x as above.
template <class M, class D, class X>
void set_tendons_and_actuators(M& m, const D& d, X& x) {
    using R = typename M::real;
    for (int t = 0; t < m.ntendon; ++t) {
        m.tendon_length0[t] = d.ten_length[t];
        for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) x[m.ten_J_colind[k]] = d.ten_J[k];
        m.tendon_invweight0[t] = inverse_inertia_form(m, d, x, 0, m.nv);
    }
    for (int i = 0; i < m.nout; ++i) {
        m.actuator_length0[i] = d.actuator_length[i];
        for (int k = m.moment_rowadr[i]; k < m.moment_rowadr[i] + m.moment_rownnz[i]; ++k) x[m.moment_colind[k]] = d.actuator_moment[k];
        solve_ldl(m, d.qLD, d.qLDiagInv, x);
        R sum(0);
        for (int k = 0; k < m.nv; ++k) {
            sum += x[k] * x[k];
            x[k] = R(0);
        }
        m.actuator_acc0[i] = sqrt(sum);
    }
}

// A positive biasprm[2] of a position servo is a damping ratio: critical damping of kp against the inertia seen through the
// transmission at rest.
template <class M, class D>
void resolve_dampratio(M& m, const D& d) {
    using R = typename M::real;
    for (int i = 0; i < m.nactuator; ++i) {
        auto& bias_prm = m.actuator_biasprm[i];
        const mask_t<R> servo = m.actuator_gainprm[i][0] == -bias_prm[1] ||
                                mask_t<R>(gain_does<actuator_fact::servo>(m.actuator_gaintype[i]));
        const auto open = servo && bias_prm[2] > R(0);
        if (!any(open)) continue;
        const int out = m.actuator_outadr[i];
        R mass(0);
        for (int k = m.moment_rowadr[out]; k < m.moment_rowadr[out] + m.moment_rownnz[out]; ++k) {
            const R gear2 = d.actuator_moment[k] * d.actuator_moment[k];
            const auto acts = gear2 > R(minval_v<R>);
            mass += select(acts, R(m.dof_M0[m.moment_colind[k]] / select(acts, gear2, R(1))), R(0));
        }
        const R damping = -bias_prm[2] * value_t<R>(2) * sqrt(select(open, R(-bias_prm[1] * mass), R(0)));
        bias_prm[2] = select(open, damping, bias_prm[2]);
    }
}

// The model at qpos0, inertia factored; d is left there for the statistics.
template <class M, class D>
void set_rest_constants(M& m, D& d) {
    using S = typename D::scalar;
    reset(m, d);
    kinematics(m, d);
    com_pos(m, d);
    tendon(m, d);
    crba(m, d);
    for (int i = 0; i < m.nv; ++i) m.dof_M0[i] = d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
    tendon_armature(m, d);
    factor(m, d);
    transmission(m, d);
    auto& x = d.qfrc_inverse;
    for (int i = 0; i < m.nv; ++i) x[i] = S(0);
    set_body_invweight(m, d, x);
    set_dof_invweight(m, d, x);
    set_tendons_and_actuators(m, d, x);
    set_equality_data(m, d);
    set_cameras_and_lights(m, d);
    resolve_dampratio(m, d);
}

// Tendon springs without a length of their own rest where the joint springs do.
template <class M, class D>
void set_spring_lengths(M& m, D& d) {
    using R = typename M::real;
    for (int q = 0; q < m.nq; ++q) d.qpos[q] = m.qpos_spring[q];
    kinematics(m, d);
    com_pos(m, d);
    tendon(m, d);
    for (int t = 0; t < m.ntendon; ++t) {
        auto& length = m.tendon_lengthspring[t];
        const auto open = length[0] == R(-1) && length[1] == R(-1);
        length = select(open, Vec<R, 2>{{d.ten_length[t], d.ten_length[t]}}, length);
    }
}

}  // namespace mjx::inner
