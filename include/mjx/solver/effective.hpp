// InEffectiveInertia: a solver as the Discrete integrator has it, which solves for the constraints in the effective inertia M̂.
//
// Reads   what effective_inertia.hpp, end_of_step.hpp and the solver read
// Writes  qacc_smooth and what the solver writes; what end_of_step.hpp writes; qH (M̂) and qDeriv on the way
// M̂ takes the place of M, and the force with -h K v that of qfrc_smooth, while the solver runs: it finds (v' - v)/h at once, with springs,
// dampers, servos and constraints at the end of the step. A coupling (h² k + h b) rᵀ r of several dofs is lent to it as a row r
// that wants no acceleration, with that weight; solvers that work on forces leave couplings to the other forces, as PGS does in MuJoCo. A
// body that floats alone and touches nothing gets its gyroscopic forces implicitly too, as with ImplicitFast.
#pragma once

#include "mjx/constraint/end_of_step.hpp"
#include "mjx/math/sparse_lu.hpp"
#include "mjx/solver/hessian/filled.hpp"
#include "mjx/solver/noslip.hpp"
#include "mjx/solver/solver.hpp"
#include "mjx/stage/effective_inertia.hpp"

#include <utility>

namespace mjx::inner {

// The entries of M's pattern, if there are bodies that may spin alone.
struct SpinningSize {
    template <class M>
    constexpr int operator()(const M& m, int) const {
        for (int j = 0; j < m.njnt; ++j)
            if (is_free_body(m, m.jnt_bodyid[j])) return m.nM;
        return 0;
    }
};
inline constexpr SpinningSize spinning_size;

template <class S, class M>
struct EffectiveWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    // what is not in Data of the two inertias: that of M̂, and of M while M̂ has its place there
    array<S, Dim::nM> other_LD{at};
    array<S, Dim::nv> other_DiagInv{at};
    array<S, Dim::nv> other_smooth{at};  // forces
    array<S, Dim::nv> spring{at};  // -h K v
    array<S, Dim::nv> extra{at};  // what the diagonal of M̂ has more than that of M
    array<S, Dim::nv> coupled{at};  // what couplings that are lent as rows have on their diagonals
    array<S, Dim::nv> rest{at};  // force that an acceleration found so far leaves over
    // M̂ - h d(-bias)/dv of bodies that spin alone, or its factor, and the acceleration by it
    array<S, spinning_size> spin_lower{at};
    array<S, spinning_size> spin_upper{at};
    array<S, Dim::nv> spin_DiagInv{at};
    array<S, Dim::nv> spin_qacc{at};
    [[no_unique_address]] OtherColumns<S, M> columns{at};  // of Newton's Hessian

    template <class D>
    auto& hessian_columns(D& d) {
        if constexpr (lists_columns<S, M>)
            return hessian(d).colind;
        else
            return columns;
    }
};

// How many rows there are.
struct RowCounts {
    int rows, blocks, entries;
    template <class D>
    explicit RowCounts(const D& d) : rows(d.nefc), blocks(d.nblock), entries(d.nJ) {}
    template <class D>
    void put(D& d) const {
        d.nefc = rows;
        d.nblock = blocks;
        d.nJ = entries;
    }
};

// What the diagonals of couplings are that are lent as rows: `with` is M̂ without them, `without` M.
template <class M, class A, class B, class W>
void coupled_diagonal(const M& m, const A& without, const B& with, W& w) {
    for (int i = 0; i < m.nv; ++i) {
        const int last = m.M_rowadr[i] + m.M_rownnz[i] - 1;
        w.coupled[i] = w.extra[i] - (with[last] - without[last]);
    }
}

// The rows at the end of the step, with M̂ in qH. Their exact diagonal is that of the part of M̂ with M's pattern, the couplings' diagonals
// in it; it is factored for that in the place of M.
template <class M, class D, class W>
void make_end_rows(const M& m, D& d, W& w) {
    if (d.nefc == 0) return;
    using std::swap;
    const bool exact = m.opt.enabled(enable::diagexact);
    const auto exchange = [&] {
        for (int k = 0; k < m.nM && exact; ++k) swap(d.qLD[k], w.other_LD[k]);
        for (int i = 0; i < m.nv && exact; ++i) swap(d.qLDiagInv[i], w.other_DiagInv[i]);
    };
    if (exact) {
        coupled_diagonal(m, d.M, d.qH, w);
        factor_ldl(m, d.qH, w.coupled, w.other_LD, w.other_DiagInv);
    }
    exchange();
    make_end_impedance(m, d, w.extra);
    end_reference(m, d);
    exchange();
}

// A coupling as a row. False if there is no room for it; then it is left to the forces, and warned of.
template <class M, class D, class R, class S>
bool lend_row(const M& m, D& d, const R& row, const S& weight) {
    const int b = add_block(m, d, cnstr::equality, -1, 1, row.count, mask_t<S>(weight > S(0)));
    if (b < 0) return false;
    const int i = d.block_row[b], adr = d.block_J[b];
    for (int c = 0; c < row.count; ++c) {
        d.efc_J_colind[adr + c] = row.columns[row.first + c];
        d.efc_J[adr + c] = row.values[row.first + c];
    }
    d.efc_D[i] = weight;
    d.efc_R[i] = S(1) / max(weight, S(minval_v<S>));
    d.efc_aref[i] = S(0);
    return true;
}

