// Springs and dampers whose coefficient is a polynomial: force = -x p(x), p(x) = c + c1 x + c2 x².
//
// For dampers the odd power takes |x|, so that p is even and the force always opposes the motion.
#pragma once

#include "mjx/math/vec.hpp"

namespace mjx::inner {

enum class Parity { plain, even };

// Whether there are terms beyond the constant one (in some lane, for models whose parameters are packs).
template <class R, int N>
bool has_higher_terms(const Vec<R, N>& poly) {
    bool present = false;
    for (int i = 0; i < N; ++i) present = present || any(poly[i] != R(0));
    return present;
}

// c plus term(i, poly[i] x^(i + 1)) for each i
template <class S, class R, int N, class Term>
S poly_sum(const R& c, const Vec<R, N>& poly, const S& x, Parity parity, Term&& term) {
    if (!has_higher_terms(poly)) return S(c);
    const S base = parity == Parity::even ? S(abs(x)) : x;
    S sum(c), power(1);
    for (int i = 0; i < N; ++i) {
        power = power * base;
        sum = sum + term(i, S(power * poly[i]));
    }
    return sum;
}
template <class S, class R, int N>
S poly_coefficient(const R& c, const Vec<R, N>& poly, const S& x, Parity parity) {
    return poly_sum(c, poly, x, parity, [](int, const S& term) { return term; });
}
// d(x p(x))/dx
template <class S, class R, int N>
S poly_slope(const R& c, const Vec<R, N>& poly, const S& x, Parity parity) {
    return poly_sum(c, poly, x, parity, [](int i, const S& term) { return S(term * value_t<S>(i + 2)); });
}
// ∫ x p(x) dx from 0: the energy of the spring
template <class S, class R, int N>
S poly_potential(const R& c, const Vec<R, N>& poly, const S& x, Parity parity) {
    const S base = parity == Parity::even ? S(abs(x)) : x;
    S sum = base * base * c * value_t<S>(0.5), power = base * base;
    for (int i = 0; i < N; ++i) {
        power = power * base;
        sum = sum + power * poly[i] * (value_t<S>(1) / value_t<S>(i + 3));
    }
    return sum;
}
// Whether a coefficient is there at all (in some lane, for models whose parameters are packs).
template <class R, int N>
bool poly_present(const R& c, const Vec<R, N>& poly) {
    return any(c != R(0)) || has_higher_terms(poly);
}

}  // namespace mjx::inner
