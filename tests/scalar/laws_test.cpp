// The laws of arithmetic, order and choice, for every scalar.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"

using namespace scalar_types;
using mjx::all;
using mjx::any;
using mjx::select;

static_assert(mjx::scalar<float> && mjx::scalar<double> && mjx::scalar<dual3> && mjx::scalar<nested>);
static_assert(mjx::scalar<packf> && mjx::scalar<packd> && mjx::scalar<dual_pack>);
static_assert(!mjx::scalar<mjx::pack_mask<float>>);
static_assert(std::is_trivially_copyable_v<dual3> && std::is_trivially_copyable_v<nested>);

TEMPLATE_TEST_CASE("Addition and multiplication are a commutative ring up to rounding", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    const S zero(0), one(1);
    for (int i = 0; i < 8; ++i) {
        const S a = spread<S>(samples, i, 1), b = spread<S>(samples, 2 * i + 1, 2), c = spread<S>(samples, 3 * i + 2, 3);
        CHECK(same<S>(a + b, b + a));
        CHECK(same<S>(a * b, b * a));
        CHECK(near<S>((a + b) + c, a + (b + c)));
        CHECK(near<S>((a * b) * c, a * (b * c), 32));
        CHECK(near<S>(a * (b + c), a * b + a * c, 32));
        CHECK(same<S>(a + zero, a));
        CHECK(same<S>(a * one, a));
        CHECK(same<S>(a - a, zero));
        CHECK(same<S>(-(-a), a));
        CHECK(same<S>(a - b, a + (-b)));
        CHECK(same<S>(+a, a));
    }
}

TEMPLATE_TEST_CASE("Division undoes multiplication", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const S a = spread<S>(samples, i, 1), b = spread<S>(samples, 3 * i + 1, 2);
        CHECK(near<S>(a * b / b, a, 64));
        CHECK(near<S>(b / b, S(1), 64));
        CHECK(near<S>(a / b, a * (S(1) / b), 64));
    }
}

TEMPLATE_TEST_CASE("Assignment operators and constants agree with the plain operators", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    using V = value_t<S>;
    for (int i = 0; i < 8; ++i) {
        const S a = spread<S>(samples, i, 1), b = spread<S>(samples, 3 * i + 1, 2);
        S x = a;
        CHECK(same<S>(x += b, a + b));
        x = a;
        CHECK(same<S>(x -= b, a - b));
        x = a;
        CHECK(same<S>(x *= b, a * b));
        x = a;
        CHECK(same<S>(x /= b, a / b));
        // an operand may be the object itself
        x = a;
        CHECK(same<S>(x *= x, a * a));

        const V v = V(-2.5);
        CHECK(same<S>(a + v, a + S(v)));
        CHECK(same<S>(v + a, S(v) + a));
        CHECK(same<S>(a - v, a - S(v)));
        CHECK(same<S>(v - a, S(v) - a));
        CHECK(same<S>(a * v, a * S(v)));
        CHECK(same<S>(v * a, S(v) * a));
        CHECK(near<S>(a / v, a / S(v), 2));
        CHECK(near<S>(v / a, S(v) / a, 2));
    }
}

TEMPLATE_TEST_CASE("Comparison is a total order of the values in each lane", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            const S a = spread<S>(samples, i, 1), b = spread<S>(samples, j, 2);
            for (int k = 0; k < lanes_v<S>; ++k) {
                const double x = numbers(mjx::value_of(lane_t<S>(mjx::lane(a, k))))[0];
                const double y = numbers(mjx::value_of(lane_t<S>(mjx::lane(b, k))))[0];
                CHECK(mjx::lane(a < b, k) == (x < y));
                CHECK(mjx::lane(a > b, k) == (x > y));
                CHECK(mjx::lane(a <= b, k) == (x <= y));
                CHECK(mjx::lane(a >= b, k) == (x >= y));
                CHECK(mjx::lane(a == b, k) == (x == y));
                CHECK(mjx::lane(a != b, k) == (x != y));
            }
        }
}

TEMPLATE_TEST_CASE("Masks follow boolean algebra and any and all read every lane", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    using Mask = mjx::mask_t<S>;
    const Mask none(false), every(true);
    CHECK(!any(none));
    CHECK(!all(none));
    CHECK(any(every));
    CHECK(all(every));
    for (int k = 0; k < lanes_v<S>; ++k) {
        Mask one(false);
        mjx::set_lane(one, k, true);
        CHECK(any(one));
        CHECK(all(one) == (lanes_v<S> == 1));
        CHECK(!any(one && !one));
        CHECK(all(one || !one));
        for (int j = 0; j < lanes_v<S>; ++j) CHECK(mjx::lane(one, j) == (j == k));
        int visited = 0;
        mjx::for_each_lane(one, lanes_v<S>, [&](int j) { visited += j == k ? 1 : 100; });
        CHECK(visited == 1);
    }
}

