// The integrators' own derivatives: from those of the accelerations to those of the next state.
//
// Rows: δq', v', act'; columns: those of columns.hpp. Positions are varied in the tangent space, of the next position too.
// Euler: v' = v + h a, or with dampers B taken implicitly v' = v + h â where (M + h B) â = M a, and so
//     dâ = da + (M + h B)⁻¹ (dM (a - â) - h dB â - h B da)
// Products from the left, λᵀ times all of this, need no solution for every column: with z = (M + h B)⁻¹ μ for the weights μ of v' and
// y = H⁻¹ (μ - h B z) they are h (zᵀ (dM (a - â) - h dB â) - yᵀ dr).
// RK4: every stage starts from the derivatives of the one before it. q' = q ⊕ h v' (derivative/position.hpp).
#pragma once

#include "mjx/derivative/analytic.hpp"
#include "mjx/derivative/position.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/step.hpp"

namespace mjx::inner {

// to = d(q ⊕ h v) in its tangent space where q changes along the unit vectors of the first nv columns and v by `dv`, times h.
template <class M, class S, class V, class H>
void moved_position(const M& m, const V& velocity, const H& h, const RowMajor<S>& dv, int columns, const RowMajor<S>& to) {
    for (int i = 0; i < m.nv; ++i) {
        for (int c = 0; c < columns; ++c) to(i, c) = dv(i, c) * h;
        to(i, i) += S(1);
    }
    for (int j = 0; j < m.njnt; ++j) {
        const int rotation = M::joints::rotation(m.jnt_type[j]), dof = m.jnt_dofadr[j] + rotation;
        if (rotation < 0) continue;
        const auto by = quat_integrate_derivative(vec3_at(velocity, dof), h);
        for (int c = 0; c < columns; ++c) {
            const Vec3<S> turned = by.Dvel * Vec3<S>{{dv(dof, c), dv(dof + 1, c), dv(dof + 2, c)}};
            for (int r = 0; r < 3; ++r) to(dof + r, c) = turned[r] * h;
        }
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) to(dof + r, dof + c) += by.Dquat(r, c);
    }
}

// Of a step v' = v + h a, q' = q ⊕ h v': its rows from those of a, at the velocity after it, and those of the next activations.
template <class M, class S, class V>
void next_rows(const M& m, const V& next_velocity, const RowMajor<S>& acceleration, const RowMajor<S>& activation, int columns,
               const RowMajor<S>& next) {
    const auto h = m.opt.timestep;
    const RowMajor<S> velocity{next.row(m.nv), next.stride};
    for (int i = 0; i < m.nv; ++i) {
        for (int c = 0; c < columns; ++c) velocity(i, c) = acceleration(i, c) * h;
        velocity(i, m.nv + i) += S(1);
    }
    moved_position(m, next_velocity, h, velocity, columns, next);
    for (int j = 0; j < m.na; ++j)
        for (int c = 0; c < columns; ++c) next(2 * m.nv + j, c) = activation(j, c);
}

// The other way round: the weights of q ⊕ h v become those of q, added to `by_q`, and of v, added to `by_v`.
template <class M, class V, class H, class W, class Q, class B>
void pull_position(const M& m, const V& velocity, const H& h, const W& weights, Q&& by_q, B&& by_v) {
    using S = std::remove_cvref_t<decltype(by_v[0])>;
    for (int j = 0; j < m.njnt; ++j) {
        const int type = m.jnt_type[j], first = m.jnt_dofadr[j], end = first + M::joints::nv(type);
        const int rotation = M::joints::rotation(type) < 0 ? end : first + M::joints::rotation(type);
        for (int i = first; i < rotation; ++i) {
            by_q[i] += weights[i];
            by_v[i] += weights[i] * h;
        }
        if (rotation == end) continue;
        const auto by = quat_integrate_derivative(vec3_at(velocity, rotation), h);
        const Vec3<S> w{{weights[rotation], weights[rotation + 1], weights[rotation + 2]}};
        const Vec3<S> at_q = transpose_mul(by.Dquat, w), at_v = transpose_mul(by.Dvel, w) * h;
        for (int k = 0; k < 3; ++k) {
            by_q[rotation + k] += at_q[k];
            by_v[rotation + k] += at_v[k];
        }
    }
}

