// The derivative of all constraint forces at a fixed acceleration, and the Hessian: by_q, by_v += d(-Jᵀ f)/dq, /dv and H += Jᵀ W J.
//
// Reads   what the headers below read
// Rows along joints and fixed tendons have the gradient of their position as J. It is constant, except for the limit of a ball, which
// acts along its axis of rotation, and for couplings by a polynomial, where J = J_y - p'(x) J_x. All other rows that bend are left to
// derivative/bent_terms.hpp, except for their curvature; but for contacts, which have contact_derivative.hpp.
#pragma once

#include "mjx/constraint/contact_derivative.hpp"
#include "mjx/constraint/equality.hpp"
#include "mjx/math/quat_derivative.hpp"
#include "mjx/stage/passive_derivative.hpp"

namespace mjx::inner {

// Equalities whose reference acceleration has a bias J̇ v: those that tie points.
template <class M, class D>
bool has_own_bias(const M& m, const D& d, int block) {
    const int row = d.block_row[block];
    return d.efc_type[row] == cnstr::equality && ties_points(m.eq_type[d.efc_id[row]]);
}
// Whether the rows of a block that is no contact bend.
template <class M, class D>
bool is_bent(const M& m, const D& d, int block) {
    const int row = d.block_row[block], type = d.efc_type[row], id = d.efc_id[row];
    if (type == cnstr::friction_tendon || type == cnstr::limit_tendon) return is_bent_tendon(m, id);
    if (type != cnstr::equality) return false;
    if (!ties_tendons(m.eq_type[id])) return ties_points(m.eq_type[id]);
    return is_bent_tendon(m, m.eq_obj1id[id]) || (m.eq_obj2id[id] >= 0 && is_bent_tendon(m, m.eq_obj2id[id]));
}

// Residuals, forces and weights of rows at an acceleration, and how contacts of a pair move.
template <class S>
struct ConstraintWork {
    Array<S> residual, force, weight;
    Array<ContactMotion<S>> motion[2];

