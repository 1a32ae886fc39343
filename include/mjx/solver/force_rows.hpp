// The matrix of the problem in force space in factored form: A = J M⁻¹ Jᵀ = Y Yᵀ, never multiplied out.
//
// Reads   efc_J, qLD, qLDiagInv
// Writes  its work: rows of Y, then the block's own products Y Yᵀ
// With M = LᵀDL, Y = J L⁻¹ D^(-1/2) has nonzeros only at the block's columns and their ancestors. A solver in force space keeps
// z = Yᵀ f, one number per dof: the residual of a row is b + R f + Y z and a change of its force changes z by that row. A sweep costs
// two passes over Y instead of one over the square of the number of rows, and nothing of that size is stored.
#pragma once

#include "mjx/solver/finish.hpp"
#include "mjx/solver/primal.hpp"

namespace mjx::inner {

// What a solver in force space works on; noslip too, after any solver.
template <class S, class M>
struct ForceWork {
    explicit ForceWork(WorkPlace<M>* place) : solver(place) {}

    SolverWork<S, M> solver;
    WorkPlace<M>* at = solver.at;
    using T = value_part_t<S>;
    template <class U, auto Size>
    using array = WorkArray<U, Size, S, M>;
    array<T, Dim::njmax> force{at};
    array<T, Dim::njmax> swept{at};   // forces the sweep started from, then those it ended with
    array<T, Dim::njmax> before{at};  // forces the sweep before started from
    array<T, Dim::nv> z{at};          // Yᵀ times each
    array<T, Dim::nv> z_swept{at};
    array<T, Dim::nv> z_before{at};
    array<int, Dim::njmax> Y_adr{at};  // where the rows of a block start in Y
    array<int, Dim::njmax> Y_nnz{at};  // columns of these rows
    array<std::uint64_t, Dim::nv> bits{at};
    array<std::uint64_t, Dim::njmax> key{at};  // of the blocks in the order of a sweep (pgs.hpp)
    array<int, Dim::njmax> order{at};
    array<T, force_rows_size> Y{at};
    array<int, force_rows_size> Y_colind{at};
};
template <class D>
auto& forces(D& d) {
    return work<ForceWork>(d);
}

// Columns of Y for one block, ascending, at Y_colind[adr ...]: the block's columns and all their ancestors.
template <class M, class D>
int force_columns(const M& m, D& d, int block, int adr) {
    const int J = d.block_J[block], end = d.block_nnz[block] - 1;
    // ancestors come before, but not before the tree's first dof
    const int low = m.tree_dofadr[m.dof_treeid[d.efc_J_colind[J]]] / 64, high = d.efc_J_colind[J + end] / 64;
    auto& bits = forces(d).bits;
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
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) forces(d).Y_colind[adr + count++] = 64 * w + std::countr_zero(rest);
    return count;
}

// The block's rows of J become rows of Y in place: L⁻ᵀ from the leaves to the root, then D^(-1/2).
template <class M, class D>
void force_backsubstitute(const M& m, D& d, int adr, int dim, int nnz) {
    using T = solver_scalar<D>;
    for (int k = nnz - 1; k >= 0; --k) {
        const int i = forces(d).Y_colind[adr + k], row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        for (int c = 0, at = 0; c < last; ++c, ++at) {
            while (forces(d).Y_colind[adr + at] != m.M_colind[row + c]) ++at;
            const T l = part<T>(d.qLD[row + c]);
            for (int r = 0; r < dim; ++r) forces(d).Y[adr + r * nnz + at] -= l * forces(d).Y[adr + r * nnz + k];
        }
        const T root = sqrt(part<T>(d.qLDiagInv[i]));
        for (int r = 0; r < dim; ++r) forces(d).Y[adr + r * nnz + k] *= root;
    }
}

// Entry (r, s) of the block's own part of A.
template <class D>
int force_gram(const D& d, int block, int r, int s) {
    const int dim = d.block_dim[block];
    return forces(d).Y_adr[block] + dim * forces(d).Y_nnz[block] + r * dim + s;
}

