// Exact derivatives of a step by dual numbers: passes of the same step, each with N columns as partial derivatives.
//
//     const auto [A, B, C, D] = mjx::derivatives_by_duals(sim);
// Reads the state and the inputs of the simulator and leaves it as it is. Whatever the step does is differentiated, so this is the way
// for physics that have no derivative of their own (exact.hpp), and the referee of those that have. Hooks must be written for a generic
// data.
#pragma once

#include "mjx/derivative/columns.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/simulator.hpp"

#include <memory>

namespace mjx::inner {

// The same simulator for the scalar D, in its state at rest.
template <class D, class Sim>
auto make_dual_simulator(const Sim& sim) {
    using Dual = typename Sim::template rebind<D>;
    if constexpr (Sim::model_type::is_fixed) {
        auto made = std::make_unique<Dual>(sim.hooks());
        if constexpr (std::is_same_v<typename Sim::model_type, typename Dual::model_type>)
            made->model() = sim.model();  // tables of its own
        return made;
    } else {
        return std::make_unique<Dual>(sim.model(), sim.hooks());
    }
}

// N = 7 by default: a double and its seven derivatives fill a cache line.
template <class Sim, int N = 7>
class DualDerivatives {
  public:
    using value_type = typename Sim::scalar;
    using dual_type = dual<value_type, N>;

    // The model is copied as it is now.
    explicit DualDerivatives(const Sim& sim)
        : dual_(make_dual_simulator<dual_type>(sim)), result_(make_transition<value_type>(sim.model())) {}

    // A, B, C and D at the state and control of `sim`; valid until the next call.
    const Transition<value_type>& operator()(const Sim& sim) {
        fill(sim, 0, transition_columns(dual_->model()), result_);
        return result_;
    }

    // Columns first..last-1 of `result` alone.
    void fill(const Sim& sim, int first, int last, Transition<value_type>& result) {
        for (int c = first; c < last; c += N) pass(sim, c, c + N < last ? c + N : last, result);
    }

  private:
    using Dual = typename Sim::template rebind<dual_type>;
    std::unique_ptr<Dual> dual_;
    Transition<value_type> result_;

    // One step in which columns first..last-1 are the variables.
    void pass(const Sim& sim, int first, int last, Transition<value_type>& result) {
        vary_state(dual_->model(), dual_->data(), sim.data(), first, last);
        dual_->step();
        take_columns(dual_->model(), dual_->data(), first, last, result);
    }
};

// A, B, C and D by dual numbers, N columns in each pass.
template <int N = 7, class Sim>
Transition<typename Sim::scalar> derivatives_by_duals(const Sim& sim) {
    return DualDerivatives<Sim, N>(sim)(sim);
}

}  // namespace mjx::inner
