// Derivatives of a step with tendons, activations of every kind, equalities, and contacts of meshes and a height field.
#include "catch.hpp"

#include "workshop.hpp"

#include "mjx/derivative/transition.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/solver/newton.hpp"

namespace {

using M = models::Workshop;
using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton, M>;

// Entries of x or u that do not belong to the bodies that lie around: contacts of meshes are smooth only piece by piece.
bool mounted(int i) {
    constexpr int first = M::jnt_dofadr[M::joint("shoulder")];
    return i >= 2 * M::nv || i % M::nv >= first;
}

void check_derivatives(const Sim& sim) {
    auto exact = mjx::derivatives(sim), differences = mjx::transition_fd(sim);
    constexpr int rows = 2 * M::nv + M::na;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < rows + M::nu; ++c) {
            INFO("row " << r << ", column " << c);
            const double derivative = mjx::transition_entry(exact, M{}, r, c);
            CHECK(std::isfinite(derivative));
            if (mounted(r) && mounted(c)) CHECK(derivative == Approx(mjx::transition_entry(differences, M{}, r, c)).epsilon(1e-5).margin(1e-5));
        }
}

}  // namespace

TEST_CASE("derivatives with tendons, activations and equalities equal central differences, at rest and in motion") {
    const auto sim = std::make_unique<Sim>();
    // away from zero, where a muscle's activation has a kink
    for (int i = 0; i < M::na; ++i) sim->act()(i) = 0.2;
    for (int i = 0; i < M::nu; ++i) sim->ctrl()(i) = 0.1;
    check_derivatives(*sim);
    sim->step(50);
    CHECK(sim->data().ncon[0] > 0);
    check_derivatives(*sim);
}
