// The fluid that an ellipsoid carries along: virtual mass and inertia, of a fluid of density one.
#pragma once

#include "mjx/math/vec.hpp"

namespace mjx::inner {

// The added-mass coefficient of an ellipsoid along x: integral over l from 0 to infinity of
// dx dy dz / sqrt((dx² + l)³ (dy² + l) (dz² + l)), by 15-point Gauss-Kronrod quadrature after l = x³/(1 - x)² (Lamb 1932, §114).
template <class R>
R added_mass_kappa(const R& dx, const R& dy, const R& dz) {
    using V = value_t<R>;
    static constexpr double weight[15] = {0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107,
                                          0.10221647, 0.09517529, 0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766};
    static constexpr double node[15] = {7.865151709349917e-08, 1.7347976913907274e-05, 0.0003548008144506193, 0.002846636252924549,
                                        0.014094260903596077,  0.053063261727396636,   0.17041978741317773,   0.5,
                                        1.4036301548686991,    3.9353484827022642,     11.644841677041734,    39.53187807410903,
                                        177.5711362220801,     1429.4772912937397,     54087.416549217705};
    static constexpr double slope[15] = {5.538677720489877e-05, 0.002080868285293228, 0.016514126520723166, 0.07261900344370877,
                                         0.23985243401862602,   0.6868318249020725,   1.8551129519182894,   5.0,
                                         14.060031152313941,    43.28941239611009,    156.58546376397112,   747.9826085305024,
                                         5827.4042950027115,    116754.0197944512,    25482945.327264845};
    const R one(1), x = one / (dx * dx), y = one / (dy * dy), z = one / (dz * dz);
    const R scale = pow(R(dx * dx * dx * dy * dz), R(static_cast<V>(0.4)));
    R kappa(0);
    for (int i = 0; i < 15; ++i) {
        const R l = scale * static_cast<V>(node[i]);
        kappa += R(static_cast<V>(weight[i])) * scale * static_cast<V>(slope[i]) /
                 ((one + l * x) * sqrt(R((one + l * x) * (one + l * y) * (one + l * z))));
    }
    return kappa * x;
}

// Virtual mass along the three semi-axes, then virtual inertia about them.
template <class R>
Vec6<R> added_mass(const Vec3<R>& d) {
    using V = value_t<R>;
    const R volume = R(static_cast<V>(4.0 / 3.0 * 3.14159265358979323846)) * d[0] * d[1] * d[2], tiny(static_cast<V>(1e-14));
    const Vec3<R> kappa{{added_mass_kappa(d[0], d[1], d[2]), added_mass_kappa(d[1], d[2], d[0]), added_mass_kappa(d[2], d[0], d[1])}};
    Vec6<R> added;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const R jj = d[j] * d[j], kk = d[k] * d[k];
        const R above = (jj - kk) * (jj - kk) * abs(kappa[k] - kappa[j]);
        const R below = abs(R(R(2) * (jj - kk) + (jj + kk) * (kappa[j] - kappa[k])));
        added[i] = volume * kappa[i] / max(tiny, R(R(2) - kappa[i]));
        added[3 + i] = volume * (above / max(tiny, below)) / R(5);
    }
    return added;
}

}  // namespace mjx::inner
