// Every function of the scalar layer against the C library's in higher precision, lane by lane, for every scalar.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"

#include "mjx/math/quad.hpp"

using namespace scalar_types;
using mjx::all;
using mjx::any;

namespace {

template <class S>
double value_in_lane(const S& x, int k) {
    return numbers(mjx::value_of(lane_t<S>(mjx::lane(x, k))))[0];
}

// How far `got` is from `expected`, in units of the last place of the scalar's own precision.
template <class S>
double ulps_apart(double got, long double expected) {
    using V = value_t<S>;
    const V rounded = static_cast<V>(expected);
    if (static_cast<V>(got) == rounded || (std::isnan(got) && std::isnan(expected))) return 0;
    if (!std::isfinite(got) || !std::isfinite(rounded)) return std::numeric_limits<double>::infinity();
    const V size = std::fmax(std::fabs(rounded), std::numeric_limits<V>::min());
    const double ulp = static_cast<double>(std::nextafter(size, std::numeric_limits<V>::infinity()) - size);
    return static_cast<double>(std::fabs(got - expected)) / ulp;
}

// The largest distance of f(x) from reference(x) over random x in [lo, hi], each lane with its own x.
template <class S, class F, class R>
double worst_ulps(double lo, double hi, F f, R reference) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> draw(lo, hi);
    double worst = 0;
    for (int i = 0; i < 500; ++i) {
        std::vector<double> values(static_cast<std::size_t>(lanes_v<S>));
        for (double& v : values) v = static_cast<double>(static_cast<value_t<S>>(draw(random)));
        const S y = f(spread<S>(values, 0));
        for (int k = 0; k < lanes_v<S>; ++k)
            worst = std::fmax(worst, ulps_apart<S>(value_in_lane(y, k), reference(values[static_cast<std::size_t>(k)])));
    }
    return worst;
}

}  // namespace

#define MJX_WORST(f, lo, hi) \
    worst_ulps<S>(           \
        lo, hi, [](const S& x) { return mjx::f(x); }, [](long double x) { return std::f(x); })

TEMPLATE_TEST_CASE("Functions of one argument agree with the C library", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    CHECK(MJX_WORST(sqrt, 0, 100) <= 1);
    CHECK(MJX_WORST(sin, -4, 4) <= 1);
    CHECK(MJX_WORST(sin, -9999, 9999) <= 1);
    CHECK(MJX_WORST(sin, -1e6, 1e6) <= 2);
    CHECK(MJX_WORST(sin, -1e12, 1e12) <= 2);
    CHECK(MJX_WORST(cos, -4, 4) <= 1);
    CHECK(MJX_WORST(cos, -9999, 9999) <= 1);
    CHECK(MJX_WORST(cos, -1e6, 1e6) <= 2);
    CHECK(MJX_WORST(tan, -1.5, 1.5) <= 3);
    CHECK(MJX_WORST(tanh, -6, 6) <= 2);
    CHECK(MJX_WORST(tanh, -1e-3, 1e-3) <= 1);
    CHECK(MJX_WORST(asin, -1, 1) <= 3);
    CHECK(MJX_WORST(acos, -1, 1) <= 2);
    CHECK(MJX_WORST(exp, -80, 80) <= 1);
    CHECK(MJX_WORST(log, 0, 10) <= 1);
    CHECK(MJX_WORST(log, 0, 1e10) <= 1);
    CHECK(MJX_WORST(floor, -100, 100) == 0);
    CHECK(MJX_WORST(floor, -1e12, 1e12) == 0);
    CHECK(MJX_WORST(abs, -10, 10) == 0);
}

TEMPLATE_TEST_CASE("Sine and cosine together are those computed apart", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const S x = spread<S>(samples, i);
        S s, c;
        mjx::sincos(x, s, c);
        CHECK(near<S>(s, mjx::sin(x), 2));
        CHECK(near<S>(c, mjx::cos(x), 2));
        CHECK(near<S>(s * s + c * c, S(1)));
    }
}