// Takes the state that the data is at forward to the accelerations: for integrators with stages.
template <class M, class D>
using forward_function = std::type_identity_t<void (*)(const M&, D&)>;

template <class Integrator, class S, class M>
class StepDerivative;

template <class S, class M>
class StepDerivative<Euler, S, M> {
  public:
    template <class D>
    StepDerivative(const M& m, const D& d);
    static constexpr bool covers(const auto&) { return true; }
    RowMajor<S> rows() { return {next_.data(), forward_.stride()}; }

    // At the state of the data, which has been taken forward to the accelerations. It may be left at any other.
    template <class D>
    void operator()(const M& m, D& d, forward_function<M, D>);

    // result[c] = Σ weights[r] times the entry of row r and column c.
    template <class D>
    void pull(const M& m, const D& d, const S* weights, S* result);

  private:
    ForwardDerivative<S, M> forward_;
    Skyline<S> damped_;  // M + h B
    Array<S> change_, next_, qacc_, damping_, less_, velocity_, softened_, pulled_;

    // Makes the velocity after the step; where dampers are implicit also the factor of M + h B, h B and dM (a - â) - h dB â. Says whether.
    template <class D>
    bool soften(const M& m, const D& d) {
        const auto h = m.opt.timestep;
        const mask_t<S> where(implicitly_damped(m));
        const bool damped = !m.opt.disabled(disable::eulerdamp) && !m.opt.disabled(disable::damper) && any(where);
        for (int i = 0; i < m.nv; ++i) qacc_[i] = damped ? S(d.qfrc_smooth[i] + d.qfrc_constraint[i]) : S(d.qacc[i]);
        if (damped) {
            damped_.clear();
            damped_.add_tree(m, d.M);
            for (int i = 0; i < m.nv; ++i) {
                const auto b = dof_total_damping(m, i);
                damping_[i] = select(where, poly_slope(b.linear, b.poly, S(d.qvel[i]), Parity::even), S(0)) * h;
                damped_.rows()(i, i) += damping_[i];
            }
            damped_.factor();
            damped_.solve(RowMajor<S>{qacc_.data(), 1}, 1);
            change_softened(m, d, where);
        }
        for (int i = 0; i < m.nv; ++i) velocity_[i] = d.qvel[i] + qacc_[i] * h;
        return damped;
    }
    template <class D>
    void change_softened(const M& m, const D& d, const mask_t<S>& where) {
        const RowMajor<S> change{change_.data(), forward_.stride()};
        for (S& x : change_) x = S(0);
        for (int i = 0; i < m.nv; ++i) less_[i] = d.qacc[i] - qacc_[i];
        tree_motion(m, d, less_, true, forward_.tree());
        add_inertia_derivative(m, d, forward_.tree(), change);
        forward_.bent().add_inertia(m, d, less_, change);
        for (int i = 0; i < m.nv; ++i) {
            const auto b = dof_total_damping(m, i);
            const S bend = poly_slope(b.linear, b.poly, dual<S, 1>::variable(d.qvel[i], 0), Parity::even).partial[0];
            change(i, m.nv + i) -= select(where, bend, S(0)) * m.opt.timestep * qacc_[i];
        }
    }
};

// Not inside the class, where they would be inline: a library may have them (compiled.hpp).
template <class S, class M>
template <class D>
StepDerivative<Euler, S, M>::StepDerivative(const M& m, const D& d) : forward_(m, d), damped_(m.nv) {
    change_.resize(m.nv * forward_.stride());
    next_.resize((2 * m.nv + m.na) * forward_.stride());
    for (auto* each : {&qacc_, &damping_, &less_, &velocity_, &softened_, &pulled_}) each->resize(m.nv);
}

