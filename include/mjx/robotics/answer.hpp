// How the functions of robotics.hpp are called: with a simulator or a model and its data, and with a buffer for the result or without.
//
//     f(sim, args..., out)      f(m, d, args..., out)      into the caller's buffer: no heap
//     f(sim, args...)           f(m, d, args...)           returned as an xtensor array: needs mjx/views.hpp
// A buffer for a matrix is anything with out(row, column), such as an array made before or MatrixSpan over plain memory; one for a
// vector anything with out[i].
#pragma once

#include "mjx/scalar/language.hpp"

#include <type_traits>

namespace mjx::inner {

// Plain memory as a matrix, row after row.
template <class T>
struct MatrixSpan {
    T* first;
    int rows, columns;

    constexpr T& operator()(int r, int c) const { return first[r * columns + c]; }
};
template <class T>
MatrixSpan(T*, int, int) -> MatrixSpan<T>;

template <class J>
void clear_matrix(J& out, int rows, int columns) {
    using S = std::remove_cvref_t<decltype(out(0, 0))>;
    if constexpr (requires { out.first; })
        if (out.columns == columns) {
            for (int k = 0; k < rows * columns; ++k) out.first[k] = S(0);
            return;
        }
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) out(r, c) = S(0);
}

struct MatrixShape {
    int rows, columns;
};
struct VectorShape {
    int size;
};
template <class S>
struct array_of {};

// A function whose result is small and returned as it is.
template <class F>
struct Query {
    F f;

    template <class Sim, class... A>
        requires requires(Sim& sim) { sim.model(), sim.data(); }
    auto operator()(Sim& sim, const A&... a) const {
        return f(sim.model(), sim.data(), a...);
    }
    template <class M, class D, class... A>
        requires requires {
            M::is_fixed;
            typename D::scalar;
        }
    auto operator()(const M& m, D& d, const A&... a) const {
        return f(m, d, a...);
    }
};
template <class F>
Query(F) -> Query<F>;

// `into` is the function that writes into its last argument, `shape` gives the result's from the model and the other arguments.
template <class Into, class Shape>
struct Answer {
    Into into;
    Shape shape;

    template <class Sim, class... A>
        requires requires(Sim& sim) { sim.model(), sim.data(); }
    auto operator()(Sim& sim, A&&... a) const {
        return (*this)(sim.model(), sim.data(), a...);
    }
    template <class M, class D, class... A>
        requires requires {
            M::is_fixed;
            typename D::scalar;
        }
    auto operator()(const M& m, D& d, A&&... a) const {
        if constexpr (std::is_invocable_v<const Into&, const M&, D&, A&...>) {
            into(m, d, a...);
        } else {
            using S = typename D::scalar;
            constexpr bool has_arrays = requires { make_array(array_of<S>{}, shape(m, a...)); };
            static_assert(has_arrays, "without a buffer at the end the result is an xtensor array: include mjx/views.hpp");
            if constexpr (has_arrays) {
                auto result = make_array(array_of<S>{}, shape(m, a...));
                into(m, d, a..., result);
                return result;
            }
        }
    }
};
template <class Into, class Shape>
Answer(Into, Shape) -> Answer<Into, Shape>;

}  // namespace mjx::inner
