// A quadratic cost under one ellipsoid: the friction force of an elliptic contact at a given normal force.
//
// minimize vᵀ A v/2 + bᵀ v subject to Σ (v_j / mu_j)² ≤ r², n ≤ 5. In coordinates scaled by mu the bound is a sphere and the
// minimizer is -(A + λ)⁻¹ b with the smallest λ ≥ 0 that reaches it: Newton's method on λ, which approaches from below.
#pragma once

#include "mjx/math/vec.hpp"

namespace mjx::inner {

inline constexpr int max_friction_dim = 5;

// Solves (A + λ) x = b by Cholesky; lanes where it is not positive definite are left out of `good`, as are those where the
// determinant (from n = 4 on, a pivot) is below `least`.
template <class T>
struct ShiftedCholesky {
    T l[max_friction_dim][max_friction_dim];
    T inverse[max_friction_dim];

    mask_t<T> factor(const T (&A)[max_friction_dim][max_friction_dim], const T& lambda, int n, const T& tiny, const T& least) {
        mask_t<T> good(true);
        T determinant(1);
        for (int j = 0; j < n; ++j) {
            T pivot = A[j][j] + lambda;
            for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
            good = good && pivot > (n > 3 ? max(tiny, least) : tiny);
            determinant *= pivot;
            inverse[j] = T(1) / sqrt(max(pivot, tiny));
            for (int i = j + 1; i < n; ++i) {
                T entry = A[i][j];
                for (int k = 0; k < j; ++k) entry -= l[i][k] * l[j][k];
                l[i][j] = entry * inverse[j];
            }
        }
        return n > 3 ? good : good && !(determinant < least);
    }
    void solve(const T* b, T* x, int n) const {
        for (int i = 0; i < n; ++i) {
            T sum = b[i];
            for (int k = 0; k < i; ++k) sum -= l[i][k] * x[k];
            x[i] = sum * inverse[i];
        }
        for (int i = n - 1; i >= 0; --i) {
            T sum = x[i];
            for (int k = i + 1; k < n; ++k) sum -= l[k][i] * x[k];
            x[i] = sum * inverse[i];
        }
    }
};

template <class T>
void solve_qcqp(const T (&A)[max_friction_dim][max_friction_dim], const T* b, const T* mu, const T& r, int n, T* v, const T& least = T(0)) {
    const T tiny(static_cast<value_t<T>>(1e-10));
    T scaled[max_friction_dim][max_friction_dim], c[max_friction_dim], x[max_friction_dim], y[max_friction_dim];
    for (int i = 0; i < n; ++i) {
        c[i] = -b[i] * mu[i];
        for (int j = 0; j < n; ++j) scaled[i][j] = A[i][j] * mu[i] * mu[j];
    }
    const T enough = max(tiny, T(8 * epsilon_v<T>) * r * r);
    ShiftedCholesky<T> cholesky;
    T lambda(0);
    mask_t<T> good(true), done(false);
    for (int iteration = 0; iteration < 20; ++iteration) {
        good = good && cholesky.factor(scaled, lambda, n, T(tiny * tiny), least);
        T next[max_friction_dim];
        cholesky.solve(c, next, n);
        T excess = -r * r;
        for (int i = 0; i < n; ++i) {
            x[i] = iteration == 0 ? next[i] : select(done, x[i], next[i]);
            excess += x[i] * x[i];
        }
        done = done || excess < enough;
        if (all(done)) break;
        cholesky.solve(x, y, n);
        T slope(0);
        for (int i = 0; i < n; ++i) slope += x[i] * y[i];
        const T step = excess / max(T(2) * slope, tiny * tiny);
        done = done || step < tiny;
        lambda += select(done, T(0), step);
    }
    // at the bound: exactly on it, in case the iteration stopped short
    T square(0);
    for (int i = 0; i < n; ++i) square += x[i] * x[i];
    const T onto = select(lambda > T(0), abs(r) / sqrt(max(square, tiny * tiny)), T(1));
    for (int i = 0; i < n; ++i) v[i] = select(good, x[i] * onto * mu[i], T(0));
}

}  // namespace mjx::inner
