// Sine, exponential and their like for float, double and packs: one sequence of IEEE operations for all of them, without branches.
//
// A lane of a pack has the bits of a number alone, whatever the C library, the compiler and the instructions (as long as products and sums
// are not contracted: -ffp-contract=off). Arguments are reduced as Cody and Waite (1980) do; the polynomials are those of fdlibm (Sun
// Microsystems 1993) and, for tanh and the sine of float, of Cephes (Moshier 1992). Errors are below 1 unit in the last place for sine,
// cosine, exponential, logarithm and arc functions, below 2 for tangents and powers.
#pragma once

#include "mjx/scalar/traits.hpp"

#include <bit>
#include <cstdint>

namespace mjx::inner {

// x where the mask is set, for scalars and for the compiler's vectors (math/quad.hpp) alike.
template <class Mask, class T>
[[gnu::always_inline]] inline T choose(const Mask& mask, const T& a, const T& b) {
    if constexpr (requires { select(mask, a, b); })
        return select(mask, a, b);
    else
        return mask ? a : b;
}

// c[0] + c[1] z + ...
template <class T, class V, int N>
[[gnu::always_inline]] inline T polynomial(const T& z, const V (&c)[N]) {
    T sum = z * c[N - 1] + c[N - 2];
    for (int i = N - 3; i >= 0; --i) sum = sum * z + c[i];
    return sum;
}
// The same by its even and its odd terms, which do not wait for each other: for long ones.
template <class T, class V, int N>
[[gnu::always_inline]] inline T polynomial_by_halves(const T& z, const V (&c)[N]) {
    static_assert(N % 2 == 1);
    const T z2 = z * z;
    T even = z2 * c[N - 1] + c[N - 3], odd = z2 * c[N - 2] + c[N - 4];
    for (int i = N - 5; i >= 0; i -= 2) even = even * z2 + c[i];
    for (int i = N - 6; i >= 0; i -= 2) odd = odd * z2 + c[i];
    return even + z * odd;
}

// The nearest integer, for numbers that are no larger than half of those that have fractions.
template <class V, class T>
[[gnu::always_inline]] inline T nearest(const T& x) {
    constexpr V shift = V(1.5) / std::numeric_limits<V>::epsilon();
    return (x + shift) - shift;
}

// f(v) for each lane's number: for the bits of numbers, and for the few that are out of the ordinary.
template <class T, class F>
T by_lane(const T& x, F&& f) {
    T r = x;
    for (int k = 0; k < lanes_v<T>; ++k) set_lane(r, k, f(lane(x, k)));
    return r;
}

template <class V>
struct sine_terms;
template <>
struct sine_terms<double> {
    static constexpr double limit = 1.6e6;  // multiples of the parts of π/2 are exact up to here
    static constexpr double part[] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e037073p-69};
    static constexpr double sine[] = {-0x1.5555555555549p-3, 0x1.111111110f8a6p-7,   -0x1.a01a019c161d5p-13,
                                      0x1.71de357b1fe7dp-19, -0x1.ae5e68a2b9cebp-26, 0x1.5d93a5acfd57cp-33};
    static constexpr double cosine[] = {0x1.555555555554cp-5,   -0x1.6c16c16c15177p-10, 0x1.a01a019cb1590p-16,
                                        -0x1.27e4f809c52adp-22, 0x1.1ee9ebdb4b1c4p-29,  -0x1.8fae9be8838d4p-37};
};
template <>
struct sine_terms<float> {
    static constexpr float limit = 1e4f;
    static constexpr float part[] = {0x1.92p+0f, 0x1.fb4p-12f, 0x1.444p-24f, 0x1.68c234p-39f};
    static constexpr float sine[] = {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f};
    static constexpr float cosine[] = {4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f};
};

// An angle as `quarters` π/2 + high + low, |high| ≤ π/4 and low what rounding takes of it.
template <class T>
struct Quarters {
    T quarters, high, low;
};

