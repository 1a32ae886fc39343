// What Jacobians, momenta, Coriolis matrices and regressors must obey: the derivatives of the kinematics by dual numbers, closed forms.
#include "catch.hpp"
#include "robotics/scene.hpp"

#include "mjx/scalar/dual.hpp"

using namespace robotics_tests;

namespace {

using Model = mjx::Model<double>;
using Dual = mjx::dual<double, 1>;
using Mat = Buffer<double>;

double partial(const Dual& x) { return x.partial[0]; }

// The derivative of d's configuration along a velocity: a Data of duals there, with the same qvel.
template <class V>
std::unique_ptr<mjx::Data<Dual, Model>> varied(const Model& m, const mjx::Data<double, Model>& d, const V& velocity) {
    auto dual = std::make_unique<mjx::Data<Dual, Model>>(m);
    mjx::reset(m, *dual);
    std::vector<Dual> along;
    for (int i = 0; i < m.nv; ++i) along.push_back(Dual::variable(0, 0) * double(velocity[i]));
    for (int i = 0; i < m.nq; ++i) dual->qpos[i] = Dual(d.qpos[i]);
    for (int i = 0; i < m.nv; ++i) dual->qvel[i] = Dual(d.qvel[i]);
    mjx::integrate_position(m, dual->qpos, along.data(), 1.0);
    mjx::forward_inertia(m, *dual);
    return dual;
}

// (angular, linear) velocity of a pose that depends on time.
mjx::Vec6<double> rate(const mjx::Pose<Dual>& pose) {
    mjx::Vec6<double> v;
    const auto turn = [&](int r, int c) {
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += partial(pose.axes(r, k)) * pose.axes(c, k).value;
        return sum;
    };
    v = {{turn(2, 1), turn(0, 2), turn(1, 0), partial(pose.pos[0]), partial(pose.pos[1]), partial(pose.pos[2])}};
    return v;
}

struct Unit {
    int at;
    double operator[](int i) const { return i == at ? 1 : 0; }
};

template <class F>
void for_each_frame(F&& f) {
    const mjx::Vec3<double> offset{{0.1, -0.2, 0.3}};
    f(mjx::body("flap"));
    f(mjx::inertia_of("swing"));
    f(mjx::geom(3));
    f(mjx::point(mjx::body("tip"), offset));
    f(mjx::relative(mjx::body("flap"), mjx::point(mjx::body("swing"), offset)));
    f(mjx::relative(mjx::point(mjx::geom(2), offset), mjx::body("tip")));
    f(mjx::relative(mjx::body("world"), mjx::body("flap")));
}

}  // namespace

TEST_CASE("a frame's Jacobian is the derivative of its pose, and its bias that of its velocity") {
    const Model m = load_scene("joints");
    const auto d = moving<double>(m);
    mjx::forward_inertia(m, *d);
    const auto later = varied(m, *d, d->qvel);
    for_each_frame([&](const auto& frame) {
        Mat J{6, m.nv}, L{6, m.nv};
        mjx::jacobian(m, *d, frame, J);
        for (int i = 0; i < m.nv; ++i) {
            const auto column = rate(mjx::pose(m, *varied(m, *d, Unit{i}), frame));
            for (int r = 0; r < 6; ++r) CHECK(J(r, i) == Approx(column[r]).margin(1e-12));
        }
        const auto v = mjx::velocity(m, *d, frame), bias = mjx::jacobian_dot_times_v(m, *d, frame);
        const auto v_later = mjx::velocity(m, *later, frame);
        for (int r = 0; r < 6; ++r) {
            double sum = 0;
            for (int i = 0; i < m.nv; ++i) sum += J(r, i) * d->qvel[i];
            CHECK(v[r] == Approx(sum).margin(1e-12));
            CHECK(bias[r] == Approx(partial(v_later[r])).margin(1e-11));
        }
        if constexpr (!requires { frame.to; }) {  // in the frame's own axes: R⁻¹ of all this
            mjx::jacobian(m, *d, mjx::local(frame), L);
            const auto axes = mjx::pose(m, *d, frame).axes;
            for (int i = 0; i < m.nv; ++i)
                for (int r = 0; r < 6; ++r) {
                    double sum = 0;
                    for (int k = 0; k < 3; ++k) sum += axes(k, r % 3) * J(r / 3 * 3 + k, i);
                    CHECK(L(r, i) == Approx(sum).margin(1e-12));
                }
            const auto own = mjx::jacobian_dot_times_v(m, *d, mjx::local(frame));
            const auto own_later = mjx::velocity(m, *later, mjx::local(frame));
            for (int r = 0; r < 6; ++r) CHECK(own[r] == Approx(partial(own_later[r])).margin(1e-11));
        }
    });
}

