// Systems that are not symmetric, with many right-hand sides: A = U L in whole rows, U with ones on its diagonal.
//
// Rows are eliminated from the last to the first, as in math/sparse_lu.hpp: a tree's zeros stay zeros, and are passed over.
#pragma once

#include "mjx/derivative/skyline.hpp"

namespace mjx::inner {

template <class S>
class Unsymmetric {
  public:
    explicit Unsymmetric(int n) : n_(n) {
        entries_.resize(n * n);
        inverse_.resize(n);
    }
    RowMajor<S> rows() { return {entries_.data(), n_}; }
    void clear() {
        for (S& x : entries_) x = S(0);
    }
    void factor() {
        for (int k = n_ - 1; k >= 0; --k) {
            const S* row = rows().row(k);
            inverse_[k] = S(1) / row[k];
            for (int j = 0; j < k; ++j) {
                S& above = rows()(j, k);
                if (is_nothing(above)) continue;
                above *= inverse_[k];
                add_multiple(rows().row(j), row, S(-above), k);
            }
        }
    }
    // x ← A⁻¹ x for the first `columns` columns of x.
    void solve(const RowMajor<S>& x, int columns) {
        for (int k = n_ - 1; k >= 0; --k)
            for (int j = 0; j < k; ++j) eliminate(x.row(j), x.row(k), rows()(j, k), columns);
        for (int k = 0; k < n_; ++k) {
            for (int j = 0; j < k; ++j) eliminate(x.row(k), x.row(j), rows()(k, j), columns);
            for (int c = 0; c < columns; ++c) x(k, c) *= inverse_[k];
        }
    }
    // x ← A⁻ᵀ x
    void solve_transposed(const RowMajor<S>& x, int columns) {
        for (int k = n_ - 1; k >= 0; --k) {
            for (int c = 0; c < columns; ++c) x(k, c) *= inverse_[k];
            for (int j = 0; j < k; ++j) eliminate(x.row(j), x.row(k), rows()(k, j), columns);
        }
        for (int k = 0; k < n_; ++k)
            for (int j = k + 1; j < n_; ++j) eliminate(x.row(j), x.row(k), rows()(k, j), columns);
    }

  private:
    int n_;
    Array<S> entries_, inverse_;

    static void eliminate(S* target, const S* from, const S& w, int columns) {
        if (!is_nothing(w)) add_multiple(target, from, S(-w), columns);
    }
};

}  // namespace mjx::inner
