// The matrix of the problem in force space in factored form: A = J M⁻¹ Jᵀ = Y Yᵀ, never multiplied out.
//
// Reads   efc_J, qLD, qLDiagInv
// Writes  its work: rows of Y, then the block's own products Y Yᵀ
// With M = LᵀDL, Y = J L⁻¹ D^(-1/2) has nonzeros only at the block's columns and their ancestors. The rows of a pyramid but the first are
// times the contact's friction, so that its edges are the first plus or minus another. A solver in force space keeps
// z = Yᵀ f, one number per dof: the residual of a row is b + R f + Y z and a change of its force changes z by that row. A sweep costs
// two passes over Y instead of one over the square of the number of rows, and nothing of that size is stored.
#pragma once

#include "mjx/model/equality_kinds.hpp"
#include "mjx/solver/finish.hpp"
#include "mjx/solver/primal.hpp"

namespace mjx::inner {

// At most how many dofs a tendon depends on, with their ancestors.
template <class M>
constexpr int tendon_chain(const M& m, int t) {
    const int end = m.ten_J_rowadr[t] + m.ten_J_rownnz[t];
    int sum = 0;
    for (int k = m.ten_J_rowadr[t]; k < end; ++k)
        if (k + 1 == end || m.dof_parentid[m.ten_J_colind[k + 1]] != m.ten_J_colind[k]) sum += m.M_rownnz[m.ten_J_colind[k]];
    return sum < m.nv ? sum : m.nv;
}

// The entries of the rows J M^(-1/2) of the solvers in force space, each over the chains of two bodies or along a tendon (its limits, its
// friction, its equalities), and their products within a block.
struct ForceRowsSize {
    template <class M>
    constexpr long long operator()(const M& m, int lanes) const {
        int chain = 0;
        for (int b = 0; b < m.nbody; ++b) chain = chain < m.B_rownnz[b] ? m.B_rownnz[b] : chain;
        const int widest = 2 * chain < m.nv ? 2 * chain : m.nv;
        long long rows = static_cast<long long>(shared_rows(m, lanes)) * (widest + (lanes > 1 ? 6 : 9));
        for (int t = 0; t < m.ntendon; ++t) rows += 3 * tendon_chain(m, t);
        for (int e = 0; e < m.neq; ++e)
            if (ties_tendons(m.eq_type[e]))
                rows += tendon_chain(m, m.eq_obj1id[e]) + (m.eq_obj2id[e] >= 0 ? tendon_chain(m, m.eq_obj2id[e]) : 0);
        return rows;
    }
};
inline constexpr ForceRowsSize force_rows_size;

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
    array<T, Dim::njmax> start{at};  // forces the sweep started from
    array<T, Dim::njmax> before{at};  // forces the sweep before started from
    array<T, Dim::njmax> swept{at};  // forces the sweep ended with
    array<T, Dim::nv> z{at};  // Yᵀ times each
    array<T, Dim::nv> z_start{at};
    array<T, Dim::nv> z_before{at};
    array<T, Dim::nv> z_swept{at};
    array<T, Dim::njmax> inverse{at};  // of the diagonal of A + R; 0 in lanes without the row
    array<int, Dim::njmax> Y_adr{at};  // where the rows of a block start in Y
    array<int, Dim::njmax> Y_nnz{at};  // columns of these rows
    array<std::uint64_t, Dim::nv> bits{at};
    array<int, Dim::nv> column{at};  // of a dof among the columns of the block at hand
    array<std::uint64_t, Dim::njmax> key{at};  // of blocks, and blocks in the order of a sweep (pgs.hpp)
    array<int, Dim::njmax> order{at};
    array<int, Dim::njmax> spare{at};
    array<T, force_rows_size> Y{at};
    array<int, force_rows_size> Y_colind{at};
};
template <class D>
auto& forces(D& d) {
    return work<ForceWork>(d);
}

inline constexpr int max_force_rows = 2 * (max_block_dim - 1);  // efc rows of one block

// A row of Y is taken in fours of columns, each with a sum of its own. One environment has whole fours, the last of them filled up with
// zeros at its last column: what they add to a sum or to z does not change it.
inline constexpr int force_four = 4;
template <class T>
constexpr int force_width(int nnz) {
    return lanes_v<T> > 1 ? nnz : (nnz + force_four - 1) / force_four * force_four;
}

