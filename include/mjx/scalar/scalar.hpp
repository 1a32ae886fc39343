// The concept `mjx::scalar` and its operations for float and double.
//
// Pipeline code is written once against this concept. Comparing two scalars gives a mask (`bool` here, a lane mask for packs);
// code never branches on a scalar's value but uses select(mask, a, b), any(mask) and all(mask). `dual` and `pack` add the
// same operations for their types, so that unqualified calls such as `sqrt(x)` find the right one.
#pragma once

#include "mjx/scalar/language.hpp"

#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#if defined(__SSE2__) && !defined(SYCL_LANGUAGE_VERSION) && !defined(__ACPP__)
#include <emmintrin.h>
#endif

#if defined(__FAST_MATH__) || defined(__NO_SIGNED_ZEROS__) || defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "mjx needs IEEE arithmetic: build without -ffast-math, -ffinite-math-only and -fno-signed-zeros"
#endif

namespace mjx::inner {

// What a scalar is made of. Specialised by dual and pack.
//   value  the floating-point type underneath: float or double
//   lane   the type of one lane: the scalar itself unless it is a pack
//   mask   what comparisons give
//   lanes  how many environments live in one scalar
template <class S>
struct scalar_traits;

template <std::floating_point T>
struct scalar_traits<T> {
    using value = T;
    using lane = T;
    using mask = bool;
    static constexpr int lanes = 1;
};

template <class S>
using value_t = typename scalar_traits<std::remove_cvref_t<S>>::value;
template <class S>
using lane_t = typename scalar_traits<std::remove_cvref_t<S>>::lane;
template <class S>
using mask_t = typename scalar_traits<std::remove_cvref_t<S>>::mask;
template <class S>
inline constexpr int lanes_v = scalar_traits<std::remove_cvref_t<S>>::lanes;

template <class S>
inline constexpr value_t<S> epsilon_v = std::numeric_limits<value_t<S>>::epsilon();

// The type of a product of a pipeline scalar and a model parameter, either of which may be the richer one.
template <class A, class B>
using product_t = decltype(std::declval<A>() * std::declval<B>());

// Masks of plain scalars are bool.
constexpr bool any(bool mask) { return mask; }
constexpr bool all(bool mask) { return mask; }
constexpr bool lane(bool mask, int) { return mask; }
constexpr void set_lane(bool& mask, int, bool value) { mask = value; }

template <std::floating_point T>
constexpr T select(bool mask, std::type_identity_t<T> a, T b) {
    return mask ? a : b;
}
template <std::floating_point T>
constexpr T lane(T x, int) {
    return x;
}
template <std::floating_point T>
constexpr void set_lane(T& x, int, T value) {
    x = value;
}
// The number underneath, without derivatives.
template <std::floating_point T>
constexpr T value_of(T x) {
    return x;
}

template <std::floating_point T>
constexpr T abs(T x) {
    if constexpr (std::same_as<T, float>)
        return __builtin_fabsf(x);
    else
        return static_cast<T>(__builtin_fabs(static_cast<double>(x)));
}
template <std::floating_point T>
constexpr T min(T a, std::type_identity_t<T> b) {
    return b < a ? b : a;
}
template <std::floating_point T>
constexpr T max(T a, std::type_identity_t<T> b) {
    return a < b ? b : a;
}
// std::sqrt sets errno: a branch and a call, with all registers saved around it, at each of hundreds of uses.
template <std::floating_point T>
T sqrt(T x) {
#if defined(__SSE2__) && !defined(SYCL_LANGUAGE_VERSION) && !defined(__ACPP__)
    if constexpr (std::same_as<T, double>) return _mm_cvtsd_f64(_mm_sqrt_sd(__m128d{x, 0}, __m128d{x, 0}));
    if constexpr (std::same_as<T, float>) return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set1_ps(x)));
#endif
    return std::sqrt(x);
}
template <std::floating_point T>
T sin(T x) {
    return std::sin(x);
}
template <std::floating_point T>
T cos(T x) {
    return std::cos(x);
}
// One call where the C library has it: half the time of two.
template <std::floating_point T>
void sincos(T x, T& s, T& c) {
#if defined(__GLIBC__) && !defined(SYCL_LANGUAGE_VERSION) && !defined(__ACPP__)
    if constexpr (std::same_as<T, float>)
        return ::sincosf(x, &s, &c);
    else if constexpr (std::same_as<T, double>)
        return ::sincos(x, &s, &c);
#endif
    s = std::sin(x);
    c = std::cos(x);
}
template <std::floating_point T>
T tan(T x) {
    return std::tan(x);
}
template <std::floating_point T>
T tanh(T x) {
    return std::tanh(x);
}
template <std::floating_point T>
T asin(T x) {
    return std::asin(x);
}
template <std::floating_point T>
T acos(T x) {
    return std::acos(x);
}
template <std::floating_point T>
T atan2(T y, std::type_identity_t<T> x) {
    return std::atan2(y, x);
}
template <std::floating_point T>
T exp(T x) {
    return std::exp(x);
}
template <std::floating_point T>
T log(T x) {
    return std::log(x);
}
template <std::floating_point T>
T pow(T x, std::type_identity_t<T> p) {
    return std::pow(x, p);
}
template <std::floating_point T>
T floor(T x) {
    return std::floor(x);
}
template <std::floating_point T>
T copysign(T x, std::type_identity_t<T> s) {
    return std::copysign(x, s);
}
template <std::floating_point T>
constexpr bool isfinite(T x) {
    return x - x == T(0);
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

// Runs f(k) for each lane k set in the mask: the way out for code that cannot run in step (GJK, mesh trees).
template <class Mask, class F>
constexpr void for_each_lane(const Mask& mask, int lanes, F&& f) {
    for (int k = 0; k < lanes; ++k)
        if (lane(mask, k)) f(k);
}

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
