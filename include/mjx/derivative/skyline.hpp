// Symmetric systems with many right-hand sides: A = LᵀDL in whole rows, where each row of the lower triangle begins at its first entry.
//
// Rows are eliminated from the last to the first, as those of M are (sparse_ldl.hpp): a tree's zeros stay zeros, and are passed over.
// Right-hand sides are the columns of a matrix kept by rows, so that all of them are solved side by side.
#pragma once

#include "mjx/model/array.hpp"
#include "mjx/scalar/nothing.hpp"

#include <cstddef>

namespace mjx::inner {

// A matrix somewhere in memory, row after row.
template <class S>
struct RowMajor {
    S* first;
    int stride;
    S* row(int i) const { return first + static_cast<std::ptrdiff_t>(i) * stride; }
    S& operator()(int i, int j) const { return row(i)[j]; }
};

// target[k] += w a[k] for n numbers.
template <class S>
[[gnu::always_inline]] inline void add_multiple(S* __restrict target, const S* __restrict a, const S& w, int n) {
    for (int k = 0; k < n; ++k) target[k] += w * a[k];
}

template <class S>
class Skyline {
  public:
    explicit Skyline(int n) : n_(n) {
        entries_.resize(n * n);
        inverse_.resize(n);
        begin_.resize(n);
    }

    RowMajor<S> rows() { return {entries_.data(), n_}; }
    void clear() {
        for (S& x : entries_) x = S(0);
        for (int i = 0; i < n_; ++i) begin_[i] = i;
    }
    // Row i has entries from column j on.
    void reaches(int i, int j) {
        int& begin = begin_[i];
        if (j < begin) begin = j;
    }

    // A matrix with the sparsity of M.
    template <class M, class A>
    void add_tree(const M& m, const A& a) {
        for (int i = 0; i < m.nv; ++i) {
            for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) rows()(i, m.M_colind[k]) += a[k];
            reaches(i, m.M_colind[m.M_rowadr[i]]);
        }
    }

    void factor() {
        for (int k = n_ - 1; k >= 0; --k) {
            S* row = rows().row(k);
            const int begin = begin_[k];
            const S inverse = S(1) / row[k];
            inverse_[k] = inverse;
            for (int j = k - 1; j >= begin; --j) {
                if (is_nothing(row[j])) continue;
                const S w = row[j] * inverse;
                add_multiple(rows().row(j) + begin, row + begin, S(-w), j - begin + 1);
                reaches(j, begin);
                row[j] = w;
            }
        }
    }
    // x ← A⁻¹ x for the first `columns` columns of x.
    void solve(const RowMajor<S>& x, int columns) {
        for (int k = n_ - 1; k >= 0; --k) {
            const S* row = rows().row(k);
            for (int j = begin_[k]; j < k; ++j)
                if (!is_nothing(row[j])) add_multiple(x.row(j), x.row(k), S(-row[j]), columns);
        }
        lift(x, columns);
    }
    // x ← A⁻¹, n by n. On the way down row k of the identity has become more only in the columns from k on.
    void invert(const RowMajor<S>& x) {
        for (int k = 0; k < n_; ++k) {
            for (int c = 0; c < n_; ++c) x(k, c) = S(0);
            x(k, k) = S(1);
        }
        for (int k = n_ - 1; k >= 0; --k) {
            const S* row = rows().row(k);
            for (int j = begin_[k]; j < k; ++j)
                if (!is_nothing(row[j])) add_multiple(x.row(j) + k, x.row(k) + k, S(-row[j]), n_ - k);
        }
        lift(x, n_);
    }

  private:
    int n_;
    Array<S> entries_, inverse_;
    Array<int> begin_;

    // The second half of a solution: x ← L⁻¹ D⁻¹ x.
    void lift(const RowMajor<S>& x, int columns) {
        for (int k = 0; k < n_; ++k) {
            const S* row = rows().row(k);
            S* xk = x.row(k);
            for (int c = 0; c < columns; ++c) xk[c] *= inverse_[k];
            for (int j = begin_[k]; j < k; ++j)
                if (!is_nothing(row[j])) add_multiple(xk, x.row(j), S(-row[j]), columns);
        }
    }
};

}  // namespace mjx::inner
