// <inertial>: mass, centre and inertia of a link, and what is done about those that no body has.
//
// The tensor is given in the axes of <origin>, which may be turned (MuJoCo 3.12 did not turn it, 3.14 does); the Spec has it in the axes
// of the link. A body whose mass is spread with the second moments p₁, p₂, p₃ >= 0 along its principal axes has the moments of inertia
// p₂+p₃, p₁+p₃, p₁+p₂. That they are positive and satisfy the triangle inequality says no more than p >= 0, so the nearest
// tensor that a body can have is the one with p < 0 set to (nearly) zero. Nothing else of it changes.
#pragma once

#include "mjx/io/urdf/shapes.hpp"
#include "mjx/math/principal_axes.hpp"

#include <cstdio>

namespace mjx::inner::mjcf {

inline constexpr double urdf_gyration = 1e-3;  // inertia by mass where nothing is known, m²
inline constexpr double urdf_least_mass = 1e-3;

[[gnu::cold]] inline Vec6<double> turned_inertia(const Vec6<double>& v, const Quatd& quat) {
    const Mat3<double> r = to_mat3(quat), full{{v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]}};
    const Mat3<double> m = r * full * transpose(r);
    return {{m[0], m[4], m[8], m[1], m[2], m[5]}};
}

[[gnu::cold]] inline Vec6<double> ball_inertia(double mass) {
    const double moment = mass * urdf_gyration;
    return {{moment, moment, moment, 0, 0, 0}};
}

// Whether a body can have these moments: positive, and no larger than the sum of the other two.
[[gnu::cold]] inline bool is_inertia(const Vec3d& moments) {
    return moments[2] >= 1e-14 && moments[0] <= moments[1] + moments[2];  // in decreasing order
}

// Makes mass and tensor those of a body. A link without mass, and a point mass, whose tensor is zero, are fine unless the link has to move
// `alone`.
[[gnu::cold]] inline void repair_inertial(const Reader& r, const Element& link, bool alone, SpecInertial& inertial) {
    std::string what;
    if (!(inertial.mass > 0) && (alone || inertial.mass < 0)) {
        inertial.mass = urdf_least_mass;
        what = "its mass is not positive and becomes 0.001";
    }
    const Vec6<double> given = inertial.fullinertia ? *inertial.fullinertia : Vec6<double>::zero();
    const auto axes = principal_axes(given);
    if (!is_inertia(axes.moments) && (inertial.fullinertia || alone)) {
        const double half_trace = (axes.moments[0] + axes.moments[1] + axes.moments[2]) / 2;
        Vec3d spread;
        for (int i = 0; i < 3; ++i) spread[i] = half_trace - axes.moments[i];
        const double largest = std::max({spread[0], spread[1], spread[2]});
        const bool sensible = largest > std::max(1e-11, 1e-9 * inertial.mass);
        const double least = sensible ? 1e-3 * largest : inertial.mass * urdf_gyration / 2;
        for (int i = 0; i < 3; ++i) spread[i] = std::max(spread[i], least);
        const Vec3d moments{{spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]}};
        inertial.fullinertia = rotated_inertia(moments, axes.quat);
        char numbers[160];
        std::snprintf(numbers, sizeof numbers, "its principal moments %.4g, %.4g, %.4g become %.4g, %.4g, %.4g", axes.moments[0],
                      axes.moments[1], axes.moments[2], moments[0], moments[1], moments[2]);
        what += (what.empty() ? "" : ", ") + std::string(numbers);
    }
    if (!what.empty()) urdf_warn(r, link.where() + ": no body is like this: " + what + " (repair_inertia)");
}

[[gnu::cold]] inline SpecInertial urdf_inertial(const Element& e) {
    SpecInertial inertial;
    const Pose pose = urdf_origin(e);
    inertial.pos = pose.pos;
    get(urdf_needed(e, "mass"), "value", inertial.mass);
    const Element& tensor = urdf_needed(e, "inertia");
    static constexpr const char* names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    Vec6<double> full{};
    bool given = false;
    for (int i = 0; i < 6; ++i) {
        get(tensor, names[i], full[i]);
        given |= full[i] != 0;
    }
    if (given)
        inertial.fullinertia = turned_inertia(full, pose.quat);
    else
        inertial.quat = pose.quat;
    return inertial;
}

// The mass of a link. `alone`: it moves, and nothing that is fixed to it has mass.
[[gnu::cold]] inline void read_inertial(const Reader& r, const Element& link, bool alone, SpecBody& body) {
    if (const Element* e = urdf_child(link, "inertial"))
        body.inertial = urdf_inertial(*e);
    else if (r.urdf.link_mass > 0)
        body.inertial = SpecInertial{.mass = r.urdf.link_mass, .fullinertia = ball_inertia(r.urdf.link_mass)};
    else if (r.urdf.repair_inertia && alone)
        body.inertial.emplace();
    if (r.urdf.repair_inertia && body.inertial) repair_inertial(r, link, alone, *body.inertial);
}

// Whether the link has mass that turns, of its own or from its shapes.
[[gnu::cold]] inline bool link_weighs(const Element& link) {
    const Element* e = urdf_child(link, "inertial");
    if (!e) return urdf_child(link, "collision") != nullptr;
    const SpecInertial inertial = urdf_inertial(*e);
    return inertial.mass > 0 && inertial.fullinertia;
}

}  // namespace mjx::inner::mjcf
