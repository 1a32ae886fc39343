// LᵀDL factorization of a symmetric matrix with the sparsity of a kinematic tree (Featherstone 2008, ch. 6.5).
//
// Row i holds the columns of i's ancestors and, last, the diagonal. Ancestors of an ancestor are a prefix of the row, so the row
// of an ancestor j lines up with the first M_rownnz[j] entries of row i, and there is no fill-in. Dofs are numbered depth first:
// those below i are the dof_subtreenum[i] - 1 that follow it.
#pragma once

#include "mjx/math/quad.hpp"
#include "mjx/math/traverse.hpp"

namespace mjx {

// f(n as a constant) for n in 1 .. Max.
template <class F, int... N>
void with_constant(int n, std::integer_sequence<int, N...>, F&& f) {
    (void)((n == N + 1 && (f(std::integral_constant<int, N + 1>{}), true)) || ...);
}

// Width consecutive entries of a row in registers: four at a time for plain numbers, the rest one by one.
template <class S, int Width>
struct RowPart {
    static constexpr int quads = std::floating_point<S> ? Width / 4 : 0, rest = Width - 4 * quads;
    quad<value_t<S>> block[quads + 1];  // one more than needed: an array cannot be empty
    S single[rest + 1];

    template <class A>
    [[gnu::always_inline]] void load(const A& a, int at) {
        if constexpr (quads > 0)
            for (int b = 0; b < quads; ++b) load_quad<S>(block[b], &a[at + 4 * b]);
        for (int r = 0; r < rest; ++r) single[r] = a[at + 4 * quads + r];
    }
    template <class A>
    [[gnu::always_inline]] void store(A& a, int at) const {
        if constexpr (quads > 0)
            for (int b = 0; b < quads; ++b) store_quad<S>(&a[at + 4 * b], block[b]);
        for (int r = 0; r < rest; ++r) a[at + 4 * quads + r] = single[r];
    }
    // Subtracts scale times the entries of another row.
    template <class A>
    [[gnu::always_inline]] void subtract(const S& scale, const A& a, int at) {
        if constexpr (quads > 0)
            for (int b = 0; b < quads; ++b) {
                quad<S> part;
                load_quad<S>(part, &a[at + 4 * b]);
                block[b] -= scale * part;
            }
        for (int r = 0; r < rest; ++r) single[r] -= scale * a[at + 4 * quads + r];
    }
    [[gnu::always_inline]] void multiply(const S& factor) {
        if constexpr (quads > 0)
            for (int b = 0; b < quads; ++b) block[b] *= factor;
        for (int r = 0; r < rest; ++r) single[r] *= factor;
    }
    [[gnu::always_inline]] S last() const {
        if constexpr (rest > 0) return single[rest - 1];
        else return block[quads - 1][3];
    }
};

// Entries [c, c + Width) of row i less what the rows of the dofs below i contribute: Σ_k L_ki D_k L_kc.
template <int Width, class M, class A>
[[gnu::always_inline]] inline auto eliminate_below(const M& m, const A& a, int i, int c) {
    using S = std::remove_cvref_t<decltype(a[0])>;
    const int own = m.M_rownnz[i] - 1;
    RowPart<S, Width> part;
    part.load(a, m.M_rowadr[i] + c);
    for (int k = i + m.dof_subtreenum[i] - 1; k > i; --k) {
        const int below = m.M_rowadr[k];
        part.subtract(a[below + own] * a[below + m.M_rownnz[k] - 1], a, below + c);
    }
    return part;
}

// A whole row at once: it leaves the registers as it stays.
template <int Width, class M, class A, class V>
[[gnu::always_inline]] inline void factor_row(const M& m, A& a, V& inverse, int i) {
    auto part = eliminate_below<Width>(m, a, i, 0);
    const auto d = part.last();
    inverse[i] = value_t<decltype(d)>(1) / d;
    part.multiply(inverse[i]);
    part.store(a, m.M_rowadr[i]);
    a[m.M_rowadr[i] + Width - 1] = d;
}

// A row too long for the registers, in pieces.
template <int Width, class M, class A, class V>
void factor_long_row(const M& m, A& a, V& inverse, int i) {
    const int row = m.M_rowadr[i], count = m.M_rownnz[i];
    for (int c = 0; c < count; c += Width)
        with_constant(count - c < Width ? count - c : Width, std::make_integer_sequence<int, Width>{},
                      [&](auto n) { eliminate_below<n>(m, a, i, c).store(a, row + c); });
    inverse[i] = value_t<decltype(a[0])>(1) / a[row + count - 1];
    for (int c = 0; c < count - 1; ++c) a[row + c] *= inverse[i];
}

// The length of the row of a dof that is a constant.
template <class M, class Index>
constexpr int row_size() {
    return M::M_rownnz[Index::value];
}

// A = LᵀDL in place: L below the diagonal (unit diagonal implied), D on it; inverse[i] = 1/D[i]. From the leaves to the root,
// each row gathers from the rows below it, with its sums in registers if there are enough.
template <class M, class A, class V>
void factor_ldl(const M& m, A& a, V& inverse) {
    using S = std::remove_cvref_t<decltype(a[0])>;
    constexpr int width = lanes_v<S> == 1 ? 16 : 8;
    over_dofs_back<S>(m, [&](auto i) {
        [[maybe_unused]] const int count = m.M_rownnz[i];
        if constexpr (!std::same_as<decltype(i), int>)
            factor_row<row_size<M, decltype(i)>()>(m, a, inverse, i);
        else if (count <= width)
            with_constant(count, std::make_integer_sequence<int, width>{}, [&](auto n) { factor_row<n>(m, a, inverse, i); });
        else
            factor_long_row<width>(m, a, inverse, i);
    });
}

// x ← A⁻¹ x with the factors of A: Lᵀ from the leaves, D, then L from the root.
template <class M, class A, class V, class X>
void solve_ldl(const M& m, const A& a, const V& inverse, X& x) {
    using S = std::remove_cvref_t<decltype(x[0])>;
    over_dofs_back<S>(m, [&](auto i) {
        const int own = m.M_rownnz[i] - 1;
        S xi = x[i];
        over_dofs_below(m, i, [&](auto k) __attribute__((always_inline)) { xi -= a[m.M_rowadr[k] + own] * x[k]; });
        x[i] = xi;
    });
    over_dofs<S>(m, [&](auto i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        S xi = x[i] * inverse[i];
        for (int c = 0; c < last; ++c) xi -= a[row + c] * x[m.M_colind[row + c]];
        x[i] = xi;
    });
}

// y = A x for a symmetric A stored as its lower triangle.
template <class M, class A, class X, class Y>
void multiply_symmetric(const M& m, const A& a, const X& x, Y& y) {
    for (int i = 0; i < m.nv; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        auto yi = a[row + last] * x[i];
        for (int c = 0; c < last; ++c) {
            const int j = m.M_colind[row + c];
            yi += a[row + c] * x[j];
            y[j] += a[row + c] * x[i];
        }
        y[i] = yi;
    }
}

}  // namespace mjx
