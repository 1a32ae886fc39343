// Planning by trying: many trajectories with controls near the present plan, side by side in a Batch (batch/batch.hpp).
//
//     auto plan = mjx::sampling<mjx::pack<float>, mjx::Euler, mjx::Newton>(model, cost, {.horizon = 50, .samples = 128});
//     plan.improve(mjx::State(sim.data()));
//     sim.ctrl()[0] = plan.controls()(0, 0);
// With a temperature λ the new plan is the mean of all samples weighted by exp(-(cost - least)/λ), relative to the spread of the costs:
// model predictive path integral control, MPPI (Williams et al. 2017). With temperature 0 it is the best sample: predictive sampling
// (Howell et al. 2022). One of the samples is the present plan. Noise is drawn for a few moments of the horizon and held or drawn on a line
// in between. The cost (control/cost.hpp) is run on the lanes of packs, so it must be written for every scalar.
#pragma once

#include "mjx/batch/batch.hpp"
#include "mjx/control/cost.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace mjx::inner {

struct SamplingOptions {
    int horizon = 50;
    int samples = 64;
    int knots = 8;  // moments at which noise is drawn
    double noise = 0.3;  // its size, relative to half the range of a control, or absolute where there is none
    double temperature = 0.1;  // relative to the spread of the costs; 0: the best sample
    int threads = 0;
    unsigned seed = 1;
};

template <class S, class Integrator, class Solver, class M, class Cost>
class Sampling {
  public:
    using T = lane_t<S>;

    template <class Given>
    Sampling(const Given& model, Cost cost, const SamplingOptions& options = {})
        : cost_(std::move(cost)),
          options_(options),
          batch_(model, options.samples, options.threads),
          random_(options.seed),
          nu_(batch_.model().nu),
          controls_(Matrix<T>::from_shape({index(options.horizon), index(nu_)})),
          tries_(Tensor3<T>::from_shape({index(options.samples), index(options.horizon), index(nu_)})),
          costs_(index(options.samples)) {
        controls_.fill(T(0));
    }

    Matrix<T>& controls() { return controls_; }  // (step, nu)
    T cost() const { return least_; }  // of the best sample of the last improve()
    const std::vector<T>& costs() const { return costs_; }

    // Draws samples, runs them from the state given and makes the plan of the next.
    void improve(const State<T>& state) {
        draw();
        batch_.set_state(state);
        std::fill(costs_.begin(), costs_.end(), T(0));
        batch_.rollout(tries_, [&](int block, int t, const auto& d) {
            const S value = evaluate_cost(cost_, batch_.model(), d, t == options_.horizon);
            for (int k = 0; k < lanes_v<S> && block * lanes_v<S> + k < options_.samples; ++k)
                costs_[index(block * lanes_v<S> + k)] += lane(value, k);
        });
        choose();
    }
    // The plan one step later.
    void shift() {
        for (int t = 0; t + 1 < options_.horizon; ++t)
            for (int u = 0; u < nu_; ++u) controls_(index(t), index(u)) = controls_(index(t + 1), index(u));
    }

  private:
    Cost cost_;
    SamplingOptions options_;
    Batch<S, Integrator, Solver, M> batch_;
    std::mt19937 random_;
    int nu_;
    Matrix<T> controls_;
    Tensor3<T> tries_;
    std::vector<T> costs_;
    T least_ = T(0);

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    void draw() {
        const auto& m = batch_.model();
        std::normal_distribution<double> normal;
        std::vector<double> knots(index(std::max(options_.knots, 2)));
        for (int e = 0; e < options_.samples; ++e)
            for (int u = 0; u < nu_; ++u) {
                const bool limited = m.actuator_ctrllimited[u];
                const double low = lane(S(m.actuator_ctrlrange[u][0]), 0), high = lane(S(m.actuator_ctrlrange[u][1]), 0);
                for (double& knot : knots) knot = e == 0 ? 0 : normal(random_) * options_.noise * (limited ? (high - low) / 2 : 1);
                for (int t = 0; t < options_.horizon; ++t) {
                    const double at = t * double(knots.size() - 1) / options_.horizon;
                    const auto k = static_cast<std::size_t>(at);
                    const double noise = knots[k] + (knots[k + 1] - knots[k]) * (at - std::floor(at));
                    const double control = controls_(index(t), index(u)) + noise;
                    tries_(index(e), index(t), index(u)) = static_cast<T>(limited ? std::clamp(control, low, high) : control);
                }
            }
    }
    void choose() {
        for (T& cost : costs_)
            if (!isfinite(cost)) cost = std::numeric_limits<T>::max();
        const std::size_t best = index(static_cast<int>(std::min_element(costs_.begin(), costs_.end()) - costs_.begin()));
        least_ = costs_[best];
        // the spread of the better half, which a few failures do not blow up
        std::vector<T> sorted = costs_;
        std::nth_element(sorted.begin(), sorted.begin() + options_.samples / 2, sorted.end());
        const double scale = options_.temperature * double(sorted[index(options_.samples / 2)] - least_);
        std::vector<double> weights(costs_.size(), 0);
        double sum = 0;
        for (std::size_t e = 0; e < costs_.size(); ++e)
            sum += weights[e] = scale > 0 ? std::exp(-double(costs_[e] - least_) / scale) : e == best ? 1 : 0;
        controls_.fill(T(0));
        for (std::size_t e = 0; e < costs_.size(); ++e)
            for (int t = 0; t < options_.horizon && weights[e] > 0; ++t)
                for (int u = 0; u < nu_; ++u)
                    controls_(index(t), index(u)) += static_cast<T>(weights[e] / sum) * tries_(e, index(t), index(u));
    }
};

template <class S, class Integrator, class Solver, class M, class Cost>
Sampling<S, Integrator, Solver, M, Cost> sampling(const M& model, Cost cost, const SamplingOptions& options = {}) {
    return Sampling<S, Integrator, Solver, M, Cost>(model, std::move(cost), options);
}

}  // namespace mjx::inner
