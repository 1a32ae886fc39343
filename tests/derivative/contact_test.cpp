// Derivatives of a step with contacts: between the moments when a contact is made or broken the step is smooth.
#include "catch.hpp"

#include "cheetah.hpp"

#include "mjx/derivative/transition.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/solver/newton.hpp"

TEST_CASE("A and B of a runner standing on the ground equal central differences") {
    using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton, models::Cheetah>;
    const auto sim = std::make_unique<Sim>();
    for (int i = 0; i < models::Cheetah::nu; ++i) sim->ctrl()[i] = 0.05 * (i % 3);
    sim->step(100);
    REQUIRE(sim->data().ncon > 0);
    const auto exact = mjx::derivatives(*sim), differences = mjx::transition_fd(*sim);
    for (std::size_t i = 0; i < exact.A.shape(0); ++i) {
        for (std::size_t j = 0; j < exact.A.shape(1); ++j) CHECK(exact.A(i, j) == Approx(differences.A(i, j)).epsilon(1e-5).margin(1e-5));
        for (std::size_t j = 0; j < exact.B.shape(1); ++j) CHECK(exact.B(i, j) == Approx(differences.B(i, j)).epsilon(1e-5).margin(1e-5));
    }
}