TEST_CASE("the same by central differences of the kinematics") {
    const Model m = load_scene("joints");
    const double h = 1e-5;
    const auto d = moving<double>(m), moved = moving<double>(m);
    mjx::forward_inertia(m, *d);
    for_each_frame([&](const auto& frame) {
        Mat J{6, m.nv};
        mjx::jacobian(m, *d, frame, J);
        for (int i = 0; i < m.nv; ++i) {
            const auto at = [&](double by) {
                for (int q = 0; q < m.nq; ++q) moved->qpos[q] = d->qpos[q];
                mjx::integrate_position(m, moved->qpos, Unit{i}, by);
                mjx::forward_kinematics(m, *moved);
                return mjx::pose(m, *moved, frame);
            };
            const auto ahead = at(h), behind = at(-h);
            const auto now = mjx::pose(m, *d, frame);
            for (int k = 0; k < 3; ++k) {
                const int next = (k + 1) % 3, last = (k + 2) % 3;
                double turned = 0;  // (dR/dt Rᵀ)(last, next)
                for (int c = 0; c < 3; ++c) turned += (ahead.axes(last, c) - behind.axes(last, c)) / (2 * h) * now.axes(next, c);
                CHECK(J(k, i) == Approx(turned).margin(1e-8));
                CHECK(J(3 + k, i) == Approx((ahead.pos[k] - behind.pos[k]) / (2 * h)).margin(1e-8));
            }
        }
    });
}

TEST_CASE("centres of mass and momenta of subtrees have the Jacobians and rates that differentiation gives") {
    const Model m = load_scene("joints");
    const auto d = moving<double>(m);
    mjx::forward_inertia(m, *d);
    const auto later = varied(m, *d, d->qvel);
    for (int b = 0; b < m.nbody; ++b) {
        Mat J{3, m.nv}, L{3, m.nv}, A{6, m.nv}, rate_of_A{6, m.nv};
        Buffer<Dual> A_later{6, m.nv};
        mjx::jacobian(m, *d, mjx::com(b), J);
        mjx::jacobian(m, *d, mjx::angular_momentum(b), L);
        mjx::centroidal_momentum(m, *d, b, A);
        mjx::centroidal_momentum(m, *later, b, A_later);
        mjx::centroidal_momentum_rate(m, *d, b, rate_of_A);
        for (int i = 0; i < m.nv; ++i) {
            const auto moved = varied(m, *d, Unit{i});
            for (int r = 0; r < 3; ++r) {
                CHECK(J(r, i) == Approx(partial(moved->subtree_com[b][r])).margin(1e-12));
                CHECK(A(3 + r, i) == Approx(J(r, i) * m.body_subtreemass[b]).margin(1e-12));
                CHECK(A(r, i) == Approx(L(r, i)).margin(1e-12));
            }
            for (int r = 0; r < 6; ++r) CHECK(rate_of_A(r, i) == Approx(partial(A_later(r, i))).margin(1e-11));
        }
        const auto momentum = mjx::momentum(m, *d, b);
        for (int r = 0; r < 6; ++r) {
            double sum = 0;
            for (int i = 0; i < m.nv; ++i) sum += A(r, i) * d->qvel[i];
            CHECK(momentum[r] == Approx(sum).margin(1e-12));
        }
        const auto bias = mjx::jacobian_dot_times_v(m, *d, mjx::com(b));
        const auto v_later = mjx::velocity(m, *later, mjx::com(b));
        for (int r = 0; r < 3; ++r) CHECK(bias[r] == Approx(partial(v_later[r])).margin(1e-11));
    }
}

