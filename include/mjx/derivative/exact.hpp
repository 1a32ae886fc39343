// Exact derivatives of a step: analytic ones, and dual numbers where the model has something these do not cover.
//
//     const auto [A, B, C, D] = mjx::derivatives(sim);
// Reads the state and the inputs of the simulator and leaves it as it is. To differentiate again and again, as a controller does, keep
// a TransitionDerivatives: it holds a simulator and the memory. Hooks, and the sensors of C and D, go through duals (by_duals.hpp).
//
// What a derivative means where the step has kinks: contacts are those of the state, rows keep the zone they end in. A contact that is
// about to be made is not felt before it is there, with its margin; one about to break is felt as it is. At a kink itself (a row of exactly
// no force, a control at the end of its range) it is the derivative to one side. To see beyond, give contacts a margin or soften their
// impedance (solimp with a wide width), or take differences with an eps of that size (finite_difference.hpp).
#pragma once

#include "mjx/derivative/by_duals.hpp"
#include "mjx/derivative/implicit_derivative.hpp"

namespace mjx::inner {

template <class Integrator, class S, class M>
concept has_step_derivative = requires { sizeof(StepDerivative<Integrator, S, M>); };

// What a simulator is made of.
template <class Sim>
struct SimulatorParts;
template <class S, class I, class C, class M, class H>
struct SimulatorParts<Simulator<S, I, C, M, H>> {
    using integrator = I;
    using solver = solver_of<I, C>;
    // its accelerations, unless the integrator has a part in them
    static constexpr bool differentiable = std::is_same_v<H, no_hooks> && C::minimizes_cost && std::is_same_v<solver, C>;
    static constexpr bool analytic = has_step_derivative<I, S, typename Simulator<S, I, C, M, H>::model_type> && differentiable;
};

// The state of `sim` with its accelerations, in `to`.
template <class Sim>
void take_forward(const Sim& sim, Sim& to) {
    using Solver = typename SimulatorParts<Sim>::solver;
    copy_state(to.data(), sim.data());
    step1<Solver>(to.model(), to.data());
    forward_acceleration<Solver>(to.model(), to.data(), no_hooks{});
}

template <class Sim, int N = 7>
class TransitionDerivatives {
  public:
    using value_type = typename Sim::scalar;
    // The model is copied as it is now. Without `sensors` C and D are left out.
    explicit TransitionDerivatives(const Sim& sim, bool sensors = true) : result_(make_transition<value_type>(sim.model())) {
        if constexpr (Parts::analytic)
            if (covered(sim.model())) {
                plain_ = std::make_unique<Sim>(sim);
                step_ = std::make_unique<Step>(plain_->model(), plain_->data());
            }
        if constexpr (needs_duals)
            if (!step_ || (sensors && sim.model().nsensordata > 0)) duals_ = std::make_unique<DualDerivatives<Sim, N>>(sim);
    }

    // Whether A and B are analytic.
    bool is_analytic() const { return step_ != nullptr; }

    // A, B, C and D at the state and control of `sim`; valid until the next call.
    const Transition<value_type>& operator()(const Sim& sim) {
        if constexpr (needs_duals)
            if (duals_) duals_->fill(sim, 0, transition_columns(sim.model()), result_);
        if constexpr (Parts::analytic)
            if (step_) differentiate(sim);
        return result_;
    }

    // weightsᵀ A and weightsᵀ B, one after the other into `result`: of Euler's step without A and B, by the transposed solution.
    void pull(const Sim& sim, const value_type* weights, value_type* result) {
        const int n = state_columns(sim.model()), columns = transition_columns(sim.model());
        if constexpr (requires { &Step::template pull<typename Sim::data_type>; })
            if (step_) {
                take_forward(sim, *plain_);
                return step_->pull(plain_->model(), plain_->data(), weights, result);
            }
        (*this)(sim);
        for (int c = 0; c < columns; ++c) {
            result[c] = value_type(0);
            for (int r = 0; r < n; ++r) result[c] += weights[r] * transition_entry(result_, sim.model(), r, c);
        }
    }

  private:
    using Parts = SimulatorParts<Sim>;
    using Solver = typename Parts::solver;
    using M = typename Sim::model_type;
    struct None {};
    using Step = typename std::conditional_t<
        Parts::analytic, std::type_identity<StepDerivative<typename Parts::integrator, value_type, typename Sim::model_type>>,
        std::type_identity<None>>::type;

    static constexpr bool covered(const auto& m) { return has_analytic_derivatives(m) && Step::covers(m); }
    // A fixed model of which all is analytic compiles no step on duals.
    static constexpr bool find_need() {
        if constexpr (M::is_fixed && Parts::analytic)
            return M::nsensordata > 0 || !covered(constants_t<M>{});
        else
            return true;
    }
    static constexpr bool needs_duals = find_need();

    Transition<value_type> result_;
    std::unique_ptr<Sim> plain_;
    std::unique_ptr<Step> step_;
    std::unique_ptr<std::conditional_t<needs_duals, DualDerivatives<Sim, N>, None>> duals_;

    void differentiate(const Sim& sim) {
        const auto& m = plain_->model();
        auto& d = plain_->data();
        take_forward(sim, *plain_);
        (*step_)(m, d, [](const M& model, typename Sim::data_type& data) {
            forward_position<Solver>(model, data, no_hooks{});
            forward_velocity<Solver>(model, data, no_hooks{});
            forward_acceleration<Solver>(model, data, no_hooks{});
        });
        const int n = state_columns(m);
        const RowMajor<value_type> rows = step_->rows();
        for (int r = 0; r < n; ++r) {
            for (int c = 0; c < n; ++c) result_.A.data()[r * n + c] = rows(r, c);
            for (int c = 0; c < m.nu; ++c) result_.B.data()[r * m.nu + c] = rows(r, n + c);
        }
    }
};

// A, B, C and D.
template <class Sim>
Transition<typename Sim::scalar> derivatives(const Sim& sim) {
    return TransitionDerivatives<Sim>(sim)(sim);
}

}  // namespace mjx::inner
