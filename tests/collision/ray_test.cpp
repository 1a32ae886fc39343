// Rays: where they meet each shape, by geometry; and which geom of a scene comes first.
#include "mjx/collision/ray.hpp"
#include "catch.hpp"
#include "collision/scene.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"

#include <limits>

using namespace shapes;

namespace {

const int types[] = {shape::plane, shape::sphere, shape::capsule, shape::ellipsoid, shape::cylinder, shape::box};

// How far the local point p is from the surface, in some measure that is zero on it and positive outside.
double implicit(int type, const Vec3<double>& p, const Vec3<double>& size) {
    const double across = std::hypot(p[0], p[1]);
    switch (type) {
        case shape::plane: return p[2];
        case shape::sphere: return norm(p) - size[0];
        case shape::capsule: return std::hypot(across, std::max(0.0, std::abs(p[2]) - size[1])) - size[0];
        case shape::ellipsoid: return std::hypot(p[0] / size[0], p[1] / size[1], p[2] / size[2]) - 1;
        case shape::cylinder: return std::max(across - size[0], std::abs(p[2]) - size[1]);
        default: return std::max({std::abs(p[0]) - size[0], std::abs(p[1]) - size[1], std::abs(p[2]) - size[2]});
    }
}

template <class S>
Vec3<S> to_vec(const Vec3<double>& v) {
    return {{S(static_cast<value_t<S>>(v[0])), S(static_cast<value_t<S>>(v[1])), S(static_cast<value_t<S>>(v[2]))}};
}

}  // namespace

TEST_CASE("A ray ends on the surface, and nothing of the shape is before it", "[collision]") {
    Random random(21);
    for (const int type : types) {
        INFO("type " << type);
        double worst = 0, worst_normal = 0;
        int hits = 0, missed = 0;
        for (int n = 0; n < 20000; ++n) {
            auto s = any_shape(random, 1);
            if (type == shape::plane) s.size = {0, 0, 1};
            const auto pnt = vector(random, 1.5), vec = vector(random, 1);
            const auto hit = ray_shape(Model<double>{}, type, s.view(), pnt, vec);
            const auto at = [&](double x) { return implicit(type, transpose_mul(s.mat, Vec3<double>(pnt + vec * x - s.pos)), s.size); };
            const double end = hit.x >= 0 ? hit.x : 20;
            for (int k = 1; k < 40; ++k) {
                const double x = end * (k / 40.0);
                if (type != shape::plane || at(0) > 0) missed += at(0) * at(x) < 0 && std::abs(at(x)) > 1e-9;
            }
            if (hit.x < 0) continue;
            ++hits;
            worst = std::max(worst, std::abs(at(hit.x)));
            // the normal points out: a step along it leaves the shape
            const auto local = transpose_mul(s.mat, Vec3<double>(pnt + vec * hit.x + hit.normal * 1e-6 - s.pos));
            worst_normal = std::max(worst_normal, std::abs(norm(hit.normal) - 1));
            if (!(implicit(type, local, s.size) > 0)) worst_normal = 1;
        }
        CHECK(hits > 200);
        CHECK(missed == 0);
        CHECK(worst < 1e-9);
        CHECK(worst_normal < 1e-9);
    }
}

TEST_CASE("A plane is met from above only, within its rectangle", "[collision]") {
    const OwnGeom<double> plane{{{0, 0, 0}}, Mat3<double>::identity(), {{1, 2, 0.1}}};
    const auto x = [&](Vec3<double> pnt, Vec3<double> vec) { return ray_shape(Model<double>{}, shape::plane, plane.view(), pnt, vec).x; };
    CHECK(x({{0, 0, 2}}, {{0, 0, -1}}) == 2);
    CHECK(x({{0, 0, 2}}, {{0, 0, -0.5}}) == 4);
    CHECK(x({{0, 0, -2}}, {{0, 0, 1}}) == -1);
    CHECK(x({{0, 0, 2}}, {{0, 0, 1}}) == -1);
    CHECK(x({{1.1, 0, 2}}, {{0, 0, -1}}) == -1);
    CHECK(x({{0, 1.9, 2}}, {{0, 0, -1}}) == 2);
}