// Columns of Y for one block, ascending, at Y_colind[adr ...]: the block's columns and all their ancestors.
template <class M, class D>
int force_columns(const M& m, D& d, int block, int adr) {
    using T = solver_scalar<D>;
    const int J = d.block_J[block], end = d.block_nnz[block] - 1;
    // ancestors come before, but not before the tree's first dof
    const int low = m.tree_dofadr[m.dof_treeid[d.efc_J_colind[J]]] / 64, high = d.efc_J_colind[J + end] / 64;
    auto& w = forces(d);
    for (int i = low; i <= high; ++i) w.bits[i] = 0;
    for (int c = end; c >= 0; --c) {
        const int i = d.efc_J_colind[J + c];
        // an ancestor of a column already there came with it
        if (w.bits[i / 64] >> (i & 63) & 1) continue;
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k)
            w.bits[m.M_colind[k] / 64] |= std::uint64_t(1) << (m.M_colind[k] & 63);
    }
    int count = 0;
    for (int i = low; i <= high; ++i)
        for (std::uint64_t rest = w.bits[i]; rest != 0; rest &= rest - 1) {
            const int dof = 64 * i + std::countr_zero(rest);
            w.column[dof] = count;
            w.Y_colind[adr + count++] = dof;
        }
    for (int k = count; k < force_width<T>(count); ++k) w.Y_colind[adr + k] = w.Y_colind[adr + count - 1];
    return count;
}

// The block's rows of J become rows of Y in place: L⁻ᵀ from the leaves to the root, then D^(-1/2).
template <class M, class D>
void force_backsubstitute(const M& m, D& d, int adr, auto dim, int nnz) {
    using T = solver_scalar<D>;
    const int width = force_width<T>(nnz);
    T* const Y = &forces(d).Y[adr];
    for (int k = nnz - 1; k >= 0; --k) {
        const int i = forces(d).Y_colind[adr + k], row = m.M_rowadr[i], last = primal(d).diagonal[m.dof_treeid[i]] ? 0 : m.M_rownnz[i] - 1;
        T y[max_block_dim];
        for (int r = 0; r < dim; ++r) y[r] = Y[r * width + k];
        for (int c = 0; c < last; ++c) {
            const int at = forces(d).column[m.M_colind[row + c]];
            const T l = part<T>(d.qLD[row + c]);
            for (int r = 0; r < dim; ++r) Y[r * width + at] -= l * y[r];
        }
        const T root = sqrt(part<T>(d.qLDiagInv[i]));
        for (int r = 0; r < dim; ++r) Y[r * width + k] = y[r] * root;
    }
}

// Entry (r, s) of the block's own part of A.
template <class D>
int force_gram(const D& d, int block, int r, int s) {
    const int dim = d.block_dim[block];
    return forces(d).Y_adr[block] + dim * force_width<solver_scalar<D>>(forces(d).Y_nnz[block]) + r * dim + s;
}

// f(dim, edges of a pyramid of so many rows), constants for rows alone and in threes, ints otherwise.
template <class F>
[[gnu::always_inline]] inline void with_force_dim(int dim, F&& f) {
    if (dim == 1) return f(std::integral_constant<int, 1>{}, std::integral_constant<int, 0>{});
    if (dim == 3) return f(std::integral_constant<int, 3>{}, std::integral_constant<int, 4>{});
    f(dim, 2 * (dim - 1));
}

// The rows of one block and their products with each other; gives the number of entries.
template <class M, class D>
int make_force_block(const M& m, D& d, int b, int adr, auto dim) {
    using T = solver_scalar<D>;
    const int J = d.block_J[b], J_nnz = d.block_nnz[b], nnz = force_columns(m, d, b, adr), width = force_width<T>(nnz);
    forces(d).Y_adr[b] = adr;
    forces(d).Y_nnz[b] = nnz;
    T* const Y = &forces(d).Y[adr];
    for (int k = 0; k < dim * width; ++k) Y[k] = T(0);
    T scale[max_block_dim];
    for (int r = 0; r < dim; ++r) scale[r] = T(1);
    if (is_pyramid(d, b))
        for (int r = 1; r < dim; ++r) scale[r] = part<T>(d.contact[d.efc_id[d.block_row[b]]].friction[r - 1]);
    for (int c = 0; c < J_nnz; ++c) {
        const int at = forces(d).column[d.efc_J_colind[J + c]];
        for (int r = 0; r < dim; ++r) Y[r * width + at] = part<T>(d.efc_J[J + r * J_nnz + c]) * scale[r];
    }
    force_backsubstitute(m, d, adr, dim, nnz);
    T* const gram = Y + dim * width;
    for (int r = 0; r < dim; ++r)
        for (int s = 0; s <= r; ++s) {
            T sum(0);
            for (int k = 0; k < nnz; ++k) sum += Y[r * width + k] * Y[s * width + k];
            gram[r * dim + s] = gram[s * dim + r] = sum;
        }
    return dim * (width + dim);
}
template <class M, class D>
void make_force_rows(const M& m, D& d) {
    int next = 0;
    find_diagonal_trees(m, d);
    for (int b = 0; b < d.nblock; ++b)
        with_force_dim(d.block_dim[b], [&](auto dim, auto) { next += make_force_block(m, d, b, next, dim); });
}