template <class V, class T>
[[gnu::always_inline]] inline void sincos_of(const Quarters<T>& angle, T& s, T& c) {
    using terms = sine_terms<V>;
    const T &y = angle.high, &turns = angle.quarters;
    const T z = y * y, half = z * V(0.5), rest = V(1) - half;
    const T sine = y + (y * z * polynomial(z, terms::sine) + angle.low * rest);
    // the rounding error of 1 - z/2 goes into the correction
    const T cosine = rest + ((V(1) - rest - half) + (z * z * polynomial(z, terms::cosine) - y * angle.low));
    const T turn = turns - nearest<V>(T(turns * V(0.25) - V(0.375))) * V(4);  // 0, 1, 2 or 3
    const T middle = turn - V(1.5);
    const auto odd = nearest<V>(T(turn * V(0.5))) * V(2) != turn;
    const T s0 = choose(odd, cosine, sine), c0 = choose(odd, sine, cosine);
    s = choose(middle > V(0), T(-s0), s0);
    c = choose(middle * middle < V(1), T(-c0), c0);
}

// For angles below the limit.
template <class V, class T>
[[gnu::always_inline]] inline void to_quarters(const T& x, Quarters<T>& angle) {
    const T k = nearest<V>(T(x * V(0.63661977236758134308)));
    T y = x, lost = y - y;
    for (const V part : sine_terms<V>::part) {
        const T piece = k * part, next = y - piece;
        lost = lost + ((y - next) - piece);
        y = next;
    }
    angle.quarters = k;
    angle.high = y + lost;
    angle.low = (y - angle.high) + lost;
}

// a b = the product and what rounding took of it (Dekker 1971).
template <class T>
T product_rest(const T& a, const T& b, const T& product) {
    using V = value_t<T>;
    constexpr V split = V((std::uint64_t(1) << ((std::numeric_limits<V>::digits + 1) / 2)) + 1);
    const T ca = a * split, cb = b * split, a1 = ca - (ca - a), b1 = cb - (cb - b), a2 = a - a1, b2 = b - b1;
    return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
}

// For angles of any size: the remainder by 2π as a double has it is exact, what that lacks of 2π is made up for by the number of turns.
// Beyond 1e15, where neighbouring numbers are quarters of a turn apart, nothing is made up for.
[[gnu::cold, gnu::noinline]] inline void far_to_quarters(double far, Quarters<double>& angle) {
    constexpr double turn = 0x1.921fb54442d18p+2, missing = 0x1.1a62633145c07p-52;
    const double rest = std::remainder(far, turn);
    const double lacks = far < 1e15 && far > -1e15 ? nearest<double>((far - rest) / turn) * missing : 0;
    const double near = rest - lacks;
    Quarters<double> found;
    to_quarters<double>(near, found);
    angle = {found.quarters, found.high + (found.low + ((rest - near) - lacks)), 0};
}
// The same for float, without a double, which a GPU is slow at: a float is m 2^k with an integer m, and of the bits of 2/π those matter
// that give m less than four quarters of a turn (Payne and Hanek 1983).
[[gnu::cold, gnu::noinline]] inline void far_to_quarters(float far, Quarters<float>& angle) {
    constexpr std::uint32_t bits_of_2_over_pi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                                   0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
    constexpr float half_pi = 0x1.921fb6p+0f, half_pi_rest = -0x1.777a5cp-25f;
    if (!isfinite(far)) return void(angle = {0, far - far, 0});
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(far);
    const std::uint64_t m = (bits & 0x7fffffu) | 0x800000u;
    const int first = static_cast<int>(bits >> 23 & 0xff) - 150 + 30, word = first / 32, shift = first % 32;
    const auto window = [&](int i) {  // 32 bits from bit `first` + 32 i on
        const std::uint64_t two = std::uint64_t(bits_of_2_over_pi[word + i]) << 32 | bits_of_2_over_pi[word + i + 1];
        return static_cast<std::uint32_t>(two << shift >> 32);
    };
    // the product modulo four quarters, which its first two bits count
    const std::uint64_t product = (m * window(0) << 32) + m * window(1) + (m * window(2) >> 32);
    const auto rest = static_cast<std::int64_t>(product << 2) / 2;  // of a quarter, in units of 2^-63
    const float quarters = static_cast<float>(product >> 62) + (rest < 0 ? 1.0f : 0.0f), sign = far < 0 ? -1.0f : 1.0f;
    const float coarse = static_cast<float>(rest), fine = static_cast<float>(rest - static_cast<std::int64_t>(coarse));
    const float turned = coarse * 0x1p-63f, high = turned * half_pi;
    const float low = product_rest(turned, half_pi, high) + (turned * half_pi_rest + fine * 0x1p-63f * half_pi);
    angle = {quarters * sign, high * sign, low * sign};
}

