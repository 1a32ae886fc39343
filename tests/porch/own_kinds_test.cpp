// A model with a joint and a shape of the program's own: a rounded box in free fall comes to rest on the floor at the height of its sizes, and
// another one goes down a screw by its pitch.
#include "mjx/compile.hpp"
#include "mjx/integrators.hpp"
#include "mjx/scalars.hpp"
#include "mjx/shapes.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include "../../examples/screw_joint.hpp"

#include <type_traits>

namespace {

constexpr double radius = 0.05;

struct RoundedBox {
    static constexpr int type = mjx::shape::count, sizes = 3;
    static constexpr const char* name = "rounded_box";

    template <class T>
    static mjx::Vec3<T> support(const mjx::Vec3<T>& size, const mjx::Vec3<T>& dir) {
        mjx::Vec3<T> p = dir * T(static_cast<mjx::value_t<T>>(radius));
        for (int i = 0; i < 3; ++i) p[i] += dir[i] >= T(0) ? size[i] : -size[i];
        return p;
    }
};

using joints = mjx::joint_set<mjx::Free, Screw>;
constexpr double pitch = 0.1, mass = 2, inertia = 0.03;  // metres for a radian; of the nut, about the screw

// The floor is at z = 0, the nut starts at z = 1 and has no friction.
auto boxes() {
    mjx::Spec spec;
    spec.world.add_geom({.type = mjx::shape::plane, .size = {3, 3, 1}});
    auto& die = spec.world.add_body({.name = "die", .pos = {1, 0, 0.255}});
    die.add_joint({.type = mjx::jnt::free});
    die.add_geom({.type = RoundedBox::type, .size = {0.1, 0.15, 0.2}});
    auto& nut = spec.world.add_body({.name = "nut", .pos = {-1, 0, 1}});
    nut.inertial = mjx::SpecInertial{.mass = mass, .diaginertia = {0.02, 0.02, inertia}};
    nut.add_joint({.name = "screw", .type = Screw::type, .user = {pitch}});
    nut.add_geom({.type = RoundedBox::type, .size = {0.1, 0.15, 0.2}});
    return mjx::compile<joints, RoundedBox>(spec);
}

}  // namespace

#include "catch.hpp"

static_assert(std::is_same_v<decltype(boxes()), mjx::WithShapes<mjx::Model<double, joints>, RoundedBox>>);

TEMPLATE_TEST_CASE("Joints and shapes of a program's own live in one model", "", double, mjx::pack<float>) {
    using S = TestType;
    const double error = std::is_same_v<S, double> ? 1e-9 : 1e-5;
    const auto value = [](const S& x) { return double(mjx::lane(x, mjx::lanes_v<S> - 1)); };
    auto sim = mjx::simulator<S, mjx::Euler, mjx::Newton>(boxes());

    // on the screw, gravity turns what it lets down: (inertia + mass pitch²) angle'' = -mass g pitch
    const double rate = -mass * 9.81 * pitch / (inertia + mass * pitch * pitch), h = 0.002;
    const int n = 200;
    sim.step(n);
    const double angle = rate * h * h * n * (n + 1) / 2;  // as Euler sums it
    CHECK(value(sim.joint("screw").qpos()[0]) == Approx(angle).epsilon(error));
    sim.forward();
    CHECK(value(sim.body("nut").xpos()[2]) == Approx(1 + pitch * angle).epsilon(error));

    sim.step(200);
    CHECK(value(sim.body("die").xpos()[2]) == Approx(0.2 + radius).margin(2e-4));
    CHECK(std::abs(value(sim.qvel()[2])) < 1e-3);
    CHECK(sim.data().ncon >= 4);

    // the nut ends on its lower side, too
    sim.step(800);
    const double down = value(sim.body("nut").xpos()[2]);
    CHECK(down == Approx(0.2 + radius).margin(1e-3));
    CHECK((down - 1) / value(sim.joint("screw").qpos()[0]) == Approx(pitch).epsilon(1e-4));
}
