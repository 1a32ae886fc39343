// How accelerations change with positions, velocities and forces: the derivatives of forward dynamics.
//
//     const auto [DaDq, DaDv, DaDf] = mjx::acceleration_derivatives(sim);
// At the state and the inputs of the simulator, which stays as it is; f are generalized forces, such as qfrc_applied. With the residual r
// of analytic.hpp da = -H⁻¹ dr, and DaDf = H⁻¹, where nothing is in touch the inverse of the inertia matrix. Constraints count as far as
// the solver sees them: with `Unconstrained` these are the derivatives of the articulated bodies alone. Positions are varied in the tangent
// space. To differentiate again and again keep an AccelerationDerivatives. What has no derivative of its own goes through duals.
#pragma once

#include "mjx/derivative/exact.hpp"

#include <algorithm>

namespace mjx::inner {

template <class T>
struct AccelerationMatrices {
    Matrix<T> DaDq, DaDv, DaDf;  // (nv, nv)
};

template <class Sim, int N = 7>
class AccelerationDerivatives {
  public:
    using value_type = typename Sim::scalar;

    // The model is copied as it is now.
    explicit AccelerationDerivatives(const Sim& sim) {
        const auto n = static_cast<std::size_t>(sim.model().nv);
        for (auto* each : {&result_.DaDq, &result_.DaDv, &result_.DaDf}) *each = Matrix<value_type>::from_shape({n, n});
        if constexpr (Parts::differentiable)
            if (has_analytic_derivatives(sim.model())) {
                plain_ = std::make_unique<Sim>(sim);
                forward_ = std::make_unique<Forward>(plain_->model(), plain_->data());
                stride_ = (3 * sim.model().nv + 7) / 8 * 8;
                columns_.resize(sim.model().nv * stride_);
                return;
            }
        if constexpr (needs_duals) dual_ = make_dual_simulator<dual_type>(sim);
    }

    // At the state and the inputs of `sim`; valid until the next call.
    const AccelerationMatrices<value_type>& operator()(const Sim& sim) {
        if (forward_)
            differentiate(sim);
        else if constexpr (needs_duals)
            for (int c = 0; c < 3 * sim.model().nv; c += N) pass(sim, c, c + N < 3 * sim.model().nv ? c + N : 3 * sim.model().nv);
        return result_;
    }

  private:
    using Parts = SimulatorParts<Sim>;
    using M = typename Sim::model_type;
    using Forward = ForwardDerivative<value_type, M>;
    using dual_type = dual<value_type, N>;
    // A fixed model of which all is analytic compiles no step on duals.
    static constexpr bool find_need() {
        if constexpr (M::is_fixed && Parts::differentiable)
            return !has_analytic_derivatives(constants_t<M>{});
        else
            return true;
    }
    static constexpr bool needs_duals = find_need();
    struct None {};

    AccelerationMatrices<value_type> result_;
    std::unique_ptr<Sim> plain_;
    std::unique_ptr<Forward> forward_;
    int stride_ = 0;
    Array<value_type> columns_{};  // the right-hand sides, then the solutions, of q, v and f
    std::unique_ptr<std::conditional_t<needs_duals, typename Sim::template rebind<dual_type>, None>> dual_;

    void differentiate(const Sim& sim) {
        const auto& m = plain_->model();
        const int n = m.nv;
        take_forward(sim, *plain_);
        forward_->assemble(m, plain_->data(), false);
        const RowMajor<value_type> change = forward_->acceleration(), all{columns_.data(), stride_};
        for (int i = 0; i < n; ++i) {
            for (int c = 0; c < 2 * n; ++c) all(i, c) = -change(i, c);
            for (int c = 2 * n; c < 3 * n; ++c) all(i, c) = value_type(c == 2 * n + i);
        }
        forward_->hessian().solve(all, stride_);
        for (int i = 0; i < n; ++i) {
            std::copy_n(all.row(i), n, result_.DaDq.data() + i * n);
            std::copy_n(all.row(i) + n, n, result_.DaDv.data() + i * n);
            std::copy_n(all.row(i) + 2 * n, n, result_.DaDf.data() + i * n);
        }
    }
    // Columns first ... last - 1 of (q, v, f) by dual numbers.
    void pass(const Sim& sim, int first, int last) {
        const auto& m = dual_->model();
        auto& d = dual_->data();
        const auto delta = [&](int c) { return dual_type::variable(value_type(0), c - first); };
        copy_state(d, sim.data());
        vary(m, d, first, last < 2 * m.nv ? last : 2 * m.nv, delta);
        for (int c = first; c < last; ++c)
            if (c >= 2 * m.nv) d.qfrc_applied[c - 2 * m.nv] += delta(c);
        dual_->forward();
        for (int c = first; c < last; ++c) {
            auto& to = c < m.nv ? result_.DaDq : c < 2 * m.nv ? result_.DaDv : result_.DaDf;
            for (int i = 0; i < m.nv; ++i) to.data()[i * m.nv + c % m.nv] = d.qacc[i].partial[c - first];
        }
    }
};

template <class Sim>
AccelerationMatrices<typename Sim::scalar> acceleration_derivatives(const Sim& sim) {
    return AccelerationDerivatives<Sim>(sim)(sim);
}

}  // namespace mjx::inner
