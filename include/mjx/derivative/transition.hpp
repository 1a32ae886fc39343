// Derivatives of one step, A = dx'/dx, B = dx'/du, C = dy/dx and D = dy/du (columns.hpp says what x, u and y are), four ways:
//
//     derivatives(sim)                       exact: analytic, by dual numbers where need be (exact.hpp)
//     derivatives_by_duals(sim)              exact, by dual numbers alone (by_duals.hpp)
//     transition_fd(sim, eps, centered)      differences of steps, for any hooks (finite_difference.hpp)
//     transition_hybrid(sim, eps, centered)  differences for the columns of the position, exact for velocity, activation and control
//     transition(sim, {.method = ...})       the one asked for when the program runs
// At a fixed position the set of contacts is fixed and the step is smooth in all else; as a position moves, contacts are made and broken.
// The hybrid looks at those events with differences of the width asked for, and spends no differences elsewhere. Its exact columns are
// what one writes down by hand: without constraints dv'/dv = I + h M⁻¹ qDeriv for Euler, (M + hD + h²K)⁻¹ (M + h (qDeriv + D)) for
// ImplicitSpringDamper; but they hold for every integrator, with constraints and muscles too.
#pragma once

#include "mjx/derivative/exact.hpp"
#include "mjx/derivative/finite_difference.hpp"

namespace mjx::inner {

// A, B, C and D with the columns of the position by differences, the others N at a time by dual numbers.
template <int N = 7, class Sim, class T = typename Sim::scalar>
Transition<T> transition_hybrid(const Sim& sim, std::type_identity_t<T> eps = difference_eps_v<T>, bool centered = true) {
    const auto& m = sim.model();
    auto result = make_transition<T>(m);
    fill_differences(sim, 0, m.nv, eps, centered, result);
    DualDerivatives<Sim, N>(sim).fill(sim, m.nv, transition_columns(m), result);
    return result;
}

enum class Differentiation { exact, hybrid, differences };

template <class T>
struct TransitionOptions {
    Differentiation method = Differentiation::exact;
    T eps = difference_eps_v<T>;  // of the differences, if any
    bool centered = true;
};

template <class Sim, class T = typename Sim::scalar>
Transition<T> transition(const Sim& sim, const std::type_identity_t<TransitionOptions<T>>& options = {}) {
    if (options.method == Differentiation::differences) return transition_fd(sim, options.eps, options.centered);
    if (options.method == Differentiation::hybrid) return transition_hybrid(sim, options.eps, options.centered);
    return derivatives(sim);
}

}  // namespace mjx::inner
