// Derivatives of a step by differences of steps (mjd_transitionFD): to check exact ones, for hooks that are not differentiable, and to
// look across the kinks where contacts are made and broken, with an eps as large as the distance one wants to see.
//
// Reads the state and the inputs of the simulator and leaves it as it is. Centered differences are off by O(eps²) where the step is
// smooth, one-sided ones by O(eps) at half the cost. A control that would leave its range is varied to the other side alone.
#pragma once

#include "mjx/derivative/columns.hpp"
#include "mjx/simulator.hpp"

#include <memory>

namespace mjx::inner {

// Where the errors of rounding and of curvature are alike, or nearly; that of double is MuJoCo's.
template <class T>
inline constexpr T difference_eps_v = std::is_same_v<T, float> ? T(3e-3) : T(1e-6);

// Columns first..last-1 of `result`.
template <class Sim, class T = typename Sim::scalar>
void fill_differences(const Sim& sim, int first, int last, T eps, bool centered, Transition<T>& result) {
    static_assert(std::floating_point<T>, "transition_fd(sim) needs a simulator of float or double");
    const auto plus = std::make_unique<Sim>(sim), minus = std::make_unique<Sim>(sim);
    const auto& m = sim.model();
    const auto allowed = [&](int c, T change) {
        const int u = c - state_columns(m);
        if (u < 0 || !m.actuator_ctrllimited[u]) return true;
        const T moved = sim.data().ctrl[u] + change;
        return moved >= m.actuator_ctrlrange[u][0] && moved <= m.actuator_ctrlrange[u][1];
    };
    for (int c = first; c < last; ++c) {
        const T up = allowed(c, eps) ? eps : T(0), down = (centered || up == T(0)) && allowed(c, -eps) ? -eps : T(0);
        plus->data() = sim.data();
        minus->data() = sim.data();
        vary(m, plus->data(), c, c + 1, [&](int) { return up; });
        vary(m, minus->data(), c, c + 1, [&](int) { return down; });
        plus->step();
        minus->step();
        const auto w = borrow<ColumnsWork>(m, plus->data()), still = borrow<ColumnsWork>(m, minus->data());
        differentiate_pos(m, w->dq, plus->data().qpos, minus->data().qpos);
        for (int i = 0; i < m.nv; ++i) still->dq[i] = T(0);
        const T scale = up > down ? T(1) / (up - down) : T(0);
        for (int r = 0; r < transition_rows(m); ++r)
            transition_entry(result, m, r, c) = (stepped(m, plus->data(), w->dq, r) - stepped(m, minus->data(), still->dq, r)) * scale;
    }
}

// A, B, C and D.
template <class Sim, class T = typename Sim::scalar>
Transition<T> transition_fd(const Sim& sim, std::type_identity_t<T> eps = difference_eps_v<T>, bool centered = true) {
    auto result = make_transition<T>(sim.model());
    fill_differences(sim, 0, transition_columns(sim.model()), eps, centered, result);
    return result;
}

}  // namespace mjx::inner
