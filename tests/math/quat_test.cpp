// Rotations: the group laws, the three ways to turn a vector, exponential and logarithm, for every scalar.
#include "catch.hpp"
#include "math/vectors.hpp"

#include "mjx/math/quat.hpp"

using namespace scalar_types;
using mjx::Mat3;
using mjx::Quat;
using mjx::Vec3;

namespace {

constexpr double pi = 3.14159265358979323846;

template <class S>
Quat<S> rotation(int i) {
    return mjx::exp_quat(vector<S>(i));
}
template <class S>
Vec3<S> zero_with_derivatives() {
    return {{spread<S>({0}, 0, 1), spread<S>({0}, 0, 2), spread<S>({0}, 0, 3)}};
}

}  // namespace

TEMPLATE_TEST_CASE("Unit quaternions are a group", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    const auto identity = Quat<S>::identity();
    for (int i = 0; i < 8; ++i) {
        const auto a = rotation<S>(i), b = rotation<S>(i + 2), c = rotation<S>(i + 5);
        CHECK(near_all<Quat<S>>((a * b) * c, a * (b * c)));
        CHECK(near_all<Quat<S>>(a * identity, a, 0));
        CHECK(near_all<Quat<S>>(identity * a, a, 0));
        CHECK(near_all<Quat<S>>(a * conjugate(a), identity));
        CHECK(near_all<Quat<S>>(conjugate(a * b), conjugate(b) * conjugate(a)));
        CHECK(near_all<Quat<S>>(normalize(a * b), a * b));
    }
}

TEMPLATE_TEST_CASE("A quaternion, its matrix and the double product turn vectors alike", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const auto a = rotation<S>(i), b = rotation<S>(i + 2);
        const auto v = vector<S>(i + 4), w = vector<S>(i + 6);
        const auto turned = rotate(a, v);
        const auto product = a * Quat<S>{{S(0), v[0], v[1], v[2]}} * conjugate(a);
        CHECK(near_all<Vec3<S>>(turned, {{product[1], product[2], product[3]}}));
        CHECK(near_all<Vec3<S>>(turned, to_mat3(a) * v));
        CHECK(near_all<Vec3<S>>(rotate(conjugate(a), turned), v));
        CHECK(near_all<Vec3<S>>(transpose_mul(to_mat3(a), turned), v));
        CHECK(near_all<Vec3<S>>(rotate(a * b, v), rotate(a, rotate(b, v))));
        CHECK(near_all<Mat3<S>>(to_mat3(a * b), to_mat3(a) * to_mat3(b)));
        CHECK(near<S>(dot(turned, rotate(a, w)), dot(v, w)));
        CHECK(near_all<Vec3<S>>(cross(turned, rotate(a, w)), rotate(a, cross(v, w))));
        CHECK(near_all<Mat3<S>>(to_mat3(a) * transpose(to_mat3(a)), Mat3<S>::identity()));
        CHECK(near<S>(dot(to_mat3(a).column(0), cross(to_mat3(a).column(1), to_mat3(a).column(2))), S(1)));
    }
}

TEMPLATE_TEST_CASE("Turning about an axis follows the right hand", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    const Vec3<S> x{{S(1), S(0), S(0)}}, y{{S(0), S(1), S(0)}}, z{{S(0), S(0), S(1)}};
    const S quarter(static_cast<value_t<S>>(pi / 2));
    CHECK(near_all<Vec3<S>>(rotate(axis_angle(z, quarter), x), y));
    CHECK(near_all<Vec3<S>>(rotate(axis_angle(x, quarter), y), z));
    CHECK(near_all<Vec3<S>>(rotate(axis_angle(y, quarter), z), x));
    for (int i = 0; i < 8; ++i) {
        const auto axis = normalize(vector<S>(i));
        const S angle = spread<S>(small_samples, i + 1, 4);
        CHECK(near_all<Quat<S>>(axis_angle(axis, angle), mjx::exp_quat(Vec3<S>(axis * angle)), 256));
        CHECK(near_all<Vec3<S>>(rotate(axis_angle(axis, angle), axis), axis, 256));
    }
}

TEMPLATE_TEST_CASE("Exponential and logarithm are inverse", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    // from far below every threshold to the largest rotation
    for (const double size : {0.0, 1e-12, 1e-7, 1e-4, 0.99e-3, 1.01e-3, 0.1, 1.0, 1.8})
        for (int i = 0; i < 8; ++i) {
            const Vec3<S> v = vector<S>(i) * static_cast<value_t<S>>(size);
            CAPTURE(size, i);
            const auto q = mjx::exp_quat(v);
            CHECK(near_all<Vec3<S>>(mjx::log_quat(q), v, 512));
            CHECK(near_all<Vec3<S>>(mjx::log_quat(Quat<S>{{-q[0], -q[1], -q[2], -q[3]}}), v, 512));
            CHECK(near_all<Vec3<S>>(mjx::log_quat(conjugate(q)), -v, 512));
            CHECK(near<S>(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], S(1)));
        }
}

TEMPLATE_TEST_CASE("The logarithm takes the short way and reaches half a turn", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    const Vec3<S> z{{S(0), S(0), S(1)}};
    const auto angle_of = [&](double angle) { return mjx::log_quat(axis_angle(z, S(static_cast<value_t<S>>(angle))))[2]; };
    CHECK(near<S>(angle_of(3), S(3)));
    CHECK(near<S>(angle_of(4), S(static_cast<value_t<S>>(4 - 2 * pi))));
    CHECK(near<S>(angle_of(-4), S(static_cast<value_t<S>>(2 * pi - 4))));
    CHECK(near<S>(mjx::log_quat(Quat<S>{{S(0), S(0), S(0), S(1)}})[2], S(static_cast<value_t<S>>(pi))));
}

