// Signed distance fields of machine parts: gear, bolt and nut, as in MuJoCo's plugins; and every field by formula by its kind.
//
// The involute gear follows the shader "Cogs" (shadertoy.com/view/3lG3WR), bolt and nut "Nuts and bolts" (shadertoy.com/view/XtffzX):
// a triangle wave wound round z is the thread, 12 turns in a unit of length; the hexagonal head is half a unit wide and high.
#pragma once

#include "mjx/model/field_kinds.hpp"
#include "mjx/model/shape/fields.hpp"

namespace mjx::inner {
namespace sdf {

// What is inside of both fields, of one of them, or outside.
template <class T>
const Round<T>& both(const Round<T>& a, const Round<T>& b) {
    return a.value < b.value ? b : a;
}
template <class T>
const Round<T>& either(const Round<T>& a, const Round<T>& b) {
    return b.value < a.value ? b : a;
}
template <class T>
Round<T> outside(const Round<T>& a) {
    return {-a.value, -a.slope};
}
// The lesser of two fields, rounded within k of where they are equal; h is the share of a in the slope, too, as the value is
// stationary in it.
template <class T>
T smooth_either(const T& a, const T& b, const T& k, T& h) {
    h = clamp(T(0.5) + T(0.5) * (b - a) / k, T(0), T(1));
    return b * (T(1) - h) + a * h - k * h * (T(1) - h);
}

// An involute gear about z: pitch diameter, number of teeth, thickness, diameter of the bore (negative: by the teeth's height).
template <class T>
struct Gear {
    T angle, diameter, teeth, thickness, bore;

    static T wrap(const T& x, const T& period) { return x - period * floor(x / period); }

    Round<T> profile(const Vec3<T>& p, bool slopes) const {
        const T pitch = diameter / teeth, radius = diameter / 2, outer = radius + pitch, depth = T(2.2) * pitch;
        const T inner = bore >= T(0) ? bore / 2 : outer - depth - T(0.14) * diameter, rho = length2(p[0], p[1]), rim = rho - outer;
        if (rho < inner) return {inner - rho, {{T(-1), T(0), T(0)}}};
        if (rho > outer + T(0.2)) return {rim, {{T(1), T(0), T(0)}}};
        // the flanks of the nearest tooth, unrolled from the base circle
        const T pressure = T(3.096e-5) * teeth * teeth - T(6.557e-3) * teeth + T(0.551), base = radius * cos(pressure);
        const T stride = T(2 * 3.14159265358979323846) / teeth, involute = tan(pressure) - pressure, gap = stride / 2 - 2 * involute;
        const T turn = atan2(p[1], p[0]) + angle;
        const T left = wrap(turn + gap / 2, stride) - gap / 2, right = wrap(-turn - gap / 2, stride) - gap / 2;
        const T between = max(left, right) - (stride - gap), tangent = sqrt(max(rho * rho - base * base, T(0)));
        const T flank = rho > base ? tangent - base * (min(left, right) + acos(base / rho)) : T(-1e6), cogs = max(between, flank);
        T share, foot_share;
        const T soft = smooth_either(max(rim, -cogs), max(cogs, -rim), T(0.0035) * diameter, share), crown = max(max(rim, cogs), -soft);
        const T foot = smooth_either(rim + depth, crown, base - outer + depth, foot_share);
        Round<T> out{max(foot, inner - rho), {{T(-1), T(0), T(0)}}};
        if (!slopes || foot < inner - rho) return out;
        // by the rim and by the cogs
        T by_rim = rim < cogs ? T(0) : T(1), by_cogs = T(1) - by_rim;
        if (max(rim, cogs) < -soft) {
            by_rim = (cogs < -rim ? T(1) - share : T(0)) - (rim < -cogs ? T(0) : share);
            by_cogs = (rim < -cogs ? share : T(0)) - (cogs < -rim ? T(0) : T(1) - share);
        }
        const T side = left < right ? T(-1) : T(1);
        by_rim = foot_share + (T(1) - foot_share) * by_rim;
        by_cogs *= T(1) - foot_share;
        out.slope = {{by_rim + (between < flank ? by_cogs * tangent / rho : T(0)), by_cogs * side * (between < flank ? base : T(1)), T(0)}};
        return out;
    }
    T distance(const Vec3<T>& p, Vec3<T>* gradient) const { return profile(p, gradient).slab(p[2], thickness / 2).at(p, gradient); }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

// What bolt and nut share.
template <class T>
struct Thread {
    static constexpr T slope = T(0.70710678118654752440);
    T rho, z;  // the distance from the threaded radius
    Round<T> thread, head;

