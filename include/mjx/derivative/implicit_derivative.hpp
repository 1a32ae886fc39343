// The derivatives of integrators that solve a system for the velocities: whoever says which (implicit_part, system, is_symmetric).
//
// v' = v + h â with K â = M a - c, where K = M + h P takes the part P of the forces implicitly (c = h K_s v for springs, else 0). So
//     dâ = K⁻¹ (M da + dM (a - â) - h dP â - dc)
// and from the left, for the weights μ of v', with z = K⁻ᵀ μ: h (zᵀ (dM (a - â) - h dP â - dc) - yᵀ dr), y = H⁻¹ M z.
// P holds slopes of forces, so dP are their second derivatives. Often they are none (has_constant_system); else the stages that P hangs on
// run on duals, N columns in a pass.
#pragma once

#include "mjx/derivative/step_derivative.hpp"
#include "mjx/derivative/unsymmetric.hpp"
#include "mjx/stage/crba.hpp"
#include "mjx/stage/velocity_derivative.hpp"

namespace mjx::inner {

template <class Integrator, class M>
concept solves_implicitly = requires(const M& m) {
    { Integrator::is_symmetric(m, 0) } -> std::convertible_to<bool>;
};

// Whether P stays the same wherever the state goes.
template <class Integrator, class M>
bool has_constant_system(const M& m) {
    constexpr bool springs = requires { Integrator::implicit_springs; };
    bool constant = !requires { Integrator::implicit_bias; };
    for (int i = 0; i < m.nv; ++i) constant = constant && !has_higher_terms(dof_total_damping(m, i).poly);
    for (int j = 0; j < m.njnt && springs; ++j) constant = constant && !has_higher_terms(m.jnt_stiffnesspoly[j]);
    if (springs) return constant;
    for (int b = 1; b < m.nbody; ++b) constant = constant && !is_free_body(m, b);
    constant = constant && is_nothing(m.opt.density) && is_nothing(m.opt.viscosity);
    for (int t = 0; t < m.ntendon; ++t) {
        const auto b = tendon_total_damping(m, t);
        constant = constant && (!poly_present(b.linear, b.poly) || (!is_bent_tendon(m, t) && !has_higher_terms(b.poly)));
    }
    for (int i = 0; i < m.nactuator; ++i) {
        constant = constant && gain_does<actuator_fact::steady>(m.actuator_gaintype[i]);
        constant = constant && bias_does<actuator_fact::steady>(m.actuator_biastype[i]) && !has_bent_moment(m, i);
    }
    return constant;
}

// f(i, j, entry (i, j), entry (j, i)) for the pairs of a matrix kept as M is, the upper triangle in `upper` where the lower does not say
// all.
template <class Integrator, class M, class D, class U, class F>
void for_each_pair(const M& m, const D& d, const U& upper, F&& f) {
    for (int i = 0; i < m.nv; ++i) {
        const bool symmetric = Integrator::is_symmetric(m, i);
        for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k)
            f(i, int(m.M_colind[k]), d.qH[k], symmetric ? d.qH[k] : upper[k]);
    }
}

// P â + c/h, times h, by dual numbers.
template <class Integrator, class S, class M>
class SystemDuals {
  public:
    static constexpr int N = 7;
    using L = dual<S, N>;

    explicit SystemDuals(const M& m) {
        if (has_constant_system<Integrator>(m)) return;
        x_ = std::make_unique<Data<L, M>>(m);
        upper_.resize(m.nM);
        force_.resize(m.nv);
    }
    explicit operator bool() const { return x_ != nullptr; }

    // change -= d(K â + c) with M held
    template <class D, class A, class G>
    void subtract(const M& m, const D& d, const A& qacc, G&& change) {
        const int columns = transition_columns(m);
        for (int first = 0; first < columns; first += N) {
            const int last = first + N < columns ? first + N : columns;
            take(m, d, first, last);
            for (L& force : force_) force = L(0);
            Integrator::implicit_part(m, *x_);
            Integrator::system(m, *x_, upper_, force_);
            for_each_pair<Integrator>(m, *x_, upper_, [&](int i, int j, const L& below, const L& above) {
                force_[i] -= below * L(qacc[j]);
                if (i != j) force_[j] -= above * L(qacc[i]);
            });
            for (int i = 0; i < m.nv; ++i)
                for (int c = first; c < last; ++c) change(i, c) += force_[i].partial[c - first];
        }
    }

  private:
    std::unique_ptr<Data<L, M>> x_;
    Array<L> upper_, force_;

    template <class D>
    void take(const M& m, const D& d, int first, int last) {
        auto& x = *x_;
        vary_stages(m, x, d, first, last);
        crba(m, x);
        actuation(m, x);
        for (int k = 0; k < m.nM; ++k) x.M[k] = L(d.M[k]);
    }
};

template <class Integrator, class S, class M>
class ImplicitStep {
  public:
    template <class D>
    ImplicitStep(const M& m, const D& d);
    static constexpr bool covers(const auto&) { return true; }
    RowMajor<S> rows() { return {next_.data(), forward_.stride()}; }

    template <class D>
    void operator()(const M& m, D& d, forward_function<M, D>);

    // result[c] = Σ weights[r] times the entry of row r and column c.
    template <class D>
    void pull(const M& m, D& d, const S* weights, S* result);

