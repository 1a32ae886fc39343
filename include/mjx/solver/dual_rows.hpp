// The dual problem's matrix in factored form: A = J M⁻¹ Jᵀ = Y Yᵀ, never multiplied out.
//
// Reads   efc_J, qLD, qLDiagInv
// Writes  block_Y, block_Ynnz, sol_H (rows of Y, then the block's own products Y Yᵀ), sol_H_colind
// With M = LᵀDL, Y = J L⁻¹ D^(-1/2) has nonzeros only at the block's columns and their ancestors. A dual solver keeps z = Yᵀ f, one
// number per dof: the residual of a row is b + R f + Y z and a change of its force changes z by that row. A sweep costs two
// passes over Y instead of one over the square of the number of rows, and nothing of that size is stored.
#pragma once

#include "mjx/solver/finish.hpp"
#include "mjx/solver/primal.hpp"

namespace mjx::inner {

// Columns of Y for one block, ascending, at sol_H_colind[adr ...]: the block's columns and all their ancestors.
template <class M, class D>
int dual_columns(const M& m, D& d, int block, int adr) {
    const int J = d.block_J[block], end = d.block_nnz[block] - 1;
    // ancestors come before, but not before the tree's first dof
    const int low = m.tree_dofadr[m.dof_treeid[d.efc_J_colind[J]]] / 64, high = d.efc_J_colind[J + end] / 64;
    auto& bits = d.sol_H_bits;
    for (int w = low; w <= high; ++w) bits[w] = 0;
    for (int c = end; c >= 0; --c) {
        const int i = d.efc_J_colind[J + c];
        // an ancestor of a column already there came with it
        if (bits[i / 64] >> (i & 63) & 1) continue;
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k)
            bits[m.M_colind[k] / 64] |= std::uint64_t(1) << (m.M_colind[k] & 63);
    }
    int count = 0;
    for (int w = low; w <= high; ++w)
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
            d.sol_H_colind[adr + count++] = 64 * w + std::countr_zero(rest);
    return count;
}

// The block's rows of J become rows of Y in place: L⁻ᵀ from the leaves to the root, then D^(-1/2).
template <class M, class D>
void dual_backsubstitute(const M& m, D& d, int adr, int dim, int nnz) {
    using T = solver_scalar<D>;
    for (int k = nnz - 1; k >= 0; --k) {
        const int i = d.sol_H_colind[adr + k], row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        for (int c = 0, at = 0; c < last; ++c, ++at) {
            while (d.sol_H_colind[adr + at] != m.M_colind[row + c]) ++at;
            const T l = part<T>(d.qLD[row + c]);
            for (int r = 0; r < dim; ++r) d.sol_H[adr + r * nnz + at] -= l * d.sol_H[adr + r * nnz + k];
        }
        const T root = sqrt(part<T>(d.qLDiagInv[i]));
        for (int r = 0; r < dim; ++r) d.sol_H[adr + r * nnz + k] *= root;
    }
}

// Entry (r, s) of the block's own part of A.
template <class D>
int dual_gram(const D& d, int block, int r, int s) {
    const int dim = d.block_dim[block];
    return d.block_Y[block] + dim * d.block_Ynnz[block] + r * dim + s;
}

template <class M, class D>
void make_dual_rows(const M& m, D& d) {
    using T = solver_scalar<D>;
    int next = 0;
    for (int b = 0; b < d.nblock; ++b) {
        const int dim = d.block_dim[b], J = d.block_J[b], J_nnz = d.block_nnz[b];
        const int nnz = dual_columns(m, d, b, next);
        d.block_Y[b] = next;
        d.block_Ynnz[b] = nnz;
        for (int k = 0; k < dim * nnz; ++k) d.sol_H[next + k] = T(0);
        for (int c = 0, at = 0; c < J_nnz; ++c, ++at) {
            while (d.sol_H_colind[next + at] != d.efc_J_colind[J + c]) ++at;
            for (int r = 0; r < dim; ++r) d.sol_H[next + r * nnz + at] = part<T>(d.efc_J[J + r * J_nnz + c]);
        }
        dual_backsubstitute(m, d, next, dim, nnz);
        for (int r = 0; r < dim; ++r)
            for (int s = 0; s < dim; ++s) {
                T sum(0);
                for (int k = 0; k < nnz; ++k) sum += d.sol_H[next + r * nnz + k] * d.sol_H[next + s * nnz + k];
                d.sol_H[dual_gram(d, b, r, s)] = sum;
            }
        next += dim * (nnz + dim);
    }
}

