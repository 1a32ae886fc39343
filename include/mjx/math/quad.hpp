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

// As many of them as a register of the machine has, up to four.
template <std::floating_point T>
struct register_of {
#ifdef __AVX__
    typedef T type __attribute__((vector_size(4 * sizeof(T))));
#else
    typedef T type __attribute__((vector_size(16)));
#endif
};

// Sines and cosines of n angles, a register at a time; those that are large or not finite go one by one, as do the last. The bits are the
// same either way.
template <class A, class B>
void sincos_all(const A& x, B& s, B& c, int n) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    int i = 0;
    if constexpr (std::floating_point<T>) {
        using V = typename register_of<T>::type;
        constexpr int width = sizeof(V) / sizeof(T);
        for (; i + width <= n; i += width) {
            bool near = true;
            for (int k = i; k < i + width; ++k) near = near && abs(x[k]) < sine_terms<T>::limit;
            if (!near) {
                for (int k = i; k < i + width; ++k) sincos(x[k], s[k], c[k]);
                continue;
            }
            V angles, sines, cosines;
            Quarters<V> split;
            std::memcpy(&angles, &x[i], sizeof angles);
            to_quarters<T>(angles, split);
            sincos_of<T>(split, sines, cosines);
            std::memcpy(&s[i], &sines, sizeof sines);
            std::memcpy(&c[i], &cosines, sizeof cosines);
        }
    }
    for (; i < n; ++i) sincos(x[i], s[i], c[i]);
}

}  // namespace mjx::inner
