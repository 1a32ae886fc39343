// Derivatives of the step against closed forms and central differences.
#include "catch.hpp"

#include "cartpole.hpp"
#include "joints.hpp"
#include "pendulum.hpp"

#include "mjx/derivative/check.hpp"
#include "mjx/derivative/position.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/implicit_spring_damper.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/solver/unconstrained.hpp"
#include "mjx/stage/velocity_derivative.hpp"

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

template <class S>
void stir(S& sim) {
    for (int i = 0; i < sim.qvel().size(); ++i) sim.qvel()[i] = 0.4 * ((i % 5) - 2);
    sim.step(30);
    for (int i = 0; i < sim.ctrl().size(); ++i) sim.ctrl()[i] = 0.3;
}

// Entry (i, j) of a matrix kept in the pattern of M.
template <class M, class V>
double entry(const M& m, const V& lower, const V& upper, int i, int j) {
    const auto& values = i >= j ? lower : upper;
    const int row = i >= j ? i : j, column = i >= j ? j : i;
    for (int k = m.M_rowadr[row]; k < m.M_rowadr[row] + m.M_rownnz[row]; ++k)
        if (m.M_colind[k] == column) return values[k];
    return 0;
}

// Without constraints, with H what the integrator solves by and E what it keeps of the damping, H dv'/dv = M + h (qDeriv + E) in the
// columns of the velocity; the positions follow, dq' = d(q ⊕ h v'). `implicit(i)` is the diagonal (H - M)/h in two parts: dampers, springs.
template <class S, class Implicit>
void check_velocity_columns(S& sim, const Implicit& implicit) {
    const auto& m = sim.model();
    const double h = m.opt.timestep;
    const auto hybrid = mjx::transition_hybrid(sim);
    S next = sim;
    auto& d = next.data();
    next.forward();
    mjx::smooth_velocity_derivative(m, d);
    for (int c = 0; c < m.nv; ++c) {
        const auto slope = [&](int i) { return hybrid.A(static_cast<std::size_t>(m.nv + i), static_cast<std::size_t>(m.nv + c)); };
        for (int i = 0; i < m.nv; ++i) {
            const auto [damping, stiffness] = implicit(i);
            double left = h * (damping + h * stiffness) * slope(i);
            for (int j = 0; j < m.nv; ++j) left += entry(m, d.M, d.M, i, j) * slope(j);
            const double right = entry(m, d.M, d.M, i, c) + h * entry(m, d.qDeriv, d.qDeriv_upper, i, c) + (i == c ? h * damping : 0);
            INFO("row " << i << ", column " << c);
            CHECK(left == Approx(right).epsilon(1e-11).margin(1e-12));
        }
    }
    next.step();
    std::vector<double> still(static_cast<std::size_t>(m.nv), 0), turned(still), moved(still);
    const auto at = [](std::vector<double>& v) { return mjx::Span<double>{v.data(), static_cast<int>(v.size())}; };
    auto out = at(moved);
    for (int c = 0; c < m.nv; ++c) {
        const auto column = static_cast<std::size_t>(m.nv + c);
        for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = hybrid.A(i + turned.size(), column);
        mjx::integrate_position_derivative(m, d.qvel, h, at(still), at(turned), out);
        for (std::size_t i = 0; i < turned.size(); ++i) CHECK(hybrid.A(i, column) == Approx(moved[i]).epsilon(1e-11).margin(1e-12));
    }
}

// I a = -m g l sin(q) - b v + 3 u, with the damping implicit: (I + h b) a.
struct Pendulum {
    double m = 2, l = 0.5, inertia = 2 * 0.25 + 0.01, b = 0.1, g = 9.81, h = 0.002, q = 0.7, v = -1.3, u = 0.4;
    double reduced() const { return inertia + h * b; }
    double force() const { return -m * g * l * std::sin(q) - b * v + 3 * u; }

    template <class S>
    void prepare(S& sim) const {
        sim.qpos()[0] = q;
        sim.qvel()[0] = v;
        sim.ctrl()[0] = u;
    }
};

}  // namespace

TEST_CASE("A and B of a damped pendulum equal their closed form") {
    Sim<models::Pendulum> sim;
    const Pendulum p;
    p.prepare(sim);
    const auto [A, B, C, D] = mjx::derivatives(sim);
    const double by_q = -p.h * p.m * p.g * p.l * std::cos(p.q) / p.reduced();
    const double by_v = 1 - p.h * p.b / p.reduced(), by_u = 3 * p.h / p.reduced();
    CHECK(A(0, 0) == Approx(1 + p.h * by_q).epsilon(1e-13));
    CHECK(A(0, 1) == Approx(p.h * by_v).epsilon(1e-13));
    CHECK(A(1, 0) == Approx(by_q).epsilon(1e-13));
    CHECK(A(1, 1) == Approx(by_v).epsilon(1e-13));
    CHECK(B(0, 0) == Approx(p.h * by_u).epsilon(1e-13));
    CHECK(B(1, 0) == Approx(by_u).epsilon(1e-13));
    CHECK(C.size() + D.size() == 0);
    CHECK(sim.qpos()[0] == p.q);
}

