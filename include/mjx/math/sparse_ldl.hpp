// LᵀDL factorization of a symmetric matrix with the sparsity of a kinematic tree (Featherstone 2008, ch. 6.5).
//
// Row i holds the columns of i's ancestors and, last, the diagonal. Ancestors of an ancestor are a prefix of the row, so the row
// of an ancestor j lines up with the first M_rownnz[j] entries of row i, and there is no fill-in. Dofs are numbered depth first:
// those below i are the dof_subtreenum[i] - 1 that follow it.
#pragma once

#include "mjx/math/quad.hpp"
#include "mjx/math/traverse.hpp"

namespace mjx {

// Subtracts from entries [c, c + Width) of row i what the rows of the dofs below i contribute: Σ_k L_ki D_k L_kc. The sums
// stay in registers, four at a time for plain numbers.
template <int Width, class M, class A>
[[gnu::always_inline]] inline void eliminate_below(const M& m, A& a, int i, int c) {
    using S = std::remove_cvref_t<decltype(a[0])>;
    constexpr int quads = std::floating_point<S> ? Width / 4 : 0;
    const int row = m.M_rowadr[i] + c, own = m.M_rownnz[i] - 1;
    [[maybe_unused]] quad<value_t<S>> block[quads + 1];
    if constexpr (quads > 0)
        for (int b = 0; b < quads; ++b) load_quad<S>(block[b], &a[row + 4 * b]);
    S sum[Width - 4 * quads + 1];
    for (int w = 4 * quads; w < Width; ++w) sum[w - 4 * quads] = a[row + w];
    for (int k = i + m.dof_subtreenum[i] - 1; k > i; --k) {
        const int below = m.M_rowadr[k];
        const S scale = a[below + own] * a[below + m.M_rownnz[k] - 1];
        if constexpr (quads > 0)
            for (int b = 0; b < quads; ++b) {
                quad<S> part;
                load_quad<S>(part, &a[below + c + 4 * b]);
                block[b] -= scale * part;
            }
        for (int w = 4 * quads; w < Width; ++w) sum[w - 4 * quads] -= scale * a[below + c + w];
    }
    if constexpr (quads > 0)
        for (int b = 0; b < quads; ++b) store_quad<S>(&a[row + 4 * b], block[b]);
    for (int w = 4 * quads; w < Width; ++w) a[row + w] = sum[w - 4 * quads];
}

// The length of the row of a dof that is a constant.
template <class M, class Index>
constexpr int row_size() {
    return M::M_rownnz[Index::value];
}

// f(n as a constant) for n in 1 .. Max.
template <class F, int... N>
void with_constant(int n, std::integer_sequence<int, N...>, F&& f) {
    (void)((n == N + 1 && (f(std::integral_constant<int, N + 1>{}), true)) || ...);
}

// The first `count` entries of a row times `factor`. In the same pieces as they were written and will be read: a processor
// forwards a store to a load only if the load lies within it.
template <class A, class S>
[[gnu::always_inline]] inline void scale_row(A& a, int row, int count, const S& factor) {
    int c = 0;
    if constexpr (std::floating_point<S>)
        for (; c + 4 <= count; c += 4) {
            quad<S> part;
            load_quad<S>(part, &a[row + c]);
            store_quad<S>(&a[row + c], part * factor);
        }
    for (; c < count; ++c) a[row + c] *= factor;
}

// A = LᵀDL in place: L below the diagonal (unit diagonal implied), D on it; inverse[i] = 1/D[i]. From the leaves to the root,
// each row gathers from the rows below it, as much of a row at a time as there are registers for the sums.
template <class M, class A, class V>
void factor_ldl(const M& m, A& a, V& inverse) {
    using S = std::remove_cvref_t<decltype(a[0])>;
    constexpr int width = lanes_v<S> == 1 ? 16 : 8;
    over_dofs_back<S>(m, [&](auto i) {
        const int row = m.M_rowadr[i], count = m.M_rownnz[i];
        if constexpr (!std::same_as<decltype(i), int>)
            eliminate_below<row_size<M, decltype(i)>()>(m, a, i, 0);
        else
            for (int c = 0; c < count && m.dof_subtreenum[i] > 1; c += width)
                with_constant(count - c < width ? count - c : width, std::make_integer_sequence<int, width>{},
                              [&](auto n) { eliminate_below<n>(m, a, i, c); });
        const S d_inv = value_t<S>(1) / a[row + count - 1];
        inverse[i] = d_inv;
        scale_row(a, row, count - 1, d_inv);
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
