// Derivatives of dual numbers against closed forms and central differences, to second order through nesting.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"

using namespace scalar_types;

namespace {

using first = dual<double, 1>;
using second = dual<first, 1>;

constexpr double pi = 3.14159265358979323846;

second second_variable(double x) { return second::variable(first::variable(x, 0), 0); }

bool close(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance * std::fmax(1.0, std::fabs(b)); }

// f(x), f'(x) and f''(x) by duals, against closed forms and against central differences of f and of f' by duals.
template <class F, class D, class DD>
void check(const char* name, F f, D slope, DD curvature, std::initializer_list<double> points) {
    for (const double x : points) {
        CAPTURE(name, x);
        const first y = f(first::variable(x, 0));
        const second z = f(second_variable(x));
        CHECK(y.value == f(x));
        CHECK(z.value.value == f(x));
        CHECK(close(y.partial[0], slope(x), 1e-13));
        CHECK(close(z.value.partial[0], slope(x), 1e-13));
        CHECK(close(z.partial[0].value, slope(x), 1e-13));
        CHECK(close(z.partial[0].partial[0], curvature(x), 1e-12));

        const double h = 1e-5;
        CHECK(close(y.partial[0], (f(x + h) - f(x - h)) / (2 * h), 1e-8));
        const double above = f(first::variable(x + h, 0)).partial[0], below = f(first::variable(x - h, 0)).partial[0];
        CHECK(close(z.partial[0].partial[0], (above - below) / (2 * h), 1e-7));
    }
}

}  // namespace

TEST_CASE("First and second derivatives of every function are the closed forms", "[dual]") {
    const auto zero = [](double) { return 0.0; };
    check(
        "sqrt", [](auto x) { return mjx::sqrt(x); }, [](double x) { return 0.5 / std::sqrt(x); },
        [](double x) { return -0.25 / (x * std::sqrt(x)); }, {0.25, 1, 3, 100});
    check(
        "sin", [](auto x) { return mjx::sin(x); }, [](double x) { return std::cos(x); }, [](double x) { return -std::sin(x); },
        {-2, -0.3, 0, 0.5, 3});
    check(
        "cos", [](auto x) { return mjx::cos(x); }, [](double x) { return -std::sin(x); }, [](double x) { return -std::cos(x); },
        {-2, -0.3, 0, 0.5, 3});
    check(
        "tan", [](auto x) { return mjx::tan(x); }, [](double x) { return 1 / (std::cos(x) * std::cos(x)); },
        [](double x) { return 2 * std::tan(x) / (std::cos(x) * std::cos(x)); }, {-1, 0, 0.5, 1});
    check(
        "tanh", [](auto x) { return mjx::tanh(x); }, [](double x) { return 1 / (std::cosh(x) * std::cosh(x)); },
        [](double x) { return -2 * std::tanh(x) / (std::cosh(x) * std::cosh(x)); }, {-2, 0, 0.5, 1});
    check(
        "asin", [](auto x) { return mjx::asin(x); }, [](double x) { return 1 / std::sqrt(1 - x * x); },
        [](double x) { return x / std::pow(1 - x * x, 1.5); }, {-0.9, -0.3, 0, 0.5});
    check(
        "acos", [](auto x) { return mjx::acos(x); }, [](double x) { return -1 / std::sqrt(1 - x * x); },
        [](double x) { return -x / std::pow(1 - x * x, 1.5); }, {-0.9, -0.3, 0, 0.5});
    check(
        "exp", [](auto x) { return mjx::exp(x); }, [](double x) { return std::exp(x); }, [](double x) { return std::exp(x); },
        {-3, 0, 1, 2});
    check(
        "log", [](auto x) { return mjx::log(x); }, [](double x) { return 1 / x; }, [](double x) { return -1 / (x * x); }, {0.25, 1, 5});
    check(
        "abs", [](auto x) { return mjx::abs(x); }, [](double x) { return x < 0 ? -1.0 : 1.0; }, zero, {-2, 0.5, 3});
    check("floor", [](auto x) { return mjx::floor(x); }, zero, zero, {-1.5, 0.5, 2.25});
    check(
        "inverse", [](auto x) { return 1.0 / x; }, [](double x) { return -1 / (x * x); }, [](double x) { return 2 / (x * x * x); },
        {-2, 0.5, 3});
    check(
        "quotient", [](auto x) { return (x + 1.0) / (x * x + 2.0); }, [](double x) { return (2 - 2 * x - x * x) / std::pow(x * x + 2, 2); },
        [](double x) { return 2 * (x * x * x + 3 * x * x - 6 * x - 2) / std::pow(x * x + 2, 3); }, {-2, 0.5, 3});
    check(
        "polynomial", [](auto x) { return 3.0 - x * 2.0 + x * x * x; }, [](double x) { return 3 * x * x - 2; },
        [](double x) { return 6 * x; }, {-2, 0, 0.5, 3});
}