// y = M̂ x, with the rows lent from block `first` on and M̂'s entries in M.
template <class M, class D, class X, class Y>
void multiply_effective(const M& m, const D& d, int first, const X& x, Y& y) {
    using S = typename D::scalar;
    multiply_symmetric(m, d.M, x, y);
    for (int b = first; b < d.nblock; ++b) {
        S product;
        rows_product<S, 1>(d, b, 0, x, &product);
        const S force = product * d.efc_D[d.block_row[b]];
        rows_transpose<S>(d, b, std::integral_constant<int, 1>{}, &force, y);
    }
}

// x = M̂⁻¹ force by Newton's Hessian with the weights of the lent rows alone, from a first x without them. Each turn makes it exact in one
// more order of derivatives, which the Hessian's values leave out; for numbers the second one takes off the rounding of the first.
template <class M, class D, class F, class X, class W>
void solve_coupled(const M& m, D& d, const RowCounts& own, const F& force, X& x, W& effective) {
    using S = typename D::scalar;
    using T = value_part_t<S>;
    const auto w = borrow<SolverWork>(m, d);
    find_islands(m, d);
    auto& columns = effective.hessian_columns(d);
    auto& rest = effective.rest;
    if (!make_pattern(m, d, columns)) return;
    for (int i = 0; i < d.nefc; ++i) {
        primal(d).jar[i] = T(0);
        primal(d).weight[i] = i < own.rows ? T(0) : part<T>(d.efc_D[i]);
    }
    FilledHessian<D> H{d, columns};
    for (int turn = 0; turn < 2 + derivative_order<S>(); ++turn) {
        multiply_effective(m, d, own.blocks, x, rest);
        for (int i = 0; i < m.nv; ++i) rest[i] = force[i] - rest[i];
        for (int island = 0; island < d.nisland; ++island) {
            assemble_hessian(m, d, island, H, mask_t<T>(false));
            factor_hessian(m, d, island, H, rest);
            H.finish_solve(m, island, rest);
        }
        for (int i = 0; i < m.nv; ++i)
            if (in_island(m, d, i)) x[i] += rest[i];
    }
}

// Where no row and no coupling holds one of six dofs from `dof` on.
template <class M, class D>
auto moves_alone(const M& m, const D& d, int dof, bool couplings) {
    using S = typename D::scalar;
    const auto among = [&](int column) { return column >= dof && column < dof + 6; };
    mask_t<S> alone(true);
    for (int b = 0; b < d.nblock; ++b)
        for (int c = 0; c < d.block_nnz[b]; ++c) {
            const int adr = d.block_J[b] + c;
            if (!among(d.efc_J_colind[adr])) continue;
            mask_t<S> touched(!dense_jacobian(m));
            for (int r = 0; r < d.block_dim[b]; ++r) touched = touched || d.efc_J[adr + r * d.block_nnz[b]] != S(0);
            alone = alone && !(touched && d.efc_D[d.block_row[b]] > S(0));
        }
    if (couplings)
        for_each_coupling(m, d, [&](const auto& row, const S&, const S& s) {
            for (int c = row.first; c < row.first + row.count; ++c)
                if (among(row.columns[c])) alone = alone && !(s > S(0));
        });
    return alone;
}

// f(dof, where) for the free joints of bodies that float alone and touch nothing, with M̂ - h d(-bias)/dv of their dofs in w.spin_lower and
// w.spin_upper.
template <class M, class D, class W, class F>
void for_each_spinning(const M& m, D& d, bool couplings, W& w, F&& f) {
    using S = typename D::scalar;
    bool floats = false;
    for (int j = 0; j < m.njnt; ++j) floats = floats || is_free_body(m, m.jnt_bodyid[j]);
    if (!floats) return;
    const auto bias = borrow<BiasWork>(m, d);
    bias_derivative_terms(m, d, *bias);
    for (int j = 0; j < m.njnt; ++j) {
        const int dof = m.jnt_dofadr[j];
        if (!is_free_body(m, m.jnt_bodyid[j]) || dof_sleeps(m, d, dof)) continue;
        const mask_t<S> alone = moves_alone(m, d, dof, couplings);
        if (!any(alone)) continue;
        const int first = m.M_rowadr[dof], last = m.M_rowadr[dof + 5] + m.M_rownnz[dof + 5];
        for (int k = first; k < last; ++k) d.qDeriv[k] = d.qDeriv_upper[k] = S(0);
        subtract_bias_derivative(m, d, *bias, dof, 6);
        for (int k = first; k < last; ++k) {
            w.spin_lower[k] = d.qH[k] - d.qDeriv[k] * m.opt.timestep;
            w.spin_upper[k] = d.qH[k] - d.qDeriv_upper[k] * m.opt.timestep;
        }
        f(dof, alone);
    }
}

