// The closed-form collisions in dual numbers: derivatives by the pose of the second geom.
#include "catch.hpp"
#include "collision/shapes.hpp"
#include "mjx/scalar/dual.hpp"

using namespace shapes;

TEST_CASE("Derivatives of the contacts agree with central differences", "[collision]") {
    using S = dual<double, 6>;
    Random random(12);
    const double h = 1e-6;
    for (const Pair& p : closed_forms) {
        INFO(p.name);
        int compared = 0, wrong = 0;
        for (int n = 0; n < 4000; ++n) {
            const auto a = any_shape(random, 0.5), b = any_shape(random, 0.5);
            OwnGeom<S> db = to<S>(b);
            for (int k = 0; k < 6; ++k) {
                const auto up = shifted(b, k, h), down = shifted(b, k, -h);
                for (int i = 0; i < 3; ++i) db.pos[i].partial[k] = (up.pos[i] - down.pos[i]) / (2 * h);
                for (int i = 0; i < 9; ++i) db.mat[i].partial[k] = (up.mat[i] - down.mat[i]) / (2 * h);
            }
            const auto exact = collide(p, to<S>(a), db, 0.05);
            for (int k = 0; k < 6; ++k) {
                const auto mid = collide(p, a, b, 0.05), up = collide(p, a, shifted(b, k, h), 0.05),
                           down = collide(p, a, shifted(b, k, -h), 0.05);
                if (up.count != exact.count || down.count != exact.count) continue;
                for (int c = 0; c < exact.count; ++c) {
                    const double forward = (up.point[c].dist - mid.point[c].dist) / h, back = (mid.point[c].dist - down.point[c].dist) / h;
                    if (std::abs(forward - back) > 1e-3) continue;  // a kink, or strong curvature
                    ++compared;
                    wrong += !(std::abs(exact.point[c].dist.partial[k] - 0.5 * (forward + back)) < 1e-3);
                    for (int i = 0; i < 3; ++i) {
                        const double by_pos = (up.point[c].pos[i] - down.point[c].pos[i]) / (2 * h);
                        const double by_normal = (up.point[c].normal[i] - down.point[c].normal[i]) / (2 * h);
                        if (std::abs(by_pos) < 10) wrong += !(std::abs(exact.point[c].pos[i].partial[k] - by_pos) < 1e-3);
                        if (std::abs(by_normal) < 10) wrong += !(std::abs(exact.point[c].normal[i].partial[k] - by_normal) < 1e-3);
                    }
                }
            }
        }
        CHECK(compared > 1000);
        CHECK(wrong <= compared / 1000);
    }
}

TEST_CASE("The gradient of a ball's distance is the normal", "[collision]") {
    using S = dual<double, 3>;
    Random random(13);
    for (const Pair& p : closed_forms) {
        if (p.type1 == shape::box || p.type1 == shape::capsule) continue;
        INFO(p.name);
        double worst = 0;
        for (int n = 0; n < 10000; ++n) {
            const auto a = to<S>(any_shape(random, 0.5));
            auto b = to<S>(any_shape(random, 0.5));
            for (int k = 0; k < 3; ++k) b.pos[k].partial[k] = 1;
            const auto found = collide(p, a, b, 0.05);
            for (int c = 0; c < found.count; ++c)
                for (int k = 0; k < 3; ++k)
                    worst = std::max(worst, std::abs(found.point[c].dist.partial[k] - found.point[c].normal[k].value));
        }
        CHECK(worst < 1e-9);
    }
}
