// The end of a solve: accelerations and forces from what the iteration found, with derivatives for duals.
//
// Reads   qacc, jar and weight of the solve, efc_*, M, qfrc_smooth
// Writes  qacc, efc_force, qfrc_constraint
// For duals the solution's derivatives follow from the implicit function theorem: at the minimum the gradient
// g(a; p) = M a - qfrc_smooth - Jᵀ f(J a - aref) is zero for all parameters p, so da/dp = -H⁻¹ ∂g/∂p with the Hessian of the final
// zones. This is one Newton step in dual arithmetic from the converged value.
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/solver/hessian/filled.hpp"

namespace mjx::inner {

// How many times a scalar can be differentiated: 0 for numbers and packs, 1 for duals, 2 for duals of duals.
template <class S>
constexpr int derivative_order() {
    if constexpr (requires(S s) { s.partial; })
        return 1 + derivative_order<decltype(S::value)>();
    else
        return 0;
}

template <class M, class D>
bool in_island(const M& m, const D& d, int dof) {
    return m.ntree == 1 || d.tree_island[m.dof_treeid[dof]] >= 0;
}
// Lanes that have the dof in an island of their own.
template <class M, class D>
auto tied_lanes(const M& m, const D& d, int dof) {
    using T = value_part_t<typename D::scalar>;
    if constexpr (lanes_v<T> > 1)
        return islands(d).group[m.dof_treeid[dof]] >= T(0);
    else
        return in_island(m, d, dof);
}

// Forces at qacc, in the scalar's own arithmetic.
template <class M, class D>
void forces_at_qacc(const M& m, D& d) {
    using S = typename D::scalar;
    Ignored weight;
    jacobian_product<S>(d, d.qacc, d.efc_force);
    for (int i = 0; i < d.nefc; ++i) d.efc_force[i] -= d.efc_aref[i];
    apply_laws<S>(d, d.efc_force, d.efc_force, weight);
    jacobian_transpose_product<S>(m, d, d.efc_force, d.qfrc_constraint);
}

// Gives qacc, whose values are known, its derivatives of the next order: each step makes one more order exact.
template <class M, class D, class P>
void differentiate_qacc(const M& m, D& d, P H) {
    using S = typename D::scalar;
    forces_at_qacc(m, d);
    auto& g = d.qfrc_constraint;
    for (int i = 0; i < m.nv; ++i) g[i] = -g[i] - d.qfrc_smooth[i];
    for (int i = 0; i < m.nv; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        g[i] += d.M[row + last] * d.qacc[i];
        for (int c = 0; c < last; ++c) {
            const int j = m.M_colind[row + c];
            g[i] += d.M[row + c] * d.qacc[j];
            g[j] += d.M[row + c] * d.qacc[i];
        }
    }
    for (int island = 0; island < d.nisland; ++island) {
        assemble_hessian(m, d, island, H, mask_t<value_part_t<S>>(false));
        factor_hessian(m, d, island, H, g);
        H.finish_solve(m, island, g);
    }
    for (int i = 0; i < m.nv; ++i) d.qacc[i] = in_island(m, d, i) ? S(d.qacc[i] - (g[i] - S(value_of(g[i])))) : d.qacc_smooth[i];
}

// Derivatives of qacc and of the forces; a row keeps the value its solver found.
template <class M, class D>
void differentiate_solution(const M& m, D& d) {
    using S = typename D::scalar;
    if constexpr (lanes_v<S> > 1) find_islands(m, d);  // a solver may have left blocks out
    for (int i = 0; i < d.nefc; ++i) primal(d).jv[i] = value_of(d.efc_force[i]);
    for (int i = 0; i < m.nv; ++i) d.qacc[i] = S(primal(d).qacc[i]);
    for (int order = 0; order < derivative_order<S>(); ++order) {
        auto& columns = hessian(d).colind;
        if (make_pattern(m, d, columns)) differentiate_qacc(m, d, FilledHessian<D>{d, columns});
    }
    forces_at_qacc(m, d);
    for (int i = 0; i < d.nefc; ++i) d.efc_force[i] += S(primal(d).jv[i] - value_of(d.efc_force[i]));
    jacobian_transpose_product<S>(m, d, d.efc_force, d.qfrc_constraint);
}

// After a primal solver: its residuals and forces are those of the solution. Dofs that no row ties have the smooth dynamics, also in lanes
// whose neighbours tie them: not what minimizing makes of it, the same up to rounding.
template <class M, class D>
void finish_primal(const M& m, D& d) {
    using S = typename D::scalar;
    if constexpr (has_derivative<S>) differentiate_solution(m, d);
    for (int i = 0; i < m.nv; ++i) {
        const auto tied = tied_lanes(m, d, i);
        if (all(tied)) continue;
        d.qacc[i] = select(tied, d.qacc[i], d.qacc_smooth[i]);
        d.qfrc_constraint[i] = select(tied, d.qfrc_constraint[i], S(0));
    }
}

}  // namespace mjx::inner