TEMPLATE_TEST_CASE("Functions of two arguments agree with the C library", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (const double other : {-2.5, -1.0, 0.5, 1.0, 3.0}) {
        const long double o = static_cast<value_t<S>>(other);
        CHECK(worst_ulps<S>(
                  -3, 3, [&](const S& y) { return mjx::atan2(y, S(other)); }, [&](long double y) { return std::atan2(y, o); }) <= 3);
        CHECK(worst_ulps<S>(
                  -3, 3, [&](const S& x) { return mjx::copysign(x, S(other)); }, [&](long double x) { return std::copysign(x, o); }) == 0);
        CHECK(worst_ulps<S>(
                  0.001, 3, [&](const S& x) { return mjx::pow(x, S(other)); }, [&](long double x) { return std::pow(x, o); }) <= 2);
    }
    // an integer power of a negative number
    CHECK(worst_ulps<S>(
              -3, 0, [](const S& x) { return mjx::pow(x, S(3)); }, [](long double x) { return std::pow(x, 3.0L); }) <= 2);
    CHECK(all(!mjx::isfinite(mjx::pow(S(-2), S(0.5)))));
}

TEMPLATE_TEST_CASE("The angle of a point is defined on the axes and at the origin", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (const double y : {0.0, -0.0, 1.0, -1.0})
        for (const double x : {0.0, -0.0, 2.0, -2.0}) {
            const double got = value_in_lane(mjx::atan2(S(y), S(x)), 0);
            CAPTURE(y, x, got);
            CHECK(ulps_apart<S>(got, std::atan2(y, x)) <= 2);
            CHECK(std::signbit(got) == std::signbit(std::atan2(y, x)));
        }
}

TEMPLATE_TEST_CASE("Powers of zero and zeroth powers are those of the C library", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (const double x : {0.0, 1.0, 2.0, 0.5})
        for (const double p : {0.0, 1.0, 2.0, 0.5, -1.0, -2.0}) {
            CAPTURE(x, p);
            CHECK(ulps_apart<S>(value_in_lane(mjx::pow(S(x), S(p)), 0), std::pow(x, p)) <= 2);
        }
}

TEMPLATE_TEST_CASE("Functions at the edge of their domain give infinities and NaN, as the C library does", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    using V = value_t<S>;
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const auto agrees = [&](const S& got, double expected) { return ulps_apart<S>(value_in_lane(got, 0), expected) <= 1; };
    CHECK(agrees(mjx::sqrt(S(0)), 0));
    CHECK(agrees(mjx::sqrt(S(V(infinity))), infinity));
    CHECK(agrees(mjx::sqrt(S(-1)), nan));
    CHECK(agrees(mjx::log(S(0)), -infinity));
    CHECK(agrees(mjx::log(S(-1)), nan));
    CHECK(agrees(mjx::exp(S(V(-infinity))), 0));
    CHECK(agrees(mjx::exp(S(V(infinity))), infinity));
    CHECK(agrees(mjx::exp(S(10000)), infinity));
    CHECK(agrees(mjx::asin(S(2)), nan));
    CHECK(agrees(mjx::acos(S(2)), nan));
    CHECK(agrees(mjx::acos(S(1)), 0));
    CHECK(agrees(mjx::tanh(S(100)), 1));
    CHECK(agrees(mjx::tanh(S(-100)), -1));
    CHECK(agrees(mjx::sin(S(V(infinity))), nan));
    CHECK(agrees(mjx::cos(S(V(nan))), nan));
    CHECK(agrees(mjx::floor(S(V(1e30))), double(V(1e30))));
}

// Every function, as code that fits all scalars.
template <class S>
const std::vector<S (*)(const S&)>& functions() {
    using V = value_t<S>;
    static const std::vector<S (*)(const S&)> all{
        [](const S& x) { return S(mjx::sqrt(x)); },  [](const S& x) { return S(mjx::sin(x)); },
        [](const S& x) { return S(mjx::cos(x)); },   [](const S& x) { return S(mjx::tan(x)); },
        [](const S& x) { return S(mjx::tanh(x)); },  [](const S& x) { return S(mjx::asin(x)); },
        [](const S& x) { return S(mjx::acos(x)); },  [](const S& x) { return S(mjx::exp(x)); },
        [](const S& x) { return S(mjx::log(x)); },   [](const S& x) { return S(mjx::pow(x, S(V(1.5)))); },
        [](const S& x) { return S(mjx::floor(x)); }, [](const S& x) { return S(mjx::atan2(x, S(V(0.3)))); },
        [](const S& x) { return S(mjx::abs(x)); },   [](const S& x) { return S(S(1) / x); }};
    return all;
}

