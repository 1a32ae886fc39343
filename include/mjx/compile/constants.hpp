// Constants that follow from the model at rest, found by running the pipeline's own stages at qpos0 and at qpos_spring.
//
// Writes  body_subtreemass, body_invweight0, dof_invweight0, dof_M0, tendon_length0, tendon_invweight0, tendon_lengthspring,
//         actuator_length0, actuator_acc0, actuator_biasprm (damping ratios become damping), eq_data of connect and weld, and
//         the rest poses of cameras and lights
// invweight0 is the mean diagonal of J M⁻¹ Jᵀ: how easily a body or joint moves, which scales constraint softness (MuJoCo,
// computation chapter: "Diagonal approximation").
#pragma once

#include "mjx/compile/tables.hpp"
#include "mjx/data/data.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/stage/com.hpp"
#include "mjx/stage/crba.hpp"
#include "mjx/stage/factor.hpp"
#include "mjx/stage/jacobian.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/reset.hpp"
#include "mjx/stage/tendon.hpp"
#include "mjx/stage/tendon_armature.hpp"
#include "mjx/stage/transmission.hpp"

namespace mjx::inner::compiler {

// A model of any set of joints is simulated as what it is.
template <class M>
using RestData = Data<double, M>;

template <class M>
void set_total_mass(M& m, double total) {
    if (total <= 0) return;
    double mass = 0;
    for (int b = 1; b < m.nbody; ++b) mass += m.body_mass[b];
    const double scale = std::max(minval, total / std::max(minval, mass));
    for (int b = 1; b < m.nbody; ++b) {
        m.body_mass[b] *= scale;
        m.body_inertia[b] *= scale;
    }
}

template <class M>
void set_subtree_mass(M& m) {
    m.body_subtreemass = m.body_mass;
    for (int b = m.nbody - 1; b > 0; --b) m.body_subtreemass[m.body_parentid[b]] += m.body_subtreemass[b];
}

// Bodies that only slide along their own principal axes, alone or on a fixed child of the world: M is diagonal with the mass.
// MuJoCo takes 1/mass for their invweight0, armature not counted; so do we.
template <class M>
std::vector<bool> sliding_bodies(const M& m, const Tree& tree) {
    const auto zero = [](double x) { return std::abs(x) < 1e-6; };
    const auto null = [&](const Vec3d& v) { return zero(v[0]) && zero(v[1]) && zero(v[2]); };
    std::vector<bool> sliding(static_cast<std::size_t>(m.nbody), false);
    const auto at = [&](int b) { return sliding.begin() + b; };
    for (int b = 1; b < m.nbody; ++b) {
        const int parent = m.body_parentid[b];
        const Quatd& q = m.body_iquat[b];
        bool simple = tree.bodies[static_cast<std::size_t>(b)]->spec->simple && m.body_dofnum[b] > 0;
        simple = simple && null(m.body_ipos[b]) && null({{q[1], q[2], q[3]}}) && zero(std::abs(q[0]) - 1);
        simple = simple && (m.body_rootid[b] == b || (m.body_parentid[parent] == 0 && m.body_dofnum[parent] == 0));
        for (int j = m.body_jntadr[b]; j < m.body_jntadr[b] + m.body_jntnum[b]; ++j) {
            int nonzero = 0;
            for (int k = 0; k < 3; ++k) nonzero += std::abs(m.jnt_axis[j][k]) > eps;
            simple = simple && M::joints::kind(m.jnt_type[j]).slides() && nonzero == 1 && null(m.jnt_pos[j]);
        }
        *at(b) = simple;
        if (parent > 0) *at(parent) = false;
    }
    for (int t = 0; t < m.ntendon; ++t)
        for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
            if (m.tendon_armature[t] == 0) break;
            if (m.wrap_type[w] == wrap::site) *at(m.site_bodyid[m.wrap_objid[w]]) = false;
            if (m.wrap_type[w] == wrap::sphere || m.wrap_type[w] == wrap::cylinder) *at(m.geom_bodyid[m.wrap_objid[w]]) = false;
        }
    return sliding;
}

// xᵀ M⁻¹ x = Σ y²/D with y = L⁻ᵀ x, which only touches ancestors of the dofs in x; x is zero outside [first, last). x is used up.
template <class M>
double inverse_inertia_form(const M& m, const RestData<M>& d, Array<double>& x, int first, int last) {
    double sum = 0;
    for (int i = last - 1; i >= first; --i) {
        const double y = x[i];
        if (y == 0) continue;
        x[i] = 0;
        sum += y * y * d.qLDiagInv[i];
        const int row = m.M_rowadr[i];
        for (int c = 0; c < m.M_rownnz[i] - 1; ++c) x[m.M_colind[row + c]] -= d.qLD[row + c] * y;
    }
    return sum;
}

