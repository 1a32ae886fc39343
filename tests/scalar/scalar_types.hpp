// The scalars every law is run over, and ways to fill and compare them lane by lane and derivative by derivative.
#pragma once

#include "rooms.hpp"

#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"

#include <initializer_list>
#include <random>
#include <vector>

namespace scalar_types {

using mjx::dual;
using mjx::lane_t;
using mjx::lanes_v;
using mjx::pack;
using mjx::value_t;

using dual3 = dual<double, 3>;
using nested = dual<dual<double, 2>, 2>;
using packf = pack<float>;
using packd = pack<double>;
using dual_pack = dual<pack<float>, 2>;

#define MJX_ALL_SCALARS \
    float, double, scalar_types::dual3, scalar_types::nested, scalar_types::packf, scalar_types::packd, scalar_types::dual_pack

template <class T>
struct is_dual : std::false_type {};
template <class T, int N>
struct is_dual<dual<T, N>> : std::true_type {};

// One lane with the given value; every derivative is drawn from the generator.
template <class L>
L make_lane(double value, std::mt19937& random) {
    if constexpr (is_dual<L>::value) {
        using T = decltype(L::value);
        L x(make_lane<T>(value, random));
        std::uniform_real_distribution<double> slope(-1, 1);
        for (auto& p : x.partial) p = make_lane<T>(slope(random), random);
        return x;
    } else {
        return static_cast<L>(value);
    }
}

// Lane k holds values[(k + shift) mod n], so that neighbours differ and every value visits every lane as shift grows.
template <class S>
S spread(const std::vector<double>& values, int shift, unsigned seed = 1) {
    std::mt19937 random(seed);
    S x(0);
    const int n = static_cast<int>(values.size());
    for (int k = 0; k < lanes_v<S>; ++k)
        mjx::set_lane(x, k, make_lane<lane_t<S>>(values[static_cast<std::size_t>((k + shift) % n)], random));
    return x;
}

// Every number in x: the value and all derivatives of each lane.
template <class L>
void append_numbers(const L& x, std::vector<double>& out) {
    if constexpr (is_dual<L>::value) {
        append_numbers(x.value, out);
        for (const auto& p : x.partial) append_numbers(p, out);
    } else {
        out.push_back(static_cast<double>(x));
    }
}
template <class S>
std::vector<double> numbers(const S& x) {
    std::vector<double> out;
    for (int k = 0; k < lanes_v<S>; ++k) append_numbers(lane_t<S>(mjx::lane(x, k)), out);
    return out;
}

// Whether all numbers agree to `ulps` units of the scalar's epsilon, relative to the larger of 1 and their size.
template <class S>
bool near(const S& a, const S& b, double ulps = 8) {
    const auto u = numbers(a), v = numbers(b);
    const double tolerance = ulps * static_cast<double>(mjx::epsilon_v<S>);
    for (std::size_t i = 0; i < u.size(); ++i) {
        const double size = std::fmax(1.0, std::fmax(std::fabs(u[i]), std::fabs(v[i])));
        if (!(std::fabs(u[i] - v[i]) <= tolerance * size)) return false;
    }
    return true;
}
template <class S>
bool same(const S& a, const S& b) {
    return numbers(a) == numbers(b);
}
template <class S>
bool finite(const S& a) {
    return mjx::all(mjx::isfinite(a));
}

inline const std::vector<double> samples{-3.5, -1, -0.25, 0.5, 0.75, 1.5, 2, 10};
inline const std::vector<double> positive_samples{0.125, 0.5, 0.75, 1, 1.5, 2, 3.25, 10};

}  // namespace scalar_types
