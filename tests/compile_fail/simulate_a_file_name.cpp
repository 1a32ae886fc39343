// expect: mjx::simulate needs a model: mjx::simulate(mjx::load_mjcf(file), [](auto& sim) { ... })
#include "mjx/registry.hpp"

void f() {
    mjx::simulate("humanoid.xml", [](auto& sim) { sim.step(); });
}
