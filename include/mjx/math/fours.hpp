// Four objects at a time: number k of each of them side by side in a register. What is written for any scalar (spatial.hpp) then runs on
// quads, and each object gets the bits that it would get alone. Spatial vectors by themselves: SpatialQuads.
#pragma once

#include "mjx/math/quad.hpp"
#include "mjx/math/spatial.hpp"
#include "mjx/math/traverse.hpp"

namespace mjx::inner {

// Whether the stages take spatial vectors in quads: those of one environment, where registers have room for four numbers.
template <class M, class D>
constexpr bool in_quads() {
    if constexpr (std::same_as<typename D::scalar, double> && std::same_as<typename M::real, double>)
        return has_avx_v<in_kernel_v<M>, double>;
    else
        return false;
}
// Whether they take objects in fours: with a runtime model, since straight-line code knows what each of them lacks.
template <class M, class D>
constexpr bool in_fours() {
    return !M::is_fixed && in_quads<M, D>();
}

// f(i) for fours from i on that cover first .. end - 1, of which there are four or more. The last may have objects of the one before it
// once more: f has the same results for them.
template <class F>
[[gnu::always_inline]] inline void over_fours(int first, int end, F&& f) {
    for (int i = first;; i += 4) {
        if (i + 4 > end) i = end - 4;
        f(i);
        if (i + 4 == end) return;
    }
}

typedef double DoublePair __attribute__((vector_size(16)));
[[gnu::always_inline]] inline DoublePair load_two(const double* from) {
    DoublePair r;
    std::memcpy(&r, from, sizeof r);
    return r;
}
[[gnu::always_inline]] inline void store_two(double* to, const DoublePair& r) { std::memcpy(to, &r, sizeof r); }

#ifdef __AVX__
// Number k of row i becomes number i of row k.
[[gnu::always_inline]] inline void transpose(quad<double>& a, quad<double>& b, quad<double>& c, quad<double>& d) {
    const quad<double> ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                       cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
    c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
    d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

// A Vec, Mat3 or Inertia of quads.
template <class V>
struct of_quads;
template <int N>
struct of_quads<Vec<double, N>> {
    using type = Vec<quad<double>, N>;
};
template <template <class> class V>
struct of_quads<V<double>> {
    using type = V<quad<double>>;
};
template <class V>
using of_quads_t = typename of_quads<V>::type;

// Four objects as one of quads.
template <class V>
[[gnu::always_inline]] inline of_quads_t<V> load_four(const V& a, const V& b, const V& c, const V& d) {
    constexpr int size = V::size;
    of_quads_t<V> r;
    const auto block = [&](int k) __attribute__((always_inline)) {
        quad<double> rows[4];
        load_quad(rows[0], a.e + k), load_quad(rows[1], b.e + k), load_quad(rows[2], c.e + k), load_quad(rows[3], d.e + k);
        transpose(rows[0], rows[1], rows[2], rows[3]);
        for (int i = 0; i < 4; ++i) r[k + i] = rows[i];
    };
    for (int k = 0; k + 4 <= size; k += 4) block(k);
    if (size > 4 && size % 4 > 1)
        block(size - 4);
    else
        for (int k = size - size % 4; k < size; ++k) r[k] = quad<double>{a[k], b[k], c[k], d[k]};
    return r;
}
// An object of quads as four, of 4 n or 4 n + 2 numbers each. All are written once: who reads them next need not wait for two writes.
template <class V>
[[gnu::always_inline]] inline void store_four(const of_quads_t<V>& v, V& a, V& b, V& c, V& d) {
    static_assert(V::size % 2 == 0 && V::size > 4);
    unrolled<(V::size + 3) / 4>([&](auto n) __attribute__((always_inline)) {
        constexpr int k = 4 * n, first = k + 4 <= V::size ? k : V::size - 4;
        quad<double> rows[4] = {v[first], v[first + 1], v[first + 2], v[first + 3]};
        transpose(rows[0], rows[1], rows[2], rows[3]);
        const auto store = [&](const quad<double>& row, V& to) __attribute__((always_inline)) {
            if constexpr (first == k)
                store_quad(to.e + k, row);
            else
                store_two(to.e + k, __builtin_shufflevector(row, row, 2, 3));
        };
        store(rows[0], a), store(rows[1], b), store(rows[2], c), store(rows[3], d);
    });
}

// A spatial vector: numbers 0 to 3 and numbers 2 to 5.
struct SpatialQuads {
    quad<double> low, high;

    SpatialQuads() = default;
    [[gnu::always_inline]] explicit SpatialQuads(const Vec6<double>& v) {  // as it is written: in four and two numbers
        load_quad(low, v.e);
        const DoublePair last = load_two(v.e + 4);
        high = __builtin_shufflevector(low, __builtin_shufflevector(last, last, 0, 1, 0, 1), 2, 3, 4, 5);
    }
    [[gnu::always_inline]] void store(Vec6<double>& v) const {
        store_quad(v.e, low);
        store_two(v.e + 4, __builtin_shufflevector(high, high, 2, 3));
    }
    [[gnu::always_inline]] SpatialQuads& operator+=(const SpatialQuads& b) {
        low += b.low;
        high += b.high;
        return *this;
    }
    [[gnu::always_inline]] friend SpatialQuads operator*(const SpatialQuads& a, double b) {
        SpatialQuads r;
        r.low = a.low * b;
        r.high = a.high * b;
        return r;
    }
    // Both parts with their axes in the orders yzx and zxy.
    struct Turned {
        quad<double> angular_yzx, angular_zxy, linear_yzx, linear_zxy;
        [[gnu::always_inline]] explicit Turned(const SpatialQuads& v)
            : angular_yzx(__builtin_shufflevector(v.low, v.low, 1, 2, 0, 3)),
              angular_zxy(__builtin_shufflevector(v.low, v.low, 2, 0, 1, 3)),
              linear_yzx(__builtin_shufflevector(v.high, v.high, 2, 3, 1, 0)),
              linear_zxy(__builtin_shufflevector(v.high, v.high, 3, 1, 2, 0)) {}
    };
};
// cross_motion.
[[gnu::always_inline]] inline SpatialQuads cross_motion(const SpatialQuads::Turned& v, const SpatialQuads::Turned& s) {
    const quad<double> angular = v.angular_yzx * s.angular_zxy - v.angular_zxy * s.angular_yzx;
    const quad<double> linear = (v.angular_yzx * s.linear_zxy - v.angular_zxy * s.linear_yzx) +
                                (v.linear_yzx * s.angular_zxy - v.linear_zxy * s.angular_yzx);
    SpatialQuads r;
    r.low = __builtin_shufflevector(angular, linear, 0, 1, 2, 4);
    r.high = __builtin_shufflevector(angular, linear, 2, 4, 5, 6);
    return r;
}
// a += b, for inertias that lie in memory.
[[gnu::always_inline]] inline void add_in_quads(Inertia<double>& a, const Inertia<double>& b) {
    for (int k = 0; k < 8; k += 4) {
        quad<double> sum, more;
        load_quad(sum, a.e + k);
        load_quad(more, b.e + k);
        store_quad(a.e + k, sum + more);
    }
    store_two(a.e + 8, load_two(a.e + 8) + load_two(b.e + 8));
}
#endif

// dot, for vectors that lie in memory.
[[gnu::always_inline]] inline double dot_of_pairs(const Vec6<double>& a, const Vec6<double>& b) {
    const DoublePair sums = (load_two(a.e) * load_two(b.e) + load_two(a.e + 2) * load_two(b.e + 2)) + load_two(a.e + 4) * load_two(b.e + 4);
    return sums[0] + sums[1];
}

}  // namespace mjx::inner
