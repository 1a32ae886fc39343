// Wrapping of a tendon piece around spheres and cylinders, against plane geometry.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"

#include "mjx/math/quat.hpp"
#include "mjx/stage/wrap.hpp"

using namespace mjx;

namespace {

template <class T>
Vec3<T> point(double x, double y, double z) {
    return {{T(x), T(y), T(z)}};
}

template <class T>
T path_length(const Vec3<T>& x0, const Vec3<T>& x1, const WrapResult<T>& w) {
    return norm(Vec3<T>(w.first - x0)) + w.length + norm(Vec3<T>(x1 - w.second));
}

double number(double x) { return x; }
template <class T, int N>
double number(const dual<T, N>& x) {
    return x.value;
}

// Tangents from both ends and the arc between them: r (angle - acos(r/a) - acos(r/b)).
double taut_string(double a, double b, double angle, double r) {
    return std::sqrt(a * a - r * r) + std::sqrt(b * b - r * r) + r * (angle - std::acos(r / a) - std::acos(r / b));
}

constexpr double pi = 3.14159265358979323846;

}  // namespace

TEMPLATE_TEST_CASE("a string over a sphere is two tangents and an arc, in any frame", "", float, double, scalar_types::dual3) {
    using T = TestType;
    const double r = 0.4, a = 1.1, b = 0.9, angle = 2.8;
    const Quat<T> turn = normalize(Quat<T>{{T(0.7), T(0.1), T(-0.4), T(0.3)}});
    const Vec3<T> centre = point<T>(0.3, -0.2, 0.7);
    const Vec3<T> x0 = centre + rotate(turn, point<T>(a, 0, 0));
    const Vec3<T> x1 = centre + rotate(turn, point<T>(b * std::cos(angle), b * std::sin(angle), 0));
    const auto w = wrap_geom(x0, x1, centre, to_mat3(turn), T(r), wrap::sphere, static_cast<const Vec3<T>*>(nullptr));
    REQUIRE(w.wrapped);
    const double tolerance = 50 * double(epsilon_v<T>);
    CHECK(std::abs(number(path_length(x0, x1, w)) - taut_string(a, b, angle, r)) < tolerance);
    CHECK(std::abs(number(norm(Vec3<T>(w.first - centre))) - r) < tolerance);
    CHECK(std::abs(number(norm(Vec3<T>(w.second - centre))) - r) < tolerance);
    CHECK(std::abs(number(dot(Vec3<T>(w.first - centre), Vec3<T>(w.first - x0)))) < tolerance);
}

TEST_CASE("a side site sends the string the long way round") {
    const double r = 0.3;
    const Vec3<double> x0{{1, 0.1, 0}}, x1{{-1, 0.1, 0}}, origin = Vec3<double>::zero(), below{{0, -1, 0}}, above{{0, 1, 0}};
    const auto axes = Mat3<double>::identity();
    const double a = std::sqrt(1.01), angle = pi - 2 * std::atan(0.1);
    const auto short_way = wrap_geom(x0, x1, origin, axes, r, wrap::cylinder, &above);
    const auto long_way = wrap_geom(x0, x1, origin, axes, r, wrap::cylinder, &below);
    REQUIRE(short_way.wrapped);
    REQUIRE(long_way.wrapped);
    CHECK(path_length(x0, x1, short_way) == Approx(taut_string(a, a, angle, r)).epsilon(1e-14));
    CHECK(path_length(x0, x1, long_way) == Approx(taut_string(a, a, 2 * pi - angle, r)).epsilon(1e-14));
    CHECK(long_way.first[1] < 0);
    CHECK(short_way.first[1] > 0);
}