template <class S, class M>
template <class D>
void StepDerivative<Euler, S, M>::operator()(const M& m, D& d, forward_function<M, D>) {
    const int columns = forward_.columns();
    forward_(m, d, true);
    const RowMajor<S> acceleration = forward_.acceleration();
    if (soften(m, d)) {
        const RowMajor<S> change{change_.data(), forward_.stride()};
        for (int i = 0; i < m.nv; ++i)
            for (int c = 0; c < columns; ++c) change(i, c) -= damping_[i] * acceleration(i, c);
        damped_.solve(change, forward_.stride());
        for (int i = 0; i < m.nv; ++i)
            for (int c = 0; c < columns; ++c) acceleration(i, c) += change(i, c);
    }
    next_rows(m, velocity_, acceleration, forward_.activation(), columns, rows());
}

template <class S, class M>
template <class D>
void StepDerivative<Euler, S, M>::pull(const M& m, const D& d, const S* weights, S* result) {
    const auto h = m.opt.timestep;
    const int columns = forward_.columns();
    forward_.assemble(m, d, true);
    const bool damped = soften(m, d);
    for (int c = 0; c < columns; ++c) result[c] = S(0);
    for (int i = 0; i < m.nv; ++i) softened_[i] = weights[m.nv + i];
    pull_position(m, velocity_, h, weights, result, softened_);
    for (int i = 0; i < m.nv; ++i) {
        result[m.nv + i] += softened_[i];
        pulled_[i] = softened_[i];
    }
    if (damped) {
        damped_.solve(RowMajor<S>{softened_.data(), 1}, 1);
        for (int i = 0; i < m.nv; ++i) pulled_[i] -= damping_[i] * softened_[i];
    }
    forward_.hessian().solve(RowMajor<S>{pulled_.data(), 1}, 1);
    for (int i = 0; i < m.nv; ++i)
        for (int c = 0; c < columns; ++c) {
            result[c] -= pulled_[i] * h * forward_.acceleration()(i, c);
            if (damped) result[c] += softened_[i] * h * change_[i * forward_.stride() + c];
        }
    for (int j = 0; j < m.na; ++j)
        for (int c = 0; c < columns; ++c) result[c] += weights[2 * m.nv + j] * forward_.activation()(j, c);
}

template <class S, class M>
class StepDerivative<RK4, S, M> {
  public:
    template <class D>
    StepDerivative(const M& m, const D& d);
    // Motors' and orientations' activations are integrated in ways of their own.
    static constexpr bool covers(const auto& m) {
        bool known = true;
        for (int i = 0; i < m.nactuator; ++i)
            known = known && !dyn_does<actuator_fact::coupled>(m.actuator_dyntype[i]) &&
                    !gain_does<actuator_fact::rotation>(m.actuator_gaintype[i]);
        return known;
    }
    RowMajor<S> rows() { return {next_.data(), forward_.stride()}; }

    template <class D>
    void operator()(const M& m, D& d, forward_function<M, D> forward);

  private:
    ForwardDerivative<S, M> forward_;
    ActuatorDuals<S> ends_;  // the activations that the step starts from
    Array<S> state_, sum_, next_, rate_, velocity_, rates_;

