// The closed-form collisions against MuJoCo's own numbers.
#include "collision/closed_form_reference.hpp"
#include "catch.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"

using namespace shapes;

TEMPLATE_TEST_CASE("Closed forms give MuJoCo's contacts", "[collision]", float, double, (dual<double, 1>), pack<float>, pack<double>) {
    using S = TestType;
    const double tolerance = sizeof(value_t<S>) == sizeof(float) ? 1e-5 : 1e-10;
    for (const Reference& r : references) {
        INFO("types " << r.type1 << " and " << r.type2 << ", first contact at " << r.points[0].dist);
        const OwnGeom<double> a{r.pos1, to_mat3(normalize(r.quat1)), r.size1}, b{r.pos2, to_mat3(normalize(r.quat2)), r.size2};
        const auto found = collide({r.type1, r.type2, ""}, to<S>(a), to<S>(b), r.margin);
        REQUIRE(found.count == static_cast<int>(r.points.size()));
        double worst = 0;
        const auto compare = [&](const S& got, double expected) {
            for (int k = 0; k < lanes_v<S>; ++k) worst = std::max(worst, std::abs(static_cast<double>(value_of(lane(got, k))) - expected));
        };
        for (int i = 0; i < found.count; ++i) {
            const auto& expected = r.points[static_cast<std::size_t>(i)];
            compare(found.point[i].dist, expected.dist);
            for (int k = 0; k < 3; ++k) {
                compare(found.point[i].pos[k], expected.pos[k]);
                compare(found.point[i].normal[k], expected.normal[k]);
            }
        }
        CHECK(worst < tolerance);
    }
}
