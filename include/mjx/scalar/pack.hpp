// pack<T>: as many environments as a SIMD register has lanes. The only header that includes xsimd.
//
// Every operation acts on each lane alone: a NaN or a branch of one environment never reaches its neighbour.
#pragma once

#include "mjx/scalar/scalar.hpp"

#include <xsimd/xsimd.hpp>

namespace mjx::inner {

template <class T>
struct pack_mask {
    using batch = xsimd::batch_bool<T>;
    batch v;

    pack_mask() = default;
    pack_mask(batch b) : v(b) {}
    pack_mask(bool b) : v(b) {}
    friend pack_mask operator&(const pack_mask& a, const pack_mask& b) { return a.v & b.v; }
    friend pack_mask operator&&(const pack_mask& a, const pack_mask& b) { return a.v & b.v; }
    friend pack_mask operator||(const pack_mask& a, const pack_mask& b) { return a.v | b.v; }
    friend pack_mask operator!(const pack_mask& a) { return ~a.v; }
};

template <class T>
struct pack {
    static_assert(std::floating_point<T>, "pack<T> holds lanes of float or double");
    using batch = xsimd::batch<T>;
    static constexpr int size = static_cast<int>(batch::size);
    batch v;

    pack() = default;
    pack(batch b) : v(b) {}
    template <class U>
        requires std::is_arithmetic_v<U>
    pack(U x) : v(static_cast<T>(x)) {}

