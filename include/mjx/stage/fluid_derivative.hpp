// How fluid forces change with the local velocity of the frame they act on.
//
// Reads   nothing but the velocity given (rotation first, in the frame's axes, relative to the wind)
// The ellipsoid model's terms one by one (stage/fluid.hpp has the forces): with u, w the linear and angular velocity and
// squared areas α of the ellipsoid's sections, the projected area is A = π sqrt(Σα²u² / Σαu²). Drag and lift are quadratic in u, so
// their derivative is the speed times that at the unit vector, where no product of small speeds is lost. At rest it is zero.
#pragma once

#include "mjx/stage/fluid.hpp"

namespace mjx::inner {

// 6x6: row is the component of force (torque first), column that of velocity.
template <class S>
struct Mat6 {
    S e[36];
    constexpr S& operator()(int r, int c) { return e[6 * r + c]; }
    constexpr const S& operator()(int r, int c) const { return e[6 * r + c]; }
    static constexpr Mat6 zero() {
        Mat6 m;
        for (int i = 0; i < 36; ++i) m.e[i] = S(0);
        return m;
    }
    // Adds the matrix of x ↦ v × x, each column scaled, to the block at (row, column).
    template <class R>
    constexpr void add_cross(int row, int column, const Vec3<S>& v, const Vec3<R>& scale) {
        for (int k = 0; k < 3; ++k) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            (*this)(row + b, column + a) += v[k] * scale[a];
            (*this)(row + a, column + b) -= v[k] * scale[b];
        }
    }
};

template <class M, class S>
Mat6<S> inertia_box_derivative(const M& m, int body, const Vec6<S>& v) {
    const auto drag = box_drag(m, body);
    Mat6<S> B = Mat6<S>::zero();
    for (int k = 0; k < 6; ++k) B(k, k) = -(drag.linear[k] + abs(v[k]) * drag.quadratic[k] * value_t<S>(2));
    return B;
}

// Drag on the rotation: -w (ρ |C w| + c) with a diagonal C.
template <class S, class Real>
void add_rotational_drag(Mat6<S>& B, const Vec3<S>& w, const Vec3<Real>& C, const Real& linear_drag, const Real& density) {
    Vec3<S> moment, slope;
    for (int k = 0; k < 3; ++k) moment[k] = w[k] * C[k];
    const S scale = S(density) / max(norm(moment), S(minval_v<S>));
    for (int k = 0; k < 3; ++k) slope[k] = moment[k] * C[k] * scale;
    const S diagonal = dot(w, slope) + linear_drag;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) B(r, c) -= w[r] * slope[c];
        B(r, r) -= diagonal;
    }
}

// A flow u = pace * way past an ellipsoid: the squared areas, over π², of its sections across its axes, in parts of the square of `unit`;
// and what denominators do not fall below. Up to MuJoCo 3.13 in its units of length and speed, with a floor that lets drag fade out
// (fluid.hpp).
template <class S, class Real>
struct Flow {
    Vec3<Real> alpha;
    Real unit;
    Vec3<S> way;
    S pace, tiny;

    Flow(const Vec3<S>& u, const Vec3<Real>& s, int mujoco) {
        using V = value_t<S>;
        const bool faded = mujoco < 314;
        unit = faded ? Real(1) : max(max(s[1] * s[2], s[2] * s[0]), s[0] * s[1]);
        pace = faded ? S(1) : norm(u);
        tiny = S(faded ? minval_v<S> : V(sqrt(std::numeric_limits<V>::min())));
        way = u * S(S(1) / select(pace > S(0), pace, S(1)));
        for (int k = 0; k < 3; ++k) {
            const Real part = s[(k + 1) % 3] * s[(k + 2) % 3] / unit;
            alpha[k] = part * part;
        }
    }
};

// Drag on the translation: -u (ρ |u| (A blunt + (A_max - A) slender) + c).
template <class S, class Real>
void add_translational_drag(Mat6<S>& B, const Flow<S, Real>& flow, const Real& area_max, const Real& blunt, const Real& slender,
                            const Real& linear_drag, const Real& density) {
    const Vec3<Real>& alpha = flow.alpha;
    const Vec3<S>& u = flow.way;
    const S& tiny = flow.tiny;
    const Real pi = flow.unit * std::numbers::pi_v<value_t<S>>;
    S below(0), above(0);
    for (int k = 0; k < 3; ++k) {
        below += u[k] * u[k] * alpha[k];
        above += u[k] * u[k] * Real(alpha[k] * alpha[k]);
    }
    const S square = dot(u, u), speed = norm(u);
    const S area = sqrt(S(above / max(below, tiny))) * pi;
    const S quadratic = (area * blunt + (area_max - area) * slender) * density / max(speed, tiny);
    // dA/du = π / sqrt(below³ above) α u (α below - above)
    const S scale = speed * Real(density * (blunt - slender)) * pi / max(S(below * sqrt(S(below * above))), tiny);
    for (int c = 0; c < 3; ++c) {
        S apart(0);
        for (int j = 0; j < 3; ++j) apart += u[j] * u[j] * Real(alpha[j] * (alpha[c] - alpha[j]));
        const S area_slope = scale * u[c] * alpha[c] * apart;
        for (int r = 0; r < 3; ++r) B(3 + r, 3 + c) -= flow.pace * u[r] * (u[c] * quadratic + area_slope);
        B(3 + c, 3 + c) -= flow.pace * square * quadratic + linear_drag;
    }
}