    [[gnu::cold]] Thread(const Vec3<T>& p, const T& radius) : rho(length2(p[0], p[1]) - radius), z(p[2]) {
        const T turns = T(12), pi = T(3.14159265358979323846), sector = pi / 3;
        const T azimuth = atan2(p[1], p[0]), phase = z * turns - azimuth / pi / T(2), saw = phase - floor(phase) - T(0.5);
        const T rise = saw < T(0) ? -slope : slope;
        thread = {(rho - abs(saw) / turns) * slope, {{slope, rise / (T(2) * pi * turns), -rise}}};
        // the face of the hexagon that the point looks at
        const T from_face = azimuth - floor(azimuth / sector + T(0.5)) * sector, reach = rho + radius;
        const Round<T> face{reach * cos(from_face) - T(0.5), {{cos(from_face), -reach * sin(from_face), T(0)}}};
        head = both(both(face, layer(T(-0.25), T(0.25))), cone(T(1), T(1), T(-0.22)));
    }
    // Up to half away from a plane, and the cone along * rho + up * z < -offset.
    Round<T> layer(const T& centre, const T& half) const { return {abs(z - centre) - half, {{T(0), T(0), z < centre ? T(-1) : T(1)}}}; }
    Round<T> cone(const T& along, const T& up, const T& offset) const {
        return {(along * rho + up * z + offset) * slope, {{along * slope, T(0), up * slope}}};
    }
};

// A threaded rod along -z, one unit long, under a hexagonal head.
template <class T>
struct Bolt {
    T radius;
    T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        const Thread<T> t(p, radius);
        return either(both(both(t.thread, t.layer(T(-0.5), T(0.5))), t.cone(T(1), T(-1), T(-1))), t.head).at(p, gradient);
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

// A hexagonal head with a threaded hole along z, chamfered at both ends.
template <class T>
struct Nut {
    T radius;
    T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        const Thread<T> t(p, radius);
        const Round<T> hole = either(both(t.thread, t.cone(T(1), T(-1), T(-0.5))), t.cone(T(1), T(-1), T(-0.05)));
        return both(t.head, outside(hole)).at(p, gradient);
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return at_any<T>(*this, p);
    }
};

}  // namespace sdf

// The value of a field that has a formula, by its kind, and its gradient unless that is null.
template <class T>
[[gnu::cold]] T formula_field(int kind, const Vec6<T>& param, const Vec3<T>& p, Vec3<T>* gradient) {
    const Vec3<T> size{{param[0], param[1], param[2]}};
    switch (kind) {
        case sdf_kind::sphere: return sdf::Sphere<T>{param[0]}.distance(p, gradient);
        case sdf_kind::capsule: return sdf::Capsule<T>{param[0], param[1]}.distance(p, gradient);
        case sdf_kind::box: return sdf::Box<T>{size}.distance(p, gradient);
        case sdf_kind::torus: return sdf::Torus<T>{param[0], param[1]}.distance(p, gradient);
        case sdf_kind::gear: return sdf::Gear<T>{param[0], param[1], param[2], param[3], param[4]}.distance(p, gradient);
        case sdf_kind::bowl: return sdf::Bowl<T>{param[0], param[1], param[2]}.distance(p, gradient);
        case sdf_kind::bolt: return sdf::Bolt<T>{param[0]}.distance(p, gradient);
        case sdf_kind::nut: return sdf::Nut<T>{param[0]}.distance(p, gradient);
    }
    if (gradient) *gradient = Vec3<T>::zero();
    return T(1e10);
}

}  // namespace mjx::inner
