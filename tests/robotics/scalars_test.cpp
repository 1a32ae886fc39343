// Every scalar and both kinds of model give the same answers, lane by lane, without the heap.
#include "catch.hpp"
#include "robotics/scene.hpp"
#include "scalar/scalar_types.hpp"

#include "joints.hpp"

#include "mjx/model/cast.hpp"

using namespace robotics_tests;

namespace {

// All that robotics.hpp computes from a state, one number after the other.
template <class M, class D>
std::vector<typename D::scalar> everything(const M& m, D& d) {
    using S = typename D::scalar;
    mjx::forward_inertia(m, d);
    std::vector<S> all;
    const auto matrix = [&](int rows, int columns, auto&& f) {
        const std::size_t first = all.size();
        all.resize(first + std::size_t(rows * columns));
        f(mjx::MatrixSpan{all.data() + first, rows, columns});
    };
    const auto vector = [&](auto&& f) {
        const std::size_t first = all.size();
        all.resize(first + std::size_t(m.nv));
        f(all.data() + first);
    };
    const auto numbers = [&](const auto& v) {
        for (int k = 0; k < v.size; ++k) all.push_back(v[k]);
    };
    const int tip = m.nbody - 1, flap = 4;
    const auto relative = mjx::relative(mjx::body(flap), mjx::local(mjx::inertia_of(tip)));
    matrix(6, m.nv, [&](auto J) { mjx::jacobian(m, d, mjx::local(mjx::geom(1)), J); });
    matrix(6, m.nv, [&](auto J) { mjx::jacobian(m, d, relative, J); });
    matrix(3, m.nv, [&](auto J) { mjx::jacobian(m, d, mjx::com(0), J); });
    matrix(6, m.nv, [&](auto J) { mjx::centroidal_momentum(m, d, 1, J); });
    matrix(6, m.nv, [&](auto J) { mjx::centroidal_momentum_rate(m, d, 1, J); });
    matrix(m.nv, m.nv, [&](auto J) { mjx::mass_matrix(m, d, J); });
    matrix(m.nv, m.nv, [&](auto J) { mjx::coriolis_matrix(m, d, J); });
    matrix(m.nv, 10 * m.nbody, [&](auto J) { mjx::regressor(m, d, d.qvel, J); });
    matrix(6, 6, [&](auto inertia) {
        std::vector<S> J(std::size_t(6 * m.nv));
        const mjx::MatrixSpan rows{J.data(), 6, m.nv};
        mjx::jacobian(m, d, mjx::body(flap), rows);
        mjx::operational_inertia(m, d, rows, 6, inertia);
    });
    vector([&](S* out) { mjx::gravity_force(m, d, out); });
    vector([&](S* out) { mjx::solve_mass(m, d, d.qvel, out); });
    vector([&](S* out) { mjx::half_solve_mass(m, d, d.qvel, out); });
    vector([&](S* out) { mjx::inverse_dynamics(m, d, d.qvel, out); });
    numbers(mjx::jacobian_dot_times_v(m, d, relative));
    numbers(mjx::jacobian_dot_times_v(m, d, mjx::com(2)));
    numbers(mjx::pose(m, d, relative).pos);
    return all;
}

// Lane `seed` of the state of all tests, in double.
std::vector<double> expected(const mjx::Model<double>& m, int seed) {
    const auto d = moving<double>(m);
    mjx::reset(m, *d);
    std::vector<double> step;
    for (int i = 0; i < m.nv; ++i) step.push_back(0.8 * wave(i, seed));
    for (int i = 0; i < m.nv; ++i) d->qvel[i] = wave(3 * i + 1, seed);
    mjx::integrate_position(m, d->qpos, step, 1.0);
    return everything(m, *d);
}

template <class S, class M>
void check_like_double(const M& m) {
    const mjx::Model<double> reference = load_scene("joints");
    const auto d = moving<S>(m);
    const auto all = everything(m, *d);
    for (int k = 0; k < mjx::lanes_v<S>; ++k) {
        const auto one = expected(reference, k);
        REQUIRE(all.size() == one.size());
        double error = 0;
        using mjx::lane, mjx::value_of;
        for (std::size_t i = 0; i < one.size(); ++i) {
            const double got = double(value_of(lane(all[i], k)));
            error = std::fmax(error, std::fabs(got - one[i]) / std::fmax(1.0, std::fabs(one[i])));
        }
        CHECK(error < 1e4 * double(mjx::epsilon_v<S>));
    }
}

}  // namespace

TEMPLATE_TEST_CASE("robotics functions agree with those of double, for every scalar, runtime and fixed models", "", float, double,
                   scalar_types::dual3, scalar_types::packf, scalar_types::packd) {
    using V = mjx::value_t<TestType>;
    check_like_double<TestType>(mjx::cast<V>(load_scene("joints")));
    check_like_double<TestType>(models::Joints_of<V>{});
}
