// Identities of 3-vectors and matrices, for every scalar.
#include "catch.hpp"
#include "math/vectors.hpp"

#include "mjx/math/mat3.hpp"

using namespace scalar_types;
using mjx::Mat3;
using mjx::Vec;
using mjx::Vec3;

namespace {

template <class S>
Mat3<S> matrix(int i) {
    Mat3<S> m;
    for (int r = 0; r < 3; ++r) m.set_row(r, vector<S>(i + 5 * r, samples));
    return m;
}

}  // namespace

TEMPLATE_TEST_CASE("Vectors are a linear space with an inner product", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const auto a = vector<S>(i, samples), b = vector<S>(i + 2, samples);
        const S s = spread<S>(samples, i, 9);
        CHECK(near_all<Vec3<S>>((a + b) * s, a * s + b * s, 256));
        CHECK(near_all<Vec3<S>>(s * a, a * s));
        CHECK(near_all<Vec3<S>>(a - b, a + (-b)));
        CHECK(near<S>(dot(a, b), dot(b, a)));
        CHECK(near<S>(dot(a * s, b), s * dot(a, b), 1024));
        CHECK(near<S>(norm(a) * norm(a), dot(a, a), 64));
        Vec3<S> c = a;
        c += b;
        c -= a;
        CHECK(near_all<Vec3<S>>(c, b));
        c *= s;
        CHECK(near_all<Vec3<S>>(c, b * s, 256));
    }
}

TEMPLATE_TEST_CASE("The cross product is antisymmetric, orthogonal and obeys Jacobi", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    const Vec3<S> x{{S(1), S(0), S(0)}}, y{{S(0), S(1), S(0)}}, z{{S(0), S(0), S(1)}};
    CHECK(near_all<Vec3<S>>(cross(x, y), z, 0));
    CHECK(near_all<Vec3<S>>(cross(y, z), x, 0));
    CHECK(near_all<Vec3<S>>(cross(z, x), y, 0));
    for (int i = 0; i < 8; ++i) {
        const auto a = vector<S>(i, samples), b = vector<S>(i + 2, samples), c = vector<S>(i + 5, samples);
        CHECK(near_all<Vec3<S>>(cross(a, b), -cross(b, a)));
        // sums of products of three numbers up to 10 cancel: the rounding error is that of 1000
        CHECK(near<S>(dot(a, cross(a, b)), S(0), 8000));
        const Vec3<S> jacobi = cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b));
        CHECK(near_all<Vec3<S>>(jacobi, Vec3<S>::zero(), 8000));
        CHECK(near<S>(dot(cross(a, b), cross(a, b)), dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b), 200000));
    }
}

TEMPLATE_TEST_CASE("Matrix products are linear maps composed", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 4; ++i) {
        const auto a = matrix<S>(i), b = matrix<S>(i + 3);
        const auto v = vector<S>(i + 1, samples);
        CHECK(near_all<Vec3<S>>((a * b) * v, a * (b * v), 8000));
        CHECK(near_all<Vec3<S>>(transpose_mul(a, v), transpose(a) * v));
        CHECK(near_all<Mat3<S>>(transpose(a * b), transpose(b) * transpose(a), 512));
        CHECK(near_all<Mat3<S>>(a * Mat3<S>::identity(), a, 0));
        for (int r = 0; r < 3; ++r) {
            CHECK(near_all<Vec3<S>>(a.row(r), transpose(a).column(r), 0));
            CHECK(near<S>((a * v)[r], dot(a.row(r), v)));
        }
        Mat3<S> copy = Mat3<S>::zero();
        for (int c = 0; c < 3; ++c) copy.set_column(c, a.column(c));
        CHECK(near_all<Mat3<S>>(copy, a, 0));
    }
}

TEMPLATE_TEST_CASE("Normalizing gives length one and the former length", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const auto a = vector<S>(i, samples);
        S length;
        const auto unit = normalize(a, length);
        CHECK(near<S>(norm(unit), S(1)));
        CHECK(near<S>(length, norm(a)));
        CHECK(near_all<Vec3<S>>(unit * length, a));
    }
}

TEMPLATE_TEST_CASE("A zero vector has length zero, the x axis as direction, and finite derivatives", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    // zero in value, with derivatives in every component
    const Vec3<S> zero{{spread<S>({0}, 0, 1), spread<S>({0}, 0, 2), spread<S>({0}, 0, 3)}};
    S length;
    const auto unit = normalize(zero, length);
    CHECK(finite(norm(zero)));
    CHECK(finite(length));
    for (int i = 0; i < 3; ++i) {
        CHECK(finite(unit[i]));
        CHECK(mjx::all(unit[i] == S(i == 0 ? 1 : 0)));
    }
    // the zero vector of one lane leaves the others alone
    for (int k = 0; k < lanes_v<S>; ++k) {
        auto mixed = vector<S>(1, samples);
        const auto before = normalize(mixed);
        for (int i = 0; i < 3; ++i) mjx::set_lane(mixed[i], k, lane_t<S>(0));
        const auto after = normalize(mixed);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < lanes_v<S>; ++j)
                if (j != k) CHECK(same<lane_t<S>>(mjx::lane(after[i], j), mjx::lane(before[i], j)));
    }
}

TEST_CASE("Vectors of different scalars combine into the richer one", "[math]") {
    const Vec3<double> parameter{{1, 2, 3}};
    const Vec3<dual3> state{{dual3::variable(4, 0), dual3::variable(5, 1), dual3::variable(6, 2)}};
    const auto product = dot(parameter, state);
    static_assert(std::is_same_v<decltype(product), const dual3>);
    CHECK(product.value == 32);
    CHECK(product.partial[2] == 3);
    const Vec3<dual3> turned = cross(state, parameter);
    CHECK(turned[0].value == 3);
    CHECK(turned[0].partial[1] == 3);
    const Vec3<dual3> constant = Vec3<dual3>::from(parameter);
    CHECK(constant[1].value == 2);
    CHECK(constant[1].partial[0] == 0);
    static_assert(std::is_trivially_copyable_v<Vec3<double>> && sizeof(Vec3<double>) == 24);
    static_assert(std::is_trivially_copyable_v<Mat3<dual3>>);
}