TEST_CASE("A and B of a cart-pole equal their closed form") {
    Sim<models::Cartpole> sim;
    const double mc = 1.5, mp = 0.4, l = 0.6, inertia = 0.03 + mp * l * l, h = 0.005, g = 9.81;
    const double q = 0.8, w = 1.7, u = -0.3, s = std::sin(q), c = std::cos(q);
    sim.qpos()[1] = q;
    sim.qvel()[1] = w;
    sim.ctrl()[0] = u;
    // M a = f; differentiating, da = M^-1 (df - dM a)
    const double m01 = mp * l * c, det = (mc + mp) * inertia - m01 * m01;
    const auto solve = [&](double f0, double f1) { return std::pair{(inertia * f0 - m01 * f1) / det, ((mc + mp) * f1 - m01 * f0) / det}; };
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
    const mjx::Model model = mjx::cast<double>(models::Joints{});
    Sim<mjx::Model<double>> euler(model);
    stir(euler);
    check_against_differences(euler);
    Sim<models::Joints, mjx::RK4> rk4;
    stir(rk4);
    check_against_differences(rk4);
}

TEST_CASE("the hybrid's velocity columns are those written down by hand, for Euler and for implicit springs and dampers") {
    const auto euler = std::make_unique<Sim<models::Joints>>();
    stir(*euler);
    const auto& m = euler->model();
    check_velocity_columns(*euler, [&](int i) { return std::pair{double(m.dof_damping[i]), 0.0}; });
    const auto implicit = std::make_unique<Sim<models::Joints, mjx::ImplicitSpringDamper>>();
    stir(*implicit);
    check_velocity_columns(*implicit, [&](int i) { return std::pair{double(m.dof_damping[i]), double(m.jnt_stiffness[m.dof_jntid[i]])}; });
}

TEST_CASE("the hybrid takes positions from differences and all else from duals, and each way can be chosen when the program runs") {
    const auto sim = std::make_unique<Sim<models::Joints>>();
    stir(*sim);
    const auto exact = mjx::transition(*sim), hybrid = mjx::transition(*sim, {.method = mjx::Differentiation::hybrid, .eps = 1e-5});
    const auto differences = mjx::transition(*sim, {.method = mjx::Differentiation::differences, .eps = 1e-5, .centered = false});
    const auto nv = static_cast<std::size_t>(sim->model().nv);
    const auto centered = mjx::transition_fd(*sim, 1e-5), duals = mjx::derivatives_by_duals(*sim);
    for (std::size_t r = 0; r < 2 * nv; ++r)
        for (std::size_t c = 0; c < 2 * nv; ++c) CHECK(hybrid.A(r, c) == (c < nv ? centered.A(r, c) : duals.A(r, c)));
    CHECK(hybrid.B == duals.B);
    check_close(differences.A, exact.A, 1e-4);
    CHECK(differences.A != centered.A);
}

TEST_CASE("differences converge to the exact derivatives in second order, one-sided ones in first order") {
    const auto sim = std::make_unique<Sim<models::Joints>>();
    stir(*sim);
    CHECK(mjx::derivative_error(*sim) < 1e-8);
    CHECK(mjx::convergence_order(*sim) == Approx(2).margin(0.05));
    CHECK(mjx::convergence_order(*sim, 1e-3, false) == Approx(1).margin(0.05));
    // a wrong entry and a missing one are seen
    auto wrong = mjx::derivatives(*sim);
    const auto right = wrong;
    wrong.B(0, 0) += 0.5;
    CHECK(mjx::max_relative_error(wrong, right) == Approx(0.5));
    wrong.A(1, 1) = std::nan("");
    CHECK(std::isnan(mjx::max_relative_error(wrong, right)));
}

TEST_CASE("derivatives are finite and right at rest: no velocity, no rotation, identity quaternions") {
    const auto at_rest = std::make_unique<Sim<models::Joints>>();
    check_against_differences(*at_rest);
}

TEST_CASE("a kept DualDerivatives gives the same at every state, however many columns a pass has") {
    const auto sim = std::make_unique<Sim<models::Joints>>();
    mjx::DualDerivatives<Sim<models::Joints>, 5> kept(*sim);
    for (int k = 0; k < 3; ++k) {
        sim->step(10);
        const auto once = mjx::derivatives_by_duals<8>(*sim);
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
    sim.qfrc_applied()[0] = D::variable(0, 2);
    sim.step();
    const double r = p.reduced(), f = p.force();
    const D v = sim.qvel()[0];
    CHECK(v.value == Approx(p.v + p.h * f / r).epsilon(1e-14));
    CHECK(v.partial[0] == Approx(p.h * (-p.g * p.l * std::sin(p.q) * r - f * p.l * p.l) / (r * r)).epsilon(1e-12));
    CHECK(v.partial[1] == Approx(p.h * (-p.v * r - f * p.h) / (r * r)).epsilon(1e-12));
    CHECK(v.partial[2] == Approx(p.h / r).epsilon(1e-12));
    CHECK(v.partial[3] == Approx(p.h * (-p.m * p.g * std::sin(p.q) * r - f * 2 * p.m * p.l) / (r * r)).epsilon(1e-12));
}
