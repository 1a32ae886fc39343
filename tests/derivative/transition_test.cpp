// Derivatives of the step against closed forms and central differences.
#include "catch.hpp"

#include "cartpole.hpp"
#include "joints.hpp"
#include "pendulum.hpp"

#include "mjx/derivative/transition.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/solver/unconstrained.hpp"

namespace {

template <class M, class Integrator = mjx::Euler>
using Sim = mjx::Simulator<double, Integrator, mjx::Unconstrained, M>;

void check_close(const mjx::Matrix<double>& a, const mjx::Matrix<double>& b, double tolerance) {
    REQUIRE(a.shape() == b.shape());
    for (std::size_t i = 0; i < a.shape(0); ++i)
        for (std::size_t j = 0; j < a.shape(1); ++j) {
            INFO("row " << i << ", column " << j);
            CHECK(std::isfinite(a(i, j)));
            CHECK(a(i, j) == Approx(b(i, j)).epsilon(tolerance).margin(tolerance));
        }
}

template <class S>
void check_against_differences(const S& sim) {
    const auto exact = mjx::derivatives(sim), differences = mjx::transition_fd(sim);
    check_close(exact.A, differences.A, 1e-6);
    check_close(exact.B, differences.B, 1e-6);
}

// I a = -m g l sin(q) - b v + 3 u, with the damping implicit: (I + h b) a.
struct Pendulum {
    double m = 2, l = 0.5, inertia = 2 * 0.25 + 0.01, b = 0.1, g = 9.81, h = 0.002, q = 0.7, v = -1.3, u = 0.4;
    double reduced() const { return inertia + h * b; }
    double force() const { return -m * g * l * std::sin(q) - b * v + 3 * u; }

    template <class S>
    void prepare(S& sim) const {
        sim.qpos()(0) = q;
        sim.qvel()(0) = v;
        sim.ctrl()(0) = u;
    }
};

}  // namespace

TEST_CASE("A and B of a damped pendulum equal their closed form") {
    Sim<models::Pendulum> sim;
    const Pendulum p;
    p.prepare(sim);
    const auto [A, B] = mjx::derivatives(sim);
    const double by_q = -p.h * p.m * p.g * p.l * std::cos(p.q) / p.reduced(), by_v = 1 - p.h * p.b / p.reduced(), by_u = 3 * p.h / p.reduced();
    CHECK(A(0, 0) == Approx(1 + p.h * by_q).epsilon(1e-13));
    CHECK(A(0, 1) == Approx(p.h * by_v).epsilon(1e-13));
    CHECK(A(1, 0) == Approx(by_q).epsilon(1e-13));
    CHECK(A(1, 1) == Approx(by_v).epsilon(1e-13));
    CHECK(B(0, 0) == Approx(p.h * by_u).epsilon(1e-13));
    CHECK(B(1, 0) == Approx(by_u).epsilon(1e-13));
    CHECK(sim.qpos()(0) == p.q);
}

