// Costs of a trajectory as sums of squares, and their derivatives.
//
//     struct Upright {
//         template <class M, class D, class R>
//         void operator()(const M& m, const D& d, bool last, R&& r) const {
//             r((d.xpos[1][2] - 1.2) * 3);
//             for (int i = 0; i < m.nv; ++i) r(d.qvel[i] * 0.1);
//         }
//     };
// A cost hands its terms r to a function, and counts as ½ Σ r² in every step; `last` says that the state is the one after the last step. It
// may read ctrl and what depends on position and velocity: poses, centres of mass, velocities, tendons. It is run on numbers, on packs (one
// environment in each lane) and on duals, from which come the gradient and the Gauss-Newton Hessian Σ dr drᵀ, which is never indefinite.
#pragma once

#include "mjx/derivative/skyline.hpp"
#include "mjx/derivative/varied.hpp"

#include <memory>
#include <vector>

namespace mjx::inner {

// The cost of a state of which position and velocity stages have been computed (step1).
template <class Cost, class M, class D>
auto evaluate_cost(const Cost& cost, const M& m, const D& d, bool last) {
    using S = typename D::scalar;
    S sum(0);
    cost(m, d, last, [&](const S& r) { sum += r * r * value_t<S>(0.5); });
    return sum;
}

// By the columns of derivative/columns.hpp: δq, v, act, ctrl.
template <class S, class M>
class CostDerivatives {
  public:
    explicit CostDerivatives(const M& m) : x_(std::make_unique<Data<L, M>>(m)), columns_(transition_columns(m)) {
        gradient.resize(columns_);
        hessian.resize(columns_ * columns_);
    }
    Array<S> gradient, hessian;  // the latter by rows, whole

    // At the state and the controls of the data. Gives the cost.
    template <class Cost, class D>
    S operator()(const Cost& cost, const M& m, const D& d, bool last) {
        for (int first = 0; first < columns_;) {
            const int end = first < m.nv ? m.nv : columns_, next = first + N < end ? first + N : end;
            vary_stages(m, *x_, d, first, next, first <= m.nv);  // behind the columns of the position it stays what it is
            std::size_t k = 0;
            cost(m, *x_, last, [&](const L& r) {
                const std::size_t row = k++ * static_cast<std::size_t>(columns_);
                if (slopes_.size() < row + static_cast<std::size_t>(columns_)) slopes_.resize(row + static_cast<std::size_t>(columns_));
                if (values_.size() < k) values_.resize(k);
                values_[k - 1] = r.value;
                for (int c = first; c < next; ++c) slopes_[row + static_cast<std::size_t>(c)] = r.partial[c - first];
            });
            terms_ = k;
            first = next;
        }
        return add_up();
    }

  private:
    static constexpr int N = 7;
    using L = dual<S, N>;
    std::unique_ptr<Data<L, M>> x_;
    int columns_;
    std::size_t terms_ = 0;
    std::vector<S> values_{}, slopes_{};

    S add_up() {
        S sum(0);
        for (S& g : gradient) g = S(0);
        for (S& h : hessian) h = S(0);
        for (std::size_t k = 0; k < terms_; ++k) {
            const S* slope = slopes_.data() + k * static_cast<std::size_t>(columns_);
            sum += values_[k] * values_[k] * value_t<S>(0.5);
            for (int c = 0; c < columns_; ++c) {
                if (is_nothing(slope[c])) continue;
                gradient[c] += values_[k] * slope[c];
                add_multiple(hessian.data() + c * columns_, slope, slope[c], columns_);
            }
        }
        return sum;
    }
};

}  // namespace mjx::inner
