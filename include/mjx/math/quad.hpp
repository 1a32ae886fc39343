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

// Sine and cosine of four numbers below 1e5 in size, to the last bit or two: Cody and Waite's reduction by multiples of π/2 in three
// parts, then the minimax polynomials of fdlibm on [-π/4, π/4].
inline void sincos_quad(const quad<double>& x, quad<double>& s, quad<double>& c) {
    typedef std::int64_t bits __attribute__((vector_size(32)));
    constexpr double to_nearest = 0x1.8p52;
    const quad<double> shifted = x * 0x1.45f306dc9c883p-1 + to_nearest;
    const quad<double> k = shifted - to_nearest;
    bits quadrant;
    std::memcpy(&quadrant, &shifted, sizeof quadrant);
    const quad<double> y = ((x - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a600000p-34) - k * 0x1.3198a2e037073p-69;
    const quad<double> z = y * y;
    const quad<double> sine = y + y * z *
                                      (-0x1.5555555555549p-3 +
                                       z * (0x1.111111110f8a6p-7 +
                                            z * (-0x1.a01a019c161d5p-13 +
                                                 z * (0x1.71de357b1fe7dp-19 + z * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33)))));
    // the rounding error of 1 - z/2 goes into the correction, as in fdlibm: nearly always the last bit is that of the C library
    const quad<double> half = z * 0.5, rest = 1.0 - half;
    const quad<double> cosine = rest +
                                ((1.0 - rest - half) +
                                 z * z *
                                     (0x1.555555555554cp-5 +
                                      z * (-0x1.6c16c16c15177p-10 +
                                           z * (0x1.a01a019cb1590p-16 +
                                                z * (-0x1.27e4f809c52adp-22 + z * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37))))));
    const bits odd = (quadrant & 1) != 0, s_negative = (quadrant & 2) != 0, c_negative = ((quadrant + 1) & 2) != 0;
    const quad<double> s0 = odd ? cosine : sine, c0 = odd ? sine : cosine;
    s = s_negative ? -s0 : s0;
    c = c_negative ? -c0 : c0;
}

// Sines and cosines of n angles. Doubles go four at a time; angles that are large or not finite take the C library's way.
template <class A, class B>
void sincos_all(const A& x, B& s, B& c, int n) {
    int i = 0;
    if constexpr (std::same_as<std::remove_cvref_t<decltype(x[0])>, double>) {
        for (; i + 4 <= n; i += 4) {
            quad<double> angles, sines, cosines;
            load_quad<double>(angles, &x[i]);
            const bool small = abs(angles[0]) < 1e5 && abs(angles[1]) < 1e5 && abs(angles[2]) < 1e5 && abs(angles[3]) < 1e5;
            if (!small) {
                for (int k = i; k < i + 4; ++k) sincos(x[k], s[k], c[k]);
                continue;
            }
            sincos_quad(angles, sines, cosines);
            store_quad<double>(&s[i], sines);
            store_quad<double>(&c[i], cosines);
        }
    }
    for (; i < n; ++i) sincos(x[i], s[i], c[i]);
}

}  // namespace mjx::inner
