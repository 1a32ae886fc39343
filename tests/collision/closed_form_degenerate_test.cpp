// Degenerate geoms in the closed-form collisions: zero and huge sizes, coincident and parallel shapes, broken poses.
#include "catch.hpp"
#include "collision/shapes.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"

#include <limits>

using namespace shapes;

namespace {

// Shapes on which something is not defined, too small, too large or broken.
std::vector<OwnGeom<double>> odd_shapes() {
    const auto identity = Mat3<double>::identity();
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<OwnGeom<double>> odd;
    for (const Vec3<double> size : {Vec3<double>{{0.1, 0.2, 0.3}}, Vec3<double>{{0, 0, 0}}, Vec3<double>{{1e-9, 1e-9, 1e-9}},
                                    Vec3<double>{{1e4, 1e4, 1e4}}, Vec3<double>{{1e-6, 1e3, 1}}, Vec3<double>{{0.1, 0, 0.1}}})
        for (const Vec3<double> pos :
             {Vec3<double>{{0, 0, 0}}, Vec3<double>{{0.1, 0, 0}}, Vec3<double>{{0, 0, 0.2}}, Vec3<double>{{0, 1e-12, 0}},
              Vec3<double>{{1e6, 0, 0}}, Vec3<double>{{nan, 0, 0}}, Vec3<double>{{0, inf, 0}}})
            for (int turn = 0; turn < 4; ++turn) {
                const double c = turn == 1 ? 0 : turn == 2 ? std::sqrt(0.5) : 1, s = turn == 1 ? 1 : turn == 2 ? std::sqrt(0.5) : 0;
                auto mat = turn == 3 ? Mat3<double>{{1, 0, 0, 0, -1, 0, 0, 0, -1}} : Mat3<double>{{c, 0, s, 0, 1, 0, -s, 0, c}};
                odd.push_back({pos, mat, size});
            }
    odd.push_back({{{0, 0, 0}}, Mat3<double>::zero(), {{0.1, 0.1, 0.1}}});
    odd.push_back({{{0, 0, 0}}, identity, {{nan, nan, nan}}});
    return odd;
}

}  // namespace

TEMPLATE_TEST_CASE("Degenerate geoms give finite contacts or none", "[collision]", float, double, (dual<double, 2>), pack<float>) {
    using S = TestType;
    const auto odd = odd_shapes();
    for (const Pair& p : closed_forms) {
        INFO(p.name);
        int broken = 0;
        for (const auto& a : odd)
            for (const auto& b : odd) {
                const auto found = collide(p, to<S>(a), to<S>(b), 0.01);
                for (int i = 0; i < found.count; ++i) {
                    const auto& c = found.point[i];
                    auto good = isfinite(c.dist);
                    for (int k = 0; k < 3; ++k) good = good && isfinite(c.pos[k]) && isfinite(c.normal[k]);
                    broken += !all(good || !c.active);
                }
            }
        CHECK(broken == 0);
    }
}

TEST_CASE("A contact frame is orthonormal and right-handed whatever the normal and hint", "[collision]") {
    Random random(14);
    double worst = 0;
    const auto check = [&](const Mat3<double>& f) {
        const Mat3<double> product = f * transpose(f);
        for (int i = 0; i < 9; ++i) worst = std::max(worst, std::abs(product[i] - Mat3<double>::identity()[i]));
        worst = std::max(worst, norm(Vec3<double>(cross(f.row(0), f.row(1)) - f.row(2))));
    };
    for (int n = 0; n < 10000; ++n) {
        Vec3<double> normal = normalize(vector(random, 1));
        if (n < 6) normal = {{n / 2 == 0 ? 1. - 2 * (n % 2) : 0., n / 2 == 1 ? 1. - 2 * (n % 2) : 0., n / 2 == 2 ? 1. - 2 * (n % 2) : 0.}};
        check(contact_frame(normal));
        check(contact_frame(normal, normalize(vector(random, 1))));
        check(contact_frame(normal, normal));
    }
    CHECK(worst < 1e-12);
}
