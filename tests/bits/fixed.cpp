// The same as program.cpp for robots that are compiled in: its lines are among those of program.cpp.
#include "arm.hpp"
#include "chain15.hpp"
#include "cheetah.hpp"
#include "humanoid.hpp"
#include "motion.hpp"
#include "pendulum.hpp"
#include "tray.hpp"

#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"

#include <memory>

namespace {

template <class Integrator, class Solver, class M>
void move(const char* robot) {
    const auto sim = std::make_unique<mjx::Simulator<double, Integrator, Solver, M>>();
    const auto hash = bits::motion(*sim, 0);
    bits::print(robot, Integrator::name, Solver::name, "double", hash);
}

}  // namespace

int main() {
    move<mjx::Euler, mjx::Newton, models::Pendulum>("pendulum");
    move<mjx::Euler, mjx::Newton, models::Chain15>("chain15");
    move<mjx::Euler, mjx::Newton, models::Humanoid>("humanoid");
    move<mjx::Euler, mjx::Newton, models::Arm>("arm");
    move<mjx::RK4, mjx::Newton, models::Arm>("arm");
    move<mjx::Implicit, mjx::Newton, models::Arm>("arm");
    move<mjx::ImplicitFast, mjx::Newton, models::Arm>("arm");
    move<mjx::ImplicitSpringDamper, mjx::Newton, models::Arm>("arm");
    move<mjx::Euler, mjx::Newton, models::Cheetah>("cheetah");
    move<mjx::Euler, mjx::CG, models::Cheetah>("cheetah");
    move<mjx::Euler, mjx::PGS, models::Cheetah>("cheetah");
    move<mjx::Euler, mjx::CachedPGS, models::Cheetah>("cheetah");
    move<mjx::Euler, mjx::Penalty, models::Cheetah>("cheetah");
    move<mjx::Euler, mjx::Newton, models::Tray>("tray");
}