  private:
    ForwardDerivative<S, M> forward_;
    Unsymmetric<S> system_;
    SystemDuals<Integrator, S, M> duals_;
    Array<S> change_, right_, next_, qacc_, less_, velocity_, softened_, pulled_, upper_;

    // f(i, j, M_ij) for all entries.
    template <class D, class F>
    static void times_inertia(const M& m, const D& d, F&& f) {
        for (int i = 0; i < m.nv; ++i)
            for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
                const int j = m.M_colind[k];
                f(i, j, d.M[k]);
                if (i != j) f(j, i, d.M[k]);
            }
    }
    // Makes the factor of K, the velocity after the step and change = dM (a - â) - h dP â - dc.
    template <class D>
    void soften(const M& m, D& d) {
        for (int i = 0; i < m.nv; ++i) qacc_[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        Integrator::implicit_part(m, d);
        Integrator::system(m, d, upper_, qacc_);
        system_.clear();
        for_each_pair<Integrator>(m, d, upper_, [&](int i, int j, const S& below, const S& above) {
            system_.rows()(j, i) = above;
            system_.rows()(i, j) = below;
        });
        system_.factor();
        system_.solve(RowMajor<S>{qacc_.data(), 1}, 1);
        for (int i = 0; i < m.nv; ++i) {
            velocity_[i] = d.qvel[i] + qacc_[i] * m.opt.timestep;
            less_[i] = d.qacc[i] - qacc_[i];
        }
        const RowMajor<S> change{change_.data(), forward_.stride()};
        for (S& x : change_) x = S(0);
        tree_motion(m, d, less_, true, forward_.tree());
        add_inertia_derivative(m, d, forward_.tree(), change);
        forward_.bent().add_inertia(m, d, less_, change);
        if (duals_)
            duals_.subtract(m, d, qacc_, change);
        else
            subtract_springs(m, d, change);
    }
    // -dc for springs that are linear.
    template <class D, class G>
    static void subtract_springs(const M& m, const D& d, G&& change) {
        if (!requires { Integrator::implicit_springs; } || m.opt.disabled(disable::spring)) return;
        for (int j = 0; j < m.njnt; ++j)
            for_each_displacement(m, d, j, [&](int dof, const auto& x, const S&) {
                for (int i = dof; i < dof + x.size; ++i) change(i, m.nv + i) -= m.jnt_stiffness[j] * m.opt.timestep;
            });
    }
};

// Not inside the class, where they would be inline: a library may have them (compiled.hpp).
template <class Integrator, class S, class M>
template <class D>
ImplicitStep<Integrator, S, M>::ImplicitStep(const M& m, const D& d) : forward_(m, d), system_(m.nv), duals_(m) {
    for (auto* each : {&change_, &right_}) each->resize(m.nv * forward_.stride());
    next_.resize((2 * m.nv + m.na) * forward_.stride());
    for (auto* each : {&qacc_, &less_, &velocity_, &softened_, &pulled_}) each->resize(m.nv);
    upper_.resize(m.nM);
}

template <class Integrator, class S, class M>
template <class D>
void ImplicitStep<Integrator, S, M>::operator()(const M& m, D& d, forward_function<M, D>) {
    const int columns = forward_.columns();
    forward_(m, d, true);
    soften(m, d);
    const RowMajor<S> da = forward_.acceleration(), right{right_.data(), forward_.stride()};
    for (int k = 0; k < right_.size(); ++k) right_[k] = change_[k];
    times_inertia(m, d, [&](int i, int j, const S& entry) { add_multiple(right.row(i), da.row(j), entry, columns); });
    system_.solve(right, columns);
    next_rows(m, velocity_, right, forward_.activation(), columns, rows());
}

template <class Integrator, class S, class M>
template <class D>
void ImplicitStep<Integrator, S, M>::pull(const M& m, D& d, const S* weights, S* result) {
    const auto h = m.opt.timestep;
    const int columns = forward_.columns();
    forward_.assemble(m, d, true);
    soften(m, d);
    for (int c = 0; c < columns; ++c) result[c] = S(0);
    for (int i = 0; i < m.nv; ++i) softened_[i] = weights[m.nv + i];
    pull_position(m, velocity_, h, weights, result, softened_);
    for (int i = 0; i < m.nv; ++i) {
        result[m.nv + i] += softened_[i];
        pulled_[i] = S(0);
    }
    system_.solve_transposed(RowMajor<S>{softened_.data(), 1}, 1);
    times_inertia(m, d, [&](int i, int j, const S& entry) { pulled_[i] += entry * softened_[j]; });
    forward_.hessian().solve(RowMajor<S>{pulled_.data(), 1}, 1);
    for (int i = 0; i < m.nv; ++i)
        for (int c = 0; c < columns; ++c)
            result[c] += (softened_[i] * change_[i * forward_.stride() + c] - pulled_[i] * forward_.acceleration()(i, c)) * h;
    for (int j = 0; j < m.na; ++j)
        for (int c = 0; c < columns; ++c) result[c] += weights[2 * m.nv + j] * forward_.activation()(j, c);
}

template <class Integrator, class S, class M>
    requires solves_implicitly<Integrator, M>
class StepDerivative<Integrator, S, M> : public ImplicitStep<Integrator, S, M> {
  public:
    using ImplicitStep<Integrator, S, M>::ImplicitStep;
};

}  // namespace mjx::inner
