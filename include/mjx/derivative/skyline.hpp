// Symmetric systems with many right-hand sides: A = LᵀDL in whole rows, where each row of the lower triangle begins at its first entry.
//
// Rows are eliminated from the last to the first, as those of M are (sparse_ldl.hpp): a tree's zeros stay zeros, and are passed over.
// Right-hand sides are the columns of a matrix kept by rows, so that all of them are solved side by side, a strip of columns at a time: the
// sums of a row of the strip stay in registers.
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/model/array.hpp"
#include "mjx/scalar/nothing.hpp"

#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>

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
        for (auto* each : {&entries_, &factor_}) each->resize(n * n);
        inverse_.resize(n);
        index_.resize(n * n);
        for (auto* each : {&begin_, &before_, &below_}) each->resize(n);
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
        for (int k = 0; k < n_; ++k) before_[k] = below_[k] = 0;
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
                put(k * n_ + before_[k]++, j, w);
                put(j * n_ + n_ - ++below_[j], k, w);
            }
        }
    }
    // x ← A⁻¹ x for the first `columns` columns of x.
    void solve(const RowMajor<S>& x, int columns) const {
        for_each_strip(columns, [&](int column, auto count, auto lanes) { solve_strip<count, lanes>(x, column); });
    }

  private:
    // Plain numbers in a register, or one scalar.
#if defined(__AVX512F__)
    static constexpr int register_bytes = 64;
#elif defined(__AVX__)
    static constexpr int register_bytes = 32;
#else
    static constexpr int register_bytes = 16;
#endif
    static constexpr int strip_lanes = std::floating_point<S> ? register_bytes / static_cast<int>(sizeof(S)) : 1;

    int n_;
    Array<S> entries_, inverse_;
    Array<int> begin_;
    // L without its zeros: in row k of these, its entries before the diagonal from the left on, and from the right on those of column k
    // below.
    Array<S> factor_;
    Array<int> index_, before_, below_;

    void put(int at, int index, const S& w) {
        index_[at] = index;
        factor_[at] = w;
    }
    // Strips of columns whose sums stay in registers: f(first column, registers, numbers in each, as constants).
    template <class F>
    static void for_each_strip(int columns, F&& f) {
        using Count = std::integral_constant<int, 4>;
        using Lanes = std::integral_constant<int, strip_lanes>;
        using One = std::integral_constant<int, 1>;
        int c = 0;
        for (; c + 4 * strip_lanes <= columns; c += 4 * strip_lanes) f(c, Count{}, Lanes{});
        for (; c + strip_lanes <= columns; c += strip_lanes) f(c, One{}, Lanes{});
        for (; c < columns; ++c) f(c, One{}, One{});
    }
    template <int Count, int Lanes>
    void solve_strip(const RowMajor<S>& x, int column) const {
        using Register = typename row_register<S, Lanes>::type;
        const auto visit = [&](int k, int first, int count, const S& scale) {
            Register sum[Count], other[Count];
            const auto load = [&](Register(&to)[Count], int row) { std::memcpy(static_cast<void*>(to), x.row(row) + column, sizeof to); };
            load(sum, k);
            for (int r = 0; r < Count; ++r) sum[r] *= scale;
            for (int e = first; e < first + count; ++e) {
                load(other, index_[e]);
                for (int r = 0; r < Count; ++r) sum[r] -= other[r] * factor_[e];
            }
            std::memcpy(static_cast<void*>(x.row(k) + column), sum, sizeof sum);
        };
        for (int k = n_ - 1; k >= 0; --k) visit(k, (k + 1) * n_ - below_[k], below_[k], S(1));
        for (int k = 0; k < n_; ++k) visit(k, k * n_, before_[k], inverse_[k]);
    }
};

}  // namespace mjx::inner
