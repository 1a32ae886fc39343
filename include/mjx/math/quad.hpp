// quad<T>: four floats or doubles in one register, for kernels that serve a single environment.
//
// A vector type of the compiler (g++ and clang), not of xsimd: a program with a fixed model needs no dependency, and lanes round
// as plain arithmetic does.
#pragma once

#include "mjx/scalar/scalar.hpp"

#include <cstdint>
#include <cstring>

namespace mjx::inner {

template <std::floating_point T>
struct quad_of {
    typedef T type __attribute__((vector_size(4 * sizeof(T))));
};
template <std::floating_point T>
using quad = typename quad_of<T>::type;

// By reference: without AVX the calling convention for 32-byte vectors is not settled.
template <std::floating_point T>
void load_quad(quad<T>& q, const T* from) {
    std::memcpy(&q, from, sizeof q);
}
template <std::floating_point T>
void store_quad(T* to, const quad<T>& q) {
    std::memcpy(to, &q, sizeof q);
}

// Whether the compiler's own words for AVX may be used: not in kernels, which are compiled from the same code for other machines.
#ifdef __AVX__
template <bool InKernel, std::floating_point T>
inline constexpr bool has_avx_v = !InKernel && std::same_as<T, double>;
#else
template <bool InKernel, std::floating_point T>
inline constexpr bool has_avx_v = false;
#endif

// Four floats that stand at `from` as numbers T. g++ 12 converts them in halves unless it is told.
template <bool InKernel, std::floating_point T>
[[gnu::always_inline]] inline void load_floats(quad<T>& q, const void* from) {
    quad<float> floats;
    std::memcpy(&floats, from, sizeof floats);
#if defined(__AVX__) && !defined(__clang__)
    if constexpr (has_avx_v<InKernel, T>)
        q = __builtin_ia32_cvtps2pd256(floats);
    else
#endif
        q = __builtin_convertvector(floats, quad<T>);
}

// Bit k of it: whether a comparison of quads holds for number k.
template <bool InKernel, std::floating_point T, class Mask>
[[gnu::always_inline]] inline unsigned true_bits(const Mask& mask) {
#ifdef __AVX__
    if constexpr (has_avx_v<InKernel, T>) return static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<quad<double>>(mask)));
#endif
    return static_cast<unsigned>((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
}

// As many of them as a register of the machine has, up to four.
template <std::floating_point T>
struct register_of {
#ifdef __AVX__
    typedef T type __attribute__((vector_size(4 * sizeof(T))));
#else
    typedef T type __attribute__((vector_size(16)));
#endif
};

// Plain numbers side by side in a register unless Single; any other scalar by itself.
template <class T, bool Single = false>
struct side_by_side {
    using type = T;
    static constexpr int width = 1;
};
template <std::floating_point T>
struct side_by_side<T, false> {
    using type = typename register_of<T>::type;
    static constexpr int width = sizeof(type) / sizeof(T);
};

// Sines and cosines of n angles, a register at a time unless Single or there is but one; those that are large or not finite go one by one.
// The last register starts so that it is full, and computes some once more. The bits are the same either way.
template <bool Single, class A, class B>
void sincos_all(const A& x, B& s, B& c, int n) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    int i = 0;
    if constexpr (std::floating_point<T> && !Single) {
        using V = typename register_of<T>::type;
        constexpr int width = sizeof(V) / sizeof(T);
        for (; i < n && n > 1; i += width) {
            if (i + width > n) i = n < width ? 0 : n - width;
            const int end = n < width ? n : i + width;
            bool near = true;
            for (int k = i; k < end; ++k) near = near && abs(x[k]) < sine_terms<T>::limit;
            if (!near) {
                for (int k = i; k < end; ++k) sincos(x[k], s[k], c[k]);
                continue;
            }
            V angles{}, sines, cosines;
            Quarters<V> split;
            if (n < width)
                for (int k = 0; k < n; ++k) angles[k] = x[k];
            else
                std::memcpy(&angles, &x[i], sizeof angles);
            to_quarters<T>(angles, split);
            sincos_of<T>(split, sines, cosines);
            if (n < width) {
                for (int k = 0; k < n; ++k) s[k] = sines[k], c[k] = cosines[k];
            } else {
                std::memcpy(&s[i], &sines, sizeof sines);
                std::memcpy(&c[i], &cosines, sizeof cosines);
            }
        }
    }
    for (; i < n; ++i) sincos(x[i], s[i], c[i]);
}

// Whether n numbers are zeros, in every lane.
template <class S>
bool all_zero(const S* x, int n) {
    int i = 0;
    if constexpr (std::floating_point<S>) {
        using V = typename register_of<S>::type;
        constexpr int width = sizeof(V) / sizeof(S);
        decltype(V{} != V{}) other{};
        for (; i + width <= n; i += width) {
            V values;
            std::memcpy(&values, x + i, sizeof values);
            other |= values != V{};
        }
        for (int k = 0; k < width; ++k)
            if (other[k] != 0) return false;
    }
    for (; i < n; ++i)
        if (!all(x[i] == S(0))) return false;
    return true;
}

// The sum of squares of the values of many numbers, in any order: a bound for all of them at once, not a result. NaN if one of them is.
template <class S>
struct RoughSquares {
    using T = value_part_t<S>;
    T sum = T(0);

    template <class A>
    [[gnu::always_inline]] void add(const A& x, int n) {
        for (int i = 0; i < n; ++i) sum += value_of(x[i]) * value_of(x[i]);
    }
    [[gnu::always_inline]] bool below(const value_t<S>& bound) const { return all(sum < T(bound)); }
};
template <std::floating_point T>
struct RoughSquares<T> {
    using V = typename register_of<T>::type;
    static constexpr int width = sizeof(V) / sizeof(T);
    V sums{};

    template <class A>
    [[gnu::always_inline]] void add(const A& x, int n) {
        int i = 0;
        for (; i + width <= n; i += width) {
            V values;
            std::memcpy(&values, &x[i], sizeof values);
            sums += values * values;
        }
        for (; i < n; ++i) sums[0] += x[i] * x[i];
    }
    [[gnu::always_inline]] bool below(T bound) const {
        T sum = sums[0];
        for (int k = 1; k < width; ++k) sum += sums[k];
        return sum < bound;
    }
};

}  // namespace mjx::inner
