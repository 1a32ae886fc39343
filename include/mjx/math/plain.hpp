// Numbers of a model or of one lane as the plain type that an algorithm runs on: derivatives are dropped here.
#pragma once

#include "mjx/math/mat3.hpp"

namespace mjx::inner {

template <class T, class X>
constexpr T plain(const X& x) {
    return static_cast<T>(value_of(lane(x, 0)));
}
template <class T, class X>
constexpr Vec3<T> plain_vec(const Vec3<X>& v) {
    return {{plain<T>(v[0]), plain<T>(v[1]), plain<T>(v[2])}};
}
template <class T, class X>
constexpr Mat3<T> plain_mat(const Mat3<X>& m) {
    Mat3<T> r;
    for (int i = 0; i < 9; ++i) r[i] = plain<T>(m[i]);
    return r;
}

}  // namespace mjx::inner
