// Mass properties of shapes against integration on a grid and against each other, and principal axes against what they came from.
#include "mjx/compile/inertia.hpp"
#include "catch.hpp"
#include "mjx/model/shape/list.hpp"

#include <random>

using namespace mjx;
using namespace mjx::compiler;

namespace {

const Vec3d sizes{{0.3, 0.5, 0.4}};
const int shapes[] = {shape::sphere, shape::capsule, shape::ellipsoid, shape::cylinder, shape::box};

double shape_volume(int type, const Vec3d& size, bool shell) { return all_shapes::rows[type].volume(size, shell); }
Vec3d shape_inertia(int type, double mass, const Vec3d& size, bool shell) { return all_shapes::rows[type].inertia(mass, size, shell); }

bool inside(int type, const Vec3d& s, const Vec3d& p) {
    const double round = p[0] * p[0] + p[1] * p[1];
    switch (type) {
        case shape::sphere: return dot(p, p) < s[0] * s[0];
        case shape::capsule: {
            const double beyond = std::max(0.0, std::abs(p[2]) - s[1]);
            return round + beyond * beyond < s[0] * s[0];
        }
        case shape::cylinder: return round < s[0] * s[0] && std::abs(p[2]) < s[1];
        case shape::ellipsoid: {
            const double x = p[0] / s[0], y = p[1] / s[1], z = p[2] / s[2];
            return x * x + y * y + z * z < 1;
        }
        default: return std::abs(p[0]) < s[0] && std::abs(p[1]) < s[1] && std::abs(p[2]) < s[2];
    }
}

// A layer of thickness e on the surface of a shape.
Vec3d grown(int type, const Vec3d& s, double e) {
    if (type == shape::capsule) return {{s[0] + e, s[1], s[2]}};
    return {{s[0] + e, s[1] + e, s[2] + e}};
}

}  // namespace

TEST_CASE("Volume and inertia of solid shapes agree with a sum over a grid") {
    for (const int type : shapes) {
        CAPTURE(type);
        const double half = 0.9, step = 0.01;
        double volume = 0;
        Vec3d moments = Vec3d::zero();
        for (double x = -half; x < half; x += step)
            for (double y = -half; y < half; y += step)
                for (double z = -half; z < half; z += step) {
                    if (!inside(type, sizes, {{x, y, z}})) continue;
                    volume += 1;
                    moments += Vec3d{{y * y + z * z, x * x + z * z, x * x + y * y}};
                }
        const double mass = 7;
        const Vec3d inertia = shape_inertia(type, mass, sizes, false);
        CHECK(shape_volume(type, sizes, false) == Approx(volume * step * step * step).epsilon(0.02));
        for (int k = 0; k < 3; ++k) CHECK(inertia[k] == Approx(mass * moments[k] / volume).epsilon(0.02));
    }
}

TEST_CASE("A shell is the limit of a thin layer around the solid") {
    for (const int type : shapes) {
        CAPTURE(type);
        const double e = 1e-5;
        const Vec3d out = grown(type, sizes, e), in = grown(type, sizes, -e);
        const double outer = shape_volume(type, out, false), inner = shape_volume(type, in, false);
        const Vec3d layer = shape_inertia(type, outer, out, false) - shape_inertia(type, inner, in, false);
        const double mass = 7;
        const Vec3d shell = shape_inertia(type, mass, sizes, true);
        for (int k = 0; k < 3; ++k) CHECK(shell[k] == Approx(mass * layer[k] / (outer - inner)).epsilon(1e-4));
        // a layer on an ellipsoid is not equally thick everywhere, so there the area is another one
        if (type != shape::ellipsoid) CHECK(shape_volume(type, sizes, true) == Approx((outer - inner) / (2 * e)).epsilon(1e-6));
    }
    const Vec3d round{{0.3, 0.3, 0.3}};
    CHECK(shape_volume(shape::ellipsoid, round, true) == Approx(shape_volume(shape::sphere, round, true)).epsilon(1e-12));
}

TEST_CASE("Principal axes turn an inertia back into itself, largest moment first") {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < 200; ++i) {
        const Quatd quat = normalize(Quatd{{uniform(random), uniform(random), uniform(random), uniform(random)}});
        const Vec3d moments{{2 + uniform(random), 2 + uniform(random), i % 4 == 0 ? 2.0 : 2 + uniform(random)}};
        const Vec6<double> inertia = rotated_inertia(moments, quat);
        const auto axes = principal_axes(inertia);
        const Vec6<double> back = rotated_inertia(axes.moments, axes.quat);
        for (int k = 0; k < 6; ++k)
            CHECK(back[k] == Approx(inertia[k]).margin(3e-6));  // the iteration ends at angles of 1e-6, as MuJoCo's does
        CHECK(axes.moments[0] >= axes.moments[1]);
        CHECK(axes.moments[1] >= axes.moments[2]);
        CHECK(axes.moments[0] + axes.moments[1] + axes.moments[2] == Approx(moments[0] + moments[1] + moments[2]));
    }
}

TEST_CASE("Two halves of a bar have the inertia of the whole") {
    const Vec3d half{{0.1, 0.2, 0.25}}, whole{{0.1, 0.2, 0.5}};
    Vec6<double> sum = Vec6<double>::zero();
    for (const double z : {-0.25, 0.25}) {
        sum += rotated_inertia(shape_inertia(shape::box, 3, half, false), Quatd::identity());
        sum += point_inertia(3, Vec3d{{0, 0, z}});
    }
    const Vec3d expected = shape_inertia(shape::box, 6, whole, false);
    for (int k = 0; k < 3; ++k) {
        CHECK(sum[k] == Approx(expected[k]).epsilon(1e-12));
        CHECK(sum[3 + k] == Approx(0).margin(1e-15));
    }
}