// p = Y z for Count rows of one block.
template <int Count, class T, class D>
void force_rows_product(const D& d, int block, int first, T* p) {
    const auto& w = forces(d);
    const int nnz = w.Y_nnz[block], width = force_width<T>(nnz), *columns = &w.Y_colind[w.Y_adr[block]];
    const T *Y = &w.Y[w.Y_adr[block] + first * width], *z = w.z.data();
    T sum[Count][force_four];
    for (int r = 0; r < Count; ++r)
        for (int j = 0; j < force_four; ++j) sum[r][j] = T(0);
    for (int k = 0; k < width; k += force_four)
        for (int j = 0; j < force_four; ++j) {
            if (lanes_v<T> > 1 && k + j >= width) break;
            const T x = z[columns[k + j]];
            for (int r = 0; r < Count; ++r) sum[r][j] += Y[r * width + k + j] * x;
        }
    for (int r = 0; r < Count; ++r) p[first + r] = (sum[r][0] + sum[r][1]) + (sum[r][2] + sum[r][3]);
}
template <class T, class D>
void force_product(const D& d, int block, T* p) {
    int r = 0;
    for (; r + 3 <= d.block_dim[block]; r += 3) force_rows_product<3>(d, block, r, p);
    for (; r < d.block_dim[block]; ++r) force_rows_product<1>(d, block, r, p);
}
// z += Yᵀ delta for one block.
template <class T, class D>
void force_add(D& d, int block, auto dim, const T* delta) {
    auto& w = forces(d);
    const int width = force_width<T>(w.Y_nnz[block]), *columns = &w.Y_colind[w.Y_adr[block]];
    const T* Y = &w.Y[w.Y_adr[block]];
    T *z = w.z.data(), f[max_block_dim];
    for (int r = 0; r < dim; ++r) f[r] = delta[r];
    constexpr int four = lanes_v<T> > 1 ? 1 : force_four;
    for (int k = 0; k < width; k += four) {
        T sum[four];
        for (int j = 0; j < four; ++j) sum[j] = Y[k + j] * f[0];
        for (int r = 1; r < dim; ++r)
            for (int j = 0; j < four; ++j) sum[j] += Y[r * width + k + j] * f[r];
        for (int j = 0; j < four; ++j) z[columns[k + j]] += sum[j];
    }
}
template <class T, class D>
void force_add(D& d, int block, const T* delta) {
    with_force_dim(d.block_dim[block], [&](auto dim, auto) { force_add(d, block, dim, delta); });
}

// Forces of the block's efc rows become those of its rows of Y: with friction in these, edges of a pyramid are sums and differences.
template <class T>
void pyramid_to_base(auto dim, const T* f, T* p) {
    p[0] = T(0);
    for (int k = 1; k < dim; ++k) {
        const T plus = f[2 * k - 2], minus = f[2 * k - 1];
        p[0] += plus + minus;
        p[k] = plus - minus;
    }
}
template <class T, class D>
void force_to_base(const D& d, int block, const T* f, T* p) {
    const int dim = d.block_dim[block];
    if (is_pyramid(d, block)) return pyramid_to_base(dim, f, p);
    for (int r = 0; r < dim; ++r) p[r] = f[r];
}

// z = Yᵀ f over an island, for the forces.
template <class M, class D>
void force_reset(const M& m, D& d, int island) {
    using T = solver_scalar<D>;
    for_each_dof(m, d, island, [&](int i) { forces(d).z[i] = T(0); });
    for_each_block(d, island, [&](int b) {
        T p[max_block_dim];
        force_to_base<T>(d, b, &forces(d).force[d.block_row[b]], p);
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
    for (int t = 0; t < m.ntree; ++t) {
        const int first = m.tree_dofadr[t], end = first + m.tree_dofnum[t];
        if (d.tree_island[t] < 0) continue;
        if (!primal(d).diagonal[t])
            tree_solve_M(m, d, first, end, primal(d).Mv);
        else
            for (int i = first; i < end; ++i) primal(d).Mv[i] *= part<T>(d.qLDiagInv[i]);
    }
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
