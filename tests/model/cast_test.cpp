// Casts of models: every number arrives in the new type, and a joint outside the set is an error that says so.
#include "mjx/model/cast.hpp"
#include "catch.hpp"
#include "load.hpp"
#include "mjx/scalar/dual.hpp"

using namespace mjx;

namespace {

const char* const two_joints =
    "<mujoco model='chain'><worldbody><body><joint name='swing'/><geom size='0.1'/>"
    "<body pos='0 0 1'><joint name='lift' type='slide'/><geom type='box' size='0.1 0.2 0.3'/></body></body></worldbody></mujoco>";

}  // namespace

TEMPLATE_TEST_CASE("A cast keeps sizes, names and numbers", "", float, double, (dual<double, 2>)) {
    const Model<double> m = load_model_string(two_joints);
    const Model<TestType> c = cast<TestType>(m);
    const double accuracy = 4 * double(epsilon_v<TestType>);
    CHECK(c.name == "chain");
    for_each_size(
        [](const char* name, int a, int b) {
            CAPTURE(name);
            CHECK(a == b);
        },
        m, c);
    const auto items = [](const auto& table) { return std::vector(table.begin(), table.end()); };
    CHECK(items(c.jnt_name) == items(m.jnt_name));
    CHECK(items(c.M_colind) == items(m.M_colind));
    for (int b = 0; b < m.nbody; ++b) {
        CHECK(double(value_of(c.body_mass[b])) == Approx(m.body_mass[b]).epsilon(accuracy));
        for (int k = 0; k < 3; ++k) CHECK(double(value_of(c.body_inertia[b][k])) == Approx(m.body_inertia[b][k]).epsilon(accuracy));
    }
    CHECK(double(value_of(c.opt.gravity[2])) == Approx(-9.81).epsilon(accuracy));
    CHECK(double(value_of(c.stat.extent)) == Approx(m.stat.extent).epsilon(accuracy));
}

TEST_CASE("A model with a joint outside the set is refused by name") {
    const Model<double> m = load_model_string(two_joints);
    CHECK(cast<double, joint_set<Hinge, Slide>>(m).njnt == 2);
    CHECK_THROWS_WITH((cast<double, joint_set<Hinge, Ball>>(m)),
                      "chain: joint 'lift' is a slide joint, which is not in the joint_set this model was asked for");
}