TEMPLATE_TEST_CASE("Integrating the difference leads from one orientation to the other", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const auto a = rotation<S>(i), b = rotation<S>(i + 3);
        const auto reached = mjx::integrate(b, mjx::difference(a, b), value_t<S>(1));
        CHECK(near_all<Mat3<S>>(to_mat3(reached), to_mat3(a), 512));
        const auto w = vector<S>(i + 1);
        const value_t<S> h = value_t<S>(0.5);
        CHECK(near_all<Vec3<S>>(mjx::difference(mjx::integrate(a, w, h), a), w * h, 512));
        // two half steps of constant angular velocity are one step
        CHECK(near_all<Quat<S>>(mjx::integrate(mjx::integrate(a, w, h), w, h), mjx::integrate(a, w, value_t<S>(1)), 256));
    }
}

TEMPLATE_TEST_CASE("The rotation of z to a direction takes it there about an axis in the plane", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    const Vec3<S> z{{S(0), S(0), S(1)}};
    for (int i = 0; i < 8; ++i) {
        const auto to = normalize(vector<S>(i));
        const auto q = mjx::z_to(to);
        CHECK(near_all<Vec3<S>>(rotate(q, z), to, 256));
        CHECK(near<S>(q[3], S(0)));
    }
    CHECK(near_all<Quat<S>>(mjx::z_to(z), Quat<S>::identity(), 0));
    CHECK(near_all<Vec3<S>>(rotate(mjx::z_to(-z), z), -z));
}

TEMPLATE_TEST_CASE("Rotations at rest have finite derivatives of every order", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    const Vec3<S> zero = zero_with_derivatives<S>();
    const Quat<S> identity{{spread<S>({1}, 0, 4), zero[0], zero[1], zero[2]}}, none{{zero[0], zero[1], zero[2], zero[0]}};
    CHECK(finite_all(mjx::exp_quat(zero)));
    CHECK(finite_all(mjx::log_quat(identity)));
    CHECK(finite_all(mjx::log_quat(none)));
    CHECK(finite_all(normalize(identity)));
    CHECK(finite_all(normalize(none)));
    CHECK(mjx::all(normalize(none)[0] == S(1)));
    CHECK(finite_all(mjx::integrate(identity, zero, value_t<S>(0.01))));
    CHECK(finite_all(mjx::difference(identity, identity)));
    CHECK(finite_all(mjx::z_to(Vec3<S>{{zero[0], zero[1], spread<S>({1}, 0, 4)}})));
    CHECK(finite_all(mjx::z_to(Vec3<S>{{zero[0], zero[1], spread<S>({-1}, 0, 4)}})));
    CHECK(finite_all(mjx::z_to(zero)));
    // half a turn, where the way back is ambiguous
    CHECK(finite_all(mjx::log_quat(Quat<S>{{zero[0], zero[1], zero[2], identity[0]}})));
}

TEST_CASE("Derivatives of rotations at rest are those of the limit", "[math]") {
    const Vec3<dual3> v{{dual3::variable(0, 0), dual3::variable(0, 1), dual3::variable(0, 2)}};
    const auto q = mjx::exp_quat(v);
    const auto back = mjx::log_quat(q);
    const auto z = mjx::z_to(Vec3<dual3>{{v[0], v[1], dual3(1)}});
    for (int i = 0; i < 3; ++i) {
        CHECK(q[0].partial[i] == 0);
        for (int k = 0; k < 3; ++k) {
            CHECK(q[1 + k].partial[i] == (i == k ? 0.5 : 0.0));
            CHECK(back[k].partial[i] == (i == k ? 1.0 : 0.0));
        }
    }
    // tipping z towards x is half an angle about y, towards y half an angle about -x
    CHECK(z[2].partial[0] == 0.5);
    CHECK(z[1].partial[1] == -0.5);
}

TEST_CASE("Second derivatives of exponential and logarithm are central differences of the first", "[math]") {
    using D = dual<double, 2>;
    const double h = 1e-5;
    // thresholds between series and closed form included
    for (const double x : {0.0, 1e-4, 0.99e-3, 1.01e-3, 0.3, 2.0}) {
        CAPTURE(x);
        const auto f = [](const auto& a, const auto& b) {
            using T = std::remove_cvref_t<decltype(a)>;
            const auto q = mjx::exp_quat(Vec3<T>{{a, b * 0.5, T(0.1) * b}});
            const auto r = mjx::log_quat(Quat<T>{{q[0] + b * 0.1, q[1], q[2] + a * b, q[3]}});
            return r[0] * r[1] + q[0] * q[1];
        };
        const auto nested_variable = [](double v, int k) { return nested::variable(D::variable(v, k), k); };
        const nested y = f(nested_variable(x, 0), nested_variable(x, 1));
        for (int i = 0; i < 2; ++i) {
            const double da = i == 0 ? h : 0, db = i == 1 ? h : 0;
            const D above = f(D::variable(x + da, 0), D::variable(x + db, 1));
            const D below = f(D::variable(x - da, 0), D::variable(x - db, 1));
            CHECK(y.value.partial[i] == Approx((above.value - below.value) / (2 * h)).margin(1e-8));
            for (int k = 0; k < 2; ++k)
                CHECK(y.partial[i].partial[k] == Approx((above.partial[k] - below.partial[k]) / (2 * h)).margin(1e-6));
        }
    }
}
