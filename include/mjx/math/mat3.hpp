// Mat3<T>: a 3x3 matrix, row major. As a frame, its columns are the axes of the local frame in the outer one.
#pragma once

#include "mjx/math/vec.hpp"

namespace mjx::inner {

template <class T>
struct Mat3 {
    T e[9];
    static constexpr int size = 9;
    using scalar_type = T;

    constexpr T& operator[](int i) { return e[i]; }
    constexpr const T& operator[](int i) const { return e[i]; }
    constexpr T& operator()(int r, int c) { return e[3 * r + c]; }
    constexpr const T& operator()(int r, int c) const { return e[3 * r + c]; }
    constexpr Vec3<T> row(int r) const { return {{e[3 * r], e[3 * r + 1], e[3 * r + 2]}}; }
    constexpr Vec3<T> column(int c) const { return {{e[c], e[3 + c], e[6 + c]}}; }
    constexpr void set_row(int r, const Vec3<T>& v) {
        each<3>([&](int c) { e[3 * r + c] = v[c]; });
    }
    constexpr void set_column(int c, const Vec3<T>& v) {
        each<3>([&](int r) { e[3 * r + c] = v[r]; });
    }
    static constexpr Mat3 zero() {
        return tabulate<Mat3>([](int) { return T(0); });
    }
    static constexpr Mat3 identity() {
        Mat3 r = zero();
        r.e[0] = r.e[4] = r.e[8] = T(1);
        return r;
    }
};

template <class A, class B>
constexpr auto operator*(const Mat3<A>& m, const Vec3<B>& v) {
    return tabulate<Vec3<product_t<A, B>>>([&](int i) { return m(i, 0) * v[0] + m(i, 1) * v[1] + m(i, 2) * v[2]; });
}
// m v for parameters v, most of which are zeros.
template <class A, class B>
[[gnu::always_inline]] constexpr auto sparse_product(const Mat3<A>& m, const Vec3<B>& v) {
    auto r = Vec3<product_t<A, B>>::zero();
    bool begun = false;
    for (int k = 0; k < 3; ++k) {
        if (vanishes(v[k])) continue;
        const auto term = m.column(k) * v[k];
        r = begun ? r + term : term;
        begun = true;
    }
    return r;
}
// mᵀ v: from the outer frame into the local one.
template <class A, class B>
constexpr auto transpose_mul(const Mat3<A>& m, const Vec3<B>& v) {
    return tabulate<Vec3<product_t<A, B>>>([&](int i) { return m(0, i) * v[0] + m(1, i) * v[1] + m(2, i) * v[2]; });
}
template <class A, class B>
constexpr auto operator*(const Mat3<A>& a, const Mat3<B>& b) {
    return tabulate<Mat3<product_t<A, B>>>([&](int k) {
        const int i = k / 3, j = k % 3;
        return a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
    });
}
template <class T>
constexpr Mat3<T> transpose(const Mat3<T>& m) {
    return {{m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}};
}
template <class T>
constexpr Mat3<T> select(const mask_t<T>& mask, const Mat3<T>& a, const Mat3<T>& b) {
    return tabulate<Mat3<T>>([&](int i) { return select(mask, a[i], b[i]); });
}

}  // namespace mjx::inner
