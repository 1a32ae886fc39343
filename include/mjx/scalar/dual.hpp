// dual<T, N>: a number and its N partial derivatives, on the stack. Forward-mode automatic differentiation.
//
// The chain rule is written once in `chain`. Where a derivative does not exist or is infinite (sqrt at 0, acos at 1, atan2 at
// the origin) it is taken as 0, so that a robot at rest has finite derivatives. T may be float, double, a pack or another dual.
#pragma once

#include "mjx/scalar/scalar.hpp"

namespace mjx::inner {

template <class T, int N>
struct dual {
    static_assert(N > 0, "dual<T, N> needs at least one partial derivative");
    T value;
    T partial[N];

    dual() = default;
    template <class U>
        requires std::convertible_to<U, T>
    constexpr dual(const U& v) : value(static_cast<T>(v)), partial{} {}

    // The number v as the variable whose derivative is held in partial k.
    static constexpr dual variable(const T& v, int k) {
        dual r(v);
        r.partial[k] = T(1);
        return r;
    }

    constexpr dual operator-() const {
        dual r;
        r.value = -value;
        for (int i = 0; i < N; ++i) r.partial[i] = -partial[i];
        return r;
    }
    constexpr dual operator+() const { return *this; }
    constexpr dual& operator+=(const dual& b) { return *this = *this + b; }
    constexpr dual& operator-=(const dual& b) { return *this = *this - b; }
    constexpr dual& operator*=(const dual& b) { return *this = *this * b; }
    constexpr dual& operator/=(const dual& b) { return *this = *this / b; }

    friend constexpr dual operator+(const dual& a, const dual& b) {
        dual r;
        r.value = a.value + b.value;
        for (int i = 0; i < N; ++i) r.partial[i] = a.partial[i] + b.partial[i];
        return r;
    }
    friend constexpr dual operator-(const dual& a, const dual& b) {
        dual r;
        r.value = a.value - b.value;
        for (int i = 0; i < N; ++i) r.partial[i] = a.partial[i] - b.partial[i];
        return r;
    }
    friend constexpr dual operator*(const dual& a, const dual& b) {
        dual r;
        r.value = a.value * b.value;
        for (int i = 0; i < N; ++i) r.partial[i] = a.value * b.partial[i] + b.value * a.partial[i];
        return r;
    }
    friend constexpr dual operator/(const dual& a, const dual& b) {
        dual r;
        const T inverse = T(1) / b.value;
        r.value = a.value / b.value;
        for (int i = 0; i < N; ++i) r.partial[i] = (a.partial[i] - r.value * b.partial[i]) * inverse;
        return r;
    }

    // With a constant on one side the product of zeros is not computed: model parameters are constants.
    friend constexpr dual operator+(const dual& a, const value_t<T>& b) { return shifted(a, a.value + b); }
    friend constexpr dual operator+(const value_t<T>& a, const dual& b) { return shifted(b, a + b.value); }
    friend constexpr dual operator-(const dual& a, const value_t<T>& b) { return shifted(a, a.value - b); }
    friend constexpr dual operator-(const value_t<T>& a, const dual& b) { return -(b - a); }
    friend constexpr dual operator*(const dual& a, const value_t<T>& b) {
        dual r;
        r.value = a.value * b;
        for (int i = 0; i < N; ++i) r.partial[i] = a.partial[i] * b;
        return r;
    }
    friend constexpr dual operator*(const value_t<T>& a, const dual& b) { return b * a; }
    friend constexpr dual operator/(const dual& a, const value_t<T>& b) {
        dual r;
        r.value = a.value / b;
        for (int i = 0; i < N; ++i) r.partial[i] = a.partial[i] / b;
        return r;
    }
    friend constexpr dual operator/(const value_t<T>& a, const dual& b) { return dual(a) / b; }

    // Order is that of the values.
    friend constexpr auto operator<(const dual& a, const dual& b) { return a.value < b.value; }
    friend constexpr auto operator>(const dual& a, const dual& b) { return a.value > b.value; }
    friend constexpr auto operator<=(const dual& a, const dual& b) { return a.value <= b.value; }
    friend constexpr auto operator>=(const dual& a, const dual& b) { return a.value >= b.value; }
    friend constexpr auto operator==(const dual& a, const dual& b) { return a.value == b.value; }
    friend constexpr auto operator!=(const dual& a, const dual& b) { return a.value != b.value; }

