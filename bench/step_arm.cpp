// Steps of the 7-dof arm.
#include "axes.hpp"

#include "arm.hpp"

int main(int argc, char** argv) {
    return bench::run_all(
        {bench::step_contest<mjx::Unconstrained, models::Arm>("arm", 200), bench::step_contest<mjx::Newton, models::Arm>("arm", 1000)},
        argc, argv);
}
