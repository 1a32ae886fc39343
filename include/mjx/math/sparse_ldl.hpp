// LᵀDL factorization of a symmetric matrix with the sparsity of a kinematic tree (Featherstone 2008, ch. 6.5).
//
// Row i holds the columns of i's ancestors and, last, the diagonal. Ancestors of an ancestor are a prefix of the row, so the row
// of an ancestor j lines up with the first M_rownnz[j] entries of row i, and there is no fill-in. Dofs are numbered depth first:
// those below i are the dof_subtreenum[i] - 1 that follow it.
#pragma once

#include "mjx/math/traverse.hpp"

#include <cstring>

namespace mjx::inner {

// f(n as a constant) for n in 1 .. Max.
template <class F, int... N>
[[gnu::always_inline]] inline void with_constant(int n, std::integer_sequence<int, N...>, F&& f) {
    (void)((n == N + 1 && (f(std::integral_constant<int, N + 1>{}), true)) || ...);
}

// What a row is kept in: Width plain numbers side by side, or one scalar.
template <class S, int Width>
struct row_register {
    typedef S type __attribute__((vector_size(Width * sizeof(S))));
};
template <class S>
struct row_register<S, 1> {
    using type = S;
};
template <class S>
inline constexpr int row_width = 1;
template <>
inline constexpr int row_width<float> = 4;
#ifdef __AVX__
template <>
inline constexpr int row_width<double> = 4;
#else
template <>
inline constexpr int row_width<double> = 2;
#endif

// How `n` consecutive entries of a row lie in registers: one by one, or, for plain numbers, several in each, where the last register may
// overlap the one before it.
template <class S, int Count, int Width>
struct RowForm {
    static constexpr int count = Count;  // registers
    struct entry {
        typename row_register<S, Width>::type v;
    };
    int n;

