// Forces of a surrounding fluid: the inertia-box model and the ellipsoid model (MuJoCo, fluid forces chapter).
//
// Reads   cvel, xipos, ximat, geom poses
// Writes  qfrc_fluid (adds)
// Both work in a local frame: the body's principal axes, or the geom's axes. The box model replaces a body by a box of equal
// inertia; the ellipsoid model (Andersen et al. 2005, Webb and Zbikowski 2022) adds mass, Magnus, Kutta, drag and viscosity.
#pragma once

#include "mjx/model/shape/list.hpp"
#include "mjx/stage/jacobian.hpp"

#include <limits>
#include <numbers>

namespace mjx::inner {

// Velocity relative to the wind of a frame fixed in `body`, in its own axes.
template <class M, class D, class S>
Vec6<S> velocity_in_wind(const M& m, const D& d, int body, const Vec3<S>& pos, const Mat3<S>& axes) {
    Vec6<S> v = velocity_at(m, d, body, pos);
    for (int k = 0; k < 3; ++k) v[3 + k] -= m.opt.wind[k];
    return into_frame(axes, v);
}

template <class M, class D, class S>
void apply_fluid_force(const M& m, D& d, int body, const Vec3<S>& pos, const Mat3<S>& axes, const Vec6<S>& local) {
    apply_force(m, d, body, pos, Vec3<S>(axes * linear(local)), Vec3<S>(axes * angular(local)), d.qfrc_fluid);
}

// Coefficients of the box that stands for a body (rotation first, principal axes): the force is -v (linear + quadratic |v|).
template <class Real>
struct BoxDrag {
    Vec6<Real> linear, quadratic;
};
template <class M>
BoxDrag<typename M::real> box_drag(const M& m, int body) {
    using Real = typename M::real;
    using V = value_t<Real>;
    const V pi = std::numbers::pi_v<V>;
    const auto& inertia = m.body_inertia[body];
    Real box[3];
    for (int k = 0; k < 3; ++k) {
        const Real excess = inertia[(k + 1) % 3] + inertia[(k + 2) % 3] - inertia[k];
        box[k] = sqrt(Real(max(excess, Real(minval_v<Real>)) / m.body_mass[body] * V(6)));
    }
    const Real diameter = (box[0] + box[1] + box[2]) * (V(1) / 3);
    const Real viscosity = max(Real(m.opt.viscosity), Real(0)), density = max(Real(m.opt.density), Real(0));
    BoxDrag<Real> drag;
    for (int k = 0; k < 3; ++k) {
        const Real b0 = box[k], b1 = box[(k + 1) % 3], b2 = box[(k + 2) % 3];
        drag.linear[k] = viscosity * diameter * diameter * diameter * pi;
        drag.linear[3 + k] = viscosity * diameter * (3 * pi);
        drag.quadratic[k] = density * b0 * (b1 * b1 * b1 * b1 + b2 * b2 * b2 * b2) * (V(1) / 64);
        drag.quadratic[3 + k] = density * b1 * b2 * V(0.5);
    }
    return drag;
}

template <class M, class D>
void inertia_box_fluid(const M& m, D& d, int body) {
    const auto drag = box_drag(m, body);
    auto f = velocity_in_wind(m, d, body, d.xipos[body], d.ximat[body]);
    for (int k = 0; k < 6; ++k) f[k] = -f[k] * (drag.linear[k] + abs(f[k]) * drag.quadratic[k]);
    apply_fluid_force(m, d, body, d.xipos[body], d.ximat[body], f);
}

// Coefficients of the ellipsoid model, as laid out in geom_fluid.
namespace fluid_coef {
enum : int { active, blunt, slender, angular, kutta, magnus, virtual_mass, virtual_inertia = 9 };
}

// What opposes the motion of an ellipsoid, per velocity, linear and angular: Stokes terms of an equivalent sphere plus quadratic terms.
// `projected` is the area that faces the flow.
template <class S, class Real>
Vec<S, 2> ellipsoid_drag(const Vec3<S>& w, const S& speed, const S& projected, const Vec<Real, nfluid>& c, const Vec3<Real>& s,
                         Real density, Real viscosity) {
    using V = value_t<S>;
    const V pi = std::numbers::pi_v<V>;
    const Real d_max = max(max(s[0], s[1]), s[2]), d_min = min(min(s[0], s[1]), s[2]);
    const Real d_mid = s[0] + s[1] + s[2] - d_max - d_min;
    const Real area_max = d_max * d_mid * pi;
    const Real diameter = (s[0] + s[1] + s[2]) * (V(2) / 3);
    const Real i_max = d_mid * d_max * d_max * d_max * d_max * (V(8) / 15 * pi);
    Vec3<S> moment;
    for (int k = 0; k < 3; ++k) {
        const Real wide = max(s[(k + 1) % 3], s[(k + 2) % 3]);
        const Real i_k = s[k] * wide * wide * wide * wide * (V(8) / 15 * pi);
        moment[k] = w[k] * Real(c[fluid_coef::angular] * i_k + c[fluid_coef::slender] * (i_max - i_k));
    }
    const S linear_drag = speed * density * (projected * c[fluid_coef::blunt] + (area_max - projected) * c[fluid_coef::slender]) +
                          Real(viscosity * diameter * (3 * pi));
    const S angular_drag = norm(moment) * density + Real(viscosity * diameter * diameter * diameter * pi);
    return {{linear_drag, angular_drag}};
}

// `mujoco`: as that version has it (Option). Up to 3.13 the lift and drag of geoms of centimetres faded out at low speeds, where sums of
// products of areas fell below a fixed number; they are taken in parts of the largest area now.
template <class S, class Real>
Vec6<S> ellipsoid_force(const Vec6<S>& v, const Vec<Real, nfluid>& c, const Vec3<Real>& s, std::type_identity_t<Real> density,
                        std::type_identity_t<Real> viscosity, int mujoco) {
    using V = value_t<S>;
    const V pi = std::numbers::pi_v<V>;
    const Vec3<S> w = angular(v), u = linear(v);

    // added mass: the momentum of fluid carried along
    Vec3<S> p, l;
    for (int k = 0; k < 3; ++k) {
        p[k] = u[k] * (density * c[fluid_coef::virtual_mass + k]);
        l[k] = w[k] * (density * c[fluid_coef::virtual_inertia + k]);
    }
    Vec3<S> force = cross(p, w);
    Vec3<S> torque = cross(p, u) + cross(l, w);

    // Magnus lift
    const Real volume = s[0] * s[1] * s[2] * (V(4) / 3 * pi);
    force += cross(w, u) * Real(c[fluid_coef::magnus] * density * volume);

    // Kutta lift, from the projected area facing the flow
    const Real area[3] = {s[1] * s[2], s[2] * s[0], s[0] * s[1]};
    const bool faded = mujoco < 314;
    const Real unit = faded ? Real(1) : max(max(area[0], area[1]), area[2]);
    S denominator = S(0), numerator = S(0);
    Vec3<S> normal;
    for (int k = 0; k < 3; ++k) {
        const Real part = area[k] / unit, a2 = part * part;
        numerator += u[k] * u[k] * a2;
        denominator += u[k] * u[k] * Real(a2 * a2);
        normal[k] = u[k] * a2;
    }
    const S tiny = S(faded ? minval_v<S> : std::numeric_limits<V>::min());
    const S projected = sqrt(S(denominator / max(numerator, tiny))) * Real(unit * pi);
    const S speed = norm(u);
    const S cosine = numerator / max(S(speed * denominator), tiny);
    const Vec3<S> circulation = cross(normal, u) * S(cosine * projected * Real(c[fluid_coef::kutta] * density));
    force += cross(circulation, u);

    const Vec<S, 2> drag = ellipsoid_drag(w, speed, projected, c, s, density, viscosity);
    return spatial(Vec3<S>(torque - w * drag[1]), Vec3<S>(force - u * drag[0]));
}

// Calls geom(body, g) for each geom with the ellipsoid model and box(body) for each other body the fluid acts on.
template <class M, class G, class B>
void for_each_wet(const M& m, G&& geom, B&& box) {
    using Real = typename M::real;
    if (!any(m.opt.viscosity != Real(0)) && !any(m.opt.density != Real(0))) return;
    for (int b = 1; b < m.nbody; ++b) {
        if (!any(m.body_mass[b] >= Real(minval_v<Real>))) continue;
        bool ellipsoid = false;
        const int first = m.body_geomadr[b], count = m.body_geomnum[b];
        for (int g = first; g < first + count; ++g) {
            if (!any(m.geom_fluid[g][fluid_coef::active] > Real(0))) continue;
            ellipsoid = true;
            geom(b, g);
        }
        if (!ellipsoid) box(b);
    }
}

template <class M, class D>
void fluid(const M& m, D& d) {
    const auto geom = [&](int b, int g) {
        const auto v = velocity_in_wind(m, d, b, d.geom_xpos[g], d.geom_xmat[g]);
        const auto size = half_sizes<shapes_of<M>>(m.geom_type[g], m.geom_size[g]);
        const auto f = ellipsoid_force(v, m.geom_fluid[g], size, m.opt.density, m.opt.viscosity, m.opt.mujoco);
        apply_fluid_force(m, d, b, d.geom_xpos[g], d.geom_xmat[g], f * m.geom_fluid[g][fluid_coef::active]);
    };
    for_each_wet(m, geom, [&](int b) { inertia_box_fluid(m, d, b); });
}

}  // namespace mjx::inner