// Kutta lift: -K u_i f_i with f_i = Σ u_j² (α_i - α_j) and K ∝ sqrt(Σαu² / (Σα²u² u²)).
template <class S, class Real>
void add_kutta_lift(Mat6<S>& B, const Flow<S, Real>& flow, const Real& coefficient) {
    const Vec3<Real>& alpha = flow.alpha;
    const Vec3<S>& u = flow.way;
    const S tiny = flow.tiny, square = dot(u, u);
    S below(0), above(0);
    for (int k = 0; k < 3; ++k) {
        below += u[k] * u[k] * alpha[k];
        above += u[k] * u[k] * Real(alpha[k] * alpha[k]);
    }
    const S scale = flow.pace * Real(coefficient * flow.unit * std::numbers::pi_v<value_t<S>>) / max(sqrt(S(above * below * square)), tiny);
    const S by_above = below / max(above, tiny), by_square = below / max(square, tiny);
    for (int r = 0; r < 3; ++r) {
        S f(0);
        for (int j = 0; j < 3; ++j) f += u[j] * u[j] * Real(alpha[r] - alpha[j]);
        for (int c = 0; c < 3; ++c) {
            const S log_slope = by_above * Real(alpha[c] * alpha[c]) - alpha[c] + by_square;
            B(3 + r, 3 + c) += scale * u[r] * u[c] * (below * Real(alpha[c] - alpha[r]) * value_t<S>(2) + f * log_slope);
        }
        B(3 + r, 3 + r) -= scale * f * below;
    }
}

// Drag of an ellipsoid with half sizes s, on its translation and its rotation.
template <class S, class Real>
void add_ellipsoid_drag(Mat6<S>& B, const Vec6<S>& v, const Vec<Real, nfluid>& coef, const Vec3<Real>& s,
                        std::type_identity_t<Real> density, std::type_identity_t<Real> viscosity, int mujoco) {
    using V = value_t<S>;
    const V pi = std::numbers::pi_v<V>;
    const Real d_max = max(max(s[0], s[1]), s[2]), d_min = min(min(s[0], s[1]), s[2]);
    const Real d_mid = s[0] + s[1] + s[2] - d_max - d_min, diameter = (s[0] + s[1] + s[2]) * (V(2) / 3);
    const Real i_max = d_mid * d_max * d_max * d_max * d_max * (V(8) / 15 * pi);
    Vec3<Real> moment;
    for (int k = 0; k < 3; ++k) {
        const Real wide = max(s[(k + 1) % 3], s[(k + 2) % 3]), i_k = s[k] * wide * wide * wide * wide * (V(8) / 15 * pi);
        moment[k] = coef[fluid_coef::angular] * i_k + coef[fluid_coef::slender] * (i_max - i_k);
    }
    add_translational_drag(B, Flow<S, Real>(linear(v), s, mujoco), Real(d_max * d_mid * pi), Real(coef[fluid_coef::blunt]),
                           Real(coef[fluid_coef::slender]), Real(viscosity * diameter * (3 * pi)), density);
    add_rotational_drag(B, angular(v), moment, Real(viscosity * diameter * diameter * diameter * pi), density);
}

template <class S, class Real>
Mat6<S> ellipsoid_derivative(const Vec6<S>& v, const Vec<Real, nfluid>& coef, const Vec3<Real>& s, std::type_identity_t<Real> density,
                             std::type_identity_t<Real> viscosity, int mujoco) {
    using V = value_t<S>;
    const V pi = std::numbers::pi_v<V>;
    const Vec3<S> w = angular(v), u = linear(v);
    Mat6<S> B = Mat6<S>::zero();

    // added mass: force p × w, torque p × u + l × w, with the momenta p and l of the fluid carried along
    Vec3<Real> mass, inertia, one{{Real(1), Real(1), Real(1)}};
    Vec3<S> p, l;
    for (int k = 0; k < 3; ++k) {
        mass[k] = density * coef[fluid_coef::virtual_mass + k];
        inertia[k] = density * coef[fluid_coef::virtual_inertia + k];
        p[k] = u[k] * mass[k];
        l[k] = w[k] * inertia[k];
    }
    B.add_cross(3, 0, p, one);
    B.add_cross(3, 3, Vec3<S>(-w), mass);
    B.add_cross(0, 3, p, one);
    B.add_cross(0, 3, Vec3<S>(-u), mass);
    B.add_cross(0, 0, l, one);
    B.add_cross(0, 0, Vec3<S>(-w), inertia);

    // Magnus: w × u
    const Real magnus = coef[fluid_coef::magnus] * density * s[0] * s[1] * s[2] * (V(4) / 3 * pi);
    B.add_cross(3, 3, Vec3<S>(w * magnus), one);
    B.add_cross(3, 0, Vec3<S>(u * Real(-magnus)), one);

    add_kutta_lift(B, Flow<S, Real>(u, s, mujoco), Real(coef[fluid_coef::kutta] * density));
    add_ellipsoid_drag(B, v, coef, s, density, viscosity, mujoco);
    return B;
}

template <class M, class S>
Mat6<S> geom_fluid_derivative(const M& m, int g, const Vec6<S>& v) {
    return ellipsoid_derivative(v, m.geom_fluid[g], half_sizes<shapes_of<M>>(m.geom_type[g], m.geom_size[g]), m.opt.density,
                                m.opt.viscosity, m.opt.mujoco);
}

// Its drag alone.
template <class M, class S>
Mat6<S> geom_drag_derivative(const M& m, int g, const Vec6<S>& v) {
    Mat6<S> B = Mat6<S>::zero();
    add_ellipsoid_drag(B, v, m.geom_fluid[g], half_sizes<shapes_of<M>>(m.geom_type[g], m.geom_size[g]), m.opt.density, m.opt.viscosity,
                       m.opt.mujoco);
    return B;
}

}  // namespace mjx::inner