TEST_CASE("Derivatives of functions of two arguments are the closed forms in each argument", "[dual]") {
    for (const double c : {-2.0, 0.5, 3.0}) {
        CAPTURE(c);
        check(
            "atan2 by y", [c](auto y) { return mjx::atan2(y, decltype(y)(c)); }, [c](double y) { return c / (c * c + y * y); },
            [c](double y) { return -2 * c * y / std::pow(c * c + y * y, 2); }, {-1, 0.25, 2});
        check(
            "atan2 by x", [c](auto x) { return mjx::atan2(decltype(x)(c), x); }, [c](double x) { return -c / (c * c + x * x); },
            [c](double x) { return 2 * c * x / std::pow(c * c + x * x, 2); }, {-1, 0, 2});
        check(
            "pow by base", [c](auto x) { return mjx::pow(x, decltype(x)(c)); }, [c](double x) { return c * std::pow(x, c - 1); },
            [c](double x) { return c * (c - 1) * std::pow(x, c - 2); }, {0.5, 1, 2});
        check(
            "copysign", [c](auto x) { return mjx::copysign(x, decltype(x)(c)); },
            [c](double x) { return std::copysign(1, c) * std::copysign(1, x); }, [](double) { return 0; }, {-2, 0.5});
    }
    for (const double base : {0.5, 1.0, 3.0})
        check(
            "pow by exponent", [base](auto p) { return mjx::pow(decltype(p)(base), p); },
            [base](double p) { return std::log(base) * std::pow(base, p); },
            [base](double p) { return std::pow(std::log(base), 2) * std::pow(base, p); }, {-1, 0, 0.5, 2});
    // integer powers of negative numbers and of zero
    check(
        "cube", [](auto x) { return mjx::pow(x, decltype(x)(3)); }, [](double x) { return 3 * x * x; }, [](double x) { return 6 * x; },
        {-2, 0, 1});
    check(
        "square", [](auto x) { return mjx::pow(x, decltype(x)(2)); }, [](double x) { return 2 * x; }, [](double) { return 2; }, {-2, 0, 1});
}

TEST_CASE("Sine and cosine together have the derivatives of each alone", "[dual]") {
    for (const double x : {-2.0, 0.0, 0.7}) {
        second s, c;
        mjx::sincos(second_variable(x), s, c);
        CHECK(same(s, mjx::sin(second_variable(x))));
        CHECK(same(c, mjx::cos(second_variable(x))));
    }
}

TEST_CASE("The gradient of a long expression is its central difference", "[dual]") {
    const auto f = [](const auto& x, const auto& y, const auto& z) {
        using mjx::exp, mjx::log, mjx::sin, mjx::sqrt, mjx::atan2, mjx::max, mjx::pow;
        return exp(x * 0.3) * sin(y) / sqrt(z * z + 1.0) + atan2(y, x) * log(z + 3.0) - max(x, y) * pow(z, z) + y / x;
    };
    const double p[3]{0.7, -1.2, 1.6}, h = 1e-5;
    const dual3 r = f(dual3::variable(p[0], 0), dual3::variable(p[1], 1), dual3::variable(p[2], 2));
    CHECK(r.value == f(p[0], p[1], p[2]));
    for (int i = 0; i < 3; ++i) {
        double a[3]{p[0], p[1], p[2]}, b[3]{p[0], p[1], p[2]};
        a[i] += h;
        b[i] -= h;
        CHECK(close(r.partial[i], (f(a[0], a[1], a[2]) - f(b[0], b[1], b[2])) / (2 * h), 1e-8));
    }
}

