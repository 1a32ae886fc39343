// Hostile poses and sizes in the convex collider, and the same answer from every scalar.
#include "catch.hpp"
#include "collision/convex_scene.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"

#include <limits>

using namespace convex_scene;

namespace {

std::vector<OwnGeom<double>> odd_shapes(int geom) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN(), half = std::sqrt(0.5);
    std::vector<OwnGeom<double>> odd;
    for (const double scale : {1.0, 0.0, 1e-9, 1e4})
        for (const Vec3<double> pos :
             {Vec3<double>{{0, 0, 0}}, Vec3<double>{{0.1, 0, 0}}, Vec3<double>{{0, 0, 0.15}}, Vec3<double>{{0, 1e-12, 0}},
              Vec3<double>{{1e6, 0, 0}}, Vec3<double>{{nan, 0, 0}}, Vec3<double>{{0, inf, 0}}})
            for (const Mat3<double>& mat :
                 {Mat3<double>::identity(), Mat3<double>{{half, 0, half, 0, 1, 0, -half, 0, half}}, Mat3<double>::zero()})
                odd.push_back({pos, mat, model().geom_size[geom] * scale});
    odd.push_back({{{0, 0, 0}}, Mat3<double>::identity(), {{nan, nan, nan}}});
    return odd;
}

template <class S>
bool finite(const CollisionResult<S>& found) {
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
            OwnGeom<S> a, b;
            std::vector<OwnGeom<float>> alone_a, alone_b;
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

namespace {

// Distance, position and normal.
template <class S>
Vec<S, 7> numbers(const ContactPoint<S>& p) {
    return {{p.dist, p.pos[0], p.pos[1], p.pos[2], p.normal[0], p.normal[1], p.normal[2]}};
}

// How far derivatives by the poses of both geoms are from central differences, relative to the largest of a contact's; -1 where
// differences to the two sides do not agree: a kink, or EPA turning from one polytope to another.
double derivative_error(const Vec<dual<double, 12>, 7>& exact, int k, const Vec<double, 7>& down, const Vec<double, 7>& middle,
                        const Vec<double, 7>& up, double h) {
    double most = 1, bend = 0, error = 0;
    for (int i = 0; i < 7; ++i) {
        most = std::max({most, std::abs(exact[i].partial[k]), std::abs(up[i] - middle[i]) / h, std::abs(middle[i] - down[i]) / h});
        bend = std::max(bend, std::abs(up[i] - 2 * middle[i] + down[i]) / h);
        error = std::max(error, std::abs(exact[i].partial[k] - (up[i] - down[i]) / (2 * h)));
    }
    return bend > 1e-3 * most ? -1 : error / most;
}

}  // namespace

TEST_CASE("Derivatives of convex contacts, single and in patches, are those of central differences", "[collision]") {
    using S = dual<double, 12>;
    const auto options = model().opt;
    changeable_model().opt.ccd_tolerance = 1e-14;  // differences see where GJK and EPA stop
    changeable_model().opt.ccd_iterations = 200;
    for (int g1 = 0; g1 < count; ++g1)
        for (int g2 = 0; g2 < count; ++g2) {
            if (!is_convex_pair(g1, g2)) continue;
            INFO("geoms " << g1 << " and " << g2);
            Random random(13);
            const auto curved = [](int g) { return g == ellipsoid || g == cylinder; };
            int compared = 0, kinks = 0;
            double worst[2] = {0, 0}, worst_distance = 0;
            for (int n = 0; n < 40; ++n) {
                // EPA makes curved surfaces, and the round corners that a margin adds, out of triangles: larger differences do not see them
                const double margin = n % 4 == 0 ? 0.01 : 0;
                const bool round = curved(g1) || curved(g2) || margin > 0;
                const double h = round ? 1e-4 : 1e-6;
                const auto a = shape_at(g1, vector(random, 0.05), rotation(random));
                auto b = shape_at(g2, vector(random, 0.15), rotation(random));
                // face to face, which makes patches
                const Vec3<double> above = vector(random, 0.02) + Vec3<double>{{0, 0, 0.13}};
                if (n % 2 == 0 && g1 > hfield) b = shape_at(g2, a.pos + a.mat * above, to_mat3(exp_quat(vector(random, 0.03))) * a.mat);
                OwnGeom<S> da = to<S>(a), db = to<S>(b);
                for (int k = 0; k < 12; ++k) {
                    const auto up = shifted(k < 6 ? a : b, k % 6, 1e-6), down = shifted(k < 6 ? a : b, k % 6, -1e-6);
                    OwnGeom<S>& d = k < 6 ? da : db;
                    for (int i = 0; i < 3; ++i) d.pos[i].partial[k] = (up.pos[i] - down.pos[i]) / 2e-6;
                    for (int i = 0; i < 9; ++i) d.mat[i].partial[k] = (up.mat[i] - down.mat[i]) / 2e-6;
                }
                const auto derived = collide(g1, g2, da, db, margin);
                const auto middle = collide(g1, g2, a, b, margin);
                REQUIRE(derived.count == middle.count);
                for (int k = 0; k < 12 && middle.count > 0; ++k) {
                    const auto at = [&](double by) {
                        return k < 6 ? collide(g1, g2, shifted(a, k, by), b, margin) : collide(g1, g2, a, shifted(b, k - 6, by), margin);
                    };
                    const auto up = at(h), down = at(-h);
                    for (int c = 0; c < middle.count; ++c) {
                        const auto all = [&](const auto& found) { return numbers(found.point[c]); };
                        const bool same = up.count == middle.count && down.count == middle.count;
                        const double error = same ? derivative_error(all(derived), k, all(down), all(middle), all(up), h) : -1;
                        worst[round] = std::max(worst[round], error);
                        if (error >= 0) {
                            const double slope = (up.point[c].dist - down.point[c].dist) / (2 * h);
                            worst_distance = std::max(worst_distance, std::abs(derived.point[c].dist.partial[k] - slope));
                        }
                        kinks += error < 0 && !round;
                        ++compared;
                    }
                }
            }
            CHECK(compared > 100);
            CHECK(worst[0] < 1e-3);
            CHECK(worst[1] < 0.03);
            CHECK(worst_distance < 1e-3);
            CHECK(kinks * 4 < compared);
        }
    changeable_model().opt = options;
}
