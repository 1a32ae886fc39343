// Steps of the humanoid, 27 dofs: smooth dynamics, contacts with all environments nearly alike (Newton, PGS, RK4). 10,000 steps per second is
// what the first design of this library hoped for; 100,000 for the pendulum, 1000 for 15 links.
#include "axes.hpp"

#include "humanoid.hpp"

int main(int argc, char** argv) {
    return bench::run_all({bench::step_contest<mjx::Unconstrained, models::Humanoid>("humanoid", 200),
                           bench::step_contest<mjx::Newton, models::Humanoid>("humanoid", 1000, 10000),
                           bench::step_contest<mjx::PGS, models::Humanoid>("humanoid", 1000),
                           bench::step_contest<mjx::Newton, models::Humanoid, mjx::RK4>("humanoid", 1000)},
                          argc, argv);
}
