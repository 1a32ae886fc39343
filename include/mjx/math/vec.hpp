// Vec<T, N>: a plain aggregate of N scalars. Vec3 for points and directions, Vec6 for spatial vectors (rotation first).
//
// Two operands may have different scalars (a pipeline scalar and a model parameter); the result has that of their product.
#pragma once

#include "mjx/scalar/scalar.hpp"

namespace mjx {

template <class T, int N>
struct Vec {
    T e[N];
    static constexpr int size = N;
    using scalar_type = T;

    constexpr T& operator[](int i) { return e[i]; }
    constexpr const T& operator[](int i) const { return e[i]; }

    static constexpr Vec zero() {
        Vec r;
        for (int i = 0; i < N; ++i) r.e[i] = T(0);
        return r;
    }
    template <class U>
    constexpr Vec& operator+=(const Vec<U, N>& b) {
        for (int i = 0; i < N; ++i) e[i] += b[i];
        return *this;
    }
    template <class U>
    constexpr Vec& operator-=(const Vec<U, N>& b) {
        for (int i = 0; i < N; ++i) e[i] -= b[i];
        return *this;
    }
    constexpr Vec& operator*=(const T& s) {
        for (int i = 0; i < N; ++i) e[i] *= s;
        return *this;
    }
    // A parameter becomes a pipeline value: constants have no derivative and are the same in every lane.
    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U, T>)
    static constexpr Vec from(const Vec<U, N>& b) {
        Vec r;
        for (int i = 0; i < N; ++i) r.e[i] = T(b[i]);
        return r;
    }
    static constexpr Vec from(const Vec& b) { return b; }
};

template <class T>
using Vec3 = Vec<T, 3>;
template <class T>
using Vec6 = Vec<T, 6>;

template <class A, class B, int N>
constexpr auto operator+(const Vec<A, N>& a, const Vec<B, N>& b) {
    Vec<product_t<A, B>, N> r;
    for (int i = 0; i < N; ++i) r[i] = a[i] + b[i];
    return r;
}
template <class A, class B, int N>
constexpr auto operator-(const Vec<A, N>& a, const Vec<B, N>& b) {
    Vec<product_t<A, B>, N> r;
    for (int i = 0; i < N; ++i) r[i] = a[i] - b[i];
    return r;
}
template <class A, int N>
constexpr Vec<A, N> operator-(const Vec<A, N>& a) {
    Vec<A, N> r;
    for (int i = 0; i < N; ++i) r[i] = -a[i];
    return r;
}
template <class A, int N, class B>
    requires requires(A a, B b) { a* b; }
constexpr auto operator*(const Vec<A, N>& a, const B& s) {
    Vec<product_t<A, B>, N> r;
    for (int i = 0; i < N; ++i) r[i] = a[i] * s;
    return r;
}
template <class A, int N, class B>
    requires requires(A a, B b) { a* b; }
constexpr auto operator*(const B& s, const Vec<A, N>& a) {
    return a * s;
}

template <class A, class B, int N>
constexpr auto dot(const Vec<A, N>& a, const Vec<B, N>& b) {
    auto r = a[0] * b[0];
    for (int i = 1; i < N; ++i) r += a[i] * b[i];
    return r;
}
template <class A, class B>
constexpr auto cross(const Vec3<A>& a, const Vec3<B>& b) {
    return Vec3<product_t<A, B>>{
        {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
template <class T, int N>
T norm(const Vec<T, N>& a) {
    return sqrt(dot(a, a));
}
template <class T, int N>
constexpr Vec<T, N> select(const mask_t<T>& mask, const Vec<T, N>& a, const Vec<T, N>& b) {
    Vec<T, N> r;
    for (int i = 0; i < N; ++i) r[i] = select(mask, a[i], b[i]);
    return r;
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

}  // namespace mjx