template <class T>
void sincos_by_quarters(const T& x, T& s, T& c) {
    using V = value_t<T>;
    Quarters<T> angle;
    to_quarters<V>(x, angle);
    const mask_t<T> far = !(abs(x) < T(sine_terms<V>::limit));
    if (any(far))
        for_each_lane(far, lanes_v<T>, [&](int k) {
            Quarters<lane_t<T>> found;
            far_to_quarters(lane(x, k), found);
            set_lane(angle.quarters, k, found.quarters);
            set_lane(angle.high, k, found.high);
            set_lane(angle.low, k, found.low);
        });
    sincos_of<V>(angle, s, c);
}

// x 2^n, n an integer with 2^n no farther from 1 than any number's square root.
template <class T>
T times_power_of_two(const T& x, const T& n) {
    using V = value_t<T>;
    using bits = std::conditional_t<std::same_as<V, float>, std::uint32_t, std::uint64_t>;
    return x * by_lane(n, [](V k) {
               return std::bit_cast<V>(static_cast<bits>(static_cast<int>(k) + std::numeric_limits<V>::max_exponent - 1)
                                       << (std::numeric_limits<V>::digits - 1));
           });
}

template <class V>
struct exponential_terms;
template <>
struct exponential_terms<double> {
    static constexpr double ln2 = 0x1.62e42fee00000p-1, ln2_rest = 0x1.a39ef35793c76p-33, largest = 709.782712893384,
                            least = -745.1332191019411;
    static constexpr double exp[] = {1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
                                     -1.65339022054652515390e-06, 4.13813679705723846039e-08};
    static constexpr double log[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
                                     1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01};
    static constexpr double tanh_above[] = {-1.61468768441708447952e3, -9.92877231001918586564e1, -9.64399179425052238628e-1};
    static constexpr double tanh_below[] = {4.84406305325125486048e3, 2.23548839060100448583e3, 1.12811678491632931402e2, 1};
};
template <>
struct exponential_terms<float> {
    static constexpr float ln2 = 0x1.62e4p-1f, ln2_rest = 0x1.7f7d1cp-20f, largest = 88.7228317f, least = -103.972084f;
    static constexpr float exp[] = {1.6666625440e-1f, -2.7667332906e-3f};
    static constexpr float log[] = {0.66666662693f, 0.40000972152f, 0.28498786688f, 0.24279078841f};
    static constexpr float tanh_above[] = {-3.33332819422e-1f, 1.33314422036e-1f, -5.37397155531e-2f, 2.06390887954e-2f,
                                           -5.70498872745e-3f};
    static constexpr float tanh_below[] = {1, 0};
};

template <class T>
T exp_by_terms(const T& x) {
    using V = value_t<T>;
    using terms = exponential_terms<V>;
    const auto above = x > T(terms::largest), below = x < T(terms::least), outside = above || below || x != x;
    const T safe = select(outside, T(0), x), n = nearest<V>(T(safe * V(1.4426950408889634074)));
    const T high = safe - n * terms::ln2, low = n * terms::ln2_rest, r = high - low, r2 = r * r;
    const T c = r - r2 * polynomial(r2, terms::exp);
    const T e = V(1) - ((low - r * c / (V(2) - c)) - high);
    const T half = nearest<V>(T(n * V(0.5)));
    const T power = times_power_of_two(times_power_of_two(e, half), T(n - half));
    return select(above, T(std::numeric_limits<V>::infinity()), select(below, T(0), select(x != x, x, power)));
}

// x = m 2^k with m between √½ and √2, for positive x.
template <class T>
T split_power_of_two(const T& x, T& m) {
    using V = value_t<T>;
    using bits = std::conditional_t<std::same_as<V, float>, std::uint32_t, std::uint64_t>;
    constexpr int digits = std::numeric_limits<V>::digits - 1, bias = std::numeric_limits<V>::max_exponent - 1;
    constexpr V up = V(1) / std::numeric_limits<V>::epsilon();
    const auto tiny = x < T(std::numeric_limits<V>::min());
    const T normal = select(tiny, x * up, x);
    const T k = by_lane(normal, [](V v) { return static_cast<V>(static_cast<int>(std::bit_cast<bits>(v) >> digits) - bias); });
    const T f = by_lane(
        normal, [](V v) { return std::bit_cast<V>((std::bit_cast<bits>(v) & ((bits(1) << digits) - 1)) | (bits(bias) << digits)); });
    const auto upper = f > T(V(1.41421356237309504880));
    m = select(upper, f * V(0.5), f);
    return k + select(upper, T(1), T(0)) - select(tiny, T(V(digits)), T(0));
}