TEST_CASE("around a cylinder the path is a helix: unrolled, it is straight") {
    const double r = 0.25, rise = 0.8;
    const Vec3<double> x0{{0.7, -0.1, -0.2}}, x1{{-0.8, 0.05, -0.2 + rise}}, origin = Vec3<double>::zero();
    const Vec3<double> flat0{{0.7, -0.1, 0}}, flat1{{-0.8, 0.05, 0}};
    const auto axes = Mat3<double>::identity();
    const auto w = wrap_geom(x0, x1, origin, axes, r, wrap::cylinder, static_cast<const Vec3<double>*>(nullptr));
    const auto flat = wrap_geom(flat0, flat1, origin, axes, r, wrap::cylinder, static_cast<const Vec3<double>*>(nullptr));
    REQUIRE(w.wrapped);
    REQUIRE(flat.wrapped);
    const double across = path_length(flat0, flat1, flat);
    CHECK(path_length(x0, x1, w) == Approx(std::sqrt(across * across + rise * rise)).epsilon(1e-14));
}

TEST_CASE("a string that passes the geom on the right side, or starts inside it, stays straight") {
    const Vec3<double> origin = Vec3<double>::zero(), side{{0, 1, 0}};
    const auto axes = Mat3<double>::identity();
    const Vec3<double> left{{1, 0.5, 0}}, right{{-1, 0.5, 0}}, inside{{0.1, 0, 0}};
    CHECK_FALSE(wrap_geom(left, right, origin, axes, 0.3, wrap::sphere, static_cast<const Vec3<double>*>(nullptr)).wrapped);
    CHECK_FALSE(wrap_geom(left, right, origin, axes, 0.3, wrap::cylinder, &side).wrapped);
    CHECK_FALSE(wrap_geom(inside, right, origin, axes, 0.3, wrap::sphere, static_cast<const Vec3<double>*>(nullptr)).wrapped);
}

TEST_CASE("inside wrap touches where both pieces meet the surface at the same angle") {
    const double r = 0.5;
    const Vec3<double> origin = Vec3<double>::zero(), side{{0.1, 0.1, 0}};
    const auto axes = Mat3<double>::identity();
    const Vec3<double> x0{{0.9, 0.6, 0}}, x1{{-0.3, 1.2, 0}};
    const auto w = wrap_geom(x0, x1, origin, axes, r, wrap::cylinder, &side);
    REQUIRE(w.wrapped);
    CHECK(w.length == 0);
    CHECK(norm(w.first) == Approx(r).epsilon(1e-12));
    const Vec3<double> out0 = normalize(Vec3<double>(x0 - w.first)), out1 = normalize(Vec3<double>(x1 - w.first));
    CHECK(dot(out0, w.first) == Approx(dot(out1, w.first)).margin(2e-6));
}

TEST_CASE("derivatives of the wrapped length are those of central differences") {
    using T = dual<double, 3>;
    const Vec3<double> centre{{0.05, -0.02, 0.1}}, x1{{-0.2, 0.8, 0.3}}, outside{{0, -0.6, 0.1}}, inside{{0.06, 0, 0.1}};
    const auto axes = to_mat3(normalize(Quat<double>{{0.9, 0.2, 0.1, -0.3}}));
    const Vec3<double> side_points[] = {outside, inside};
    for (const int type : {wrap::sphere, wrap::cylinder})
        for (const auto& side : side_points) {
            const auto length = [&](const auto& x) {
                using S = std::remove_cvref_t<decltype(x[0])>;
                Mat3<S> mat;
                for (int k = 0; k < 9; ++k) mat[k] = S(axes[k]);
                const auto s = Vec3<S>::from(side), end = Vec3<S>::from(x1);
                const auto w = wrap_geom(x, end, Vec3<S>::from(centre), mat, S(0.3), type, &s);
                CHECK(w.wrapped);
                return path_length(x, end, w);
            };
            const Vec3<double> at{{0.6, 0.55, -0.1}};
            Vec3<T> variable;
            for (int k = 0; k < 3; ++k) variable[k] = T::variable(at[k], k);
            const T result = length(variable);
            for (int k = 0; k < 3; ++k) {
                Vec3<double> up = at, down = at;
                up[k] += 1e-5;
                down[k] -= 1e-5;
                CAPTURE(type, k);
                CHECK(result.partial[k] == Approx((length(up) - length(down)) / 2e-5).margin(2e-5));
            }
        }
}