template <class M>
void set_body_invweight(M& m, const RestData<M>& d, const std::vector<bool>& sliding) {
    m.body_invweight0.resize(m.nbody);
    Array<double> x;
    x.resize(m.nv);
    for (int b = 1; b < m.nbody; ++b) {
        if (m.body_dofnum[m.body_weldid[b]] == 0) continue;
        if (sliding[static_cast<std::size_t>(b)]) {
            m.body_invweight0[b] = {{1 / std::max(minval, m.body_mass[b]), 0}};
            continue;
        }
        Vec<double, 2> weight{{0, 0}};
        int first = m.nv, last = 0;
        for_each_dof_of(m, b, [&](int i) {
            first = std::min(first, i);
            last = std::max(last, i + 1);
        });
        for (int k = 0; k < 3; ++k) {
            for_each_dof_of(m, b, [&](int i) { x[i] = point_column(m, d, b, d.xipos[b], i)[k]; });
            weight[0] += inverse_inertia_form(m, d, x, first, last) / 3;
            for_each_dof_of(m, b, [&](int i) { x[i] = d.cdof[i][k]; });
            weight[1] += inverse_inertia_form(m, d, x, first, last) / 3;
        }
        m.body_invweight0[b] = weight;
    }
}

// Dofs that move together share the mean.
template <class M>
void set_dof_invweight(M& m, const RestData<M>& d, const std::vector<bool>& sliding) {
    m.dof_invweight0.resize(m.nv);
    Array<double> x;
    x.resize(m.nv);
    for (int j = 0; j < m.njnt; ++j) {
        const int body = m.jnt_bodyid[j], group = M::joints::group(m.jnt_type[j]);
        for (int first = m.jnt_dofadr[j]; first < m.jnt_dofadr[j] + M::joints::nv(m.jnt_type[j]); first += group) {
            double mean = 0;
            for (int i = first; i < first + group; ++i) {
                x[i] = 1;
                mean += inverse_inertia_form(m, d, x, m.tree_dofadr[m.dof_treeid[i]], i + 1) / group;
            }
            if (sliding[static_cast<std::size_t>(body)]) mean = 1 / std::max(minval, m.body_mass[body]);
            for (int i = first; i < first + group; ++i) m.dof_invweight0[i] = mean;
        }
    }
}

template <class M>
void set_cameras_and_lights(M& m, const RestData<M>& d) {
    m.cam_pos0.resize(m.ncam);
    m.cam_poscom0.resize(m.ncam);
    m.cam_mat0.resize(m.ncam);
    for (int c = 0; c < m.ncam; ++c) {
        const int b = m.cam_bodyid[c], target = m.cam_targetbodyid[c];
        Vec3d pos;
        local_to_world(d, b, m.cam_pos[c], m.cam_quat[c], pos, m.cam_mat0[c]);
        m.cam_pos0[c] = pos - d.xpos[b];
        m.cam_poscom0[c] = pos - d.subtree_com[target >= 0 ? target : b];
    }
    m.light_pos0.resize(m.nlight);
    m.light_poscom0.resize(m.nlight);
    m.light_dir0.resize(m.nlight);
    for (int l = 0; l < m.nlight; ++l) {
        const int b = m.light_bodyid[l], target = m.light_targetbodyid[l];
        const Vec3d pos = d.xpos[b] + d.xmat[b] * m.light_pos[l];
        m.light_pos0[l] = pos - d.xpos[b];
        m.light_poscom0[l] = pos - d.subtree_com[target >= 0 ? target : b];
        m.light_dir0[l] = normalize(rotate(d.xquat[b], m.light_dir[l]));
    }
}

// The part of eq_data that the user left to the rest pose: the same anchor seen from the other body, the relative orientation.
template <class M>
void set_equality_data(M& m, const RestData<M>& d) {
    for (int i = 0; i < m.neq; ++i) {
        const int b1 = m.eq_obj1id[i], b2 = m.eq_obj2id[i];
        auto& data = m.eq_data[i];
        const Vec3d anchor{{data[0], data[1], data[2]}};
        const auto seen_from = [&](int to, int from) {
            return transpose_mul(d.xmat[to], Vec3d(d.xpos[from] + d.xmat[from] * anchor - d.xpos[to]));
        };
        const bool bodies = m.eq_objtype[i] == obj::body;
        if (m.eq_type[i] == eq::connect) {
            if (bodies)
                store(data, 3, seen_from(b2, b1));
            else
                data = Vec<double, neqdata>::zero();
        } else if (m.eq_type[i] == eq::weld && bodies) {
            const Quatd relative = quat_at(data, 6);
            if (relative[0] != 0 || relative[1] != 0 || relative[2] != 0 || relative[3] != 0) {
                store(data, 6, normalize(relative));
                continue;
            }
            store(data, 3, seen_from(b1, b2));
            store(data, 6, Quatd(conjugate(d.xquat[b1]) * d.xquat[b2]));
        }
    }
}

