// Steps of the 1-dof pendulum.
#include "axes.hpp"

#include "pendulum.hpp"

int main(int argc, char** argv) {
    return bench::run_all({bench::step_contest<mjx::Unconstrained, models::Pendulum>("pendulum", 200),
                           bench::step_contest<mjx::Newton, models::Pendulum>("pendulum", 1000, 100000)},
                          argc, argv);
}