  private:
    static constexpr dual shifted(const dual& a, const T& value) {
        dual r = a;
        r.value = value;
        return r;
    }
};

template <class T, int N>
struct scalar_traits<dual<T, N>> {
    using value = value_t<T>;
    using lane = dual<lane_t<T>, N>;
    using mask = mask_t<T>;
    static constexpr int lanes = lanes_v<T>;
};

// f(x) with f'(x) = slope.
template <class T, int N>
constexpr dual<T, N> chain(const dual<T, N>& x, const T& f, const T& slope) {
    dual<T, N> r;
    r.value = f;
    for (int i = 0; i < N; ++i) r.partial[i] = slope * x.partial[i];
    return r;
}

template <class T, int N>
constexpr dual<T, N> select(const mask_t<T>& mask, const dual<T, N>& a, const dual<T, N>& b) {
    dual<T, N> r;
    r.value = select(mask, a.value, b.value);
    for (int i = 0; i < N; ++i) r.partial[i] = select(mask, a.partial[i], b.partial[i]);
    return r;
}
template <class T, int N>
constexpr dual<T, N> select(const mask_t<T>& mask, const std::type_identity_t<value_t<T>>& a, const dual<T, N>& b) {
    return select(mask, dual<T, N>(a), b);
}
template <class T, int N>
constexpr dual<T, N> select(const mask_t<T>& mask, const dual<T, N>& a, const std::type_identity_t<value_t<T>>& b) {
    return select(mask, a, dual<T, N>(b));
}
template <class T, int N>
constexpr auto lane(const dual<T, N>& x, int k) {
    dual<lane_t<T>, N> r;
    r.value = lane(x.value, k);
    for (int i = 0; i < N; ++i) r.partial[i] = lane(x.partial[i], k);
    return r;
}
template <class T, int N>
constexpr void set_lane(dual<T, N>& x, int k, const dual<lane_t<T>, N>& v) {
    set_lane(x.value, k, v.value);
    for (int i = 0; i < N; ++i) set_lane(x.partial[i], k, v.partial[i]);
}
template <class T, int N>
constexpr auto value_of(const dual<T, N>& x) {
    return value_of(x.value);
}

template <class T, int N>
constexpr dual<T, N> abs(const dual<T, N>& x) {
    const T slope = select(x.value < T(0), T(-1), select(x.value > T(0), T(1), T(0)));
    return chain(x, abs(x.value), slope);
}
template <class T, int N>
constexpr dual<T, N> min(const dual<T, N>& a, const std::type_identity_t<dual<T, N>>& b) {
    return select(b.value < a.value, b, a);
}
template <class T, int N>
constexpr dual<T, N> max(const dual<T, N>& a, const std::type_identity_t<dual<T, N>>& b) {
    return select(a.value < b.value, b, a);
}
template <class T, int N>
dual<T, N> sqrt(const dual<T, N>& x) {
    const T root = sqrt(x.value);
    const auto positive = root > T(0);
    return chain(x, root, select(positive, T(0.5) / select(positive, root, T(1)), T(0)));
}
template <class T, int N>
void sincos(const dual<T, N>& x, dual<T, N>& s, dual<T, N>& c) {
    T sv, cv;
    sincos(x.value, sv, cv);
    s = chain(x, sv, cv);
    c = chain(x, cv, T(-sv));
}
template <class T, int N>
dual<T, N> sin(const dual<T, N>& x) {
    return chain(x, sin(x.value), cos(x.value));
}
template <class T, int N>
dual<T, N> cos(const dual<T, N>& x) {
    return chain(x, cos(x.value), T(-sin(x.value)));
}
template <class T, int N>
dual<T, N> tan(const dual<T, N>& x) {
    const T t = tan(x.value);
    return chain(x, t, T(1) + t * t);
}
template <class T, int N>
dual<T, N> tanh(const dual<T, N>& x) {
    const T t = tanh(x.value);
    return chain(x, t, T(1) - t * t);
}
template <class T, int N>
dual<T, N> asin(const dual<T, N>& x) {
    const T square = T(1) - x.value * x.value;
    const auto inside = square > T(0);
    return chain(x, asin(x.value), select(inside, T(1) / sqrt(select(inside, square, T(1))), T(0)));
}
template <class T, int N>
dual<T, N> acos(const dual<T, N>& x) {
    const T square = T(1) - x.value * x.value;
    const auto inside = square > T(0);
    return chain(x, acos(x.value), select(inside, T(-1) / sqrt(select(inside, square, T(1))), T(0)));
}
template <class T, int N>
dual<T, N> atan2(const dual<T, N>& y, const std::type_identity_t<dual<T, N>>& x) {
    const T square = x.value * x.value + y.value * y.value;
    const auto away = square > T(0);
    const T inverse = select(away, T(1) / select(away, square, T(1)), T(0));
    dual<T, N> r;
    r.value = atan2(y.value, x.value);
    for (int i = 0; i < N; ++i) r.partial[i] = (x.value * y.partial[i] - y.value * x.partial[i]) * inverse;
    return r;
}
template <class T, int N>
dual<T, N> exp(const dual<T, N>& x) {
    const T e = exp(x.value);
    return chain(x, e, e);
}
template <class T, int N>
dual<T, N> log(const dual<T, N>& x) {
    return chain(x, log(x.value), T(1) / x.value);
}
template <class T, int N>
dual<T, N> pow(const dual<T, N>& x, const std::type_identity_t<dual<T, N>>& p) {
    // d(x^p) = p x^(p-1) dx + x^p log(x) dp; at x <= 0 only the first term exists, and at 0 only for p >= 1.
    const auto positive = x.value > T(0);
    const T base = select(positive, x.value, T(1));
    const T f = pow(x.value, p.value);
    const auto smooth = positive || (x.value < T(0)) || (p.value >= T(1));
    const T by_base = select(smooth, p.value * pow(select(smooth, x.value, T(1)), p.value - T(1)), T(0));
    const T by_power = select(positive, f * log(base), T(0));
    dual<T, N> r;
    r.value = f;
    for (int i = 0; i < N; ++i) r.partial[i] = by_base * x.partial[i] + by_power * p.partial[i];
    return r;
}
template <class T, int N>
dual<T, N> floor(const dual<T, N>& x) {
    return dual<T, N>(floor(x.value));
}
template <class T, int N>
dual<T, N> copysign(const dual<T, N>& x, const std::type_identity_t<dual<T, N>>& s) {
    const T one = copysign(T(1), x.value) * copysign(T(1), s.value);
    return chain(x, copysign(x.value, s.value), one);
}
template <class T, int N>
constexpr auto isfinite(const dual<T, N>& x) {
    auto finite = isfinite(x.value);
    for (int i = 0; i < N; ++i) finite = finite && isfinite(x.partial[i]);
    return finite;
}

}  // namespace mjx::inner
