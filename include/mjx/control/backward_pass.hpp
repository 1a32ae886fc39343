// One step back through a trajectory with the value function ½ xᵀ V x + vᵀ x of what follows (Tassa, Mansard and Todorov 2014).
//
//     Q = L + Fᵀ V F,   q = l + Fᵀ v,   F = (A B),   k = argmin over the box of ½ kᵀ Q_uu k + q_uᵀ k,   K = -Q_uu⁻¹ Q_ux
// where the box does not hold a control, else 0; then V = Q_xx + Kᵀ Q_ux + Q_xu K + Kᵀ Q_uu K and v = q_x + Kᵀ (q_u + Q_uu k) + Q_xu k.
#pragma once

#include "mjx/control/box_qp.hpp"

#include <algorithm>

namespace mjx::inner {

template <class T>
class BackwardPass {
  public:
    BackwardPass(int n, int nu) : n_(n), nu_(nu), c_(n + nu), box_(nu) {
        V_.resize(n * n);
        W_.resize(n * c_ > nu * n ? n * c_ : nu * n);
        Q_.resize(c_ * c_);
        free_.resize(nu * n);
        for (auto* each : {&v_, &q_}) each->resize(c_);
        for (auto* each : {&lower, &upper}) each->resize(nu);
    }
    Array<T> lower, upper;  // of the controls of the next step()

    // From the cost of the last state: its gradient and Hessian over the columns of x and u.
    void start(const T* l, const T* L) {
        std::copy_n(l, n_, v_.begin());
        for (int i = 0; i < n_; ++i) std::copy_n(L + i * c_, n_, V_.begin() + i * n_);
    }
    // The push k and the gains K of a step; controls are `dearer` by so much. Says whether Q_uu was positive.
    bool step(const RowMajor<T>& F, const T* l, const T* L, T dearer, T* push, T* gains) {
        expand(F, l, L);
        const RowMajor<T> Q{Q_.data(), c_};
        for (int u = n_; u < c_; ++u) Q(u, u) += dearer;
        const bool positive = choose(push, gains);
        for (int u = n_; u < c_; ++u) Q(u, u) -= dearer;
        if (positive) continue_value(push, gains);
        return positive;
    }

  private:
    int n_, nu_, c_;
    BoxQP<T> box_;
    Array<T> V_{}, W_{}, Q_{}, v_{}, q_{}, free_{};

    void expand(const RowMajor<T>& F, const T* l, const T* L) {
        const RowMajor<T> V{V_.data(), n_}, W{W_.data(), c_}, Q{Q_.data(), c_};
        std::copy_n(l, c_, q_.begin());
        std::copy_n(L, c_ * c_, Q_.begin());
        std::fill(W_.begin(), W_.end(), T(0));
        for (int i = 0; i < n_; ++i) {
            add_multiple(q_.data(), F.row(i), v_[i], c_);
            for (int k = 0; k < n_; ++k) add_multiple(W.row(i), F.row(k), V(i, k), c_);
        }
        for (int k = 0; k < n_; ++k)
            for (int i = 0; i < c_; ++i)
                if (F(k, i) != T(0)) add_multiple(Q.row(i), W.row(k), F(k, i), c_);
    }
    bool choose(T* push, T* gains) {
        const RowMajor<T> Q{Q_.data(), c_};
        std::fill_n(gains, nu_ * n_, T(0));
        std::fill_n(push, nu_, T(0));
        if (!box_.solve(RowMajor<T>{Q.row(n_) + n_, c_}, q_.data() + n_, lower.data(), upper.data(), push)) return false;
        const auto& free = box_.free();
        const int count = static_cast<int>(free.size());
        const auto control = [&](int k) { return free[static_cast<std::size_t>(k)]; };
        for (int k = 0; k < count; ++k)
            for (int i = 0; i < n_; ++i) free_[k * n_ + i] = -Q(n_ + control(k), i);
        box_.solve_free(free_.data(), n_);
        for (int k = 0; k < count; ++k) std::copy_n(free_.begin() + k * n_, n_, gains + control(k) * n_);
        return true;
    }
    void continue_value(const T* push, T* gains) {
        const RowMajor<T> Q{Q_.data(), c_}, V{V_.data(), n_}, K{gains, n_}, half{W_.data(), n_};  // half: Q_ux + ½ Q_uu K
        std::copy_n(q_.begin(), n_, v_.begin());
        for (int u = 0; u < nu_; ++u) {
            std::copy_n(Q.row(n_ + u), n_, half.row(u));
            T slope = q_[n_ + u];
            for (int w = 0; w < nu_; ++w) {
                add_multiple(half.row(u), K.row(w), Q(n_ + u, n_ + w) / 2, n_);
                slope += Q(n_ + u, n_ + w) * push[w];
            }
            add_multiple(v_.data(), Q.row(n_ + u), push[u], n_);
            add_multiple(v_.data(), K.row(u), slope, n_);
        }
        for (int i = 0; i < n_; ++i) std::copy_n(Q.row(i), n_, V.row(i));
        for (int u = 0; u < nu_; ++u)
            for (int i = 0; i < n_; ++i) {
                add_multiple(V.row(i), half.row(u), K(u, i), n_);
                add_multiple(V.row(i), K.row(u), half(u, i), n_);
            }
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < i; ++j) V(i, j) = V(j, i) = (V(i, j) + V(j, i)) / 2;
    }
};

}  // namespace mjx::inner