    // rate = (dv, da, d act_dot) of the stage by the columns of the step, from those by the stage's own state.
    void rates(const M& m) {
        const int stride = forward_.stride(), n = 2 * m.nv + m.na;
        const RowMajor<S> state{state_.data(), stride}, rate{rate_.data(), stride};
        for (int i = 0; i < m.nv; ++i)
            for (int c = 0; c < stride; ++c) rate(i, c) = state(m.nv + i, c);
        for (int r = m.nv; r < n; ++r) {
            const S* by = r < 2 * m.nv ? forward_.acceleration().row(r - m.nv) : forward_.activation().row(r - 2 * m.nv);
            for (int c = 0; c < stride; ++c) rate(r, c) = c < n ? S(0) : by[c];
            for (int k = 0; k < n; ++k)
                if (!is_nothing(by[k])) add_multiple(rate.row(r), state.row(k), by[k], stride);
        }
    }
    void finish(const M& m) {
        const auto h = m.opt.timestep;
        const int columns = forward_.columns();
        const RowMajor<S> sum{sum_.data(), forward_.stride()}, next = rows();
        moved_position(m, velocity_, h, sum, columns, next);
        for (int r = m.nv; r < 2 * m.nv; ++r) {
            for (int c = 0; c < columns; ++c) next(r, c) = sum(r, c) * h;
            next(r, r) += S(1);
        }
        const bool off = m.opt.disabled(disable::actuation);
        for (int i = 0; i < m.nactuator; ++i)
            for (int j = m.actuator_actadr[i]; j < m.actuator_actadr[i] + m.actuator_actnum[i]; ++j) {
                using L = dual<S, 4>;
                const bool still = off || actuator_disabled(m, i);
                const L end = off ? ends_.act[j] : next_activation(m, ends_, i, j, still ? L(0) : L::variable(rates_[j], 1));
                const int r = 2 * m.nv + j;
                for (int c = 0; c < columns; ++c) next(r, c) = sum(r, c) * end.partial[1];
                next(r, r) += end.partial[0];
            }
    }
};

template <class S, class M>
template <class D>
StepDerivative<RK4, S, M>::StepDerivative(const M& m, const D& d) : forward_(m, d), ends_(m) {
    for (auto* each : {&state_, &sum_, &next_, &rate_}) each->resize((2 * m.nv + m.na) * forward_.stride());
    velocity_.resize(m.nv);
    rates_.resize(m.na);
}

template <class S, class M>
template <class D>
void StepDerivative<RK4, S, M>::operator()(const M& m, D& d, forward_function<M, D> forward) {
    using V = value_t<S>;
    constexpr V inner[3] = {V(0.5), V(0.5), V(1)}, weight[4] = {V(1) / 6, V(1) / 3, V(1) / 3, V(1) / 6};
    const auto h = m.opt.timestep;
    const RowMajor<S> state{state_.data(), forward_.stride()};
    for (auto* each : {&state_, &sum_})
        for (S& x : *each) x = S(0);
    for (S& x : velocity_) x = S(0);
    for (S& x : rates_) x = S(0);
    for (int r = 0; r < 2 * m.nv + m.na; ++r) state(r, r) = S(1);
    int stage = 0;
    // the rates at a stage, dq' = v and so on, then the state at which the next stage begins
    const auto take = [&] {
        forward_(m, d, false);
        rates(m);
        for (int i = 0; i < m.nv; ++i) velocity_[i] += d.qvel[i] * weight[stage];
        for (int j = 0; j < m.na; ++j) rates_[j] += d.act_dot[j] * weight[stage];
        for (int k = 0; k < sum_.size(); ++k) sum_[k] += rate_[k] * weight[stage];
        if (stage == 3) return;
        const S a = S(h * inner[stage]);
        const RowMajor<S> rate{rate_.data(), forward_.stride()};
        for (int r = m.nv; r < 2 * m.nv + m.na; ++r) {
            for (int c = 0; c < forward_.columns(); ++c) state(r, c) = rate(r, c) * a;
            state(r, r) += S(1);
        }
        moved_position(m, d.qvel, a, rate, forward_.columns(), state);
        ++stage;
    };
    for (int j = 0; j < m.na; ++j) ends_.act[j] = dual<S, 4>::variable(d.act[j], 0);
    take();
    RK4::integrate(m, d, [&] {
        forward(m, d);
        take();
    });
    finish(m);
}

}  // namespace mjx::inner