TEMPLATE_TEST_CASE("A lane of a pack has the bits of the number alone", "[scalar]", float, double) {
    using P = pack<TestType>;
    std::mt19937 random(11);
    for (const double size : {1e-3, 1.0, 4.0, 100.0, 1e4, 1e7, 1e30}) {
        std::uniform_real_distribution<double> draw(-size, size);
        for (int i = 0; i < 200; ++i) {
            P x(0);
            for (int k = 0; k < lanes_v<P>; ++k) mjx::set_lane(x, k, static_cast<TestType>(draw(random)));
            for (std::size_t f = 0; f < functions<P>().size(); ++f) {
                const P y = functions<P>()[f](x);
                for (int k = 0; k < lanes_v<P>; ++k) {
                    const TestType alone = functions<TestType>()[f](mjx::lane(x, k)), there = mjx::lane(y, k);
                    CAPTURE(f, mjx::lane(x, k));
                    CHECK(((alone != alone && there != there) || (alone == there && std::signbit(alone) == std::signbit(there))));
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE("Angles taken together have the sines and cosines of each alone", "[scalar]", float, double) {
    std::mt19937 random(12);
    std::uniform_real_distribution<double> draw(-10, 10);
    for (int i = 0; i < 600; ++i) {
        const int n = i % 12;
        std::vector<TestType> x(12), s(12, 7), c(12, 7);
        for (TestType& angle : x) angle = static_cast<TestType>(i % 5 == 0 ? 1e8 * draw(random) : draw(random));
        mjx::sincos_all<false>(x, s, c, n);
        for (int k = 0; k < 12; ++k) {
            TestType sine(7), cosine(7);
            if (k < n) mjx::sincos(x[static_cast<std::size_t>(k)], sine, cosine);
            CHECK(s[static_cast<std::size_t>(k)] == sine);
            CHECK(c[static_cast<std::size_t>(k)] == cosine);
        }
    }
}

TEMPLATE_TEST_CASE("The result in a lane does not depend on the other lanes", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    using V = value_t<S>;
    // neighbours: ordinary, beyond every reduction's fast path, and not numbers
    for (const double other : {0.5, 0.0, 1e9, -700.0, std::numeric_limits<double>::infinity(), std::nan("")})
        for (const auto f : functions<S>())
            for (int k = 0; k < lanes_v<S>; ++k) {
                const S alone = f(S(V(0.7)));
                S mixed = S(static_cast<V>(other));
                mjx::set_lane(mixed, k, lane_t<S>(V(0.7)));
                CAPTURE(other, k);
                CHECK(same<lane_t<S>>(mjx::lane(f(mixed), k), mjx::lane(alone, k)));
            }
}

// A build with -fno-signed-zeros or -ffast-math would lose them.
TEMPLATE_TEST_CASE("Signs survive: sine is odd, cosine is even and changes sign, zero has two signs", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (const double x : {0.1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 100.0}) {
        CAPTURE(x);
        CHECK(same<S>(mjx::sin(S(-x)), -mjx::sin(S(x))));
        CHECK(same<S>(mjx::cos(S(-x)), mjx::cos(S(x))));
        CHECK((value_in_lane(mjx::sin(S(x)), 0) < 0) == (std::sin(x) < 0));
        CHECK((value_in_lane(mjx::cos(S(x)), 0) < 0) == (std::cos(x) < 0));
    }
    CHECK(std::signbit(value_in_lane(S(mjx::copysign(S(1), S(-0.0))), 0)));
    CHECK(std::signbit(value_in_lane(S(-S(0)), 0)));
}
