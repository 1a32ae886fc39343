// Steps of the planar cheetah, 9 dofs.
#include "axes.hpp"

#include "cheetah.hpp"

int main(int argc, char** argv) {
    return bench::run_all({bench::step_contest<mjx::Unconstrained, models::Cheetah>("cheetah", 200),
                           bench::step_contest<mjx::Newton, models::Cheetah>("cheetah", 1000)},
                          argc, argv);
}
