// Derivatives of turning an orientation along a rotation vector, and of the rotation vector between two orientations.
//
// Orientations are varied by rotation vectors in their own local frame: q exp(δ). With s = scale · vel (mjd_quatIntegrate, mjd_subQuat;
// Solà et al. 2018, "A micro Lie theory", eqs. 142-146):
//     δ(q exp s)   = exp(-s) δq + Jr(s) δs,        Jr(s) = sin x/x I - (1 - cos x)/x² [s]× + (x - sin x)/x³ s sᵀ,    x = |s|
//     δ(qa ⊖ qb)   = Da δqa + Db δqb,              Da = Jr⁻¹(r) = I + ½ [r]× + (1 - (x/2) cot(x/2))/x² [r]×²,  Db = -Daᵀ,   r = qa ⊖ qb
// The coefficients are even in x. Below a quarter of a radian they go by their series, so that they hold, with their derivatives, at zero.
#pragma once

#include "mjx/math/mat3.hpp"
#include "mjx/math/quat.hpp"

namespace mjx::inner {

template <class S>
struct QuatIntegrateDerivative {
    Mat3<S> Dquat;  // by the orientation before, in its tangent space: the rotation exp(-s)
    Mat3<S> Dvel;  // by the scaled velocity s; times `scale` it is that by the velocity
    Vec3<S> Dscale;  // by the scale
};

template <class S>
struct SubQuatDerivative {
    Mat3<S> Da, Db;
};

// The sum of the even powers of x with these coefficients.
template <class S, class... C>
S even_series(const S& x2, C... coefficients) {
    const value_t<S> c[] = {static_cast<value_t<S>>(coefficients)...};
    S sum(0);
    for (int i = int(sizeof...(C)) - 1; i >= 0; --i) sum = sum * x2 + c[i];
    return sum;
}

template <class S>
Mat3<S> cross_matrix(const Vec3<S>& v) {
    return {{S(0), -v[2], v[1], v[2], S(0), -v[0], -v[1], v[0], S(0)}};
}

template <class S, class H>
QuatIntegrateDerivative<S> quat_integrate_derivative(const Vec3<S>& vel, const H& scale) {
    using V = value_t<S>;
    const Vec3<S> s = vel * scale;
    const S x2 = dot(s, s);
    const auto small = x2 < S(V(0.0625));
    const S safe = select(small, S(1), x2), x = sqrt(safe), half = sin(S(x * V(0.5)));
    // sin x/x, (1 - cos x)/x², (x - sin x)/x³
    const S b_far = sin(x) / x;
    const S b = select(small, even_series(x2, 1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800), b_far);
    const S c = select(small, even_series(x2, 0.5, -1.0 / 24, 1.0 / 720, -1.0 / 40320, 1.0 / 3628800, -1.0 / 479001600),
                       S(half * half * V(2) / safe));
    const S d = select(small, even_series(x2, 1.0 / 6, -1.0 / 120, 1.0 / 5040, -1.0 / 362880, 1.0 / 39916800, -1.0 / 6227020800),
                       S((S(1) - b_far) / safe));
    const S a = S(1) - c * x2;  // cos x
    const Mat3<S> cross = cross_matrix(s);
    QuatIntegrateDerivative<S> r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const S outer = s[i] * s[j], diagonal(i == j);
            r.Dquat(i, j) = a * diagonal - b * cross(i, j) + c * outer;
            r.Dvel(i, j) = b * diagonal - c * cross(i, j) + d * outer;
        }
    r.Dscale = r.Dvel * vel;
    return r;
}

// Jr⁻¹ at a rotation vector.
template <class S>
Mat3<S> inverse_right_jacobian(const Vec3<S>& rotation) {
    using V = value_t<S>;
    const S x2 = dot(rotation, rotation);
    const auto small = x2 < S(V(0.0625));
    const S safe = select(small, S(1), x2), half = sqrt(safe) * V(0.5);
    const S c = select(small, even_series(x2, 1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000),
                       S((S(1) - half * cos(half) / sin(half)) / safe));
    const Mat3<S> cross = cross_matrix(rotation), square = cross * cross;
    Mat3<S> r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r(i, j) = S(i == j) + cross(i, j) * V(0.5) + square(i, j) * c;
    return r;
}

template <class S>
SubQuatDerivative<S> sub_quat_derivative(const Quat<S>& qa, const Quat<S>& qb) {
    SubQuatDerivative<S> r;
    r.Da = inverse_right_jacobian(difference(qa, qb));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r.Db(j, i) = -r.Da(i, j);
    return r;
}

}  // namespace mjx::inner