// p = Y z for one block.
template <class T, class D>
void dual_product(const D& d, int block, T* p) {
    const int adr = d.block_Y[block], nnz = d.block_Ynnz[block], dim = d.block_dim[block];
    for (int r = 0; r < dim; ++r) {
        T sum(0);
        for (int k = 0; k < nnz; ++k) sum += d.sol_H[adr + r * nnz + k] * d.sol_search[d.sol_H_colind[adr + k]];
        p[r] = sum;
    }
}
// z += Yᵀ delta for one block.
template <class T, class D>
void dual_add(D& d, int block, const T* delta) {
    const int adr = d.block_Y[block], nnz = d.block_Ynnz[block], dim = d.block_dim[block];
    for (int k = 0; k < nnz; ++k) {
        T sum = d.sol_H[adr + k] * delta[0];
        for (int r = 1; r < dim; ++r) sum += d.sol_H[adr + r * nnz + k] * delta[r];
        d.sol_search[d.sol_H_colind[adr + k]] += sum;
    }
}

// z = Yᵀ f over an island, for the forces in sol_jar.
template <class M, class D>
void dual_reset(const M& m, D& d, int island) {
    using T = solver_scalar<D>;
    for_each_dof(m, d, island, [&](int i) { d.sol_search[i] = T(0); });
    for_each_block(d, island, [&](int b) {
        T p[max_block_dim];
        to_base<T>(d, b, d.sol_jar, p);
        dual_add(d, b, p);
    });
}

// The dual cost fᵀ (A + R) f/2 + fᵀ b over an island, for the forces in sol_jar and their z.
template <class M, class D>
auto dual_cost(const M& m, const D& d, int island) {
    using T = solver_scalar<D>;
    T cost = T(0.5) * island_dot(m, d, island, d.sol_search, d.sol_search);
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i)
            cost += d.sol_jar[i] * (part<T>(d.efc_b[i]) + T(0.5) * part<T>(d.efc_R[i]) * d.sol_jar[i]);
    });
    return cost;
}

// After a dual solver: accelerations from the forces in sol_jar.
template <class M, class D>
void finish_dual(const M& m, D& d) {
    using S = typename D::scalar;
    using T = solver_scalar<D>;
    for (int i = 0; i < d.nefc; ++i) d.efc_force[i] = S(d.sol_jar[i]);
    jacobian_transpose_product<T>(m, d, d.sol_jar, d.sol_grad);
    for (int i = 0; i < m.nv; ++i) d.sol_Mv[i] = d.sol_grad[i];
    for (int island = 0; island < d.nisland; ++island) island_solve_M(m, d, island, d.sol_Mv);
    for (int i = 0; i < m.nv; ++i) d.sol_qacc[i] = part<T>(d.qacc_smooth[i]) + d.sol_Mv[i];
    if constexpr (has_derivatives_v<S>) {
        residuals(d, d.sol_qacc, d.sol_jar);
        Ignored force;
        apply_laws<T>(d, d.sol_jar, force, d.sol_weight);
        differentiate_solution(m, d);
    } else {
        for (int i = 0; i < m.nv; ++i) {
            d.qacc[i] = d.sol_qacc[i];
            d.qfrc_constraint[i] = d.sol_grad[i];
        }
    }
}

}  // namespace mjx::inner
