// Exact derivatives of a step: the cart-pole linearized about its upright position, dual numbers beside finite differences.
// To watch the cart-pole: bash examples/view.sh tests/models/cartpole.xml
#include "cartpole.hpp"

#include "mjx/derivatives.hpp"
#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"

#include <cstdio>

int main() {
    auto sim = mjx::simulator<mjx::RK4, mjx::Newton, models::Cartpole>();
    const auto exact = mjx::derivatives(sim);
    const auto differences = mjx::transition_fd(sim);
    std::printf("A = dx'/dx for x = (cart, pole, their velocities), by dual numbers and by differences:\n");
    for (std::size_t r = 0; r < exact.A.shape(0); ++r) {
        for (std::size_t c = 0; c < exact.A.shape(1); ++c) std::printf(" %12.9f", exact.A(r, c));
        std::printf("   |");
        for (std::size_t c = 0; c < exact.A.shape(1); ++c) std::printf(" %12.9f", differences.A(r, c));
        std::printf("\n");
    }
    std::printf("B = dx'/du:\n");
    for (std::size_t r = 0; r < exact.B.shape(0); ++r) std::printf(" %12.9f   | %12.9f\n", exact.B(r, 0), differences.B(r, 0));
}
