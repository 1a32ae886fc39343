// Differential dynamic programming with controls in a box: the iterative linear-quadratic regulator (Tassa, Mansard and Todorov 2014).
//
//     mjx::ILQR plan(sim, cost, 50);                     // the cost of control/cost.hpp over 50 steps
//     while (plan.improve(sim)) {}                       // from the state of sim on
//     sim.ctrl()[0] = plan.controls()(0, 0);
// Each iteration linearizes the steps of the present trajectory (derivative/exact.hpp), goes back through them with the value function
// (backward_pass.hpp) and forward again with u + α k + K (x ⊖ x̄) for the largest α that lowers the cost. Where no α helps, controls are
// made dearer by a multiple of the identity. Limits are the model's ctrlrange.
#pragma once

#include "mjx/control/backward_pass.hpp"
#include "mjx/control/cost.hpp"
#include "mjx/data/state.hpp"
#include "mjx/derivative/exact.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace mjx::inner {

template <class Sim, class Cost>
class ILQR {
  public:
    using T = typename Sim::scalar;
    static_assert(std::floating_point<T>, "ILQR plans for one environment: it needs a simulator of float or double");

    ILQR(const Sim& sim, Cost cost, int horizon)
        : cost_(std::move(cost)),
          sim_(sim),
          derivatives_(sim, false),
          cost_derivatives_(sim.model()),
          n_(state_columns(sim.model())),
          nu_(sim.model().nu),
          horizon_(horizon),
          back_(n_, nu_) {
        if constexpr (!Sim::model_type::is_fixed) sim_.model().opt.disableflags |= disable::autoreset;
        sim_.on_warning([](const auto&) {});
        const auto size = [](int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); };
        const int c = n_ + nu_;
        for (auto* path : {&now_, &next_}) {
            path->controls = Matrix<T>::from_shape({static_cast<std::size_t>(horizon), static_cast<std::size_t>(nu_)});
            path->controls.fill(T(0));
            path->states.resize(size(horizon + 1, 1));
            path->x.resize(size(horizon + 1, sim.model().nq + n_));
        }
        F_.resize(size(horizon * n_, c));
        l_.resize(size(horizon + 1, c));
        L_.resize(size((horizon + 1) * c, c));
        gain_.resize(size(horizon * nu_, n_));
        push_.resize(size(horizon, nu_));
        dx_.resize(n_);
    }

    Matrix<T>& controls() { return now_.controls; }  // (step, nu)
    T cost() const { return now_.cost; }
    const State<T>& state(int t) const { return now_.states[static_cast<std::size_t>(t)]; }
    // K of step t, (nu, 2 nv + na) by rows: u = controls + K (x ⊖ x̄).
    const T* gain(int t) const { return gain_.data() + static_cast<std::ptrdiff_t>(t) * nu_ * n_; }

    // One iteration for trajectories from the state of `from`. Says whether the cost fell by more than the share `enough` of it.
    bool improve(const Sim& from, T enough = T(1e-6)) {
        now_.states[0] = State<T>(from.data());
        roll(now_, T(0), now_);
        differentiate();
        for (int attempt = 0; attempt < 12; ++attempt) {
            if (go_back())
                for (T alpha(1); alpha > T(0.002); alpha *= T(0.5)) {
                    roll(now_, alpha, next_);
                    if (!(next_.cost < now_.cost)) continue;
                    const bool worth = now_.cost - next_.cost > enough * now_.cost;
                    std::swap(now_, next_);
                    dearer_ = alpha > T(0.4) ? dearer_ * T(0.25) : dearer_;
                    if (dearer_ < T(1e-8)) dearer_ = T(0);
                    return worth;
                }
            dearer_ = std::max(dearer_ * 8, T(1e-4));
        }
        return false;
    }
    // The plan one step later, for the next state of a controller that plans at every step.
    void shift() {
        for (int t = 0; t + 1 < horizon_; ++t)
            for (int u = 0; u < nu_; ++u) now_.controls(index(t), index(u)) = now_.controls(index(t + 1), index(u));
    }

  private:
    struct Path {
        Matrix<T> controls;
        std::vector<State<T>> states{};
        std::vector<T> x{};  // qpos, qvel and act of each state
        T cost = T(0);
    };
    Cost cost_;
    Sim sim_;
    TransitionDerivatives<Sim> derivatives_;
    CostDerivatives<T, typename Sim::model_type> cost_derivatives_;
    int n_, nu_, horizon_;
    BackwardPass<T> back_;
    Path now_{}, next_{};
    std::vector<T> F_{}, l_{}, L_{}, gain_{}, push_{};
    Array<T> dx_{};
    T dearer_ = T(0);

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    RowMajor<T> F(int t) { return {F_.data() + static_cast<std::ptrdiff_t>(t) * n_ * (n_ + nu_), n_ + nu_}; }

    T* x(Path& path, int t) { return path.x.data() + static_cast<std::ptrdiff_t>(t) * (sim_.model().nq + n_); }
    void record(Path& path, int t) {
        const auto& m = sim_.model();
        const auto& d = sim_.data();
        path.states[index(t)] = State<T>(d);
        std::copy_n(d.qpos.data(), int(m.nq), x(path, t));
        std::copy_n(d.qvel.data(), int(m.nv), x(path, t) + m.nq);
        std::copy_n(d.act.data(), int(m.na), x(path, t) + m.nq + m.nv);
    }
    // dx = the state of the simulator ⊖ that of the path.
    void find_difference(Path& path, int t) {
        const auto& m = sim_.model();
        const auto& d = sim_.data();
        const T* other = x(path, t);
        differentiate_pos(m, dx_, d.qpos, other);
        for (int i = 0; i < m.nv; ++i) dx_[m.nv + i] = d.qvel[i] - other[m.nq + i];
        for (int j = 0; j < m.na; ++j) dx_[2 * m.nv + j] = d.act[j] - other[m.nq + m.nv + j];
    }
    // From the first state of `path` on, with its controls changed by α and the gains, into `to`, or with α = 0 along itself.
    void roll(Path& path, T alpha, Path& to) {
        const auto& m = sim_.model();
        auto& d = sim_.data();
        path.states[0].restore(d);
        to.cost = T(0);
        for (int t = 0; t <= horizon_; ++t) {
            record(to, t);
            if (alpha > T(0)) find_difference(path, t);
            for (int u = 0; u < nu_ && t < horizon_; ++u) {
                T control = path.controls(index(t), index(u));
                if (alpha > T(0)) {
                    control += alpha * push_[index(t * nu_ + u)];
                    for (int i = 0; i < n_; ++i) control += gain(t)[u * n_ + i] * dx_[i];
                    if (m.actuator_ctrllimited[u]) control = clamp(control, T(m.actuator_ctrlrange[u][0]), T(m.actuator_ctrlrange[u][1]));
                }
                d.ctrl[u] = to.controls(index(t), index(u)) = control;
            }
            sim_.step1();
            to.cost += evaluate_cost(cost_, m, d, t == horizon_);
            if (!isfinite(to.cost)) return;
            if (t < horizon_) sim_.step2();
        }
    }

    void differentiate() {
        const auto& m = sim_.model();
        const int c = n_ + nu_;
        for (int t = 0; t <= horizon_; ++t) {
            now_.states[index(t)].restore(sim_.data());
            for (int u = 0; u < nu_ && t < horizon_; ++u) sim_.ctrl()[u] = now_.controls(index(t), index(u));
            cost_derivatives_(cost_, m, sim_.data(), t == horizon_);
            std::copy(cost_derivatives_.gradient.begin(), cost_derivatives_.gradient.end(), l_.begin() + t * c);
            std::copy(cost_derivatives_.hessian.begin(), cost_derivatives_.hessian.end(), L_.begin() + t * c * c);
            if (t == horizon_) return;
            const auto& step = derivatives_(sim_);
            for (int i = 0; i < n_; ++i) {
                std::copy_n(step.A.data() + i * n_, n_, F(t).row(i));
                std::copy_n(step.B.data() + i * nu_, nu_, F(t).row(i) + n_);
            }
        }
    }

    // The value function from the last state to the first, with the pushes and gains of each step. Says whether every Q_uu was positive.
    bool go_back() {
        const auto& m = sim_.model();
        const int c = n_ + nu_;
        const auto at = [](std::vector<T>& v, int t, int size) { return v.data() + static_cast<std::ptrdiff_t>(t) * size; };
        back_.start(at(l_, horizon_, c), at(L_, horizon_, c * c));
        for (int t = horizon_ - 1; t >= 0; --t) {
            for (int u = 0; u < nu_; ++u) {
                const T control = now_.controls(index(t), index(u)), far = std::numeric_limits<T>::infinity();
                back_.lower[u] = m.actuator_ctrllimited[u] ? T(m.actuator_ctrlrange[u][0]) - control : -far;
                back_.upper[u] = m.actuator_ctrllimited[u] ? T(m.actuator_ctrlrange[u][1]) - control : far;
            }
            if (!back_.step(F(t), at(l_, t, c), at(L_, t, c * c), dearer_, at(push_, t, nu_), at(gain_, t, nu_ * n_))) return false;
        }
        return true;
    }
};

template <class Sim, class Cost>
ILQR(const Sim&, Cost, int) -> ILQR<Sim, Cost>;

}  // namespace mjx::inner