TEMPLATE_TEST_CASE("Select takes each lane from one of two scalars, derivatives included", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const S a = spread<S>(samples, i, 1), b = spread<S>(samples, i + 3, 2);
        const auto mask = a < b;
        const S chosen = select(mask, a, b);
        for (int k = 0; k < lanes_v<S>; ++k) {
            const lane_t<S> expected = mjx::lane(mask, k) ? mjx::lane(a, k) : mjx::lane(b, k);
            CHECK(same<lane_t<S>>(mjx::lane(chosen, k), expected));
        }
        CHECK(same<S>(select(mask, a, a), a));
        CHECK(same<S>(select(!mask, a, b), select(mask, b, a)));
        CHECK(same<S>(select(mask, value_t<S>(2), b), select(mask, S(2), b)));
    }
}

TEMPLATE_TEST_CASE("Minimum, maximum, clamp and absolute value choose by order", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    using mjx::clamp, mjx::max, mjx::min;
    for (int i = 0; i < 8; ++i) {
        const S a = spread<S>(samples, i, 1), b = spread<S>(samples, 3 * i + 1, 2);
        CHECK(same<S>(min(a, b) + max(a, b), a + b));
        CHECK(all(min(a, b) <= a && min(a, b) <= b));
        CHECK(all(max(a, b) >= a && max(a, b) >= b));
        CHECK(same<S>(min(a, a), a));
        CHECK(same<S>(max(a, b), -min(S(-a), S(-b))));
        const S c = clamp(a, S(-1), S(2));
        CHECK(all(c >= S(-1) && c <= S(2)));
        CHECK(same<S>(mjx::abs(a), max(a, S(-a))));
        CHECK(same<S>(mjx::abs(S(-a)), mjx::abs(a)));
    }
    CHECK(!std::signbit(numbers(mjx::abs(S(-0.0)))[0]));
}

TEMPLATE_TEST_CASE("Lanes are read and written without touching their neighbours", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int k = 0; k < lanes_v<S>; ++k) {
        S x = spread<S>(samples, 0, 1);
        const auto before = x;
        mjx::set_lane(x, k, lane_t<S>(value_t<S>(42)));
        for (int j = 0; j < lanes_v<S>; ++j) {
            const lane_t<S> expected = j == k ? lane_t<S>(value_t<S>(42)) : mjx::lane(before, j);
            CHECK(same<lane_t<S>>(mjx::lane(x, j), expected));
        }
    }
}

TEMPLATE_TEST_CASE("Isfinite finds infinities and NaN in the lane that has them", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    using V = value_t<S>;
    const V bad[]{std::numeric_limits<V>::infinity(), -std::numeric_limits<V>::infinity(), std::numeric_limits<V>::quiet_NaN()};
    CHECK(all(mjx::isfinite(spread<S>(samples, 0))));
    CHECK(all(mjx::isfinite(S(std::numeric_limits<V>::max()))));
    CHECK(all(mjx::isfinite(S(std::numeric_limits<V>::denorm_min()))));
    for (const V b : bad)
        for (int k = 0; k < lanes_v<S>; ++k) {
            S x = spread<S>(samples, 0);
            mjx::set_lane(x, k, lane_t<S>(b));
            for (int j = 0; j < lanes_v<S>; ++j) CHECK(mjx::lane(mjx::isfinite(x), j) == (j != k));
        }
}

// min and max keep the first argument when the comparison is false: for packs as for plain numbers, whatever the
// instruction set's own minimum does with NaN.
TEMPLATE_TEST_CASE("NaN in minimum, maximum and clamp is treated alike by every scalar", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    using mjx::clamp, mjx::max, mjx::min;
    const S nan(std::numeric_limits<value_t<S>>::quiet_NaN()), one(1);
    CHECK(!any(mjx::isfinite(min(nan, one))));
    CHECK(!any(mjx::isfinite(max(nan, one))));
    CHECK(!any(mjx::isfinite(clamp(nan, S(0), one))));
    CHECK(same<S>(min(one, nan), one));
    CHECK(same<S>(max(one, nan), one));
    CHECK(!any(nan == nan));
    CHECK(all(nan != nan));
    CHECK(!any(nan < one || nan > one || nan <= one || nan >= one));
}

TEMPLATE_TEST_CASE("A scalar is made from a number in every lane and without derivative", "[scalar]", MJX_ALL_SCALARS) {
    using S = TestType;
    const S x = mjx::scalar_cast<S>(0.1);
    CHECK(same<S>(x, S(static_cast<value_t<S>>(0.1))));
    for (int k = 0; k < lanes_v<S>; ++k) CHECK(numbers(mjx::value_of(lane_t<S>(mjx::lane(x, k))))[0] == double(value_t<S>(0.1)));
    CHECK(same<S>(x - S(value_t<S>(0.1)), S(0)));
    CHECK(same<S>(mjx::scalar_cast<S>(x), x));
}
