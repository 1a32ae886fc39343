// A user's own signed distance field as a template parameter of the simulator.
#include "catch.hpp"
#include "load.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/collision/sdf_user.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

using namespace mjx;

namespace {

// Solid below a paraboloid that opens upwards; the parameter is its curvature.
struct Dish {
    template <class S, class P>
    S operator()(const Vec3<S>& p, const P& params) const {
        return (p[2] - params[0] * (p[0] * p[0] + p[1] * p[1])) * 0.7f;  // grows no faster than the distance nearby
    }
};
// Solid below its frame.
struct Table {
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return p[2];
    }
};

// A ball dropped off the centre of the field.
Spec scene() {
    Spec spec;
    spec.option.sdf_initpoints = 20;
    spec.world.add_geom({.type = shape::sdf, .size = {0.5, 0.5, 0.3}, .sdf = "user", .sdf_params = {1}});
    SpecBody& ball = spec.world.add_body({.pos = {0.15, 0, 0.2}});
    ball.add_joint({.type = jnt::free, .damping = {0.5}});
    ball.add_geom({.type = shape::sphere, .size = {0.1}, .condim = 1});
    return spec;
}

}  // namespace

TEMPLATE_TEST_CASE("A ball rolls to the lowest point of a user's field", "[collision]", float, double, pack<float>) {
    using S = TestType;
    Simulator<S, ImplicitFast, Newton, WithField<Dish>> sim(compile_spec(scene()));
    sim.step(1500);
    for (int k = 0; k < lanes_v<S>; ++k) {
        CHECK(std::abs(static_cast<double>(lane(sim.qpos()[0], k))) < 0.03);
        CHECK(static_cast<double>(lane(sim.qpos()[2], k)) == Approx(0.1).margin(0.01));
    }
    REQUIRE(sim.data().ncon > 0);
}

TEST_CASE("A user's field is met by rays, and may do without parameters", "[collision]") {
    Simulator<double, ImplicitFast, Newton, WithField<Table>> sim(compile_spec(scene()));
    sim.forward();
    const auto down = ray(sim.model(), sim.data(), Vec3<double>{{-0.3, 0, 0.25}}, Vec3<double>{{0, 0, -2}});
    CHECK(down.geom[0] == 0);
    CHECK(down.dist == Approx(0.125));
    CHECK(down.normal[2] == Approx(1));
}
