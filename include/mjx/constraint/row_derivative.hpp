// How the forces of constraint rows change: what a block of rows answers to changes of its residual and of its position.
//
// Reads   efc_J, efc_D, efc_R, efc_KBIP, efc_pos, efc_margin, contact; residuals, forces and weights of the rows
// In a block's own rows (block.hpp) the residual is x = J a - aref with aref = -b J v - k d(p) (p - margin), and the force f = -D(p) ∂s/∂x
// with D ~ d/(1 - d), d the impedance (impedance.hpp). So
//     df = -W dx + f (dD/D),    dD/D = d'/(d (1 - d)) dp,    dx = d(J a) + b d(J v) + k (d + d' (p - margin)) dp
// with W the curvature of the zone the row is in.
#pragma once

#include "mjx/constraint/law.hpp"

namespace mjx::inner {

template <class S>
struct BlockResponse {
    int dim;
    S W[max_block_dim][max_block_dim];
    S force[max_block_dim];
    S damping[max_block_dim];  // b
    S stiffness;  // of the first row: k (d + d' (p - margin))
    S hardening;  // (dD/D)/dp
};

// The curvature of the block in its own rows.
template <class S, class D, class X, class Weight>
void block_weights(const D& d, int block, const X& residual, const Weight& weight, S (&W)[max_block_dim][max_block_dim]) {
    const int row = d.block_row[block], dim = d.block_dim[block];
    for (int r = 0; r < dim; ++r)
        for (int s = 0; s < dim; ++s) W[r][s] = S(0);
    if (is_pyramid(d, block)) {
        const auto& contact = d.contact[d.efc_id[row]];
        for (int k = 1; k < dim; ++k) {
            const S plus = weight[row + 2 * k - 2], minus = weight[row + 2 * k - 1], mu = contact.friction[k - 1];
            W[0][0] += plus + minus;
            W[0][k] = W[k][0] = mu * (plus - minus);
            W[k][k] = mu * mu * (plus + minus);
        }
        return;
    }
    for (int r = 0; r < dim; ++r) W[r][r] = weight[row + r];
    if (d.efc_type[row] == cnstr::contact_elliptic) add_cone_hessian(cone_response<S>(d, row, residual), W);
}

template <class S, class D, class X, class Force, class Weight>
BlockResponse<S> block_response(const D& d, int block, const X& residual, const Force& force, const Weight& weight) {
    const int row = d.block_row[block];
    const bool pyramid = is_pyramid(d, block);
    BlockResponse<S> r;
    r.dim = d.block_dim[block];
    block_weights<S>(d, block, residual, weight, r.W);
    to_base<S>(d, block, force, r.force);
    for (int k = 0; k < r.dim; ++k) r.damping[k] = d.efc_KBIP[pyramid ? row : row + k][1];
    const auto& [stiffness, damping, value, slope] = d.efc_KBIP[row].e;
    r.stiffness = stiffness * (value + slope * (d.efc_pos[row] - d.efc_margin[row]));
    const auto rigid = d.efc_R[row] <= S(minval_v<S>);
    r.hardening = select(rigid, S(0), S(slope / (value * (S(1) - value))));
    return r;
}

// H += Jᵀ W J (lower triangle) and by_v += Jᵀ W b J, for one block.
template <class S, class D, class H, class V>
void add_block_curvature(const D& d, int block, const BlockResponse<S>& response, H&& hessian, V&& by_v) {
    const int nnz = d.block_nnz[block], dim = response.dim, *column = &d.efc_J_colind[d.block_J[block]];
    const S* J = &d.efc_J[d.block_J[block]];
    bool alike = true;
    for (int r = 1; r < dim; ++r) alike = alike && all(response.damping[r] == response.damping[0]);
    for (int c = 0; c < nnz; ++c) {
        S w[max_block_dim], damped[max_block_dim];
        for (int r = 0; r < dim; ++r) {
            w[r] = damped[r] = S(0);
            for (int s = 0; s < dim; ++s) {
                const S entry = response.W[r][s] * J[s * nnz + c];
                w[r] += entry;
                damped[r] += entry * response.damping[s];
            }
        }
        for (int k = alike ? c : 0; k < nnz; ++k) {
            S sum(0), slowed(0);
            for (int r = 0; r < dim; ++r) sum += J[r * nnz + k] * w[r];
            if (k >= c) hessian(column[k], column[c]) += sum;
            if (alike) {
                slowed = sum * response.damping[0];
                if (k > c) by_v(column[c], column[k]) += slowed;
            } else {
                for (int r = 0; r < dim; ++r) slowed += J[r * nnz + k] * damped[r];
            }
            by_v(column[k], column[c]) += slowed;
        }
    }
}

// by_q += what a row whose position has the gradient J adds, with J held.
template <class S, class D, class Q>
void add_row_stiffness(const D& d, int block, const BlockResponse<S>& response, Q&& by_q) {
    const int nnz = d.block_nnz[block], *column = &d.efc_J_colind[d.block_J[block]];
    const S* J = &d.efc_J[d.block_J[block]];
    const S slope = response.W[0][0] * response.stiffness - response.force[0] * response.hardening;
    for (int i = 0; i < nnz; ++i)
        for (int j = 0; j < nnz; ++j) by_q(column[i], column[j]) += J[i] * slope * J[j];
}

}  // namespace mjx::inner
