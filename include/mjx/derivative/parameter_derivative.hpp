// Gradients of a step by parameters of the model: masses, inertias, friction, damping, stiffness, gains, and whatever else has a number.
//
//     const mjx::Parameters tuned([](auto& m, const auto& p) {
//         mjx::set_mass(m, 2, p[0]);                             // body 2; the inertia with it
//         m.dof_damping[3] = m.dof_damping[4] = p[1];            // one number for two joints
//         mjx::set_constants(m);                                 // what follows from masses, poses and armatures
//     }, {5.0, 0.1});
//     const auto gradient = mjx::step_vjp(sim, weights, tuned);  // gradient.p beside gradient.x and gradient.u
// Parameters are a function that writes them into a model, with the values that the simulator's model has. The function is run on duals,
// once for every N of them; so what is computed from them, the inverse weights that soften contacts among it, is differentiated along. A
// step of duals then gives λᵀ dx'/dp for N parameters at a time, with every integrator, solver and hook.
#pragma once

#include "mjx/derivative/by_duals.hpp"
#include "mjx/model/cast.hpp"

#include <utility>
#include <vector>

namespace mjx::inner {

template <class F>
class Parameters {
  public:
    Parameters(F write, std::vector<double> values) : write_(std::move(write)), values_(std::move(values)) {}
    int size() const { return static_cast<int>(values_.size()); }
    double value(int k) const { return values_[static_cast<std::size_t>(k)]; }

    // The values into a model, of any scalar.
    template <class M, class P>
    void write(M& m, const P& values) const {
        write_(m, values);
    }

  private:
    F write_;
    std::vector<double> values_;
};

// Where there is nothing to differentiate by.
struct NoParameters {
    static constexpr int size() { return 0; }
};

template <class Sim, class P, int N = 7>
class ParameterDerivatives {
  public:
    using value_type = typename Sim::scalar;
    static_assert(std::floating_point<value_type>, "gradients by parameters need a simulator of float or double: they make the duals");

    ParameterDerivatives(const Sim& sim, const P& parameters) : count_(parameters.size()) {
        for (int first = 0; first < count_; first += N) {
            models_.push_back(cast<L, typename Sim::model_type::joints>(sim.model()));
            std::vector<L> values(static_cast<std::size_t>(count_));
            for (int k = 0; k < count_; ++k) {
                const auto value = static_cast<value_type>(parameters.value(k));
                values[static_cast<std::size_t>(k)] = k >= first && k < first + N ? L::variable(value, k - first) : L(value);
            }
            parameters.write(models_.back(), values);
        }
        if (count_ > 0) x_ = std::make_unique<Data<L, M>>(models_[0]);
    }
    int size() const { return count_; }

    // result[k] += Σ weights[r] ∂x'_r/∂p_k over the rows r of the next state, at the state and the controls of `sim`.
    void pull(const Sim& sim, const value_type* weights, value_type* result) {
        pull(sim, weights, result, [](const M&, const Data<L, M>&, const auto&) {});
    }
    // The same with what a cost (control/cost.hpp) of the state has of the parameters itself; that of the last state alone without weights.
    template <class Cost>
    void pull(const Sim& sim, const value_type* weights, value_type* result, const Cost& cost) {
        for (std::size_t pass = 0; pass < models_.size(); ++pass) {
            const M& m = models_[pass];
            auto& d = *x_;
            const int first = static_cast<int>(pass) * N, count = first + N < count_ ? N : count_ - first;
            copy_state(d, sim.data());
            step1<solver_of<typename Sim::integrator, typename Sim::solver>>(m, d, sim.hooks());
            cost(m, d, [&](const L& term) {
                for (int k = 0; k < count; ++k) result[first + k] += term.value * term.partial[k];
            });
            if (!weights) continue;
            step2<typename Sim::integrator, typename Sim::solver>(m, d, sim.hooks());
            const auto w = borrow<ColumnsWork>(m, d);
            for (int i = 0; i < m.nq; ++i) w->qpos[i] = L(d.qpos[i].value);
            differentiate_pos(m, w->dq, d.qpos, w->qpos);
            for (int r = 0; r < state_columns(m); ++r)
                for (int k = 0; k < count; ++k) result[first + k] += weights[r] * stepped(m, d, w->dq, r).partial[k];
        }
    }

  private:
    using L = dual<value_type, N>;
    using M = Model<L, typename Sim::model_type::joints>;
    int count_;
    std::vector<M> models_{};
    std::unique_ptr<Data<L, M>> x_{};
};

// Nothing, at no cost.
template <class Sim, int N>
class ParameterDerivatives<Sim, NoParameters, N> {
  public:
    ParameterDerivatives(const Sim&, const NoParameters&) {}
    static constexpr int size() { return 0; }
    template <class... A>
    void pull(const A&...) {}
};

}  // namespace mjx::inner