template <class M, class D>
void make_force_rows(const M& m, D& d) {
    using T = solver_scalar<D>;
    int next = 0;
    for (int b = 0; b < d.nblock; ++b) {
        const int dim = d.block_dim[b], J = d.block_J[b], J_nnz = d.block_nnz[b];
        const int nnz = force_columns(m, d, b, next);
        forces(d).Y_adr[b] = next;
        forces(d).Y_nnz[b] = nnz;
        for (int k = 0; k < dim * nnz; ++k) forces(d).Y[next + k] = T(0);
        for (int c = 0, at = 0; c < J_nnz; ++c, ++at) {
            while (forces(d).Y_colind[next + at] != d.efc_J_colind[J + c]) ++at;
            for (int r = 0; r < dim; ++r) forces(d).Y[next + r * nnz + at] = part<T>(d.efc_J[J + r * J_nnz + c]);
        }
        force_backsubstitute(m, d, next, dim, nnz);
        for (int r = 0; r < dim; ++r)
            for (int s = 0; s < dim; ++s) {
                T sum(0);
                for (int k = 0; k < nnz; ++k) sum += forces(d).Y[next + r * nnz + k] * forces(d).Y[next + s * nnz + k];
                forces(d).Y[force_gram(d, b, r, s)] = sum;
            }
        next += dim * (nnz + dim);
    }
}

// p = Y z for one block.
template <class T, class D>
void force_product(const D& d, int block, T* p) {
    const int adr = forces(d).Y_adr[block], nnz = forces(d).Y_nnz[block], dim = d.block_dim[block];
    for (int r = 0; r < dim; ++r) {
        T sum(0);
        for (int k = 0; k < nnz; ++k) sum += forces(d).Y[adr + r * nnz + k] * forces(d).z[forces(d).Y_colind[adr + k]];
        p[r] = sum;
    }
}
// z += Yᵀ delta for one block.
template <class T, class D>
void force_add(D& d, int block, const T* delta) {
    const int adr = forces(d).Y_adr[block], nnz = forces(d).Y_nnz[block], dim = d.block_dim[block];
    for (int k = 0; k < nnz; ++k) {
        T sum = forces(d).Y[adr + k] * delta[0];
        for (int r = 1; r < dim; ++r) sum += forces(d).Y[adr + r * nnz + k] * delta[r];
        forces(d).z[forces(d).Y_colind[adr + k]] += sum;
    }
}

// z = Yᵀ f over an island, for the forces.
template <class M, class D>
void force_reset(const M& m, D& d, int island) {
    using T = solver_scalar<D>;
    for_each_dof(m, d, island, [&](int i) { forces(d).z[i] = T(0); });
    for_each_block(d, island, [&](int b) {
        T p[max_block_dim];
        to_base<T>(d, b, forces(d).force, p);
        force_add(d, b, p);
    });
}

// The cost in force space fᵀ (A + R) f/2 + fᵀ b over an island, for the forces and their z.
template <class M, class D>
auto force_cost(const M& m, const D& d, int island) {
    using T = solver_scalar<D>;
    T cost = T(0.5) * island_dot(m, d, island, forces(d).z, forces(d).z);
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i)
            cost += forces(d).force[i] * (part<T>(d.efc_b[i]) + T(0.5) * part<T>(d.efc_R[i]) * forces(d).force[i]);
    });
    return cost;
}

// After a solver in force space: accelerations from the forces found.
template <class M, class D>
void finish_forces(const M& m, D& d) {
    using S = typename D::scalar;
    using T = solver_scalar<D>;
    for (int i = 0; i < d.nefc; ++i) d.efc_force[i] = S(forces(d).force[i]);
    jacobian_transpose_product<T>(m, d, forces(d).force, primal(d).grad);
    for (int i = 0; i < m.nv; ++i) primal(d).Mv[i] = primal(d).grad[i];
    for (int t = 0; t < m.ntree; ++t)
        if (d.tree_island[t] >= 0) tree_solve_M(m, d, m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t], primal(d).Mv);
    for (int i = 0; i < m.nv; ++i) primal(d).qacc[i] = part<T>(d.qacc_smooth[i]) + primal(d).Mv[i];
    if constexpr (has_derivative<S>) {
        residuals(d, primal(d).qacc, primal(d).jar);
        Ignored force;
        apply_laws<T>(d, primal(d).jar, force, primal(d).weight);
        differentiate_solution(m, d);
    } else {
        for (int i = 0; i < m.nv; ++i) {
            d.qacc[i] = primal(d).qacc[i];
            d.qfrc_constraint[i] = primal(d).grad[i];
        }
    }
}

}  // namespace mjx::inner
