// Stepping never touches the heap.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/pgs.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* p = std::malloc(bytes)) return p;
    std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

template <class Integrator, class Solver>
long allocations_of_steps(const char* scene, int steps) {
    mjx::Simulator<double, Integrator, Solver> sim(load_scene(scene));
    for (int i = 0; i < sim.ctrl().size(); ++i) sim.ctrl()[i] = 0.1;
    const long before = allocations;
    sim.step(steps);
    return allocations - before;
}

}  // namespace

TEST_CASE("a falling humanoid allocates nothing, with contacts and solvers") {
    CHECK(allocations_of_steps<mjx::Euler, mjx::Newton>("humanoid", 300) == 0);
    CHECK(allocations_of_steps<mjx::RK4, mjx::PGS>("humanoid", 300) == 0);
    CHECK(allocations > 0);  // the counter counts
}
