// Rays with filters against MuJoCo's own numbers, in every scalar.
#include "collision/ray_reference.hpp"
#include "catch.hpp"
#include "load.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/data.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/reset.hpp"

using namespace mjx;

TEMPLATE_TEST_CASE("Rays hit what MuJoCo's hit, whatever groups and bodies are left out", "[collision]", float, double, (dual<double, 1>),
                   pack<float>) {
    using S = TestType;
    const double tolerance = sizeof(value_t<S>) == sizeof(float) ? 2e-4 : 1e-9;
    const auto m = cast<value_t<S>>(load_model(MJX_TESTS_DIR "/conformance/models/rays.xml"));
    Data<S, Model<value_t<S>>> d(m);
    reset(m, d);
    kinematics(m, d);
    for (const auto& row : ray_reference::rows) {
        INFO("from " << row.pnt[0] << " " << row.pnt[1] << " " << row.pnt[2] << " to geom " << row.geom);
        Vec3<S> pnt, vec;
        for (int k = 0; k < 3; ++k) {
            pnt[k] = S(static_cast<value_t<S>>(row.pnt[k]));
            vec[k] = S(static_cast<value_t<S>>(row.vec[k]));
        }
        const auto hit = ray(m, d, pnt, vec, {row.groups, row.include_static != 0, row.exclude_body});
        for (int k = 0; k < lanes_v<S>; ++k) {
            CHECK(hit.geom[k] == row.geom);
            CHECK(std::abs(static_cast<double>(value_of(lane(hit.dist, k))) - row.dist) < tolerance);
            for (int i = 0; i < 3; ++i)
                CHECK(std::abs(static_cast<double>(value_of(lane(hit.normal[i], k))) - row.normal[i]) < 10 * tolerance);
        }
    }
}
