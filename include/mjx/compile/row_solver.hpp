// solve_rows: accelerations under equality constraints and limits, for the simulation in length_range.hpp, which has no contacts and no
// dry friction. A loader needs no more than this of a solver.
//
// Reads   qLD, qLDiagInv, qacc_smooth, efc_type, efc_D, efc_aref, efc_J and the blocks
// Writes  qacc
// The cost (a - qacc_smooth)ᵀ M (a - qacc_smooth)/2 + Σ D r²/2 with r = J a - aref sums over the rows that push: all equalities, and
// limits where r < 0. With a = qacc_smooth + M⁻¹ Jᵀ f it is a piecewise quadratic function of one force per row, in which A = J M⁻¹ Jᵀ.
// Newton's method: as long as the same rows push, (A + D⁻¹) f = aref - J qacc_smooth over them is the minimum; an exact line search
// goes towards it until it is reached. There are few rows, so matrices are dense.
#pragma once

#include "mjx/compile/constants.hpp"

namespace mjx::inner::compiler {

template <class M>
class RowSolver {
  public:
    RowSolver(const M& model, RestData<M>& data) : m(model), d(data), n(data.nefc) {
        for (Array<double>* table : {&b, &r, &f, &df, &dr, &x}) table->resize(n);
        for (Array<double>* table : {&J, &W}) table->resize(n * m.nv);
        for (Array<double>* table : {&A, &H}) table->resize(n * n);
        gather();
    }

    void solve() {
        for (int iteration = 0; iteration < 100 && !approach(); ++iteration) {
        }
        for (int k = 0; k < m.nv; ++k) {
            d.qacc[k] = d.qacc_smooth[k];
            for (int i = 0; i < n; ++i) d.qacc[k] += f[i] * W[i * m.nv + k];
        }
    }

  private:
    const M& m;
    RestData<M>& d;
    int n;
    Array<double> J{}, W{};  // rows, and their M⁻¹ Jᵀ, one after the other
    Array<double> A{}, H{};  // J M⁻¹ Jᵀ; the part of A + D⁻¹ over the rows that push
    Array<double> b{}, r{}, f{}, df{}, dr{}, x{};  // J qacc_smooth - aref, J a - aref, forces, their steps, scratch

    void gather() {
        for (int block = 0; block < d.nblock; ++block)
            for (int k = 0; k < d.block_dim[block]; ++k)
                for (int c = 0; c < d.block_nnz[block]; ++c) {
                    const int entry = d.block_J[block] + c;
                    J[(d.block_row[block] + k) * m.nv + d.efc_J_colind[entry]] = d.efc_J[entry + k * d.block_nnz[block]];
                }
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < m.nv; ++k) d.qacc[k] = J[i * m.nv + k];
            solve_ldl(m, d.qLD, d.qLDiagInv, d.qacc);
            b[i] = -d.efc_aref[i];
            for (int k = 0; k < m.nv; ++k) {
                W[i * m.nv + k] = d.qacc[k];
                b[i] += J[i * m.nv + k] * d.qacc_smooth[k];
            }
            r[i] = b[i];
            for (int j = 0; j <= i; ++j) {
                double sum = 0;
                for (int k = 0; k < m.nv; ++k) sum += J[j * m.nv + k] * W[i * m.nv + k];
                A[i * n + j] = A[j * n + i] = sum;
            }
        }
    }

    bool pushes(int i, double residual) const { return d.efc_type[i] == cnstr::equality || residual < 0; }

    // One iteration; true when the minimum is reached.
    bool approach() {
        set_target();
        bool same = true;
        for (int i = 0; i < n; ++i) {
            dr[i] = 0;
            for (int j = 0; j < n; ++j) dr[i] += A[i * n + j] * df[j];
            same = same && pushes(i, r[i]) == pushes(i, r[i] + dr[i]);
        }
        const double step = same ? 1 : line_search();
        for (int i = 0; i < n; ++i) {
            f[i] += step * df[i];
            r[i] += step * dr[i];
        }
        return same;
    }

    // The step to the minimum over the rows that push, by a Cholesky factor of A + D⁻¹ in H.
    void set_target() {
        for (int i = 0; i < n; ++i) {
            df[i] = -f[i];
            x[i] = 0;
            if (!pushes(i, r[i])) continue;
            double rest = -b[i], square = A[i * n + i] + 1 / d.efc_D[i];
            for (int j = 0; j < i; ++j) {
                H[i * n + j] = 0;
                if (!pushes(j, r[j])) continue;
                double sum = A[i * n + j];
                for (int k = 0; k < j; ++k) sum -= H[i * n + k] * H[j * n + k];
                const double entry = sum / H[j * n + j];
                H[i * n + j] = entry;
                rest -= entry * x[j];
                square -= entry * entry;
            }
            H[i * n + i] = std::sqrt(std::max(square, minval));
            x[i] = rest / H[i * n + i];
        }
        for (int i = n - 1; i >= 0; --i) {
            if (!pushes(i, r[i])) continue;
            for (int j = i + 1; j < n; ++j)
                if (pushes(j, r[j])) x[i] -= H[j * n + i] * x[j];
            x[i] /= H[i * n + i];
            df[i] += x[i];
        }
    }

    // Derivative of the cost after a step of this length. A f = r - b.
    double slope(double step) const {
        double sum = 0;
        for (int i = 0; i < n; ++i) {
            const double residual = r[i] + step * dr[i];
            sum += df[i] * (residual - b[i]);
            if (pushes(i, residual)) sum += d.efc_D[i] * residual * dr[i];
        }
        return sum;
    }

    // Where the slope, which grows, is zero.
    double line_search() const {
        double low = 0, high = 1;
        while (slope(high) < 0 && high < 1e6) {
            low = high;
            high *= 2;
        }
        for (int halving = 0; halving < 60; ++halving) {
            const double middle = (low + high) / 2;
            (slope(middle) < 0 ? low : high) = middle;
        }
        return high;
    }
};

template <class M>
void solve_rows(const M& m, RestData<M>& d) {
    RowSolver<M>(m, d).solve();
}

}  // namespace mjx::inner::compiler
