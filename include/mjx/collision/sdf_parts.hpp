// Signed distance fields of machine parts: gear, bolt and nut, as in MuJoCo's plugins; and every field by formula by its kind.
//
// The involute gear follows the shader "Cogs" (shadertoy.com/view/3lG3WR), bolt and nut "Nuts and bolts" (shadertoy.com/view/XtffzX):
// a triangle wave wound round z is the thread, 12 turns in a unit of length; the hexagonal head is half a unit wide and high.
#pragma once

#include "mjx/collision/sdf_shapes.hpp"
#include "mjx/model/types.hpp"

namespace mjx {
namespace sdf {

// An involute gear about z: pitch diameter, number of teeth, thickness, diameter of the bore (negative: by the teeth's height).
template <class T>
struct Gear {
    T angle, diameter, teeth, thickness, bore;

    template <class S>
    static S smooth_union(const S& a, const S& b, T k) {
        const S h = clamp(S(T(0.5) + T(0.5) * (b - a) / k), S(0), S(1));
        return b * (T(1) - h) + a * h - k * h * (T(1) - h);
    }
    template <class S>
    static S wrap(const S& x, T period) {
        return x - period * floor(S(x / period));
    }

    template <class S>
    S profile(const Vec3<S>& p) const {
        const T pressure = T(3.096e-5) * teeth * teeth - T(6.557e-3) * teeth + T(0.551);
        const T pitch = diameter / teeth, radius = diameter / 2, outer = radius + pitch, depth = T(2.2) * pitch;
        const T inner = bore >= T(0) ? bore / 2 : outer - depth - T(0.14) * diameter, base = radius * cos(pressure);
        const S rho = length2(p[0], p[1]);
        if (rho < S(inner)) return inner - rho;
        if (rho > S(outer + T(0.2))) return rho - outer;
        // the flanks of the nearest tooth, unrolled from the base circle
        const T stride = T(2 * 3.14159265358979323846) / teeth, involute = tan(pressure) - pressure, gap = stride / 2 - 2 * involute;
        const S turn = atan2(p[1], p[0]) + angle;
        const S left = wrap(S(turn + gap / 2), stride) - gap / 2, right = wrap(S(-turn - gap / 2), stride) - gap / 2;
        S flank_left = S(-1e6), flank_right = S(-1e6);
        if (rho > S(base)) {
            const S tangent = sqrt(rho * rho - base * base), swing = acos(S(base / rho));
            flank_left = tangent - base * (left + swing);
            flank_right = tangent - base * (right + swing);
        }
        S cogs = max(max(S(left - (stride - gap)), S(right - (stride - gap))), max(flank_left, flank_right));
        const S rim = rho - outer, k_rim = max(rim, cogs);
        cogs = max(k_rim, S(-smooth_union(max(rim, S(-cogs)), max(cogs, S(-rim)), T(0.0035) * diameter)));
        cogs = smooth_union(S(rho - (outer - depth)), cogs, base - outer + depth);
        return max(cogs, S(inner - rho));
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        const S flat = profile(p), across = abs(p[2]) - thickness / 2;
        return min(max(flat, across), S(0)) + length2(max(flat, S(0)), max(across, S(0)));
    }
};

// What bolt and nut share, at a point whose distance from the threaded radius is `rho`.
template <class S>
struct Thread {
    using T = value_t<S>;
    static constexpr T slope = T(0.70710678118654752440);
    S rho, thread, cone, head;

    Thread(const Vec3<S>& p, const S& radius) : rho(length2(p[0], p[1]) - radius) {
        const T turns = T(12), pi = T(3.14159265358979323846), sector = pi / 3;
        const S azimuth = atan2(p[1], p[0]), phase = p[2] * turns - azimuth / pi / T(2);
        thread = (rho - abs(phase - floor(phase) - T(0.5)) / turns) * slope;
        cone = (p[2] - rho) * slope;
        // the face of the hexagon that the point looks at
        const S face = floor(S(azimuth / sector + T(0.5))) * sector;
        const S across = cos(face) * p[0] + sin(face) * p[1] - T(0.5);
        head = max(max(across, S(abs(p[2] + T(0.25)) - T(0.25))), S((p[2] + rho - T(0.22)) * slope));
    }
};

// A threaded rod along -z, one unit long, under a hexagonal head.
template <class T>
struct Bolt {
    T radius;
    template <class S>
    S operator()(const Vec3<S>& p) const {
        const Thread<S> t(p, S(radius));
        const S rod = max(max(t.thread, S(abs(p[2] + T(0.5)) - T(0.5))), S(-t.cone - t.slope));
        return min(rod, t.head);
    }
};

// A hexagonal head with a threaded hole along z, chamfered at both ends.
template <class T>
struct Nut {
    T radius;
    template <class S>
    S operator()(const Vec3<S>& p) const {
        const Thread<S> t(p, S(radius));
        const S hole = min(max(t.thread, S(-t.cone - T(0.5) * t.slope)), S(-t.cone - T(0.05) * t.slope));
        return max(t.head, S(-hole));
    }
};

}  // namespace sdf

// The field of an sdf_kind:: that has a formula, with param(i) for its parameters.
template <class T, class S, class Param>
S formula_field(int kind, const Param& param, const Vec3<S>& p) {
    switch (kind) {
        case sdf_kind::sphere: return sdf::Sphere<T>{param(0)}(p);
        case sdf_kind::box: return sdf::Box<T>{{{param(0), param(1), param(2)}}}(p);
        case sdf_kind::capsule: return sdf::Capsule<T>{param(0), param(1)}(p);
        case sdf_kind::torus: return sdf::Torus<T>{param(0), param(1)}(p);
        case sdf_kind::gear: return sdf::Gear<T>{param(0), param(1), param(2), param(3), param(4)}(p);
        case sdf_kind::bowl: return sdf::Bowl<T>{param(0), param(1), param(2)}(p);
        case sdf_kind::bolt: return sdf::Bolt<T>{param(0)}(p);
        case sdf_kind::nut: return sdf::Nut<T>{param(0)}(p);
    }
    return S(1e10);
}

}  // namespace mjx
