// Derivatives of moving and comparing orientations: against MuJoCo's numbers, differences by duals, and the laws they obey.
#include "catch.hpp"
#include "scalar/scalar_types.hpp"

#include "mjx/derivative/position.hpp"

using namespace mjx;

namespace {

template <class S>
void check_equal(const S& a, double b, double tolerance) {
    for (int k = 0; k < lanes_v<S>; ++k) CHECK(double(value_of(lane(a, k))) == Approx(b).epsilon(tolerance).margin(tolerance));
}
template <class S>
Vec3<S> vector(double x, double y, double z) {
    return {{S(static_cast<value_t<S>>(x)), S(static_cast<value_t<S>>(y)), S(static_cast<value_t<S>>(z))}};
}
template <class S>
Quat<S> quaternion(double w, double x, double y, double z) {
    const double length = std::sqrt(w * w + x * x + y * y + z * z);
    const auto v = vector<S>(x / length, y / length, z / length);
    return {{S(static_cast<value_t<S>>(w / length)), v[0], v[1], v[2]}};
}

}  // namespace

TEMPLATE_TEST_CASE("derivatives of quaternions are MuJoCo's, mjd_quatIntegrate and mjd_subQuat", "", float, double, scalar_types::packf,
                   scalar_types::packd, scalar_types::dual3) {
    using S = TestType;
    const double tolerance = std::max(1e-9, 20 * double(epsilon_v<S>));
    const double at[][21] = {{0.9, 0.5114055827, 0.001562844259, 0.8593380519, -0.5507857658, 0.7681851305, 0.3263841991, -0.6596206259,
                              -0.6402258686, 0.3937149567, 0.8284928284, 0.06211135199, 0.4709437682, -0.2549004354, 0.9186279843,
                              0.2223027187, -0.400838647, -0.3324679092, 0.787180882},
                             {0.01, 0.9999315011, 0.003961376598, 0.01101365879, -0.004038375404, 0.9999675005, 0.006977783343,
                              -0.01098565922, -0.007021782661, 0.9999150013, 0.9999771669, 0.001987135786, 0.005504581374, -0.002012802214,
                              0.9999891668, 0.003492612485, -0.005495248127, -0.003507279015, 0.9999716669}};
    for (const auto& reference : at) {
        const auto d = quat_integrate_derivative(vector<S>(0.7, -1.1, 0.4), static_cast<value_t<S>>(reference[0]));
        for (int i = 0; i < 9; ++i) check_equal(d.Dquat[i], reference[1 + i], tolerance);
        for (int i = 0; i < 9; ++i) check_equal(d.Dvel[i], reference[10 + i], tolerance);
        // turning further about the same axis is turning by the velocity
        for (int i = 0; i < 3; ++i) check_equal(d.Dscale[i], std::array{0.7, -1.1, 0.4}[static_cast<std::size_t>(i)], tolerance);
    }
    const double Da[9] = {0.7851550194, -0.696549597, 0.4495177185, 0.7675117997, 0.1039869925,
                          -1.291031548, 0.3133259606, 1.330659791,  0.3151456249};
    const auto d = sub_quat_derivative(quaternion<S>(0.5, -0.3, 0.7, 0.2), quaternion<S>(0.1, 0.8, 0.3, -0.4));
    for (int i = 0; i < 9; ++i) {
        check_equal(d.Da[i], Da[i], tolerance);
        check_equal(d.Db[i], -Da[3 * (i % 3) + i / 3], tolerance);
    }
}

TEST_CASE("derivatives of quaternions are those of dual numbers at every angle, zero and where series and closed forms meet included") {
    using D = dual<double, 3>;
    const Quat<double> q = quaternion<double>(0.3, -0.5, 0.2, 0.7);
    const auto as_dual = [](const Quat<double>& x) { return Quat<D>{{D(x[0]), D(x[1]), D(x[2]), D(x[3])}}; };
    for (const double angle : {0.0, 1e-9, 1e-3, 0.2499, 0.2501, 1.0, 3.0}) {
        const Vec3<double> unit{{2.0 / 3, -1.0 / 3, 2.0 / 3}}, v = unit * angle;
        const auto d = quat_integrate_derivative(v, 1.0);
        const Vec3<D> change{{D::variable(0, 0), D::variable(0, 1), D::variable(0, 2)}};
        const Vec3<D> fast{{D::variable(v[0], 0), D::variable(v[1], 1), D::variable(v[2], 2)}}, still{{D(v[0]), D(v[1]), D(v[2])}};
        const Quat<double> end = integrate(q, v, 1.0);
        const Vec3<D> by_quat = difference(integrate(integrate(as_dual(q), change, 1.0), still, 1.0), as_dual(end));
        const Vec3<D> by_vel = difference(integrate(as_dual(q), fast, 1.0), as_dual(end));
        const auto sub = sub_quat_derivative(end, q);
        const Vec3<D> by_a = difference(integrate(as_dual(end), change, 1.0), as_dual(q));
        const Vec3<D> by_b = difference(as_dual(end), integrate(as_dual(q), change, 1.0));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                CAPTURE(angle, i, j);
                CHECK(d.Dquat(i, j) == Approx(by_quat[i].partial[j]).margin(1e-13));
                CHECK(d.Dvel(i, j) == Approx(by_vel[i].partial[j]).margin(1e-13));
                CHECK(sub.Da(i, j) == Approx(by_a[i].partial[j]).margin(1e-13));
                CHECK(sub.Db(i, j) == Approx(by_b[i].partial[j]).margin(1e-13));
                // each undoes the other: the difference of q exp(v) and q is v
                double product = 0;
                for (int k = 0; k < 3; ++k) product += sub.Da(i, k) * d.Dvel(k, j);
                CHECK(product == Approx(i == j).margin(1e-13));
            }
    }
}
