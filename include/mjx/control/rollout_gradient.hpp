// The gradient of a trajectory's cost by its controls and by the state it starts from, backwards through the steps.
//
//     const auto gradient = mjx::rollout_gradient(sim, controls, cost);       // controls of shape (step, nu)
//     gradient.cost, gradient.by_controls(t, u), gradient.by_state(i)
//     const auto tuned = mjx::rollout_gradient(sim, controls, cost, parameters);    // tuned.by_parameters(k), too
// Parameters of the model are those of derivative/parameter_derivative.hpp.
// λ(t) = l_x + Aᵀ λ(t + 1): one product from the left for each step (derivative/vjp.hpp), no A and no B. The states on the way are kept;
// with `checkpoints` only every so many, and those between are computed again. Costs are those of control/cost.hpp.
#pragma once

#include "mjx/control/cost.hpp"
#include "mjx/data/state.hpp"
#include "mjx/derivative/vjp.hpp"

#include <vector>

namespace mjx::inner {

template <class T>
struct RolloutGradient {
    T cost;
    Matrix<T> by_controls;  // (step, nu)
    Vector<T> by_state;  // (2 nv + na)
    Vector<T> by_parameters;  // as many as there are, in their order
};

// One that is kept does not make its memory again.
template <class Sim, class P = NoParameters>
class RolloutDifferentiation {
  public:
    using T = typename Sim::scalar;

    explicit RolloutDifferentiation(const Sim& sim, const P& parameters = {})
        : sim_(sim), derivatives_(sim, false), by_parameters_(sim, parameters), cost_(sim.model()) {}

    template <class Cost>
    RolloutGradient<T> operator()(const Sim& from, const Matrix<T>& controls, const Cost& cost, int checkpoints = 1) {
        const int steps = static_cast<int>(controls.shape(0)), n = state_columns(sim_.model()), nu = sim_.model().nu;
        const auto vector = [](int size) { return Vector<T>::from_shape({static_cast<std::size_t>(size)}); };
        RolloutGradient<T> result{T(0), Matrix<T>::from_shape(controls.shape()), vector(n), vector(by_parameters_.size())};
        result.by_parameters.fill(T(0));
        // of the cost of the simulator's state and, through the next state's weights, of all that follows
        const auto pull_parameters = [&](const T* weights) {
            by_parameters_.pull(sim_, weights, result.by_parameters.data(),
                                [&](const auto& m, const auto& d, const auto& term) { cost(m, d, weights == nullptr, term); });
        };
        State<T>(from.data()).restore(sim_.data());
        states_.clear();
        for (int t = 0; t < steps; ++t) {
            if (t % checkpoints == 0) states_.emplace_back(sim_.data());
            advance_with(controls, t);
        }
        result.cost = cost_(cost, sim_.model(), sim_.data(), true);
        pull_parameters(nullptr);
        std::vector<T> weights(cost_.gradient.begin(), cost_.gradient.begin() + n), pulled(static_cast<std::size_t>(n + nu));
        for (int t = steps - 1; t >= 0; --t) {
            visit(t, controls, checkpoints);
            result.cost += cost_(cost, sim_.model(), sim_.data(), false);
            pull_parameters(weights.data());
            derivatives_.pull(sim_, weights.data(), pulled.data());
            for (int c = 0; c < n + nu; ++c) pulled[static_cast<std::size_t>(c)] += cost_.gradient[c];
            std::copy(pulled.begin(), pulled.begin() + n, weights.begin());
            std::copy(pulled.begin() + n, pulled.end(), &result.by_controls(static_cast<std::size_t>(t), 0));
        }
        std::copy(weights.begin(), weights.end(), result.by_state.begin());
        return result;
    }

  private:
    Sim sim_;
    TransitionDerivatives<Sim> derivatives_;
    ParameterDerivatives<Sim, P> by_parameters_;
    CostDerivatives<T, typename Sim::model_type> cost_;
    std::vector<State<T>> states_{}, between_{};

    void set_controls(const Matrix<T>& controls, int t) {
        for (int u = 0; u < sim_.model().nu; ++u) sim_.ctrl()[u] = controls(static_cast<std::size_t>(t), static_cast<std::size_t>(u));
    }
    void advance_with(const Matrix<T>& controls, int t) {
        set_controls(controls, t);
        sim_.step();
    }
    // The state before step t, with its controls. Those of a segment between checkpoints are made when its last is asked for.
    void visit(int t, const Matrix<T>& controls, int checkpoints) {
        const int segment = t / checkpoints, first = segment * checkpoints;
        if (checkpoints > 1 && (t == static_cast<int>(controls.shape(0)) - 1 || t == first + checkpoints - 1)) {
            between_.clear();
            states_[static_cast<std::size_t>(segment)].restore(sim_.data());
            for (int k = first; k <= t; ++k) {
                between_.emplace_back(sim_.data());
                if (k < t) advance_with(controls, k);
            }
        }
        const auto& states = checkpoints > 1 ? between_ : states_;
        states[static_cast<std::size_t>(checkpoints > 1 ? t - first : t)].restore(sim_.data());
        set_controls(controls, t);
    }
};

template <class Sim, class Cost, class T = typename Sim::scalar>
RolloutGradient<T> rollout_gradient(const Sim& sim, const Matrix<std::type_identity_t<T>>& controls, const Cost& cost,
                                    int checkpoints = 1) {
    return RolloutDifferentiation<Sim>(sim)(sim, controls, cost, checkpoints);
}
template <class Sim, class Cost, class F, class T = typename Sim::scalar>
RolloutGradient<T> rollout_gradient(const Sim& sim, const Matrix<std::type_identity_t<T>>& controls, const Cost& cost,
                                    const Parameters<F>& parameters, int checkpoints = 1) {
    return RolloutDifferentiation<Sim, Parameters<F>>(sim, parameters)(sim, controls, cost, checkpoints);
}

}  // namespace mjx::inner
