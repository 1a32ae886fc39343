// Terms of the residual whose rows bend: spatial tendons, transmissions by sites, cranks and rotations, connects, welds and distances.
//
// Reads   the state, qacc, qfrc_actuator
// Their Jacobians change with the position in ways that are long to write down, but hang on a few stages only. These run on duals, N
// columns in a pass, with the accelerations held: kinematics, tendons, transmissions, actuators, the rows of equalities, limits and dry
// friction. Collision, inertia and the solver do not. By velocity only rows with a bias J̇ v of their own need this; of all others the
// derivative is at hand.
#pragma once

#include "mjx/constraint/constraint_derivative.hpp"
#include "mjx/constraint/make.hpp"
#include "mjx/constraint/reference.hpp"
#include "mjx/derivative/varied.hpp"
#include "mjx/stage/actuation_derivative.hpp"
#include "mjx/stage/tendon_armature.hpp"

#include <memory>

namespace mjx::inner {

// Tendons that bend and have inertia, in M and in the bias forces.
template <class M>
constexpr bool has_bent_inertia(const M& m) {
    bool found = false;
    for (int t = 0; t < m.ntendon; ++t) found = found || (is_bent_tendon(m, t) && !is_nothing(tendon_total_armature(m, t)));
    return found;
}
// Whether something that bends has a bias J̇ v.
template <class M>
constexpr bool has_bent_bias(const M& m) {
    bool found = has_bent_inertia(m);
    for (int e = 0; e < m.neq; ++e) found = found || ties_points(m.eq_type[e]);
    return found;
}
template <class M>
constexpr bool has_bent_terms(const M& m) {
    bool bent = has_bent_bias(m);
    for (int t = 0; t < m.ntendon; ++t) bent = bent || is_bent_tendon(m, t);
    for (int i = 0; i < m.nactuator; ++i) bent = bent || has_bent_moment(m, i);
    return bent;
}

template <class S, class M>
class BentTerms {
  public:
    static constexpr int N = 7;
    using L = dual<S, N>;

    explicit BentTerms(const M& m) {
        if constexpr (possible)
            if (has_bent_terms(m)) {
                x_ = std::make_unique<Data<L, M>>(m);
                for (auto* each : {&residual_, &force_, &weight_}) each->resize(x_->efc_force.size());
                for (auto* each : {&sum_, &qacc_}) each->resize(m.nv);
            }
    }

    // by_q, by_v -= d force and rate += d act_dot, or with `next` the activation after the step, of all that bends.
    template <class D, class Q, class V, class R>
    void add([[maybe_unused]] const M& m, [[maybe_unused]] const D& d, [[maybe_unused]] bool next, Q&& by_q, V&& by_v, R&& rate) {
        if constexpr (possible) {
            if (!x_) return;
            for (int i = 0; i < m.nv; ++i) qacc_[i] = L(d.qacc[i]);
            for (int c = 0; c < m.nv; c += N) {
                take(m, d, c, c + N < m.nv ? c + N : m.nv);
                tendon_terms(m);
                inertia_terms(m, qacc_, true);
                actuator_terms(m, d, next, c, rate);
                row_terms(m, [&](int b) { return is_bent(m, *x_, b); });
                subtract(m, c, c + N < m.nv ? c + N : m.nv, by_q);
            }
            for (int c = 0; c < m.nv && has_bent_bias(m); c += N) {
                take(m, d, m.nv + c, m.nv + (c + N < m.nv ? c + N : m.nv));
                inertia_terms(m, qacc_, true);
                row_terms(m, [&](int b) { return has_own_bias(m, *x_, b); });
                subtract(m, c, c + N < m.nv ? c + N : m.nv, by_v);
            }
        }
    }

    // by_q += d(M a) of tendons, at another acceleration.
    template <class D, class A, class Q>
    void add_inertia([[maybe_unused]] const M& m, [[maybe_unused]] const D& d, [[maybe_unused]] const A& qacc, Q&& by_q) {
        if constexpr (possible) {
            if (!has_bent_inertia(m)) return;
            for (int i = 0; i < m.nv; ++i) qacc_[i] = L(qacc[i]);
            for (int c = 0; c < m.nv; c += N) {
                take(m, d, c, c + N < m.nv ? c + N : m.nv);
                inertia_terms(m, qacc_, false);
                subtract(m, c, c + N < m.nv ? c + N : m.nv, by_q);
            }
        }
    }

