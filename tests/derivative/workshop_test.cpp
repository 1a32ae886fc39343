// Derivatives of a step with tendons, activations of every kind, equalities, and contacts of meshes and a height field.
//
// Contacts of meshes are smooth only piece by piece: where a corner of a patch comes or goes the step has a kink, and its differences
// to the two sides are not the same. Only there they may differ from the derivative.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/derivative/transition.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/solver/newton.hpp"

#include <algorithm>
#include <vector>

namespace {

using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;

// The next state of (x, u) with column c changed by `change`, measured from that of `middle`.
std::vector<double> moved(const Sim& sim, const Sim& middle, int c, double change) {
    auto to = std::make_unique<Sim>(sim);
    const auto& m = sim.model();
    auto& d = to->data();
    mjx::vary(m, d, c, c + 1, [&](int) { return change; });
    to->step();
    std::vector<double> x(static_cast<std::size_t>(2 * m.nv + m.na));
    mjx::differentiate_pos(m, d.work_nv, d.qpos, middle.data().qpos);
    for (int i = 0; i < m.nv; ++i) x[static_cast<std::size_t>(i)] = d.work_nv[i];
    for (int i = 0; i < m.nv; ++i) x[static_cast<std::size_t>(m.nv + i)] = d.qvel[i] - middle.data().qvel[i];
    for (int i = 0; i < m.na; ++i) x[static_cast<std::size_t>(2 * m.nv + i)] = d.act[i] - middle.data().act[i];
    return x;
}

void check_derivatives(const Sim& sim) {
    const double h = 1e-6;
    const auto& m = sim.model();
    auto exact = mjx::derivatives(sim);
    const auto middle = std::make_unique<Sim>(sim);
    middle->step();
    const int rows = 2 * m.nv + m.na, columns = rows + m.nu;
    int kinks = 0;
    for (int c = 0; c < columns; ++c) {
        const auto up = moved(sim, *middle, c, h), down = moved(sim, *middle, c, -h);
        double bend = 0, most = 1;
        for (std::size_t i = 0; i < up.size(); ++i) {
            bend = std::max(bend, std::abs(up[i] + down[i]) / h);
            most = std::max(most, std::abs(up[i] - down[i]) / (2 * h));
        }
        const bool kink = bend > 1e-3 * most;
        kinks += kink;
        for (int r = 0; r < rows; ++r) {
            INFO("row " << r << ", column " << c);
            const auto i = static_cast<std::size_t>(r);
            const double derivative = mjx::transition_entry(exact, m, r, c);
            CHECK(std::isfinite(derivative));
            if (!kink) CHECK(derivative == Approx((up[i] - down[i]) / (2 * h)).epsilon(1e-5).margin(1e-5));
        }
    }
    CHECK(kinks <= columns / 10);
}

}  // namespace

TEST_CASE("derivatives with tendons, activations, equalities and contacts of meshes equal differences, at rest and in motion") {
    auto model = load_scene("workshop");
    model.opt.tolerance = 0;  // differences see where the solver stops
    model.opt.ls_tolerance = 1e-10;
    const auto sim = std::make_unique<Sim>(model);
    // away from zero, where a muscle's activation has a kink
    for (int i = 0; i < model.na; ++i) sim->act()(i) = 0.2;
    for (int i = 0; i < model.nu; ++i) sim->ctrl()(i) = 0.1;
    check_derivatives(*sim);
    for (const int steps : {20, 70}) {
        sim->step(steps);
        CHECK(sim->data().ncon[0] > 5);
        check_derivatives(*sim);
    }
}
