// Spatial algebra: duality of the cross products, the 10-number inertia against its 6x6 matrix, change of reference point.
#include "catch.hpp"
#include "math/vectors.hpp"

#include "mjx/math/spatial.hpp"

using namespace scalar_types;
using mjx::Inertia;
using mjx::Mat3;
using mjx::Vec3;
using mjx::Vec6;

namespace {

template <class S>
Vec6<S> motion(int i) {
    return mjx::spatial(vector<S>(i), vector<S>(i + 3));
}

const Vec3<double> diagonal{{0.3, 0.5, 0.7}};
constexpr double mass = 2.5;

template <class S>
Inertia<S> inertia(int i) {
    Vec3<value_t<S>> principal;
    for (int k = 0; k < 3; ++k) principal[k] = static_cast<value_t<S>>(diagonal[k]);
    return mjx::body_inertia(principal, static_cast<value_t<S>>(mass), to_mat3(mjx::exp_quat(vector<S>(i))), vector<S>(i + 2));
}

// The 6x6 matrix from its definition: [R D R' - m c× c×, m c×; -m c×, m 1] (Featherstone 2008, eq. 2.63).
template <class S>
Vec6<S> matrix_product(int i, const Vec6<S>& v) {
    const auto axes = to_mat3(mjx::exp_quat(vector<S>(i)));
    const auto c = vector<S>(i + 2);
    const S m(static_cast<value_t<S>>(mass));
    Vec3<S> local = transpose_mul(axes, angular(v));
    for (int k = 0; k < 3; ++k) local[k] = local[k] * static_cast<value_t<S>>(diagonal[k]);
    const Vec3<S> momentum = (linear(v) + cross(angular(v), c)) * m;
    return mjx::spatial(Vec3<S>(axes * local + cross(c, momentum)), momentum);
}

}  // namespace

TEMPLATE_TEST_CASE("The force cross product is minus the transpose of the motion cross product", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const auto v = motion<S>(i), s = motion<S>(i + 2), f = motion<S>(i + 5);
        CHECK(near<S>(dot(cross_motion(v, s), f), -dot(s, cross_force(v, f)), 256));
        CHECK(near_all<Vec6<S>>(cross_motion(v, s), -cross_motion(s, v)));
        CHECK(near_all<Vec6<S>>(cross_motion(v, v), Vec6<S>::zero()));
        const Vec6<S> jacobi = cross_motion(v, cross_motion(s, f)) + cross_motion(s, cross_motion(f, v)) +
                               cross_motion(f, cross_motion(v, s));
        CHECK(near_all<Vec6<S>>(jacobi, Vec6<S>::zero(), 512));
    }
}

TEMPLATE_TEST_CASE("Ten numbers multiply a motion as the 6x6 inertia does", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const auto v = motion<S>(i + 1), w = motion<S>(i + 4);
        CHECK(near_all<Vec6<S>>(inertia<S>(i) * v, matrix_product<S>(i, v), 512));
        CHECK(near<S>(dot(w, inertia<S>(i) * v), dot(v, inertia<S>(i) * w), 512));
        CHECK(mjx::all(dot(v, inertia<S>(i) * v) > S(0)));
    }
}

TEMPLATE_TEST_CASE("Inertias about one point add", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    const auto v = motion<S>(1);
    auto sum = Inertia<S>::zero();
    sum += inertia<S>(2);
    sum += inertia<S>(3);
    CHECK(near_all<Vec6<S>>(sum * v, inertia<S>(2) * v + inertia<S>(3) * v, 512));
}

TEMPLATE_TEST_CASE("The motion of a joint moves the points of its axis as it should", "[math]", MJX_ALL_SCALARS) {
    using S = TestType;
    for (int i = 0; i < 8; ++i) {
        const auto axis = normalize(vector<S>(i)), point = vector<S>(i + 1), reference = vector<S>(i + 4);
        const auto turn = mjx::rotation_dof(axis, Vec3<S>(reference - point));
        // the velocity of a point at p is linear + angular × (p - reference); on the axis it is zero
        const auto velocity = [&](const Vec6<S>& v, const Vec3<S>& p) -> Vec3<S> { return linear(v) + cross(angular(v), p - reference); };
        CHECK(near_all<Vec3<S>>(velocity(turn, point), Vec3<S>::zero()));
        CHECK(near_all<Vec3<S>>(velocity(turn, point + axis), Vec3<S>::zero()));
        const auto p = vector<S>(i + 6);
        CHECK(near_all<Vec3<S>>(velocity(turn, p), cross(axis, p - point)));
        CHECK(near_all<Vec3<S>>(velocity(mjx::translation_dof(axis), p), axis));
    }
}
