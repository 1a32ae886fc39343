// A shape of the user's own in a simulator, in lanes of floats. (examples/rounded_box.cpp does it in double.)
#include "catch.hpp"
#include "collision/rounded_box.hpp"
#include "load.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"

using namespace rounded;

TEST_CASE("A rounded box comes to rest on a plane at its own height", "[collision]") {
    using S = pack<float>;
    Spec spec;
    spec.world.add_geom({.type = shape::plane, .size = {1, 1, 1}});
    auto& body = spec.world.add_body({.name = "body", .pos = {0, 0, 0.255}});
    body.add_joint({.type = jnt::free});
    body.add_geom({.type = RoundedBox::type, .size = {0.1, 0.15, 0.2}});
    Simulator<S, Euler, Newton, WithShapes<Model<>, RoundedBox>> sim(compile<RoundedBox>(spec));
    sim.step(400);
    CHECK(sim.data().ncon == 4);
    for (int k = 0; k < lanes_v<S>; ++k) {
        CHECK(double(lane(sim.qpos()[2], k)) == Approx(0.25).margin(2e-4));
        CHECK(double(lane(sim.qpos()[3], k)) == Approx(1).margin(1e-5));
        CHECK(std::abs(double(lane(sim.qvel()[2], k))) < 1e-3);
    }
}
