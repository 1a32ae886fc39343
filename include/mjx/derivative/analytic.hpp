// Analytic derivatives of the accelerations. At the solution a the residual of the equations of motion is zero,
//
//     r(q, v, a, u) = M a + bias - passive - applied - actuator - Jᵀ f(J a - aref) = 0,     so   da = -H⁻¹ dr,   H = M + Jᵀ W J
// with the curvature W of the zones the rows are in: one factorization for all columns. dr at fixed a is the sum of the derivatives that
// stand beside the stages: stage/rne_derivative.hpp, passive_derivative.hpp, actuation_derivative.hpp, constraint_derivative.hpp; of rows
// that bend, through duals of the few stages they hang on (bent_terms.hpp).
// Columns are those of columns.hpp: q, v, act, ctrl.
#pragma once

#include "mjx/constraint/constraint_derivative.hpp"
#include "mjx/derivative/bent_terms.hpp"
#include "mjx/derivative/skyline.hpp"
#include "mjx/stage/actuation_derivative.hpp"
#include "mjx/stage/passive_derivative.hpp"

namespace mjx::inner {

// Whether all that a model has is differentiated by these headers; if not, the step goes through duals.
template <class M>
constexpr bool has_analytic_derivatives(const M& m) {
    const auto zero = [](const auto& v) {
        for (int k = 0; k < v.size; ++k)
            if (!is_nothing(v[k])) return false;
        return true;
    };
    bool known = !m.opt.enabled(enable::sleep) && !m.opt.enabled(enable::diagexact) && m.opt.noslip_iterations == 0 && m.nhistory == 0;
    for (int g = 0; g < m.ngeom; ++g) known = known && is_nothing(m.geom_adhesion[g]) && zero(m.geom_surfacevel[g]);
    for (int p = 0; p < m.npair; ++p) known = known && is_nothing(m.pair_adhesion[p]);
    for (int j = 0; j < m.njnt; ++j) known = known && M::joints::analytic(m.jnt_type[j]);
    // setpoints of orientations are brought back to the shorter rotation
    for (int i = 0; i < m.nactuator; ++i)
        known = known && !drives_contacts(m.actuator_trntype[i]) &&
                !(gain_does<actuator_fact::rotation>(m.actuator_gaintype[i]) && m.actuator_actnum[i] > 0);
    return known;
}

// Derivatives of qacc and of the activations, at the state that the data has been taken forward to.
template <class S, class M>
class ForwardDerivative {
  public:
    template <class D>
    ForwardDerivative(const M& m, const D& d)
        : columns_(2 * m.nv + m.na + m.nu), stride_((columns_ + 7) / 8 * 8), tree_(m), work_(d), actuators_(m), bent_(m), hessian_(m.nv) {
        acceleration_.resize(m.nv * stride_);
        activation_.resize(m.na * stride_);
    }

    int columns() const { return columns_; }
    int stride() const { return stride_; }
    RowMajor<S> acceleration() { return {acceleration_.data(), stride_}; }  // of each dof
    RowMajor<S> activation() { return {activation_.data(), stride_}; }  // of each activation's rate, or of what Euler makes of it
    TreeMotion<S>& tree() { return tree_; }
    BentTerms<S, M>& bent() { return bent_; }
    Skyline<S>& hessian() { return hessian_; }

    template <class D>
    void operator()(const M& m, const D& d, bool next) {
        assemble(m, d, next);
        hessian_.solve(acceleration(), stride_);
        for (S& x : acceleration_) x = -x;
    }

    // Leaves dr in acceleration() and the factor of H in hessian().
    template <class D>
    void assemble(const M& m, const D& d, bool next);

  private:
    int columns_, stride_;
    TreeMotion<S> tree_;
    ConstraintWork<S> work_;
    ActuatorDuals<S> actuators_;
    BentTerms<S, M> bent_;
    Skyline<S> hessian_;
    Array<S> acceleration_, activation_;

    template <class D>
    void start_hessian(const M& m, const D& d) {
        hessian_.clear();
        hessian_.add_tree(m, d.M);
        for (int b = 0; b < d.nblock; ++b)
            for (int k = d.block_J[b]; k < d.block_J[b] + d.block_nnz[b]; ++k)
                hessian_.reaches(d.efc_J_colind[k], d.efc_J_colind[d.block_J[b]]);
    }
};

// Not inside the class, where it would be inline: a library may have it (compiled.hpp).
template <class S, class M>
template <class D>
void ForwardDerivative<S, M>::assemble(const M& m, const D& d, bool next) {
    for (auto* each : {&acceleration_, &activation_})
        for (S& x : *each) x = S(0);
    const RowMajor<S> by_q = acceleration(), by_v{acceleration_.data() + m.nv, stride_};
    tree_motion(m, d, d.qacc, false, tree_);
    add_rne_derivative(m, d, tree_, by_q, by_v);
    add_passive_slopes(m, d, tree_, by_q, by_v);
    add_applied_slopes(m, d, tree_, by_q);
    add_actuation_derivative(m, d, actuators_, next, by_q, activation());
    bent_.add(m, d, next, by_q, by_v, activation());
    start_hessian(m, d);
    add_constraint_derivative(m, d, tree_, work_, d.qacc, hessian_.rows(), by_q, by_v);
    hessian_.factor();
}

}  // namespace mjx::inner
