// Poses as MJCF writes them: quat, axisangle, xyaxes, zaxis, euler or the two ends of an axis, all into position and unit
// quaternion relative to the parent frame. Angles follow <compiler angle eulerseq>. MuJoCo: "Frame orientations" in its manual.
#pragma once

#include "mjx/io/mjcf/schema.hpp"
#include "mjx/math/unit_quat.hpp"
#include "mjx/model/shape/list.hpp"

#include <cmath>
#include <numbers>

namespace mjx::inner::mjcf {

// What <compiler> says about reading angles.
struct Angles {
    bool degree = true;
    std::string eulerseq = "xyz";

    double radians(double angle) const { return degree ? angle / 180.0 * std::numbers::pi : angle; }
};

// An orientation that is not a quaternion, kept as written: a default class may carry it, and it then overrules `quat`.
struct Orientation {
    enum class Kind { quat, axisangle, xyaxes, zaxis, euler };
    Kind kind = Kind::quat;
    Vec6<double> value{};
};

struct Pose {
    Vec3d pos{{0, 0, 0}};
    Quatd quat{{1, 0, 0, 0}};
};

inline Pose operator*(const Pose& a, const Pose& b) { return {a.pos + to_mat3(a.quat) * b.pos, unit_product(a.quat, b.quat)}; }

inline constexpr double tiny_length = 1e-14;  // shorter directions are refused

[[gnu::cold]] inline void get_orientation(const Element& e, Quatd& quat, Orientation& alternative) {
    get(e, "quat", quat);
    const auto take = [&]<int N>(const char* name, Orientation::Kind kind, Vec<double, N> numbers) {
        if (!get(e, name, numbers)) return;
        alternative.kind = kind;
        for (int i = 0; i < N; ++i) alternative.value[i] = numbers[i];
    };
    take("axisangle", Orientation::Kind::axisangle, Vec<double, 4>{});
    take("xyaxes", Orientation::Kind::xyaxes, Vec<double, 6>{});
    take("zaxis", Orientation::Kind::zaxis, Vec<double, 3>{});
    take("euler", Orientation::Kind::euler, Vec<double, 3>{});
}

[[gnu::cold]] inline Quatd euler_to_quat(const Element& e, const Vec3d& angles, const Angles& units) {
    Quatd quat = Quatd::identity();
    for (int i = 0; i < 3; ++i) {
        const double half = units.radians(angles[i]) / 2;
        const char axis = units.eulerseq[static_cast<std::size_t>(i)];
        const std::size_t place = std::string_view("xyzXYZ").find(axis);
        if (place == std::string_view::npos) e.fail({"eulerseq '", units.eulerseq, "', expected letters of xyzXYZ"});
        Quatd turn{{std::cos(half), 0, 0, 0}};
        turn[1 + static_cast<int>(place % 3)] = std::sin(half);
        quat = place < 3 ? unit_product(quat, turn) : unit_product(turn, quat);  // lower case: axes move along; upper case: axes stay
    }
    return unit(quat);
}

[[gnu::cold]] inline Vec3d direction(const Element& e, const Vec3d& v, const char* what) {
    const double length = norm(v);
    if (length < tiny_length) e.fail({what, " has no direction, expected a non-zero vector"});
    return unit(v);
}

// The quaternion of a right-handed orthonormal frame, divided by a large one of its four components (Shepperd 1978). Which one,
// and so the sign, is MuJoCo's choice: sensors show it.
[[gnu::cold]] inline Quatd frame_to_quat(const Vec3d& x, const Vec3d& y, const Vec3d& z) {
    const int large = x[0] + y[1] + z[2] > 0 ? 0 : x[0] > y[1] && x[0] > z[2] ? 1 : y[1] > z[2] ? 2 : 3;
    const auto sign = [&](int axis) { return large == 0 || large == axis ? 1 : -1; };
    const double c = 0.5 * std::sqrt(1 + sign(1) * x[0] + sign(2) * y[1] + sign(3) * z[2]);
    const double yz = 0.25 * (y[2] - z[1]) / c, zx = 0.25 * (z[0] - x[2]) / c, xy = 0.25 * (x[1] - y[0]) / c;
    const double sxy = 0.25 * (y[0] + x[1]) / c, sxz = 0.25 * (z[0] + x[2]) / c, syz = 0.25 * (z[1] + y[2]) / c;
    switch (large) {
        case 0: return unit(Quatd{{c, yz, zx, xy}});
        case 1: return unit(Quatd{{yz, c, sxy, sxz}});
        case 2: return unit(Quatd{{zx, sxy, c, syz}});
        default: return unit(Quatd{{xy, sxz, syz, c}});
    }
}

[[gnu::cold]] inline Quatd xyaxes_to_quat(const Element& e, const Vec6<double>& v) {
    const Vec3d x = direction(e, {{v[0], v[1], v[2]}}, "the x axis of 'xyaxes'");
    const Vec3d raw_y{{v[3], v[4], v[5]}};
    const Vec3d y = direction(e, raw_y - x * dot(x, raw_y), "the y axis of 'xyaxes' (made normal to x)");
    return frame_to_quat(x, y, cross(x, y));
}

// The unit quaternion of an element, from `quat` or the alternative.
[[gnu::cold]] inline Quatd resolve_orientation(const Element& e, const Quatd& quat, const Orientation& o, const Angles& units) {
    const Vec3d first{{o.value[0], o.value[1], o.value[2]}};
    switch (o.kind) {
        case Orientation::Kind::axisangle: return axis_angle(direction(e, first, "'axisangle'"), units.radians(o.value[3]));
        case Orientation::Kind::xyaxes: return xyaxes_to_quat(e, o.value);
        case Orientation::Kind::zaxis: return unit_z_to(direction(e, first, "'zaxis'"));
        case Orientation::Kind::euler: return euler_to_quat(e, first, units);
        case Orientation::Kind::quat: break;
    }
    return unit(quat);
}

// fromto: the shape's axis runs from one point to the other; size[0] is given, the length follows.
template <class SpecElement>
[[gnu::cold]] void resolve_fromto(const Element& e, SpecElement& s) {
    const int length_size = shape_length_size(s.type);
    if (length_size < 0) e.fail("attribute 'fromto' with this type, expected capsule, cylinder, ellipsoid or box");
    if (s.pos[0] != 0 || s.pos[1] != 0 || s.pos[2] != 0) e.fail("both 'pos' and 'fromto' are given, expected one of them");
    const Vec6<double>& f = *s.fromto;
    const Vec3d a{{f[0], f[1], f[2]}}, b{{f[3], f[4], f[5]}};
    const Vec3d axis = a - b;
    const double length = norm(axis);
    if (length / 2 < tiny_length) e.fail("the two points of 'fromto' coincide, expected two distinct points");
    if (length_size == 2) s.size[1] = s.size[0];
    s.size[length_size] = length / 2;
    s.pos = (a + b) * 0.5;
    s.quat = unit_z_to(unit(axis));
    s.fromto.reset();
}

}  // namespace mjx::inner::mjcf
