// Steps of the 15-link pendulum.
#include "axes.hpp"

#include "chain15.hpp"

int main(int argc, char** argv) {
    return bench::run_all({bench::step_contest<mjx::Unconstrained, models::Chain15>("chain15", 200),
                           bench::step_contest<mjx::Newton, models::Chain15>("chain15", 1000, 1000)},
                          argc, argv);
}
