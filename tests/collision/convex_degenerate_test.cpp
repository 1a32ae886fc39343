// Hostile poses and sizes in the convex collider, and the same answer from every scalar.
#include "catch.hpp"
#include "collision/convex_scene.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"

#include <limits>

using namespace convex_scene;

namespace {

std::vector<OwnShape<double>> odd_shapes(int geom) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN(), half = std::sqrt(0.5);
    std::vector<OwnShape<double>> odd;
    for (const double scale : {1.0, 0.0, 1e-9, 1e4})
        for (const Vec3<double> pos : {Vec3<double>{{0, 0, 0}}, Vec3<double>{{0.1, 0, 0}}, Vec3<double>{{0, 0, 0.15}}, Vec3<double>{{0, 1e-12, 0}},
                                       Vec3<double>{{1e6, 0, 0}}, Vec3<double>{{nan, 0, 0}}, Vec3<double>{{0, inf, 0}}})
            for (const Mat3<double>& mat : {Mat3<double>::identity(), Mat3<double>{{half, 0, half, 0, 1, 0, -half, 0, half}}, Mat3<double>::zero()})
                odd.push_back({pos, mat, model().geom_size[geom] * scale});
    odd.push_back({{{0, 0, 0}}, Mat3<double>::identity(), {{nan, nan, nan}}});
    return odd;
}

template <class S>
bool finite(const CollisionResult<S, max_points>& found) {
    for (int i = 0; i < found.count; ++i) {
        const auto& c = found.point[i];
        auto good = isfinite(c.dist);
        for (int k = 0; k < 3; ++k) good = good && isfinite(c.pos[k]) && isfinite(c.normal[k]);
        if (!all(good || !c.active)) return false;
    }
    return true;
}

}  // namespace

TEMPLATE_TEST_CASE("Degenerate convex geoms give finite contacts or none", "[collision]", float, double, (dual<double, 2>), pack<float>) {
    using S = TestType;
    for (int g1 = 0; g1 < count; ++g1)
        for (int g2 = 0; g2 < count; ++g2) {
            if (!is_convex_pair(g1, g2)) continue;
            INFO("geoms " << g1 << " and " << g2);
            int broken = 0;
            for (const auto& a : odd_shapes(g1))
                for (const auto& b : odd_shapes(g2)) broken += !finite(collide(g1, g2, to<S>(a), to<S>(b), 0.01));
            CHECK(broken == 0);
        }
}

TEST_CASE("Each lane of a pack finds the contacts it would find alone", "[collision]") {
    using S = pack<float>;
    Random random(12);
    int compared = 0, different = 0;
    for (int g1 = 0; g1 < count; ++g1)
        for (int g2 = 0; g2 < count; ++g2) {
            if (!is_convex_pair(g1, g2)) continue;
            OwnShape<S> a, b;
            std::vector<OwnShape<float>> alone_a, alone_b;
            for (int k = 0; k < lanes_v<S>; ++k) {
                alone_a.push_back(to<float>(shape_at(g1, vector(random, 0.05), rotation(random))));
                alone_b.push_back(to<float>(shape_at(g2, vector(random, 0.15), rotation(random))));
                for (int i = 0; i < 9; ++i) {
                    set_lane(a.mat[i], k, alone_a.back().mat[i]);
                    set_lane(b.mat[i], k, alone_b.back().mat[i]);
                }
                set_lane(a.pos, k, alone_a.back().pos);
                set_lane(b.pos, k, alone_b.back().pos);
                set_lane(a.size, k, alone_a.back().size);
                set_lane(b.size, k, alone_b.back().size);
            }
            const auto together = collide(g1, g2, a, b, 0);
            for (int k = 0; k < lanes_v<S>; ++k) {
                const auto one = collide(g1, g2, alone_a[static_cast<std::size_t>(k)], alone_b[static_cast<std::size_t>(k)], 0);
                int active = 0;
                for (int i = 0; i < together.count; ++i) {
                    if (!lane(together.point[i].active, k)) continue;
                    different += lane(together.point[i].dist, k) != one.point[i].dist;
                    ++active;
                }
                different += active != one.count;
                ++compared;
            }
        }
    CHECK(compared > 100);
    CHECK(different == 0);
}

TEST_CASE("The derivative of a convex contact's depth by position is that of central differences", "[collision]") {
    using S = dual<double, 3>;
    Random random(13);
    int compared = 0;
    double worst = 0;
    for (int g1 = 0; g1 < count; ++g1)
        for (int g2 = 0; g2 < count; ++g2) {
            // a shallow contact of a sphere or capsule is exact, and so are vertices on a plane
            const bool exact = g1 == plane || ((g1 == sphere || g1 == capsule) && g2 >= ellipsoid);
            if (!is_convex_pair(g1, g2) || !exact) continue;
            for (int i = 0; i < 100; ++i) {
                const auto a = shape_at(g1, vector(random, 0.05), rotation(random));
                auto b = shape_at(g2, vector(random, 0.2), rotation(random));
                const auto found = collide(g1, g2, a, b, 0.01);
                if (found.count == 0 || found.point[0].dist < -0.03) continue;
                auto c = to<S>(b);
                for (int k = 0; k < 3; ++k) c.pos[k] = S::variable(b.pos[k], k);
                const auto derived = collide(g1, g2, to<S>(a), c, 0.01);
                REQUIRE(derived.count == found.count);
                for (int k = 0; k < 3; ++k) {
                    const double h = 1e-4;
                    auto plus = b, minus = b;
                    plus.pos[k] += h;
                    minus.pos[k] -= h;
                    const auto p = collide(g1, g2, a, plus, 0.01), n = collide(g1, g2, a, minus, 0.01);
                    if (p.count == 0 || n.count == 0) continue;
                    const double difference = (p.point[0].dist - n.point[0].dist) / (2 * h);
                    worst = std::max(worst, std::abs(difference - derived.point[0].dist.partial[k]));
                    ++compared;
                }
            }
        }
    CHECK(compared > 500);
    CHECK(worst < 0.02);
}