    // xsimd negates by subtraction on AVX-512, which has no -0; and its != is false for NaN on AVX.
    pack operator-() const { return v ^ batch(T(-0.0)); }
    pack operator+() const { return *this; }
    pack& operator+=(const pack& b) {
        v += b.v;
        return *this;
    }
    pack& operator-=(const pack& b) {
        v -= b.v;
        return *this;
    }
    pack& operator*=(const pack& b) {
        v *= b.v;
        return *this;
    }
    pack& operator/=(const pack& b) {
        v /= b.v;
        return *this;
    }
    friend pack operator+(const pack& a, const pack& b) { return a.v + b.v; }
    friend pack operator-(const pack& a, const pack& b) { return a.v - b.v; }
    friend pack operator*(const pack& a, const pack& b) { return a.v * b.v; }
    friend pack operator/(const pack& a, const pack& b) { return a.v / b.v; }
    friend pack_mask<T> operator<(const pack& a, const pack& b) { return a.v < b.v; }
    friend pack_mask<T> operator>(const pack& a, const pack& b) { return a.v > b.v; }
    friend pack_mask<T> operator<=(const pack& a, const pack& b) { return a.v <= b.v; }
    friend pack_mask<T> operator>=(const pack& a, const pack& b) { return a.v >= b.v; }
    friend pack_mask<T> operator==(const pack& a, const pack& b) { return a.v == b.v; }
    friend pack_mask<T> operator!=(const pack& a, const pack& b) { return ~(a.v == b.v); }
};

template <class T>
struct scalar_traits<pack<T>> {
    using value = T;
    using lane = T;
    using mask = pack_mask<T>;
    static constexpr int lanes = pack<T>::size;
};

template <class T>
bool any(const pack_mask<T>& m) {
    return xsimd::any(m.v);
}
template <class T>
bool all(const pack_mask<T>& m) {
    return xsimd::all(m.v);
}

// Reading one lane goes through memory: it is the slow path, used at the boundary and by code that leaves the lanes.
template <class T>
T lane(const pack<T>& x, int k) {
    alignas(64) T e[pack<T>::batch::size];
    x.v.store_aligned(e);
    return e[k];
}
template <class T>
void set_lane(pack<T>& x, int k, std::type_identity_t<T> value) {
    alignas(64) T e[pack<T>::batch::size];
    x.v.store_aligned(e);
    e[k] = value;
    x.v = pack<T>::batch::load_aligned(e);
}
template <class T>
bool lane(const pack_mask<T>& m, int k) {
    return lane(pack<T>(xsimd::select(m.v, typename pack<T>::batch(T(1)), typename pack<T>::batch(T(0)))), k) != T(0);
}
template <class T>
void set_lane(pack_mask<T>& m, int k, bool value) {
    pack<T> bits(xsimd::select(m.v, typename pack<T>::batch(T(1)), typename pack<T>::batch(T(0))));
    set_lane(bits, k, value ? T(1) : T(0));
    m.v = bits.v != typename pack<T>::batch(T(0));
}
template <class T>
pack<T> value_of(const pack<T>& x) {
    return x;
}

template <class T>
pack<T> select(const pack_mask<T>& m, const pack<T>& a, const pack<T>& b) {
    return xsimd::select(m.v, a.v, b.v);
}
template <class T>
pack<T> select(const pack_mask<T>& m, const std::type_identity_t<T>& a, const pack<T>& b) {
    return select(m, pack<T>(a), b);
}
template <class T>
pack<T> select(const pack_mask<T>& m, const pack<T>& a, const std::type_identity_t<T>& b) {
    return select(m, a, pack<T>(b));
}

template <class T>
pack<T> abs(const pack<T>& x) {
    return xsimd::abs(x.v);
}
// min and max by comparison, so that NaN is treated as for float and double whatever the instruction does.
template <class T>
pack<T> min(const pack<T>& a, const std::type_identity_t<pack<T>>& b) {
    return select(b < a, b, a);
}
template <class T>
pack<T> max(const pack<T>& a, const std::type_identity_t<pack<T>>& b) {
    return select(a < b, b, a);
}
template <class T>
pack<T> copysign(const pack<T>& x, const std::type_identity_t<pack<T>>& s) {
    return xsimd::copysign(x.v, s.v);
}
template <class T>
pack<T> sqrt(const pack<T>& x) {
    return xsimd::sqrt(x.v);
}
// f(v) for the number of each lane.
template <class T, class F>
pack<T> by_lane(const pack<T>& x, F&& f) {
    alignas(64) T e[pack<T>::batch::size];
    x.v.store_aligned(e);
    for (T& v : e) v = f(v);
    return pack<T>::batch::load_aligned(e);
}
// Sine and the like: not xsimd's, so that a lane has the bits of a number alone (functions.hpp).
template <class T>
void sincos(const pack<T>& x, pack<T>& s, pack<T>& c) {
    sincos_by_quarters(x, s, c);
}
template <class T>
pack<T> sin(const pack<T>& x) {
    pack<T> s, c;
    sincos_by_quarters(x, s, c);
    return s;
}
template <class T>
pack<T> cos(const pack<T>& x) {
    pack<T> s, c;
    sincos_by_quarters(x, s, c);
    return c;
}
template <class T>
pack<T> tan(const pack<T>& x) {
    pack<T> s, c;
    sincos_by_quarters(x, s, c);
    return s / c;
}
template <class T>
pack<T> tanh(const pack<T>& x) {
    return tanh_by_terms(x);
}
template <class T>
pack<T> asin(const pack<T>& x) {
    return asin_by_terms(x);
}
template <class T>
pack<T> acos(const pack<T>& x) {
    return acos_by_terms(x);
}
template <class T>
pack<T> exp(const pack<T>& x) {
    return exp_by_terms(x);
}
template <class T>
pack<T> log(const pack<T>& x) {
    return log_by_terms(x);
}
template <class T>
pack<T> atan2(const pack<T>& y, const std::type_identity_t<pack<T>>& x) {
    return atan2_by_terms(y, x);
}
template <class T>
pack<T> pow(const pack<T>& x, const std::type_identity_t<pack<T>>& p) {
    return pow_by_terms(x, p);
}
template <class T>
pack<T> floor(const pack<T>& x) {
    return xsimd::floor(x.v);
}
template <class T>
pack_mask<T> isfinite(const pack<T>& x) {
    return (x - x) == pack<T>(0);
}

}  // namespace mjx::inner