TEST_CASE("Nested duals give the whole Hessian, and it is symmetric", "[dual]") {
    const auto f = [](const auto& x, const auto& y) { return mjx::sin(x * y) + x * x * mjx::exp(y) / (y + 2.0); };
    const auto variable = [](double v, int k) { return nested::variable(dual<double, 2>::variable(v, k), k); };
    const double x = 0.6, y = -0.4;
    const nested r = f(variable(x, 0), variable(y, 1));
    const double e = std::exp(y), q = y + 2;
    const double by_x_x = -y * y * std::sin(x * y) + 2 * e / q;
    const double by_x_y = std::cos(x * y) - x * y * std::sin(x * y) + 2 * x * e * (q - 1) / (q * q);
    const double by_y_y = -x * x * std::sin(x * y) + x * x * e * (q * q - 2 * q + 2) / (q * q * q);
    CHECK(close(r.partial[0].partial[0], by_x_x, 1e-14));
    CHECK(close(r.partial[0].partial[1], by_x_y, 1e-14));
    CHECK(close(r.partial[1].partial[0], by_x_y, 1e-14));
    CHECK(close(r.partial[1].partial[1], by_y_y, 1e-14));
}

TEMPLATE_TEST_CASE("Where a derivative does not exist it is finite", "[dual]", dual3, nested, dual_pack) {
    using S = TestType;
    const S zero = spread<S>({0}, 0, 5), one = spread<S>({1}, 0, 6), minus_one = spread<S>({-1}, 0, 7);
    CHECK(finite(mjx::sqrt(zero)));
    CHECK(finite(mjx::abs(zero)));
    CHECK(finite(mjx::asin(one)));
    CHECK(finite(mjx::asin(minus_one)));
    CHECK(finite(mjx::acos(one)));
    CHECK(finite(mjx::acos(minus_one)));
    CHECK(finite(mjx::atan2(zero, zero)));
    CHECK(finite(mjx::floor(one)));
    CHECK(finite(mjx::copysign(zero, minus_one)));
    for (const double p : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0}) {
        CAPTURE(p);
        CHECK(finite(mjx::pow(zero, S(p))));
        CHECK(finite(mjx::pow(zero, spread<S>({p}, 0, 8))));
    }
    CHECK(finite(mjx::clamp(zero, zero, one)));
}

TEST_CASE("A pack of duals is each lane's dual", "[dual]") {
    using L = dual<float, 2>;
    for (int i = 0; i < 8; ++i) {
        const auto a = spread<dual_pack>(positive_samples, i, 1), b = spread<dual_pack>(positive_samples, i + 3, 2);
        const auto f = [](const auto& x, const auto& y) { return mjx::sqrt(x * y) / (x + y) - mjx::min(x, y) * 2.0f; };
        const dual_pack together = f(a, b);
        for (int k = 0; k < lanes_v<dual_pack>; ++k) {
            const L alone = f(L(mjx::lane(a, k)), L(mjx::lane(b, k)));
            CHECK(near<L>(mjx::lane(together, k), alone, 4));
        }
    }
}

TEST_CASE("Trigonometric identities hold with their derivatives", "[dual]") {
    for (int i = 0; i < 8; ++i) {
        const auto x = spread<nested>({-0.9, -0.5, -0.1, 0.2, 0.4, 0.6, 0.8, 0.95}, i);
        CHECK(near<nested>(mjx::sin(mjx::asin(x)), x, 1000));
        CHECK(near<nested>(mjx::asin(x) + mjx::acos(x), nested(pi / 2), 1000));
        CHECK(near<nested>(mjx::exp(mjx::log(x + 1.0)), x + 1.0, 1000));
        CHECK(near<nested>(mjx::atan2(mjx::sin(x), mjx::cos(x)), x, 1000));
        CHECK(near<nested>(mjx::tan(x), mjx::sin(x) / mjx::cos(x), 1000));
    }
}
