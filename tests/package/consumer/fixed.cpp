// Uses a little of everything that mjx::headers brings: its own headers, Hana, the SIMD packs, and a robot compiled in.
#include "robot.hpp"

#include <mjx/joints.hpp>
#include <mjx/scalars.hpp>

#include <cstdio>

int main() {
    using joints = mjx::joint_set<mjx::Slide, mjx::Hinge>;
    static_assert(std::is_same_v<joints, mjx::joint_set<mjx::Hinge, mjx::Slide>>);
    const auto x = mjx::dual<mjx::pack<double>, 1>::variable(mjx::pack<double>(2), 0);
    const double slope = lane(x * x, 0).partial[0];
    std::printf("d(x*x)/dx at 2 is %g\n", slope);
    std::printf("the arm weighs %g\n", models::Robot::body_mass[models::Robot::body("arm")]);
    return slope == 4 ? 0 : 1;
}