// log(1 + f) = 2s + s R(s²), s = f/(2 + f): R.
template <class T>
T log_rest(const T& s) {
    const T z = s * s;
    return z * polynomial(z, exponential_terms<value_t<T>>::log);
}

template <class T>
T log_by_terms(const T& x) {
    using V = value_t<T>;
    using terms = exponential_terms<V>;
    const auto inside = x > T(0) && x < T(std::numeric_limits<V>::infinity());
    T m;
    const T k = split_power_of_two(select(inside, x, T(1)), m);
    const T f = m - V(1), s = f / (V(2) + f), half = f * f * V(0.5);
    const T result = k * terms::ln2 - ((half - (s * (half + log_rest(s)) + k * terms::ln2_rest)) - f);
    const T outside = select(x == T(0), T(-std::numeric_limits<V>::infinity()),
                             select(x < T(0), T(std::numeric_limits<V>::quiet_NaN()), x));
    return select(inside, result, outside);
}

// |x|^p as exp(p log|x|), with a logarithm and a product that carry what rounding takes of them.
template <class T>
T positive_power(const T& x, const T& p) {
    using V = value_t<T>;
    using terms = exponential_terms<V>;
    T m;
    const T k = split_power_of_two(x, m), f = m - V(1), below = f + V(2), s = f / below, product = s * below;
    // what the quotient lacks, with 2 + f in two parts as well
    const T lacks = ((f - product) - product_rest(s, below, product) - s * (f - (below - V(2)))) / below;
    const T main = V(2) * s, small = V(2) * lacks + s * log_rest(s);
    const T whole = k * terms::ln2, sum = whole + main, back = sum - whole;
    const T error = (whole - (sum - back)) + (main - back) + (small + k * terms::ln2_rest);
    const T high = sum + error, low = error - (high - sum), power = p * high;
    const T rest = product_rest(p, high, power) + p * low;
    const T e = exp_by_terms(power);
    return select(isfinite(e) && isfinite(rest), e + e * rest, e);
}

template <class T>
T pow_by_terms(const T& x, const T& p) {
    using V = value_t<T>;
    constexpr V infinity = std::numeric_limits<V>::infinity();
    const T size = abs(x);
    const auto ordinary = size > T(0) && size < T(infinity) && isfinite(p);
    T power = positive_power(select(ordinary, size, T(1)), select(ordinary, p, T(1)));
    // a zero base counts as +0
    const auto grows = (size > T(1) && p > T(0)) || (size < T(1) && p < T(0));
    power = select(ordinary, power, select(grows, T(infinity), select(size == T(1), T(1), select(x != x || p != p, x + p, T(0)))));
    const auto whole = floor(p) == p, odd = whole && floor(T(p * V(0.5))) * V(2) != p;
    power = select(x < T(0), select(whole, select(odd, -power, power), T(std::numeric_limits<V>::quiet_NaN())), power);
    return select(p == T(0), T(1), power);
}

// 1 - 2/(e²ˣ + 1), and near zero x + x³ P(x²)/Q(x²).
template <class T>
T tanh_by_terms(const T& x) {
    using V = value_t<T>;
    using terms = exponential_terms<V>;
    const T size = abs(x), z = x * x;
    const T far = V(1) - V(2) / (exp_by_terms(T(size * V(2))) + V(1));
    const T near = x + x * z * polynomial(z, terms::tanh_above) / polynomial(z, terms::tanh_below);
    return select(size < T(V(0.625)), near, copysign(far, x));
}

