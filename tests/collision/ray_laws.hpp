// The law of rays, for any surface of which it is known what is inside, and any number: tests/collision/shape_laws_test.cpp and
// asset_laws_test.cpp.
#pragma once

#include "catch.hpp"
#include "collision/shapes.hpp"
#include "rooms.hpp"

#include "mjx/model/shape/surface.hpp"
#include "mjx/scalar/pack.hpp"

namespace ray_laws {

using namespace mjx;

inline Vec3<double> direction(shapes::Random& random) {
    std::normal_distribution<double> normal;
    return normalize(Vec3<double>{{normal(random), normal(random), normal(random)}});
}
inline Vec3<double> within_box(shapes::Random& random, const Vec3<double>& half) {
    Vec3<double> p;
    for (int k = 0; k < 3; ++k) p[k] = shapes::uniform(random, -half[k], half[k]);
    return p;
}
template <class S>
Vec3<double> doubles_of(const Vec3<S>& v, int k) {
    return tabulate<Vec3<double>>([&](int i) { return static_cast<double>(lane(v[i], k)); });
}

// How far from the surface a float may end, in metres, and a double where what is searched is kept in floats or found by iteration: ten
// times what is found. Closed forms in double end within closed_rounding.
inline constexpr double rounding = 1e-6, closed_rounding = 1e-12;

// A ray from `from` along `along` that meets a surface after x, or misses it (x < 0).
template <class Inside>
void check_ray(const Inside& inside, const Vec3<double>& from, const Vec3<double>& along, double x, const Vec3<double>& normal,
               double near) {
    const bool starts_inside = inside(from);
    if (x < 0) {
        CHECK_FALSE(starts_inside);
        for (int k = 0; k < 50; ++k) CHECK_FALSE(inside(Vec3<double>(from + along * (0.02 * k))));
        return;
    }
    CHECK(norm(normal) == Approx(1));
    CHECK((dot(normal, along) > 0) == starts_inside);
    const Vec3<double> at = from + along * x;
    CHECK_FALSE(inside(Vec3<double>(at + normal * near)));
    if (std::abs(dot(normal, normalize(along))) > 0.05) CHECK(inside(Vec3<double>(at - normal * near)));
    for (int k = 1; k < 20; ++k) CHECK(inside(Vec3<double>(from + along * (x * (k / 20.0 - 1e-3)))) == starts_inside);
}

// Random rays from a box twice as large, those that `takes` wants, in every lane of S its own: shoot(from, along) finds what they meet.
struct TakesAll {
    bool operator()(const Vec3<double>&, const Vec3<double>&) const { return true; }
};
template <class S, class Inside, class Shoot, class Takes = TakesAll>
void check_rays(shapes::Random& random, const Vec3<double>& half, const Inside& inside, const Shoot& shoot, double near,
                const Takes& takes = {}) {
    using V = value_t<S>;
    int met = 0;
    for (int i = 0; i < 300; i += lanes_v<S>) {
        Vec3<S> from = Vec3<S>::zero(), along = Vec3<S>::zero();
        for (int k = 0; k < lanes_v<S>; ++k) {
            Vec3<double> p, v;
            do {
                p = within_box(random, half * 2.0);
                v = direction(random) * shapes::uniform(random, 0.5, 2);
            } while (!takes(p, v));
            for (int c = 0; c < 3; ++c) {
                set_lane(from[c], k, static_cast<V>(p[c]));
                set_lane(along[c], k, static_cast<V>(v[c]));
            }
        }
        const SurfaceHit<S> hit = shoot(from, along);
        for (int k = 0; k < lanes_v<S>; ++k) {
            const double x = static_cast<double>(lane(hit.x, k));
            met += x >= 0;
            check_ray(inside, doubles_of(from, k), doubles_of(along, k), x, doubles_of(hit.normal, k), near);
        }
    }
    CHECK(met > 20);
}

}  // namespace ray_laws