// M̂, its factor and its force in the places of M's, and back.
template <class M, class D, class W>
void exchange_inertias(const M& m, D& d, W& w) {
    using std::swap;
    for (int k = 0; k < m.nM; ++k) {
        swap(d.M[k], d.qH[k]);
        swap(d.qLD[k], w.other_LD[k]);
    }
    for (int i = 0; i < m.nv; ++i) {
        swap(d.qLDiagInv[i], w.other_DiagInv[i]);
        swap(d.qfrc_smooth[i], w.other_smooth[i]);
    }
}

template <class M, class D, class W>
void solve_effective_smooth(const M& m, D& d, const RowCounts& own, const RowCounts& all, W& w) {
    using S = typename D::scalar;
    for (int i = 0; i < m.nv; ++i) d.qacc_smooth[i] = d.qfrc_smooth[i];
    solve_ldl(m, d.qLD, d.qLDiagInv, d.qacc_smooth);
    if (all.blocks > own.blocks) {
        all.put(d);
        solve_coupled(m, d, own, d.qfrc_smooth, d.qacc_smooth, w);
        own.put(d);
    }
    if (some_sleep(m, d))
        for (int i = 0; i < m.nv; ++i)
            if (dof_sleeps(m, d, i)) d.qfrc_smooth[i] = d.qacc_smooth[i] = S(0);
}

// What comes before a solver's work, and gives the rows with those that are lent; and what comes after it. Whatever the solver, so that all
// have one code.
template <bool Lends, class M, class D, class W>
RowCounts enter_effective(const M& m, D& d, bool couplings, const RowCounts& own, W& w) {
    using S = typename D::scalar;
    effective_inertia(m, d, couplings, w.extra, w.spring, [&](const auto& row, const S& s) { return Lends && lend_row(m, d, row, s); });
    const RowCounts all(d);
    own.put(d);
    make_end_rows(m, d, w);
    factor_ldl(m, d.qH, no_diagonal{}, w.other_LD, w.other_DiagInv);
    for (int i = 0; i < m.nv; ++i) w.other_smooth[i] = w.spring[i] + d.qfrc_smooth[i];
    exchange_inertias(m, d, w);
    solve_effective_smooth(m, d, own, all, w);
    if (own.rows > 0) all.put(d);
    return all;
}
template <class M, class D, class W>
void leave_effective(const M& m, D& d, bool couplings, W& w) {
    using S = typename D::scalar;
    exchange_inertias(m, d, w);
    for_each_spinning(m, d, couplings, w, [&](int dof, const mask_t<S>& alone) {
        for (int i = dof; i < dof + 6; ++i) w.spin_qacc[i] = w.other_smooth[i];
        factor_lu(m, w.spin_lower, w.spin_upper, w.spin_DiagInv, dof, 6);
        solve_lu(m, w.spin_lower, w.spin_upper, w.spin_DiagInv, w.spin_qacc, dof, 6);
        for (int i = dof; i < dof + 6; ++i) d.qacc[i] = select(alone, w.spin_qacc[i], d.qacc[i]);
    });
}

template <class Solver>
struct InEffectiveInertia : Solver {
    static constexpr bool shares_rows = false;  // rows are looked at contact by contact
    static constexpr bool couplings = Solver::primal;

    template <class M, class D>
    static void solve(const M& m, D& d) {
        const auto w = borrow<EffectiveWork>(m, d);
        const RowCounts own(d), all = enter_effective<Solver::constrained>(m, d, couplings, own, *w);
        solve_rows(m, d, own, all, *w);
        leave_effective(m, d, couplings, *w);
    }

  private:
    // The solver's work, with the lent rows; then noslip, which does not know of them but by their diagonals.
    template <class M, class D, class W>
    static void solve_rows(const M& m, D& d, const RowCounts& own, const RowCounts& all, W& w) {
        using S = typename D::scalar;
        if constexpr (requires { Solver::minimize(m, d); })
            Solver::minimize(m, d);
        else
            Solver::solve(m, d);
        for (int b = own.blocks; b < d.nblock; ++b) subtract_block_force<S>(d, b, d.efc_force, d.qfrc_constraint);
        own.put(d);
        if constexpr (requires { Solver::minimize(m, d); }) {
            if (own.rows == 0 || m.opt.noslip_iterations == 0) return;
            const bool coupled = all.blocks > own.blocks;
            if (coupled) {
                coupled_diagonal(m, d.qH, d.M, w);
                factor_ldl(m, d.M, w.coupled, d.qLD, d.qLDiagInv);
            }
            noslip_after_primal(m, d);
            if (!coupled) return;
            factor_ldl(m, d.M, no_diagonal{}, d.qLD, d.qLDiagInv);
            for (int i = 0; i < m.nv; ++i) d.qacc[i] = d.qfrc_constraint[i];
            solve_ldl(m, d.qLD, d.qLDiagInv, d.qacc);
            all.put(d);
            solve_coupled(m, d, own, d.qfrc_constraint, d.qacc, w);
            own.put(d);
            for (int i = 0; i < m.nv; ++i) d.qacc[i] += d.qacc_smooth[i];
        }
    }
};

}  // namespace mjx::inner
