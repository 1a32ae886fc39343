// Derivatives of one step: A = dx'/dx and B = dx'/du, in MuJoCo's layout (mjd_transitionFD).
//
// x = (δq, qvel, act) with nv + nv + na entries and u = ctrl: positions are varied in the tangent space, q ⊕ δq, and the next position
// is measured there too, q' ⊖ q'(0). Rows are x', columns are x or u.
//   derivatives(sim)      exact, by dual numbers: passes of the same step, each with N columns as partial derivatives
//   transition_fd(sim)    centered differences, for any scalar; to check the former and for physics that is not differentiable
// Neither changes the simulator given. To differentiate again and again, as a controller does, keep a TransitionDerivatives.
#pragma once

#include "mjx/data/components.hpp"
#include "mjx/data/views.hpp"
#include "mjx/integrator/advance.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/simulator.hpp"

#include <memory>

namespace mjx {

template <class T>
struct Transition {
    Matrix<T> A;  // (2 nv + na, 2 nv + na)
    Matrix<T> B;  // (2 nv + na, nu)
};

template <class T, class M>
Transition<T> make_transition(const M& m) {
    const auto n = static_cast<std::size_t>(2 * m.nv + m.na), nu = static_cast<std::size_t>(m.nu);
    return {Matrix<T>::from_shape({n, n}), Matrix<T>::from_shape({n, nu})};
}

// The entry of A or B in row r and column c, where the columns of B follow those of A.
template <class T, class M>
T& transition_entry(Transition<T>& t, const M& m, int r, int c) {
    const int n = 2 * m.nv + m.na;
    return c < n ? t.A(static_cast<std::size_t>(r), static_cast<std::size_t>(c))
                 : t.B(static_cast<std::size_t>(r), static_cast<std::size_t>(c - n));
}

// Adds delta(c) to column c of (x, u). work_nv is used as scratch.
template <class M, class D, class Delta>
void vary(const M& m, D& d, int first, int last, Delta&& delta) {
    using S = typename D::scalar;
    if (first < m.nv) {
        for (int i = 0; i < m.nv; ++i) d.work_nv[i] = S(0);
        for (int c = first; c < last && c < m.nv; ++c) d.work_nv[c] = delta(c);
        integrate_pos(m, d.qpos, d.work_nv, value_t<S>(1));
    }
    for (int c = first; c < last; ++c) {
        const int v = c - m.nv, a = v - m.nv, u = a - m.na;
        if (v >= 0 && v < m.nv) d.qvel[v] += delta(c);
        if (a >= 0 && a < m.na) d.act[a] += delta(c);
        if (u >= 0) d.ctrl[u] += delta(c);
    }
}

// N = 7 by default: a double and its seven derivatives fill a cache line.
template <class Sim, int N = 7>
class TransitionDerivatives {
  public:
    using value_type = typename Sim::scalar;
    using dual_type = dual<value_type, N>;
    static_assert(std::floating_point<value_type>, "derivatives(sim) needs a simulator of float or double: it makes the duals itself");

    // The model is copied as it is now.
    explicit TransitionDerivatives(const Sim& sim)
        : dual_(make(sim)), result_(make_transition<value_type>(sim.model())) {}

    // A and B at the state and control of `sim`; valid until the next call.
    const Transition<value_type>& operator()(const Sim& sim) {
        const auto& m = dual_->model();
        const int columns = 2 * m.nv + m.na + m.nu;
        for (int first = 0; first < columns; first += N) {
            const int last = first + N < columns ? first + N : columns;
            pass(sim, first, last);
        }
        return result_;
    }

  private:
    using Dual = typename Sim::template rebind<dual_type>;
    std::unique_ptr<Dual> dual_;
    Transition<value_type> result_;

    static std::unique_ptr<Dual> make(const Sim& sim) {
        if constexpr (Sim::model_type::is_fixed) {
            auto made = std::make_unique<Dual>();
            made->hooks() = sim.hooks();
            return made;
        } else {
            return std::make_unique<Dual>(sim.model(), sim.hooks());
        }
    }

    // One step in which columns first..last-1 are the variables.
    void pass(const Sim& sim, int first, int last) {
        const auto& m = dual_->model();
        auto& d = dual_->data();
        for_each_state_field([](const char*, Stage, auto& to, const auto& from) {
            for (int i = 0; i < to.size(); ++i) for_each_component([](auto& a, const auto& b) { a = b; }, to[i], from[i]);
        }, d, sim.data());
        vary(m, d, first, last, [&](int c) { return dual_type::variable(value_type(0), c - first); });
        dual_->step();

        for (int i = 0; i < m.nq; ++i) d.step_qpos[i] = dual_type(d.qpos[i].value);
        differentiate_pos(m, d.work_nv, d.qpos, d.step_qpos);
        for (int c = first; c < last; ++c) {
            for (int i = 0; i < m.nv; ++i) transition_entry(result_, m, i, c) = d.work_nv[i].partial[c - first];
            for (int i = 0; i < m.nv; ++i) transition_entry(result_, m, m.nv + i, c) = d.qvel[i].partial[c - first];
            for (int i = 0; i < m.na; ++i) transition_entry(result_, m, 2 * m.nv + i, c) = d.act[i].partial[c - first];
        }
    }
};

// A and B by dual numbers, N columns in each pass.
template <int N = 7, class Sim>
Transition<typename Sim::scalar> derivatives(const Sim& sim) {
    return TransitionDerivatives<Sim, N>(sim)(sim);
}

// A and B by centered differences of size eps. Where that would leave the range of a control the difference is one-sided.
template <class Sim>
Transition<typename Sim::scalar> transition_fd(const Sim& sim, typename Sim::scalar eps = typename Sim::scalar(1e-6)) {
    using T = typename Sim::scalar;
    static_assert(std::floating_point<T>, "transition_fd(sim) needs a simulator of float or double");
    const auto plus = std::make_unique<Sim>(sim), minus = std::make_unique<Sim>(sim);
    const auto& m = sim.model();
    auto result = make_transition<T>(m);
    const int n = 2 * m.nv + m.na;
    const auto clamped = [&](int c, T change) {
        if (c < n || !m.actuator_ctrllimited[c - n]) return false;
        const T moved = sim.data().ctrl[c - n] + change;
        return moved < m.actuator_ctrlrange[c - n][0] || moved > m.actuator_ctrlrange[c - n][1];
    };
    for (int c = 0; c < n + m.nu; ++c) {
        const T up = clamped(c, eps) ? T(0) : eps, down = clamped(c, -eps) ? T(0) : -eps;
        plus->data() = sim.data();
        minus->data() = sim.data();
        vary(m, plus->data(), c, c + 1, [&](int) { return up; });
        vary(m, minus->data(), c, c + 1, [&](int) { return down; });
        plus->step();
        minus->step();
        const T scale = up > down ? T(1) / (up - down) : T(0);
        auto& d = plus->data();
        differentiate_pos(m, d.work_nv, d.qpos, minus->data().qpos);
        for (int i = 0; i < m.nv; ++i) transition_entry(result, m, i, c) = d.work_nv[i] * scale;
        for (int i = 0; i < m.nv; ++i) transition_entry(result, m, m.nv + i, c) = (d.qvel[i] - minus->data().qvel[i]) * scale;
        for (int i = 0; i < m.na; ++i) transition_entry(result, m, 2 * m.nv + i, c) = (d.act[i] - minus->data().act[i]) * scale;
    }
    return result;
}

}  // namespace mjx
