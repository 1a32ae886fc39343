// A quadratic program in a box: min ½ xᵀ H x + gᵀ x, lower ≤ x ≤ upper, by projected Newton steps (Bertsekas 1982; Tassa, Mansard and
// Todorov 2014, appendix). Coordinates that are held by the box drop out of the system, which is factored again when others are.
#pragma once

#include "mjx/derivative/skyline.hpp"

#include <vector>

namespace mjx::inner {

template <class T>
class BoxQP {
  public:
    explicit BoxQP(int n) : n_(n), factor_(static_cast<std::size_t>(n * n)), step_(static_cast<std::size_t>(n)), trial_(step_) {}

    // The coordinates that the box does not hold, after solve().
    const std::vector<int>& free() const { return free_; }

    // From x on, which comes out as the solution. Says whether H is positive there.
    bool solve(const RowMajor<T>& H, const T* g, const T* lower, const T* upper, T* x) {
        for (int i = 0; i < n_; ++i) x[i] = clamp(x[i], lower[i], upper[i]);
        for (int iteration = 0; iteration < 50; ++iteration) {
            free_.clear();
            T rest(0);
            for (int i = 0; i < n_; ++i) {
                const T slope = gradient(H, g, x, i);
                step_[static_cast<std::size_t>(i)] = T(0);
                if ((x[i] <= lower[i] && slope > T(0)) || (x[i] >= upper[i] && slope < T(0))) continue;
                free_.push_back(i);
                trial_[free_.size() - 1] = -slope;
                rest += slope * slope;
            }
            if (!factor(H)) return false;
            if (rest < epsilon_v<T>) return true;
            solve_free(trial_.data(), 1);
            for (std::size_t k = 0; k < free_.size(); ++k) step_[static_cast<std::size_t>(free_[k])] = trial_[k];
            if (!search(H, g, lower, upper, x)) return true;
        }
        return true;
    }
    // y ← H⁻¹ y over the free coordinates; y has a row of `columns` numbers for each of them.
    void solve_free(T* y, int columns) const {
        const int n = static_cast<int>(free_.size());
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < i; ++j) add_multiple(y + i * columns, y + j * columns, T(-at(i, j)), columns);
            for (int c = 0; c < columns; ++c) y[i * columns + c] /= at(i, i);
        }
        for (int i = n - 1; i >= 0; --i) {
            for (int c = 0; c < columns; ++c) y[i * columns + c] /= at(i, i);
            for (int j = 0; j < i; ++j) add_multiple(y + j * columns, y + i * columns, T(-at(i, j)), columns);
        }
    }

  private:
    int n_;
    std::vector<T> factor_, step_, trial_;
    std::vector<int> free_{};

    const T& at(int i, int j) const { return factor_[static_cast<std::size_t>(i * n_ + j)]; }
    T gradient(const RowMajor<T>& H, const T* g, const T* x, int i) const {
        T sum = g[i];
        for (int j = 0; j < n_; ++j) sum += H(i, j) * x[j];
        return sum;
    }
    T value(const RowMajor<T>& H, const T* g, const T* x) const {
        T sum(0);
        for (int i = 0; i < n_; ++i) sum += x[i] * (g[i] + gradient(H, g, x, i)) / 2;
        return sum;
    }
    bool factor(const RowMajor<T>& H) {
        for (std::size_t i = 0; i < free_.size(); ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                T sum = H(free_[i], free_[j]);
                const int r = static_cast<int>(i), c = static_cast<int>(j);
                for (int k = 0; k < c; ++k) sum -= at(r, k) * at(c, k);
                if (i == j && !(sum > T(0))) return false;
                factor_[i * static_cast<std::size_t>(n_) + j] = i == j ? sqrt(sum) : sum / at(c, c);
            }
        return true;
    }
    // A shorter and shorter step, bent along the box, until the value falls.
    bool search(const RowMajor<T>& H, const T* g, const T* lower, const T* upper, T* x) {
        const T before = value(H, g, x);
        for (T length(1); length > T(1e-4); length *= T(0.6)) {
            for (int i = 0; i < n_; ++i)
                trial_[static_cast<std::size_t>(i)] = clamp(x[i] + length * step_[static_cast<std::size_t>(i)], lower[i], upper[i]);
            if (value(H, g, trial_.data()) >= before) continue;
            for (int i = 0; i < n_; ++i) x[i] = trial_[static_cast<std::size_t>(i)];
            return true;
        }
        return false;
    }
};

}  // namespace mjx::inner
