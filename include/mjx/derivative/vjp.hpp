// Products with the derivatives of a step from the left, as gradients need them: λᵀ A and λᵀ B for weights λ of the next state.
//
//     const auto [x, u] = mjx::step_vjp(sim, weights);       // the gradient of weights · x' by the state and by the controls
//     const auto [x, u, p] = mjx::step_vjp(sim, weights, parameters);       // and by parameters (parameter_derivative.hpp)
// Keep a TransitionDerivatives and call its pull() to do so again and again.
#pragma once

#include "mjx/derivative/exact.hpp"
#include "mjx/derivative/parameter_derivative.hpp"

namespace mjx::inner {

template <class T>
struct StepGradient {
    Vector<T> x;  // (2 nv + na)
    Vector<T> u;  // (nu)
};

template <class Sim, class T = typename Sim::scalar>
StepGradient<T> step_vjp(const Sim& sim, const Vector<std::type_identity_t<T>>& weights) {
    const int n = state_columns(sim.model()), nu = sim.model().nu;
    Array<T> result;
    result.resize(n + nu);
    TransitionDerivatives<Sim>(sim, false).pull(sim, weights.data(), result.data());
    StepGradient<T> gradient{Vector<T>::from_shape({static_cast<std::size_t>(n)}), Vector<T>::from_shape({static_cast<std::size_t>(nu)})};
    for (int c = 0; c < n + nu; ++c) (c < n ? gradient.x.data()[c] : gradient.u.data()[c - n]) = result[c];
    return gradient;
}

template <class T>
struct StepParameterGradient {
    Vector<T> x, u;
    Vector<T> p;  // by the parameters, in their order
};

template <class Sim, class F, class T = typename Sim::scalar>
StepParameterGradient<T> step_vjp(const Sim& sim, const Vector<std::type_identity_t<T>>& weights, const Parameters<F>& parameters) {
    auto [x, u] = step_vjp(sim, weights);
    StepParameterGradient<T> gradient{std::move(x), std::move(u), Vector<T>::from_shape({static_cast<std::size_t>(parameters.size())})};
    gradient.p.fill(T(0));
    ParameterDerivatives<Sim, Parameters<F>>(sim, parameters).pull(sim, weights.data(), gradient.p.data());
    return gradient;
}

}  // namespace mjx::inner
