// Whether derivatives can be trusted: exact ones beside differences, and differences beside finer ones. For hooks of one's own, for
// models near a kink, and for choosing an eps.
#pragma once

#include "mjx/derivative/transition.hpp"

#include <algorithm>
#include <cmath>

namespace mjx::inner {

// The larger of two errors; NaN is the largest.
template <class T>
T worse(T a, T b) {
    return std::isnan(a) || a > b ? a : b;
}

// The largest |a - b| / max(|a|, |b|, floor) over all entries: relative for large entries, absolute in units of `floor` for small ones.
template <class T>
T max_relative_error(const Matrix<T>& a, const Matrix<T>& b, std::type_identity_t<T> floor = T(1)) {
    T worst(0);
    for (std::size_t i = 0; i < a.shape(0); ++i)
        for (std::size_t j = 0; j < a.shape(1); ++j)
            worst = worse(std::abs(a(i, j) - b(i, j)) / std::max({std::abs(a(i, j)), std::abs(b(i, j)), floor}), worst);
    return worst;
}
template <class T>
T max_relative_error(const Transition<T>& a, const Transition<T>& b, std::type_identity_t<T> floor = T(1)) {
    T worst(0);
    for (const auto matrix : {&Transition<T>::A, &Transition<T>::B, &Transition<T>::C, &Transition<T>::D})
        worst = worse(max_relative_error(a.*matrix, b.*matrix, floor), worst);
    return worst;
}

// How far the exact derivatives are from differences of size eps: about eps² and rounding/eps where the step is smooth.
template <class Sim, class T = typename Sim::scalar>
T derivative_error(const Sim& sim, std::type_identity_t<T> eps = difference_eps_v<T>, bool centered = true) {
    return max_relative_error(derivatives(sim), transition_fd(sim, eps, centered));
}

// The order p at which differences converge, error ~ eps^p, from those of size eps and eps / 10 beside the exact ones: 2 for centered
// and 1 for one-sided differences of a smooth step, less across a kink or where eps is so small that rounding rules.
template <class Sim, class T = typename Sim::scalar>
T convergence_order(const Sim& sim, std::type_identity_t<T> eps = T(1000) * difference_eps_v<T>, bool centered = true) {
    const auto exact = derivatives(sim);
    const T coarse = max_relative_error(exact, transition_fd(sim, eps, centered));
    const T fine = max_relative_error(exact, transition_fd(sim, eps / T(10), centered));
    return std::log10(coarse / fine);
}

}  // namespace mjx::inner
