// RK4: the classical Runge-Kutta method of order four, on the configuration manifold.
//
// Reads   qpos, qvel, act, qacc, act_dot of the forward pass already made
// Writes  qvel, qpos, act, time
// Positions of the inner stages are q₀ ⊕ h Σ a v; the warm start of the constraint solver is that of the step's first stage.
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/integrator/integrator.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

template <class S, class M>
struct RK4Work {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<S, Dim::nq> qpos{at};  // where the step started
    array<S, Dim::nv> qvel{at};
    array<S, Dim::na> act{at};
    array<S, Dim::nv> sum_qvel{at};  // weighted sums over the stages
    array<S, Dim::nv> sum_qacc{at};
    array<S, Dim::na> sum_act_dot{at};
};

struct RK4 : IntegratorDefaults {
    static constexpr int type = integrator_type::rk4;
    static constexpr bool keeps_slopes = false;
    static constexpr const char* name = integrator_names[type];
    template <class S, class M>
    using work = RK4Work<S, M>;

    // `forward` computes qacc and act_dot at the state in d, without sensors.
    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&& forward) {
        using S = typename D::scalar;
        using V = value_t<S>;
        const auto h = m.opt.timestep;
        const S time = d.time;
        const auto w = borrow<RK4Work>(m, d);
        for (int i = 0; i < m.nq; ++i) w->qpos[i] = d.qpos[i];
        for (int i = 0; i < m.na; ++i) w->act[i] = d.act[i];
        for (int i = 0; i < m.nv; ++i) {
            w->qvel[i] = d.qvel[i];
            w->sum_qvel[i] = w->sum_qacc[i] = S(0);
        }
        for (int i = 0; i < m.na; ++i) w->sum_act_dot[i] = S(0);

        // Butcher's tableau: each stage in between starts from the one before it
        constexpr V between[3] = {V(0.5), V(0.5), V(1)};
        constexpr V weight[4] = {V(1) / 6, V(1) / 3, V(1) / 3, V(1) / 6};
        accumulate(m, d, *w, weight[0]);
        for (int stage = 1; stage < 4; ++stage) {
            const V a = between[stage - 1];
            for (int i = 0; i < m.nq; ++i) d.qpos[i] = w->qpos[i];
            integrate_pos(m, d.qpos, d.qvel, h * a);
            for (int i = 0; i < m.nv; ++i) d.qvel[i] = w->qvel[i] + d.qacc[i] * (h * a);
            for (int i = 0; i < m.na; ++i) d.act[i] = w->act[i] + d.act_dot[i] * (h * a);
            d.time = time + S(h * a);
            forward();
            accumulate(m, d, *w, weight[stage]);
        }

        d.time = time;
        for (int i = 0; i < m.nq; ++i) d.qpos[i] = w->qpos[i];
        for (int i = 0; i < m.nv; ++i) d.qvel[i] = w->qvel[i];
        for (int i = 0; i < m.na; ++i) d.act[i] = w->act[i];
        advance(m, d, w->sum_act_dot, w->sum_qacc, w->sum_qvel);
    }

    // The step is made of four accelerations: none of them follows from it.
    template <class M, class D, class Force>
    static bool continuous_force(const M&, const D&, const Force&) {
        return false;
    }

  private:
    template <class M, class D, class W, class V>
    static void accumulate(const M& m, const D& d, W& w, V weight) {
        for (int i = 0; i < m.nv; ++i) {
            w.sum_qvel[i] += d.qvel[i] * weight;
            w.sum_qacc[i] += d.qacc[i] * weight;
        }
        for (int i = 0; i < m.na; ++i) w.sum_act_dot[i] += d.act_dot[i] * weight;
    }
};

}  // namespace mjx::inner
