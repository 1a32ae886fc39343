// Vec<T, N>: a plain aggregate of N scalars. Vec3 for points and directions, Vec6 for spatial vectors (rotation first).
//
// Two operands may have different scalars (a pipeline scalar and a model parameter); the result has that of their product.
// Operations are written out by entry, not as loops: compilers would unroll those anew at each of thousands of uses.
#pragma once

#include "mjx/scalar/scalar.hpp"

#include <utility>

namespace mjx::inner {

template <int N>
using indices = std::make_integer_sequence<int, N>;

// f(0), f(1) ... f(N - 1).
template <class F, int... I>
[[gnu::always_inline]] constexpr void each(const F& f, std::integer_sequence<int, I...>) {
    (f(I), ...);
}
template <int N, class F>
[[gnu::always_inline]] constexpr void each(const F& f) {
    each(f, indices<N>{});
}
// The aggregate of these.
template <class R, class F, int... I>
[[gnu::always_inline]] constexpr R tabulate(const F& f, std::integer_sequence<int, I...>) {
    return {{f(I)...}};
}
template <class R, class F>
[[gnu::always_inline]] constexpr R tabulate(const F& f) {
    return tabulate<R>(f, indices<R::size>{});
}

template <class T, int N>
struct Vec {
    T e[N];
    static constexpr int size = N;
    using scalar_type = T;

    constexpr T& operator[](int i) { return e[i]; }
    constexpr const T& operator[](int i) const { return e[i]; }

    static constexpr Vec zero() {
        return tabulate<Vec>([](int) { return T(0); });
    }
    template <class U>
    constexpr Vec& operator+=(const Vec<U, N>& b) {
        each<N>([&](int i) { e[i] += b[i]; });
        return *this;
    }
    template <class U>
    constexpr Vec& operator-=(const Vec<U, N>& b) {
        each<N>([&](int i) { e[i] -= b[i]; });
        return *this;
    }
    constexpr Vec& operator*=(const T& s) {
        each<N>([&](int i) { e[i] *= s; });
        return *this;
    }
    // A parameter becomes a pipeline value: constants have no derivative and are the same in every lane.
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U, T>)
    static constexpr Vec from(const Vec<U, N>& b) {
        return tabulate<Vec>([&](int i) { return T(b[i]); });
    }
    static constexpr Vec from(const Vec& b) { return b; }
};

// Zero, of a scalar or a Vec.
template <class T>
constexpr T zero_of() {
    if constexpr (requires { T::zero(); })
        return T::zero();
    else
        return T(0);
}

template <class T>
using Vec3 = Vec<T, 3>;
template <class T>
using Vec6 = Vec<T, 6>;

template <class A, class B, int N>
constexpr auto operator+(const Vec<A, N>& a, const Vec<B, N>& b) {
    return tabulate<Vec<product_t<A, B>, N>>([&](int i) { return a[i] + b[i]; });
}
template <class A, class B, int N>
constexpr auto operator-(const Vec<A, N>& a, const Vec<B, N>& b) {
    return tabulate<Vec<product_t<A, B>, N>>([&](int i) { return a[i] - b[i]; });
}
template <class A, int N>
constexpr Vec<A, N> operator-(const Vec<A, N>& a) {
    return tabulate<Vec<A, N>>([&](int i) { return -a[i]; });
}
template <class A, int N, class B>
    requires requires(A a, B b) { a* b; }
constexpr auto operator*(const Vec<A, N>& a, const B& s) {
    return tabulate<Vec<product_t<A, B>, N>>([&](int i) { return a[i] * s; });
}
template <class A, int N, class B>
    requires requires(A a, B b) { a* b; }
constexpr auto operator*(const B& s, const Vec<A, N>& a) {
    return a * s;
}

template <class A, class B, int N>
constexpr auto dot(const Vec<A, N>& a, const Vec<B, N>& b) {
    return [&]<int... I>(std::integer_sequence<int, I...>) { return (... + (a[I] * b[I])); }(indices<N>{});
}
// Spatial vectors in two sums, which compilers put side by side in one register.
template <class A, class B>
constexpr auto dot(const Vec6<A>& a, const Vec6<B>& b) {
    return (a[0] * b[0] + a[2] * b[2] + a[4] * b[4]) + (a[1] * b[1] + a[3] * b[3] + a[5] * b[5]);
}
template <class A, class B>
constexpr auto cross(const Vec3<A>& a, const Vec3<B>& b) {
    return Vec3<product_t<A, B>>{{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
template <class T, int N>
T norm(const Vec<T, N>& a) {
    return sqrt(dot(a, a));
}
template <class T, int N>
constexpr Vec<T, N> select(const mask_t<T>& mask, const Vec<T, N>& a, const Vec<T, N>& b) {
    return tabulate<Vec<T, N>>([&](int i) { return select(mask, a[i], b[i]); });
}

// Below this length MuJoCo treats a vector as zero (mjMINVAL).
template <class S>
inline constexpr value_t<S> minval_v = static_cast<value_t<S>>(1e-15);

// Unit vector along a, and its former length. A zero vector becomes the x axis; derivatives are finite there too.
template <class T, int N>
Vec<T, N> normalize(const Vec<T, N>& a, T& length) {
    length = norm(a);
    const auto tiny = length < T(minval_v<T>);
    const T inverse = T(1) / select(tiny, T(1), length);
    Vec<T, N> x_axis = Vec<T, N>::zero();
    x_axis[0] = T(1);
    return select(tiny, x_axis, a * inverse);
}
template <class T, int N>
Vec<T, N> normalize(const Vec<T, N>& a) {
    T length;
    return normalize(a, length);
}

// a / b where b is away from zero, 0 elsewhere: both arms of a select stay finite.
template <class S>
S safe_divide(const S& a, const S& b) {
    const auto tiny = abs(b) < S(minval_v<S>);
    return select(tiny, S(0), a / select(tiny, S(1), b));
}

}  // namespace mjx::inner