TEST_CASE("The first geom of a scene is hit, unless it is filtered out", "[collision]") {
    Scene s;
    const auto add = [&](int body, double x, int group) {
        const int g = s.add_geom(body, shape::sphere, {{{x, 0, 0}}, Mat3<double>::identity(), {{0.25, 0, 0}}});
        s.m.geom_group[g] = group;
        return g;
    };
    const int fixed = add(0, 1, 0), near = add(s.add_body(0, 6), 2, 1), far = add(s.add_body(0, 6), 3, 9);
    Data<double, Model<double>> d(s.m);
    s.finish(false);
    s.place(d);
    const Vec3<double> from{{0, 0, 0}}, along{{1, 0, 0}};
    const auto first = [&](const RayFilter& filter) { return ray(s.m, d, from, along, filter); };
    CHECK(first({}).geom[0] == fixed);
    CHECK(first({}).dist == 0.75);
    CHECK(first({}).normal[0] == -1);
    CHECK(first({.include_static = false}).geom[0] == near);
    CHECK(first({.exclude_body = 0}).geom[0] == near);
    CHECK(first({.groups = 1 << 5}).geom[0] == far);  // groups above 5 count as 5
    CHECK(first({.groups = 1 << 3}).geom[0] == -1);
    CHECK(first({.groups = 1 << 3}).dist == -1);
    CHECK(ray(s.m, d, from, Vec3<double>{{-1, 0, 0}}).geom[0] == -1);
    s.m.geom_visible[fixed] = 0;
    CHECK(first({}).geom[0] == near);
    CHECK(ray(s.m, d, from, Vec3<double>{{0, 0, 0}}).geom[0] == -1);
}

TEMPLATE_TEST_CASE("Rays in packs and duals agree with plain numbers", "[collision]", pack<float>, pack<double>, (dual<double, 3>)) {
    using S = TestType;
    using L = value_t<S>;
    Random random(22);
    for (const int type : types) {
        INFO("type " << type);
        int wrong = 0;
        for (int n = 0; n < 2000; ++n) {
            const auto s = any_shape(random, 0.7);
            auto pnt = vector(random, 1), vec = vector(random, 1);
            if (n % 10 == 0) vec[n % 3] = 0;
            if (n % 97 == 0) pnt[0] = std::numeric_limits<double>::quiet_NaN();
            const auto many = ray_shape(Model<double>{}, type, to<S>(s).view(), to_vec<S>(pnt), to_vec<S>(vec));
            const auto one = ray_shape(Model<double>{}, type, to<L>(s).view(), to_vec<L>(pnt), to_vec<L>(vec));
            for (int k = 0; k < lanes_v<S>; ++k) wrong += value_of(lane(many.x, k)) != one.x;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("The derivative of a distance is that of moving the start", "[collision]") {
    using S = dual<double, 3>;
    Random random(23);
    for (const int type : types) {
        INFO("type " << type);
        double worst = 0;
        for (int n = 0; n < 2000; ++n) {
            const auto s = any_shape(random, 0.7);
            const auto pnt = vector(random, 1), vec = vector(random, 1);
            Vec3<S> p = to_vec<S>(pnt);
            for (int k = 0; k < 3; ++k) p[k].partial[k] = 1;
            const auto hit = ray_shape(Model<double>{}, type, to<S>(s).view(), p, to_vec<S>(vec));
            if (hit.x.value < 0) continue;
            // the end stays on the tangent plane: n . (dp + dx v) = 0
            const Vec3<double> n3{{hit.normal[0].value, hit.normal[1].value, hit.normal[2].value}};
            if (std::abs(dot(n3, vec)) < 0.05) continue;
            for (int k = 0; k < 3; ++k) worst = std::max(worst, std::abs(hit.x.partial[k] + n3[k] / dot(n3, vec)));
        }
        CHECK(worst < 1e-6);
    }
}