    template <class D>
    explicit ConstraintWork(const D& d) {
        for (auto* each : {&residual, &force, &weight}) each->resize(d.efc_force.size());
        for (auto& each : motion) each.resize(max_points);
    }
    static Span<S> span(Array<S>& v) { return {v.data(), static_cast<int>(v.size())}; }
};

// by_q += what a row adds whose J changes by dJ_i = turn(i, j) dq_j within its columns.
template <class S, class D, class A, class T, class Q>
void add_row_turn(const D& d, int block, const BlockResponse<S>& response, const A& qacc, const T& turn, Q&& by_q) {
    const int nnz = d.block_nnz[block], *column = &d.efc_J_colind[d.block_J[block]];
    const S* J = &d.efc_J[d.block_J[block]];
    for (int j = 0; j < nnz; ++j) {
        S change(0);
        for (int k = 0; k < nnz; ++k) change += turn(k, j) * (qacc[column[k]] + response.damping[0] * d.qvel[column[k]]);
        for (int i = 0; i < nnz; ++i) by_q(column[i], column[j]) += J[i] * response.W[0][0] * change - turn(i, j) * response.force[0];
    }
}

// The axis of a ball's rotation x turns by (I - axis axisᵀ) Jr⁻¹(x)/|x|.
template <class M, class D, class S, class A, class Q>
void add_ball_limit_turn(const M& m, const D& d, int block, const BlockResponse<S>& response, const A& qacc, Q&& by_q) {
    const Vec3<S> x = log_quat(normalize(quat_at(d.qpos, m.jnt_qposadr[d.efc_id[d.block_row[block]]])));
    S angle;
    const Vec3<S> axis = normalize(x, angle);
    const Mat3<S> by = inverse_right_jacobian(x);
    const auto turn = [&](int i, int j) {
        S sum(0);
        for (int k = 0; k < 3; ++k) sum += (S(i == k) - axis[i] * axis[k]) * by(k, j);
        return S(-sum / max(angle, S(minval_v<S>)));
    };
    add_row_turn(d, block, response, qacc, turn, by_q);
}

// The slope of a coupling's polynomial changes with x.
template <class M, class D, class S, class A, class Q>
void add_polynomial_turn(const M& m, const D& d, int block, const BlockResponse<S>& response, const A& qacc, Q&& by_q) {
    const int e = d.efc_id[d.block_row[block]];
    if (m.eq_obj2id[e] < 0) return;
    const auto x = coupled(m, d, e, m.eq_obj2id[e]);
    const auto& data = m.eq_data[e];
    const S bend = data[2] * 2 + x.value * (data[3] * 6 + x.value * (data[4] * 12));
    if (is_nothing(bend)) return;
    const int* column = &d.efc_J_colind[d.block_J[block]];
    const auto gradient = [&](int k) {
        for (int i = 0; i < x.nnz; ++i)
            if (coupled_dof(m, x, i) == column[k]) return x.tendon ? S(d.ten_J[x.adr + i]) : S(1);
        return S(0);
    };
    add_row_turn(
        d, block, response, qacc, [&](int i, int j) { return S(-bend * gradient(i) * gradient(j)); }, by_q);
}

template <class M, class D, class S, class A, class Q>
void add_joint_row_derivative(const M& m, const D& d, int block, const BlockResponse<S>& response, const A& qacc, Q&& by_q) {
    const int row = d.block_row[block], type = d.efc_type[row];
    add_row_stiffness(d, block, response, by_q);
    if (type == cnstr::limit_joint && d.block_nnz[block] == 3) add_ball_limit_turn(m, d, block, response, qacc, by_q);
    if (type == cnstr::equality) add_polynomial_turn(m, d, block, response, qacc, by_q);
}

// All contacts, pair by pair: the narrow phase answers for all points of a pair at once.
template <class M, class D, class S, class Q>
void add_contacts_derivative(const M& m, const D& d, const TreeMotion<S>& t, ConstraintWork<S>& work, Q&& by_q) {
    for (int first = 0, end; first < d.ncon; first = end) {
        const auto& contact = d.contact[first];
        bool acts = false;
        for (end = first; end < d.ncon; ++end) {
            const auto& other = d.contact[end];
            if (other.geom1 != contact.geom1 || other.geom2 != contact.geom2 || other.pair != contact.pair) break;
            acts = acts || other.efc_address >= 0;
        }
        if (!acts) continue;
        for (int side = 0; side < 2; ++side) {
            if (m.B_rownnz[m.geom_bodyid[side == 0 ? contact.geom1 : contact.geom2]] == 0) continue;
            for_each_contact_motion(m, d, contact.geom1, contact.geom2, contact.pair, side, [&](int k, const ContactMotion<S>& motion) {
                if (first + k < end) work.motion[side][k] = motion;
            });
        }
        for (int c = first; c < end; ++c) {
            if (d.contact[c].efc_address < 0) continue;
            int block = 0;
            while (d.block_row[block] != d.contact[c].efc_address) ++block;
            const auto response = block_response<S>(d, block, work.residual, work.force, work.weight);
            const int k = c - first;
            const ContactMotion<S> motion[2] = {work.motion[0][k], work.motion[1][k]};
            add_contact_derivative(m, d, t, d.contact[c], response, motion, contact_acts(d.contact[c]), by_q);
        }
    }
}

// After tree_motion at qacc.
template <class M, class D, class S, class A, class H, class Q, class V>
void add_constraint_derivative(const M& m, const D& d, const TreeMotion<S>& t, ConstraintWork<S>& work, const A& qacc, H&& hessian,
                               Q&& by_q, V&& by_v) {
    if (d.nefc == 0) return;
    auto &residual = work.residual, &force = work.force, &weight = work.weight;
    jacobian_product<S>(d, qacc, residual);
    for (int i = 0; i < d.nefc; ++i) residual[i] -= d.efc_aref[i];
    apply_laws<S>(d, residual, force, weight);
    for (int b = 0; b < d.nblock; ++b) {
        const auto response = block_response<S>(d, b, residual, force, weight);
        if (has_own_bias(m, d, b)) {
            S unused;
            add_block_curvature(d, b, response, hessian, [&](int, int) -> S& { return unused = S(0); });
            continue;
        }
        add_block_curvature(d, b, response, hessian, by_v);
        if (d.efc_type[d.block_row[b]] < cnstr::contact_frictionless && !is_bent(m, d, b))
            add_joint_row_derivative(m, d, b, response, qacc, by_q);
    }
    add_contacts_derivative(m, d, t, work, by_q);
}

}  // namespace mjx::inner