TEST_CASE("dM/dt is C + transposed C, C qvel + gravity is the bias, gravity the slope of the potential energy") {
    const Model m = load_scene("joints");
    const auto d = moving<double>(m);
    mjx::forward_inertia(m, *d);
    Mat C{m.nv, m.nv};
    Buffer<Dual> M{m.nv, m.nv};
    std::vector<double> gravity(std::size_t(m.nv));
    mjx::coriolis_matrix(m, *d, C);
    mjx::mass_matrix(m, *varied(m, *d, d->qvel), M);
    mjx::gravity_force(m, *d, gravity);
    for (int i = 0; i < m.nv; ++i) {
        double force = gravity[std::size_t(i)];
        for (int j = 0; j < m.nv; ++j) {
            CHECK(C(i, j) + C(j, i) == Approx(partial(M(i, j))).margin(1e-11));
            force += C(i, j) * d->qvel[j];
        }
        CHECK(force == Approx(d->qfrc_bias[i]).margin(1e-11));
        const auto moved = varied(m, *d, Unit{i});
        double slope = 0;
        for (int b = 1; b < m.nbody; ++b)
            for (int k = 0; k < 3; ++k) slope -= m.body_mass[b] * m.opt.gravity[k] * partial(moved->xipos[b][k]);
        CHECK(gravity[std::size_t(i)] == Approx(slope).margin(1e-11));
    }
}

TEST_CASE("the operational inertia is the inverse of J M⁻¹ Jᵀ, and leaves out what cannot move") {
    const Model m = load_scene("joints");
    const auto d = moving<double>(m);
    mjx::forward_inertia(m, *d);
    Mat J{6, m.nv}, used{6, m.nv}, inertia{6, 6};
    mjx::jacobian(m, *d, mjx::body("flap"), J);
    used = J;
    mjx::operational_inertia(m, *d, used, 6, inertia);
    for (int c = 0; c < 6; ++c) {
        std::vector<double> row, solved(std::size_t(m.nv));
        for (int i = 0; i < m.nv; ++i) row.push_back(J(c, i));
        mjx::solve_mass(m, *d, row, solved);
        for (int r = 0; r < 6; ++r) {
            double sum = 0;
            for (int k = 0; k < 6; ++k)
                for (int i = 0; i < m.nv; ++i) sum += inertia(r, k) * J(k, i) * solved[std::size_t(i)];
            CHECK(sum == Approx(r == c ? 1 : 0).margin(1e-10));
        }
    }
    mjx::jacobian(m, *d, mjx::body("gimbal"), used);  // two hinges
    mjx::operational_inertia(m, *d, used, 6, inertia);
    for (const double x : inertia.values) CHECK(std::isfinite(x));
}

TEST_CASE("positions move, differ and lie between others as on a straight line; random ones keep the limits") {
    for (const char* scene : {"joints", "humanoid", "arm"}) {
        const Model m = load_scene(scene);
        std::mt19937 random(3);
        std::vector<double> a(std::size_t(m.nq)), b = a, middle = a, v(std::size_t(m.nv)), half = v;
        for (int round = 0; round < 20; ++round) {
            mjx::random_position(m, random, a);
            mjx::random_position(m, random, b);
            for (int j = 0; j < m.njnt; ++j) {
                const double q = b[std::size_t(m.jnt_qposadr[j])];
                const bool scalar = m.jnt_type[j] == mjx::jnt::hinge || m.jnt_type[j] == mjx::jnt::slide;
                if (scalar && m.jnt_limited[j]) CHECK((q >= m.jnt_range[j][0] && q <= m.jnt_range[j][1]));
            }
            mjx::position_difference(m, a, b, v);
            mjx::interpolate_position(m, a, b, 0.25, middle);
            mjx::position_difference(m, a, middle, half);
            for (int i = 0; i < m.nv; ++i) CHECK(half[std::size_t(i)] == Approx(v[std::size_t(i)] / 4).margin(1e-9));
            mjx::integrate_position(m, a, v, 1.0);
            mjx::position_difference(m, a, b, half);
            for (const double x : half) CHECK(x == Approx(0).margin(1e-9));
        }
    }
}