template <class V>
struct arc_terms;
template <>
struct arc_terms<double> {
    static constexpr double quarter = 0x1.921fb54442d18p-1, quarter_rest = 0x1.1a62633145c07p-55;  // π/4
    static constexpr double three = 0x1.2d97c7f3321d2p+1, three_rest = 0x1.a79394c9e8a0ap-54;  // 3π/4
    static constexpr double atan[] = {-3.33333333333329318027e-01, 1.99999999998764832476e-01,  -1.42857142725034663711e-01,
                                      1.11111104054623557880e-01,  -9.09088713343650656196e-02, 7.69187620504482999495e-02,
                                      -6.66107313738753120669e-02, 5.83357013379057348645e-02,  -4.97687799461593236017e-02,
                                      3.65315727442169155270e-02,  -1.62858201153657823623e-02};
    static constexpr double asin_above[] = {1.66666666666666657415e-01,  -3.25565818622400915405e-01, 2.01212532134862925881e-01,
                                            -4.00555345006794114027e-02, 7.91534994289814532176e-04,  3.47933107596021167570e-05};
    static constexpr double asin_below[] = {1, -2.40339491173441421878, 2.02094576023350569471, -6.88283971605453293030e-01,
                                            7.70381505559019352791e-02};
};
template <>
struct arc_terms<float> {
    static constexpr float quarter = 0x1.921fb6p-1f, quarter_rest = -0x1.777a5cp-26f;
    static constexpr float three = 0x1.2d97c8p+1f, three_rest = -0x1.99bc5cp-28f;
    static constexpr float atan[] = {-3.3333328366e-01f, 1.9999158382e-01f, -1.4253635705e-01f, 1.0648017377e-01f, -6.1687607318e-02f};
    static constexpr float asin_above[] = {1.6666586697e-01f, -4.2743422091e-02f, -8.6563630030e-03f};
    static constexpr float asin_below[] = {1, -7.0662963390e-01f};
};

// The angle from the nearest of the eight directions at multiples of π/4, plus that direction.
template <class T>
T atan2_by_terms(const T& y, const T& x) {
    using V = value_t<T>;
    using terms = arc_terms<V>;
    const T ax = abs(x), ay = abs(y);
    const auto steep = ax < ay, left = copysign(T(1), x) < T(0);
    const T low = select(steep, ax, ay), high = select(steep, ay, ax);
    const auto diagonal = low > high * V(0.41421356237309504880);
    const T above = select(diagonal, low - high, low), sum = select(diagonal, low + high, high);
    const T u = above / select(sum == T(0), T(1), sum), z = u * u;
    const T angle = u + u * (z * polynomial_by_halves(z, terms::atan));
    // from 0, π/4, π/2, 3π/4 or π on, upwards or downwards
    const T two(V(2) * terms::quarter), two_rest(V(2) * terms::quarter_rest), four(V(4) * terms::quarter),
        four_rest(V(4) * terms::quarter_rest);
    const T base = select(diagonal, select(left, T(terms::three), T(terms::quarter)), select(steep, two, select(left, four, T(0))));
    const T rest = select(diagonal, select(left, T(terms::three_rest), T(terms::quarter_rest)),
                          select(steep, two_rest, select(left, four_rest, T(0))));
    const auto down = (steep && !left) || (left && !steep);
    return copysign(T(base + (select(down, -angle, angle) + rest)), y);
}

// x + x R(x²) below 1/2, and above by way of the half angle, w = (1 - |x|)/2: asin = π/2 - 2 asin(√w).
template <class T>
T asin_rest(const T& z) {
    using terms = arc_terms<value_t<T>>;
    return z * polynomial(z, terms::asin_above) / polynomial(z, terms::asin_below);
}
// asin(√z) for z = x² or w; `half` tells which.
template <class T>
T asin_of_part(const T& x, mask_t<T>& half) {
    using V = value_t<T>;
    const T size = abs(x);
    half = size > T(V(0.5));
    const T z = select(half, (V(1) - size) * V(0.5), x * x), root = select(half, sqrt(z), size);
    return root + root * asin_rest(z);
}
template <class T>
T asin_by_terms(const T& x) {
    using V = value_t<T>;
    using terms = arc_terms<V>;
    mask_t<T> half;
    const T part = asin_of_part(x, half);
    return copysign(select(half, V(2) * terms::quarter + (V(2) * terms::quarter_rest - V(2) * part), part), x);
}
template <class T>
T acos_by_terms(const T& x) {
    using V = value_t<T>;
    using terms = arc_terms<V>;
    mask_t<T> half;
    const T part = asin_of_part(x, half), signed_part = copysign(part, x);
    const T low = V(4) * terms::quarter + (V(4) * terms::quarter_rest - V(2) * part);
    return select(half, select(x > T(0), V(2) * part, low), V(2) * terms::quarter + (V(2) * terms::quarter_rest - signed_part));
}

}  // namespace mjx::inner