    [[gnu::always_inline]] int offset(int b) const { return Width > 1 && b == Count - 1 ? n - Width : Width * b; }
    [[gnu::always_inline]] void load(entry* to, const S* row) const {
        for (int b = 0; b < Count; ++b) std::memcpy(static_cast<void*>(&to[b].v), row + offset(b), sizeof to[b].v);
    }
    [[gnu::always_inline]] void store(const entry* from, S* row) const {
        for (int b = 0; b < Count; ++b) std::memcpy(static_cast<void*>(row + offset(b)), &from[b].v, sizeof from[b].v);
    }
    [[gnu::always_inline]] static S last(const entry* part) {
        if constexpr (Width > 1)
            return part[Count - 1].v[Width - 1];
        else
            return part[Count - 1].v;
    }
    [[gnu::always_inline]] static void add_to_last(entry* part, const S& x) {
        if constexpr (Width > 1)
            part[Count - 1].v[Width - 1] += x;
        else
            part[Count - 1].v += x;
    }
};

// How many entries of a row, and of two rows below it, are worth keeping in registers at once.
#ifdef __AVX512F__
inline constexpr int pack_row_entries = 14;
#else
inline constexpr int pack_row_entries = 6;
#endif
template <class S>
inline constexpr int row_entries = row_width<S> > 1 ? 4 * row_width<S> : pack_row_entries;

// f(form of n entries), n no more than row_entries.
template <class S, class F>
[[gnu::always_inline]] inline void with_row_shape(int n, F&& f) {
    constexpr int width = row_width<S>;
    if constexpr (width == 1)
        with_constant(
            n, std::make_integer_sequence<int, row_entries<S>>{}, [&](auto w) __attribute__((always_inline)) { f(RowForm<S, w, 1>{n}); });
    else if (n < width)
        with_constant(
            n, std::make_integer_sequence<int, width - 1>{}, [&](auto w) __attribute__((always_inline)) { f(RowForm<S, w, 1>{n}); });
    else
        with_constant((n + width - 1) / width,
                      std::make_integer_sequence<int, row_entries<S> / width>{}, [&](auto w) __attribute__((always_inline)) {
                          f(RowForm<S, w, width>{n});
                      });
}

// The same where n is a constant, which compiles one form in place of all.
template <class S, int N, class F>
[[gnu::always_inline]] inline void with_row_shape(std::integral_constant<int, N>, F&& f) {
    constexpr int width = N < row_width<S> ? 1 : row_width<S>;
    f(RowForm<S, (N + width - 1) / width, width>{N});
}

struct no_diagonal {};

// Rows i and, if Rows is 2, i + 1, where dof i moves nothing else than i + 1 and what that moves: both gather from the same rows below.
// `part` are their entries in the columns that row i has, `corner` is the diagonal entry of row i + 1.
template <class Form, class S, int Rows>
struct RowBlock {
    typename Form::entry part[Rows][Form::count];
    S corner;
};

// The columns from c on, and the corner, less what the rows of the dofs below contribute: Σ_k L_ki D_k L_kc.
template <class Form, class S, int Rows, class M, class A>
[[gnu::always_inline]] inline void eliminate_below(const M& m, const A& a, int i, int c, Form form, RowBlock<Form, S, Rows>& block) {
    const int own = m.M_rownnz[i] - 1;
    for (int k = i + m.dof_subtreenum[i] - 1; k >= i + Rows; --k) {
        const S* row = &a[m.M_rowadr[k]];
        const S d = row[m.M_rownnz[k] - 1];
        typename Form::entry below[Form::count];
        form.load(below, row + c);
        for (int r = 0; r < Rows; ++r) {
            const S scale = row[own + r] * d;
            for (int b = 0; b < Form::count; ++b) block.part[r][b].v -= scale * below[b].v;
            if (r == 1) block.corner -= scale * row[own + 1];
        }
    }
}

// Divides a row by its pivot and puts it in its place.
template <class Form, class S, class M, class A, class V>
[[gnu::always_inline]] inline void finish_row(const M& m, A& a, V& inverse, int i, Form form, typename Form::entry* part, const S& d) {
    const S inv = value_t<S>(1) / d;
    for (int b = 0; b < Form::count; ++b) part[b].v *= inv;
    inverse[i] = inv;
    form.store(part, &a[m.M_rowadr[i]]);
    a[m.M_rowadr[i] + m.M_rownnz[i] - 1] = d;
}

template <int Rows, class M, class From, class Diagonal, class A, class V>
[[gnu::always_inline]] inline void factor_rows(const M& m, const From& from, const Diagonal& diagonal, A& a, V& inverse, auto i) {
    using S = std::remove_cvref_t<decltype(a[0])>;
    with_row_shape<S>(
        known(m, i, [](const auto& all, int k) { return all.M_rownnz[k]; }), [&](auto form) __attribute__((always_inline)) {
            RowBlock<decltype(form), S, Rows> block;
            for (int r = 0; r < Rows; ++r) form.load(block.part[r], &from[m.M_rowadr[i + r]]);
            if constexpr (Rows == 2) block.corner = from[m.M_rowadr[i + 1] + m.M_rownnz[i]];
            if constexpr (!std::same_as<Diagonal, no_diagonal>) {
                form.add_to_last(block.part[0], diagonal[i]);
                if constexpr (Rows == 2) block.corner += diagonal[i + 1];
            }
            eliminate_below(m, a, i, 0, form, block);
            if constexpr (Rows == 2) {
                const S scale = form.last(block.part[1]);
                finish_row(m, a, inverse, i + 1, form, block.part[1], block.corner);
                for (int b = 0; b < form.count; ++b) block.part[0][b].v -= scale * block.part[1][b].v;
            }
            finish_row(m, a, inverse, i, form, block.part[0], form.last(block.part[0]));
        });
}

// Divides rows, from which all below has been eliminated, by their pivots, and the upper of two by the lower.
template <int Rows, class M, class A, class V>
void finish_rows_in_memory(const M& m, A& a, V& inverse, int i) {
    using S = std::remove_cvref_t<decltype(a[0])>;
    const int count = m.M_rownnz[i];
    S* row = &a[m.M_rowadr[i]];
    for (int r = Rows - 1; r >= 0; --r) {
        S* own = &a[m.M_rowadr[i + r]];
        const S inv = value_t<S>(1) / own[count - 1 + r], scale = own[count - 1];
        inverse[i + r] = inv;
        for (int c = 0; c < count - 1 + r; ++c) own[c] *= inv;
        if (r == 1)
            for (int c = 0; c < count; ++c) row[c] -= scale * own[c];
    }
}

// Rows of any length where they lie: in kernels.
template <int Rows, class M, class From, class Diagonal, class A, class V>
void factor_rows_in_memory(const M& m, const From& from, const Diagonal& diagonal, A& a, V& inverse, int i) {
    const int count = m.M_rownnz[i];
    for (int r = 0; r < Rows; ++r) {
        auto* own = &a[m.M_rowadr[i + r]];
        for (int c = 0; c < count + r; ++c) own[c] = from[m.M_rowadr[i + r] + c];
        if constexpr (!std::same_as<Diagonal, no_diagonal>) own[count - 1 + r] += diagonal[i + r];
        for (int k = i + m.dof_subtreenum[i] - 1; k >= i + Rows; --k) {
            const auto* below = &a[m.M_rowadr[k]];
            const auto scale = below[count - 1 + r] * below[m.M_rownnz[k] - 1];
            for (int c = 0; c < count + r; ++c) own[c] -= scale * below[c];
        }
    }
    finish_rows_in_memory<Rows>(m, a, inverse, i);
}

// Rows too long for the registers, in pieces; the last piece may overlap the one before it, and is taken first.
template <int Rows, class M, class From, class Diagonal, class A, class V>
[[gnu::noinline]] void factor_long_rows(const M& m, const From& from, const Diagonal& diagonal, A& a, V& inverse, int i) {
    using S = std::remove_cvref_t<decltype(a[0])>;
    using Piece = RowForm<S, row_entries<S> / row_width<S>, row_width<S>>;
    constexpr Piece piece{row_entries<S>};
    const int count = m.M_rownnz[i], end = count - row_entries<S>;
    const auto gather = [&](int c, RowBlock<Piece, S, Rows>& block) __attribute__((always_inline)) {
        for (int r = 0; r < Rows; ++r) piece.load(block.part[r], &from[m.M_rowadr[i + r] + c]);
        block.corner = from[m.M_rowadr[i + Rows - 1] + m.M_rownnz[i + Rows - 1] - 1];
        if constexpr (!std::same_as<Diagonal, no_diagonal>) {
            if (c == end) piece.add_to_last(block.part[0], diagonal[i]);
            block.corner += diagonal[i + Rows - 1];
        }
        eliminate_below(m, a, i, c, piece, block);
    };
    RowBlock<Piece, S, Rows> block;
    gather(end, block);
    const RowBlock<Piece, S, Rows> last = block;
    for (int c = 0; c < end; c += row_entries<S>) {
        gather(c, block);
        for (int r = 0; r < Rows; ++r) piece.store(block.part[r], &a[m.M_rowadr[i + r] + c]);
    }
    for (int r = 0; r < Rows; ++r) piece.store(last.part[r], &a[m.M_rowadr[i + r] + end]);
    if constexpr (Rows == 2) a[m.M_rowadr[i + 1] + count] = last.corner;
    finish_rows_in_memory<Rows>(m, a, inverse, i);
}

// A row that nothing else is coupled to, as it is.
template <class M, class From, class Diagonal, class A, class V>
void factor_diagonal_row(const M& m, const From& from, const Diagonal& diagonal, A& a, V& inverse, int i) {
    using S = std::remove_cvref_t<decltype(a[0])>;
    const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
    for (int c = 0; c < last; ++c) a[row + c] = S(0);
    S entry = from[row + last];
    if constexpr (!std::same_as<Diagonal, no_diagonal>) entry += diagonal[i];
    a[row + last] = entry;
    inverse[i] = value_t<S>(1) / entry;
}

// No row is known to be one.
struct no_dof_alone {
    constexpr bool operator()(int) const { return false; }
};

// factor_ldl() on arrays by their first numbers: one code for all kinds of arrays.
template <class M, class Diagonal, class S, class Alone>
void factor_ldl_at(const M& m, const S* from, const Diagonal& diagonal, S* a, S* inverse, Alone alone) {
    over_dof_pairs_back<S>(
        m, [&](auto i, auto rows) __attribute__((always_inline)) {
            if (alone(i)) {
                for (int r = 0; r < rows; ++r) factor_diagonal_row(m, from, diagonal, a, inverse, i + r);
                return;
            }
            if constexpr (in_kernel_v<M>) return factor_rows_in_memory<rows>(m, from, diagonal, a, inverse, i);
            const auto fits = known(m, i, [](const auto& all, int k) { return all.M_rownnz[k] <= row_entries<S>; });
            with_truth(
                fits, [&](auto in_registers) __attribute__((always_inline)) {
                    if constexpr (in_registers)
                        factor_rows<rows>(m, from, diagonal, a, inverse, i);
                    else
                        factor_long_rows<rows>(m, from, diagonal, a, inverse, i);
                });
        });
}

// A = LᵀDL: L below the diagonal (unit diagonal implied), D on it; inverse[i] = 1/D[i]. A is `from`, which may be `a` itself, plus
// `diagonal`. From the leaves to the root, two rows at a time gather from the rows below them, with their sums in registers
// if there are enough. alone(i) tells of dofs that are coupled to none, with those beside them.
template <class M, class From, class Diagonal, class A, class V, class Alone = no_dof_alone>
void factor_ldl(const M& m, const From& from, const Diagonal& diagonal, A& a, V& inverse, const Alone& alone = {}) {
    if (m.nv == 0) return;  // arrays without a first number
    if constexpr (std::same_as<Diagonal, no_diagonal>)
        factor_ldl_at(m, &from[0], diagonal, &a[0], &inverse[0], alone);
    else
        factor_ldl_at(m, &from[0], &diagonal[0], &a[0], &inverse[0], alone);
}
template <class M, class A, class V>
void factor_ldl(const M& m, A& a, V& inverse) {
    factor_ldl(m, a, no_diagonal{}, a, inverse);
}

// x ← A⁻¹ x with the factors of A: Lᵀ from the leaves, D, then L from the root. alone(i) as for factor_ldl.
template <class M, class A, class V, class X, class Alone = no_dof_alone>
void solve_ldl(const M& m, const A& a, const V& inverse, X& x, Alone alone = {}) {
    using S = std::remove_cvref_t<decltype(x[0])>;
    over_dof_pairs_back<S>(
        m, [&](auto i, auto rows) __attribute__((always_inline)) {
            if (alone(i)) return;
            const int own = m.M_rownnz[i] - 1;
            S upper = x[i], lower = rows == 2 ? x[i + rows - 1] : S(0);
            over_dofs_below<rows>(
                m, i, [&](auto k) __attribute__((always_inline)) {
                    const S* row = &a[m.M_rowadr[k] + own];
                    upper -= row[0] * x[k];
                    if constexpr (rows == 2) lower -= row[1] * x[k];
                });
            if constexpr (rows == 2) {
                x[i + 1] = lower;
                upper -= a[m.M_rowadr[i + 1] + own] * lower;
            }
            x[i] = upper;
        });
    over_dof_pairs<S>(
        m, [&](auto i, auto rows) __attribute__((always_inline)) {
            if (alone(i)) {
                for (int r = 0; r < rows; ++r) x[i + r] *= inverse[i + r];
                return;
            }
            const int own = m.M_rownnz[i] - 1;
            const S* row[2] = {&a[m.M_rowadr[i]], &a[m.M_rowadr[i + rows - 1]]};
            S upper = x[i] * inverse[i], lower = x[i + rows - 1] * inverse[i + rows - 1];
            for (int c = 0; c < own; ++c) {
                const S& known = x[m.M_colind[m.M_rowadr[i] + c]];
                upper -= row[0][c] * known;
                if constexpr (rows == 2) lower -= row[1][c] * known;
            }
            x[i] = upper;
            if constexpr (rows == 2) x[i + 1] = lower - row[1][own] * upper;
        });
}

// Whether the row after i, of those up to `end`, has the columns of row i and one more, its own: the two then go together.
template <class M>
constexpr bool goes_with_next(const M& m, int i, int end) {
    return i + 1 < end && m.dof_parentid[i + 1] == i && m.M_rownnz[i + 1] == m.M_rownnz[i] + 1;
}

// y = A x for a symmetric A stored as its lower triangle, over dofs that no other is coupled to, in the numbers of y. A dof and the next
// that it moves go together: they have the same columns.
template <class M, class A, class X, class Y>
void multiply_symmetric(const M& m, const A& a, const X& x, Y& y, int first, int end) {
    using T = std::remove_cvref_t<decltype(y[0])>;
    for (int i = first; i < end; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1, *columns = &m.M_colind[row];
        const T xi = part<T>(x[i]);
        T yi = part<T>(a[row + last]) * xi;
        if (goes_with_next(m, i, end)) {
            const int next = m.M_rowadr[i + 1];
            const T beside = part<T>(a[next + last]), x_next = part<T>(x[i + 1]);
            T y_next = part<T>(a[next + last + 1]) * x_next;
            for (int c = 0; c < last; ++c) {
                const int j = columns[c];
                const T entry = part<T>(a[row + c]), below = part<T>(a[next + c]), xj = part<T>(x[j]);
                yi += entry * xj;
                y_next += below * xj;
                y[j] = (y[j] + entry * xi) + below * x_next;
            }
            y[i] = yi + beside * x_next;
            y[++i] = y_next + beside * xi;
            continue;
        }
        for (int c = 0; c < last; ++c) {
            const int j = columns[c];
            const T entry = part<T>(a[row + c]);
            yi += entry * part<T>(x[j]);
            y[j] += entry * xi;
        }
        y[i] = yi;
    }
}
template <class M, class A, class X, class Y>
void multiply_symmetric(const M& m, const A& a, const X& x, Y& y) {
    multiply_symmetric(m, a, x, y, 0, m.nv);
}

}  // namespace mjx::inner