  private:
    static constexpr bool find_need() {
        if constexpr (M::is_fixed)
            return has_bent_terms(constants_t<M>{});
        else
            return true;
    }
    static constexpr bool possible = find_need();
    struct None {};
    std::unique_ptr<std::conditional_t<possible, Data<L, M>, None>> x_;
    Array<L> residual_, force_, weight_, sum_, qacc_;

    // The state with columns first ... last - 1 as variables, its tendons and transmissions.
    template <class D>
    void take(const M& m, const D& d, int first, int last) {
        vary_stages(m, *x_, d, first, last);
        for (L& force : sum_) force = L(0);
    }
    template <class Q>
    void subtract(const M& m, int first, int last, Q&& by) {
        for (int i = 0; i < m.nv; ++i)
            for (int c = first; c < last; ++c) by(i, c) -= sum_[i].partial[c - first];
    }
    void tendon_terms(const M& m) {
        auto& x = *x_;
        if (!has_bent_tendon(m) || (m.opt.disabled(disable::spring) && m.opt.disabled(disable::damper))) return;
        for (auto* force : {&x.qfrc_spring, &x.qfrc_damper})
            for (int i = 0; i < m.nv; ++i) (*force)[i] = L(0);
        tendon_spring_dampers(m, x);
        for (int i = 0; i < m.nv; ++i) sum_[i] += x.qfrc_spring[i] + x.qfrc_damper[i];
    }
    // The forces that tendons' inertia takes: -M a and, with `bias`, -a Jᵀ J̇ v.
    void inertia_terms(const M& m, const Array<L>& qacc, bool bias) {
        auto& x = *x_;
        if (!has_bent_inertia(m)) return;
        for (int k = 0; k < m.nM; ++k) x.M[k] = L(0);
        for (int i = 0; i < m.nv; ++i) x.qfrc_bias[i] = L(0);
        tendon_armature(m, x);
        if (bias) tendon_bias(m, x);
        for (int i = 0; i < m.nv; ++i) {
            sum_[i] -= x.qfrc_bias[i];
            for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
                const int j = m.M_colind[k];
                sum_[i] -= x.M[k] * qacc[j];
                if (i != j) sum_[j] -= x.M[k] * qacc[i];
            }
        }
    }
    template <class D, class R>
    void actuator_terms(const M& m, const D& d, bool next, int first, R&& rate) {
        auto& x = *x_;
        bool any_bent = false;
        for (int i = 0; i < m.nactuator; ++i) any_bent = any_bent || has_bent_moment(m, i);
        if (!any_bent || m.opt.disabled(disable::actuation)) return;
        actuation(m, x);
        for (int i = 0; i < m.nactuator; ++i) {
            if (!has_bent_moment(m, i)) continue;
            for (int out = m.actuator_outadr[i]; out < m.actuator_outadr[i] + m.actuator_outnum[i]; ++out) {
                const auto row = moment_row(m, x, out);
                for (int k = row.first; k < row.first + row.count; ++k)
                    sum_[row.columns[k]] += row.values[k] * x.actuator_force[out] * dof_share(m, d, row.columns[k]);
            }
            for (int j = m.actuator_actadr[i]; j < m.actuator_actadr[i] + m.actuator_actnum[i]; ++j) {
                const L speed = actuator_disabled(m, i) ? L(0) : x.act_dot[j];
                const L end = next ? next_activation(m, x, i, j, speed) : speed;
                for (int c = 0; c < N && first + c < m.nv; ++c) rate(j, first + c) += end.partial[c];
            }
        }
    }
    // The forces of the blocks wanted.
    template <class Wanted>
    void row_terms(const M& m, const Wanted& wanted) {
        auto& x = *x_;
        x.ncon = 0;
        make_constraint(m, x, m.opt.cone);
        reference_constraint(m, x);
        jacobian_product<L>(x, qacc_, residual_);
        for (int i = 0; i < x.nefc; ++i) residual_[i] -= x.efc_aref[i];
        apply_laws<L>(x, residual_, force_, weight_);
        for (int b = 0; b < x.nblock; ++b) {
            if (!wanted(b)) continue;
            L p[max_block_dim];
            to_base<L>(x, b, force_, p);
            block_transpose<L>(x, b, p, sum_);
        }
    }
};

}  // namespace mjx::inner
