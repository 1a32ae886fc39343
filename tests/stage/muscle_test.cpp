// Muscle curves: the shape their definition promises, slopes by automatic differentiation, MuJoCo's numbers.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"

#include "mjx/model/types.hpp"
#include "mjx/stage/muscle.hpp"

using namespace mjx;

namespace {

using D1 = dual<double, 1>;
const Vec<double, 2> range{{0.75, 1.05}};
// force 200, peak at normalized length 1, lmin 0.5, lmax 1.6, vmax 1.5, fpmax 1.3, fvmax 1.2
const Vec<double, ngain> prm{{0.75, 1.05, 200, 0, 0.5, 1.6, 1.5, 1.3, 1.2, 0}};

}  // namespace

TEST_CASE("the force-length curve is one at the optimum, zero at both ends, with a continuous slope") {
    const auto curve = [](const D1& l) { return muscle_gain_length(l, D1(0.5), D1(1.6)); };
    CHECK(curve(D1(1)).value == 1);
    CHECK(curve(D1(0.5)).value == 0);
    CHECK(curve(D1(1.6)).value == Approx(0).margin(1e-15));
    CHECK(curve(D1(0.3)).value == 0);
    CHECK(curve(D1(2)).value == 0);
    CHECK(curve(D1(0.75)).value == 0.5);
    CHECK(curve(D1(1.3)).value == 0.5);
    for (const double joint : {0.5, 0.75, 1.0, 1.3, 1.6}) {
        const double before = curve(D1::variable(joint - 1e-9, 0)).partial[0];
        const double after = curve(D1::variable(joint + 1e-9, 0)).partial[0];
        CAPTURE(joint);
        CHECK(before == Approx(after).margin(1e-6));
    }
}

TEST_CASE("a muscle pulls, most when lengthening, not at all when shortening at its greatest speed") {
    const double optimum = range[0] + 0.25;  // normalized length 1, since L0 = 1
    CHECK(muscle_gain(optimum, 0.0, range, 1.0, prm) == Approx(-200));
    CHECK(muscle_gain(optimum, -1.5, range, 1.0, prm) == 0);
    CHECK(muscle_gain(optimum, 5.0, range, 1.0, prm) == Approx(-200 * 1.2));
    CHECK(muscle_gain(optimum, -0.75, range, 1.0, prm) == Approx(-200 * 0.25));
    CHECK(muscle_bias(optimum, range, 1.0, prm) == 0);
    CHECK(muscle_bias(optimum + 0.3, range, 1.0, prm) == Approx(-200 * 1.3 * 0.5));
    CHECK(muscle_bias(optimum + 0.6, range, 1.0, prm) == Approx(-200 * 1.3 * 1.5));
}

TEST_CASE("a negative force means scale divided by the acceleration of a unit force") {
    auto automatic = prm;
    automatic[2] = -1;
    automatic[3] = 300;
    CHECK(muscle_gain(1.0, 0.0, range, 6.0, automatic) == Approx(-50));
}

TEST_CASE("the slope in velocity is the derivative of the gain") {
    for (const double v : {-2.0, -1.2, -0.3, 0.0, 0.1, 0.25, 0.4}) {
        const auto f = muscle_gain(D1(0.9), D1::variable(v, 0), range, 1.0, prm);
        CAPTURE(v);
        CHECK(f.partial[0] == Approx(muscle_gain_velocity(0.9, v, range, 1.0, prm)).margin(1e-12));
    }
}

TEST_CASE("activation dynamics agree with MuJoCo") {
    // mju_muscleDynamics(ctrl, act, {0.01, 0.04, width})
    const auto rate = [](double ctrl, double act, double width) { return muscle_dynamics(ctrl, act, Vec3<double>{{0.01, 0.04, width}}); };
    CHECK(rate(1.0, 0.0, 0) == Approx(1.0 / (0.01 * 0.5)));
    CHECK(rate(0.0, 1.0, 0) == Approx(-1.0 / (0.04 / 2.0)));
    CHECK(rate(2.0, 0.5, 0) == Approx(0.5 / (0.01 * 1.25)));
    CHECK(rate(0.5, 0.5, 0) == 0);
    CHECK(rate(0.5, 0.4, 0.2) == Approx(9.0909090909091148).epsilon(1e-12));
    CHECK(rate(0.3, 0.35, 0.2) == Approx(-1.3871244952824744).epsilon(1e-12));
}

TEMPLATE_TEST_CASE("every lane of every scalar follows the same curves", "", MJX_ALL_SCALARS) {
    using S = TestType;
    using V = value_t<S>;
    using L = lane_t<S>;
    Vec<V, ngain> p;
    for (int i = 0; i < ngain; ++i) p[i] = static_cast<V>(prm[i]);
    const Vec<V, 2> r{{V(range[0]), V(range[1])}};
    for (int shift = 0; shift < 4; ++shift) {
        const S length = scalar_types::spread<S>({0.6, 0.9, 1.0, 1.2, 1.7}, shift);
        const S velocity = scalar_types::spread<S>(scalar_types::samples, shift);
        const S gain = muscle_gain(length, velocity, r, V(1), p), bias = muscle_bias(length, r, V(1), p);
        const S rate = muscle_dynamics(length, S(length * V(0.5)), p);
        CHECK(scalar_types::finite(gain));
        CHECK(scalar_types::finite(rate));
        for (int k = 0; k < lanes_v<S>; ++k) {
            const L l = lane(length, k), v = lane(velocity, k);
            CHECK(scalar_types::near(L(lane(gain, k)), muscle_gain(l, v, r, V(1), p), 64));
            CHECK(scalar_types::near(L(lane(bias, k)), muscle_bias(l, r, V(1), p), 64));
        }
    }
}