// How easily tendons and actuators move the model: JM⁻¹Jᵀ of a tendon, |M⁻¹ moment| of an actuator's output.
template <class M>
void set_tendons_and_actuators(M& m, const RestData<M>& d) {
    Array<double> x;
    x.resize(m.nv);
    for (int t = 0; t < m.ntendon; ++t) {
        m.tendon_length0.push_back(d.ten_length[t]);
        std::fill(x.begin(), x.end(), 0.0);
        for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) x[m.ten_J_colind[k]] = d.ten_J[k];
        m.tendon_invweight0.push_back(m.nv > 0 ? inverse_inertia_form(m, d, x, 0, m.nv) : 0);
    }
    for (int i = 0; i < m.nout; ++i) {
        m.actuator_length0.push_back(d.actuator_length[i]);
        std::fill(x.begin(), x.end(), 0.0);
        for (int k = m.moment_rowadr[i]; k < m.moment_rowadr[i] + m.moment_rownnz[i]; ++k) x[m.moment_colind[k]] = d.actuator_moment[k];
        solve_ldl(m, d.qLD, d.qLDiagInv, x);
        double sum = 0;
        for (const double a : x) sum += a * a;
        m.actuator_acc0.push_back(std::sqrt(sum));
    }
}

// A positive biasprm[2] of a position servo is a damping ratio: critical damping of kp against the inertia seen through the
// transmission at rest.
template <class M>
void resolve_dampratio(M& m, const RestData<M>& d) {
    for (int i = 0; i < m.nactuator; ++i) {
        auto& bias_prm = m.actuator_biasprm[i];
        const bool pid = m.actuator_gaintype[i] == gain::pid;
        if ((!pid && m.actuator_gainprm[i][0] != -bias_prm[1]) || bias_prm[2] <= 0) continue;
        const int out = m.actuator_outadr[i];
        double mass = 0;
        for (int k = m.moment_rowadr[out]; k < m.moment_rowadr[out] + m.moment_rownnz[out]; ++k) {
            const double gear2 = d.actuator_moment[k] * d.actuator_moment[k];
            if (gear2 > minval) mass += m.dof_M0[m.moment_colind[k]] / gear2;
        }
        bias_prm[2] = -bias_prm[2] * 2 * std::sqrt(-bias_prm[1] * mass);
    }
}

// The model at qpos0, inertia factored; d is left there for the statistics.
template <class M>
void set_rest_constants(M& m, RestData<M>& d, const Tree& tree) {
    reset(m, d);
    kinematics(m, d);
    com_pos(m, d);
    tendon(m, d);
    crba(m, d);
    for (int i = 0; i < m.nv; ++i) m.dof_M0.push_back(d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]);
    tendon_armature(m, d);
    factor(m, d);
    transmission(m, d);
    const std::vector<bool> sliding = sliding_bodies(m, tree);
    set_body_invweight(m, d, sliding);
    set_dof_invweight(m, d, sliding);
    set_tendons_and_actuators(m, d);
    set_equality_data(m, d);
    set_cameras_and_lights(m, d);
    resolve_dampratio(m, d);
}

// Tendon springs without a length of their own rest where the joint springs do.
template <class M>
void set_spring_lengths(M& m, RestData<M>& d) {
    for (int q = 0; q < m.nq; ++q) d.qpos[q] = m.qpos_spring[q];
    kinematics(m, d);
    com_pos(m, d);
    tendon(m, d);
    for (int t = 0; t < m.ntendon; ++t)
        if (auto& length = m.tendon_lengthspring[t]; length[0] == -1 && length[1] == -1) length = {{d.ten_length[t], d.ten_length[t]}};
}

// springdamper: stiffness and damping that give the joint's own inertia the time constant and damping ratio.
template <class M>
void set_springdampers(M& m, const Tree& tree) {
    int j = 0;
    for (const BodyNode* b : tree.bodies)
        for (const JointNode& joint : b->joints) {
            const double time = joint.springdamper[0], ratio = joint.springdamper[1];
            const int first = m.jnt_dofadr[j], n = joint.kind->nv;
            if (time > 0 && ratio > 0) {
                double sum = 0;
                for (int i = first; i < first + n; ++i) sum += m.dof_invweight0[i];
                const double inertia = n / std::max(minval, sum);
                m.jnt_stiffness[j] = inertia / std::max(minval, time * time * ratio * ratio);
                for (int i = first; i < first + n; ++i) m.dof_damping[i] = 2 * inertia / std::max(minval, time);
            }
            ++j;
        }
}

}  // namespace mjx::inner::compiler