TEST_CASE("A and B of a cart-pole equal their closed form") {
    Sim<models::Cartpole> sim;
    const double mc = 1.5, mp = 0.4, l = 0.6, inertia = 0.03 + mp * l * l, h = 0.005, g = 9.81;
    const double q = 0.8, w = 1.7, u = -0.3, s = std::sin(q), c = std::cos(q);
    sim.qpos()(1) = q;
    sim.qvel()(1) = w;
    sim.ctrl()(0) = u;
    // M a = f; differentiating, da = M^-1 (df - dM a)
    const double m01 = mp * l * c, det = (mc + mp) * inertia - m01 * m01;
    const auto solve = [&](double f0, double f1) {
        return std::pair{(inertia * f0 - m01 * f1) / det, ((mc + mp) * f1 - m01 * f0) / det};
    };
    const auto [a0, a1] = solve(10 * u + mp * l * s * w * w, mp * g * l * s);
    const double slope = -mp * l * s;
    const auto by_q = solve(mp * l * c * w * w - slope * a1, mp * g * l * c - slope * a0);
    const auto by_w = solve(2 * mp * l * s * w, 0), by_u = solve(10, 0);
    mjx::Matrix<double> A = {{1, 0, h, 0}, {0, 1, 0, h}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    mjx::Matrix<double> B = {{0}, {0}, {0}, {0}};
    const auto add = [&](auto& matrix, std::size_t column, const std::pair<double, double>& a) {
        matrix(0, column) += h * h * a.first;
        matrix(1, column) += h * h * a.second;
        matrix(2, column) += h * a.first;
        matrix(3, column) += h * a.second;
    };
    add(A, 1, by_q);
    add(A, 3, by_w);
    add(B, 0, by_u);
    const auto transition = mjx::derivatives(sim);
    check_close(transition.A, A, 1e-12);
    check_close(transition.B, B, 1e-12);
}

TEST_CASE("derivatives with free and ball joints equal central differences, with Euler and with RK4") {
    const auto stir = [](auto& sim) {
        for (int i = 0; i < sim.qvel().size(); ++i) sim.qvel()(i) = 0.4 * ((i % 5) - 2);
        sim.step(30);
        for (int i = 0; i < sim.ctrl().size(); ++i) sim.ctrl()(i) = 0.3;
    };
    const mjx::Model model = mjx::cast<double>(models::Joints{});
    Sim<mjx::Model<double>> euler(model);
    stir(euler);
    check_against_differences(euler);
    Sim<models::Joints, mjx::RK4> rk4;
    stir(rk4);
    check_against_differences(rk4);
}

TEST_CASE("derivatives are finite and right at rest: no velocity, no rotation, identity quaternions") {
    const auto at_rest = std::make_unique<Sim<models::Joints>>();
    check_against_differences(*at_rest);
}

TEST_CASE("a kept TransitionDerivatives gives the same at every state, however many columns a pass has") {
    const auto sim = std::make_unique<Sim<models::Joints>>();
    mjx::TransitionDerivatives<Sim<models::Joints>, 5> kept(*sim);
    for (int k = 0; k < 3; ++k) {
        sim->step(10);
        const auto once = mjx::derivatives<8>(*sim);
        const auto& again = kept(*sim);
        check_close(again.A, once.A, 1e-14);
        check_close(again.B, once.B, 1e-14);
    }
}

TEST_CASE("a model of duals gives derivatives by mass, damping and length, a simulator of duals by applied force") {
    using D = mjx::dual<double, 4>;
    const Pendulum p;
    mjx::Model<D> model = mjx::cast<D>(models::Pendulum{});
    const D mass = D::variable(p.m, 0);
    model.body_mass[1] = model.body_subtreemass[0] = model.body_subtreemass[1] = mass;
    model.dof_damping[0] = D::variable(p.b, 1);
    model.body_ipos[1][2] = -D::variable(p.l, 3);
    mjx::Simulator<D, mjx::Euler, mjx::Unconstrained, mjx::Model<D>> sim(model);
    p.prepare(sim);
    sim.qfrc_applied()(0) = D::variable(0, 2);
    sim.step();
    const double r = p.reduced(), f = p.force();
    const D v = sim.qvel()(0);
    CHECK(v.value == Approx(p.v + p.h * f / r).epsilon(1e-14));
    CHECK(v.partial[0] == Approx(p.h * (-p.g * p.l * std::sin(p.q) * r - f * p.l * p.l) / (r * r)).epsilon(1e-12));
    CHECK(v.partial[1] == Approx(p.h * (-p.v * r - f * p.h) / (r * r)).epsilon(1e-12));
    CHECK(v.partial[2] == Approx(p.h / r).epsilon(1e-12));
    CHECK(v.partial[3] == Approx(p.h * (-p.m * p.g * std::sin(p.q) * r - f * 2 * p.m * p.l) / (r * r)).epsilon(1e-12));
}
