// Steps of the humanoid, 27 dofs: smooth dynamics, contacts with all environments nearly alike, contacts with each in its own pose.
#include "axes.hpp"

#include "humanoid.hpp"

int main(int argc, char** argv) {
    return bench::run_all({bench::step_contest<mjx::Unconstrained, models::Humanoid>("humanoid", 200),
                           bench::step_contest<mjx::Newton, models::Humanoid>("humanoid", 1000),
                           bench::crowd_contest<mjx::Newton, models::Humanoid>("humanoid", 1000)},
                          argc, argv);
}
