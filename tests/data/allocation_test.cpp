// Stepping never touches the heap, and neither do the functions around a step that say so.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/parameters.hpp"
#include "mjx/robotics.hpp"
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
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    ++allocations;
    const std::size_t a = static_cast<std::size_t>(alignment);
    if (void* p = std::aligned_alloc(a, (bytes + a - 1) / a * a)) return p;
    std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
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

TEST_CASE("functions around a step write into the caller's memory, and nowhere else") {
    mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(load_scene("humanoid"));
    sim.step(100);
    sim.forward();
    auto& m = sim.model();
    const int nv = m.nv;
    std::vector<double> J(std::size_t(6 * nv)), used = J, M(std::size_t(nv * nv)), x(std::size_t(nv), 1.0), y = x, inertia(36);
    const mjx::MatrixSpan rows{J.data(), 6, nv}, spent{used.data(), 6, nv}, square{M.data(), nv, nv}, small{inertia.data(), 6, 6};
    mjx::InverseKinematics ik(m, {.iterations = 20});
    const auto hand = mjx::body(m.nbody - 1);
    ik.position(hand, mjx::pose(sim, hand).pos + mjx::Vec3<double>{{0.05, 0, 0}});
    std::vector<double> q(sim.qpos().begin(), sim.qpos().end());
    mjx::Data<double, mjx::Model<double>> room(m);

    const long before = allocations;
    mjx::forward_inertia(sim);
    mjx::jacobian(sim, hand, rows);
    mjx::jacobian(sim, mjx::relative(hand, mjx::body(1)), spent);
    mjx::jacobian(sim, mjx::com(1), rows);
    mjx::centroidal_momentum(sim, 1, rows);
    mjx::centroidal_momentum_rate(sim, 1, rows);
    mjx::mass_matrix(sim, square);
    mjx::coriolis_matrix(sim, square);
    mjx::multiply_mass(sim, x, y);
    mjx::solve_mass(sim, x, y);
    mjx::half_solve_mass(sim, x, y);
    mjx::operational_inertia(sim, spent, 6, small);
    mjx::gravity_force(sim, sim.qfrc_applied());
    mjx::inverse_dynamics(sim, x, y);
    mjx::integrate_position(m, q, x, 1e-3);
    for (int c = 0; c < sim.data().ncon; ++c) mjx::contact_jacobian(sim, c, rows);
    for (int round = 0; round < 3; ++round) ik.solve(q);
    mjx::set_mass(m, 1, 2 * m.body_mass[1]);
    mjx::set_size(m, 1, m.geom_size[1] * 1.1);
    mjx::set_constants(m, room);
    sim.step();
    CHECK(allocations == before);
}
