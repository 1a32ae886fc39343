// Multiples of a few rows of numbers, added to another row: what assembling and factoring a Hessian consists of.
#pragma once

#include "mjx/math/sparse_ldl.hpp"

namespace mjx::inner {

// target[k ...] + Σ_r w[r] a[r][k ...], as many numbers as V has, one term after another.
template <class V, int G, class T, class A>
[[gnu::always_inline]] inline V sum_of_rows(const T* target, A* const (&a)[G], const T (&w)[G], int k) {
    V sum;
    std::memcpy(static_cast<void*>(&sum), target + k, sizeof sum);
    for (int r = 0; r < G; ++r) {
        V piece;
        std::memcpy(static_cast<void*>(&piece), a[r] + k, sizeof piece);
        sum += w[r] * piece;
    }
    return sum;
}

// target[k] += Σ_r w[r] a[r][k] for n numbers, a whole number of registers of the machine's width, from number k on.
template <int G, class T, class A>
[[gnu::always_inline]] inline void add_whole_rows(T* __restrict target, A* const (&a)[G], const T (&w)[G], int n, int k = 0) {
    using V = typename row_register<T, row_width<T>>::type;
    for (; k < n; k += row_width<T>) {
        const V sum = sum_of_rows<V>(target, a, w, k);
        std::memcpy(static_cast<void*>(target + k), &sum, sizeof sum);
    }
}
// The same for two targets.
template <int G, class T, class A>
[[gnu::always_inline]] inline void add_whole_rows(T* __restrict target0, T* __restrict target1, A* const (&a)[G], const T (&w0)[G],
                                                  const T (&w1)[G], int n) {
    using V = typename row_register<T, row_width<T>>::type;
    for (int k = 0; k < n; k += row_width<T>) {
        const V sum0 = sum_of_rows<V>(target0, a, w0, k), sum1 = sum_of_rows<V>(target1, a, w1, k);
        std::memcpy(static_cast<void*>(target0 + k), &sum0, sizeof sum0);
        std::memcpy(static_cast<void*>(target1 + k), &sum1, sizeof sum1);
    }
}

// The same for any number of them: the last register may overlap the one before it.
template <int G, class T, class A>
[[gnu::always_inline]] inline void add_rows(T* __restrict target, A* const (&a)[G], const T (&w)[G], int n) {
    constexpr int width = std::is_same_v<std::remove_const_t<A>, T> ? row_width<T> : 1;
    if constexpr (width > 1)
        if (n >= width) {
            using V = typename row_register<T, width>::type;
            const V last = sum_of_rows<V>(target, a, w, n - width);
            add_whole_rows(target, a, w, (n - 1) / width * width);
            std::memcpy(static_cast<void*>(target + n - width), &last, sizeof last);
            return;
        }
    for (int k = 0; k < n; ++k) {
        T sum = target[k];
        for (int r = 0; r < G; ++r) sum += w[r] * part<T>(a[r][k]);
        target[k] = sum;
    }
}

}  // namespace mjx::inner
