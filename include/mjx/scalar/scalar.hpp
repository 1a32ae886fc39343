// The concept `mjx::scalar` and its operations for float and double.
//
// Pipeline code is written once against this concept. Comparing two scalars gives a mask (`bool` here, a lane mask for packs);
// code never branches on a scalar's value but uses select(mask, a, b), any(mask) and all(mask). `dual` and `pack` add the
// same operations for their types, so that unqualified calls such as `sqrt(x)` find the right one.
#pragma once

#include "mjx/scalar/functions.hpp"

namespace mjx::inner {

// Sine and the like, with the bits of a pack's lanes (functions.hpp).
template <std::floating_point T>
void sincos(T x, T& s, T& c) {
    sincos_by_quarters(x, s, c);
}
template <std::floating_point T>
T sin(T x) {
    T s, c;
    sincos_by_quarters(x, s, c);
    return s;
}
template <std::floating_point T>
T cos(T x) {
    T s, c;
    sincos_by_quarters(x, s, c);
    return c;
}
template <std::floating_point T>
T tan(T x) {
    T s, c;
    sincos_by_quarters(x, s, c);
    return s / c;
}
template <std::floating_point T>
T tanh(T x) {
    return tanh_by_terms(x);
}
template <std::floating_point T>
T asin(T x) {
    return asin_by_terms(x);
}
template <std::floating_point T>
T acos(T x) {
    return acos_by_terms(x);
}
template <std::floating_point T>
T atan2(T y, std::type_identity_t<T> x) {
    return atan2_by_terms(y, x);
}
template <std::floating_point T>
T exp(T x) {
    return exp_by_terms(x);
}
template <std::floating_point T>
T log(T x) {
    return log_by_terms(x);
}
template <std::floating_point T>
T pow(T x, std::type_identity_t<T> p) {
    return pow_by_terms(x, p);
}

// Whether a factor makes a term vanish for good: a plain parameter that is zero. The zero of a dual has derivatives, that of a pack may be
// one lane's; in straight-line code of a fixed model the terms are then not there at all.
template <class R>
constexpr bool vanishes([[maybe_unused]] const R& x) {
    if constexpr (std::floating_point<R>)
        return x == R(0);
    else
        return false;
}

// The scalar without its derivatives, and a number as that type: solvers iterate on values.
template <class S>
using value_part_t = std::remove_cvref_t<decltype(value_of(std::declval<const S&>()))>;
// A dual: a value of zero may still have derivatives.
template <class S>
inline constexpr bool has_derivative = !std::same_as<value_part_t<S>, S>;
template <class To, class From>
constexpr To part(const From& x) {
    if constexpr (std::is_same_v<To, From>)
        return x;
    else
        return To(value_of(x));
}

// max before min: a NaN stays a NaN for floats; every scalar follows the same order.
template <class S>
constexpr S clamp(const S& x, const std::type_identity_t<S>& lo, const std::type_identity_t<S>& hi) {
    return min(max(x, lo), hi);
}

// The concept at the public door: anything the pipeline can compute with.
template <class S>
concept scalar = requires(S a, S b, value_t<S> v, mask_t<S> k) {
    { a + b } -> std::convertible_to<S>;
    { a - b } -> std::convertible_to<S>;
    { a* b } -> std::convertible_to<S>;
    { a / b } -> std::convertible_to<S>;
    { -a } -> std::convertible_to<S>;
    { a* v } -> std::convertible_to<S>;
    { a < b } -> std::convertible_to<mask_t<S>>;
    { a == b } -> std::convertible_to<mask_t<S>>;
    { select(k, a, b) } -> std::convertible_to<S>;
    { any(k) } -> std::convertible_to<bool>;
    { all(k) } -> std::convertible_to<bool>;
    { sqrt(a) } -> std::convertible_to<S>;
    { lane(a, 0) } -> std::convertible_to<lane_t<S>>;
    S(v);
};

// Makes one scalar into another: float to double, a value into every lane, a value into a dual without derivative.
template <class To, class From>
constexpr To scalar_cast(const From& x) {
    if constexpr (std::is_same_v<To, From>)
        return x;
    else if constexpr (std::floating_point<To> && std::floating_point<From>)
        return static_cast<To>(x);
    else if constexpr (std::floating_point<From>)
        return To(static_cast<value_t<To>>(x));
    else
        return To(x);
}

}  // namespace mjx::inner
