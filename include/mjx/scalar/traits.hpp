// What scalars are made of, and the operations of float and double that IEEE arithmetic settles: comparison, choice, root, rounding.
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

// Runs f(k) for each lane k set in the mask: the way out for code that cannot run in step (GJK, mesh trees).
template <class Mask, class F>
constexpr void for_each_lane(const Mask& mask, int lanes, F&& f) {
    for (int k = 0; k < lanes; ++k)
        if (lane(mask, k)) f(k);
}

}  // namespace mjx::inner
