// Operational-space control: the tool of a seven-joint arm follows a circle, its orientation held, to a millimetre (Khatib 1987).
//
// The tool is to accelerate by a. Its inertia is L = (J M⁻¹ Jᵀ)⁻¹, so the force f = L (a - J̇ v - J M⁻¹ passive) at the tool does it,
// and the joints exert Jᵀ f beside what gravity and Coriolis forces take. The joint left over comes to rest by its damping.
// To watch it: `#include "mjx/viewer.hpp"`, `mjx::Viewer viewer(sim);` after the simulator, `viewer.update();` after each step.
#include "mjx/mjx.hpp"
#include "mjx/views.hpp"

#include <cmath>
#include <cstdio>

constexpr double radius = 0.1, speed = 1.5, stiffness = 400, damping = 40;  // m, rad/s, 1/s², 1/s

// Where the tool is to be, relative to the start: a circle in the plane of y and z.
struct Target {
    double pos[3], v[3], a[3];
};
Target circle(double time) {
    const double c = std::cos(speed * time), s = std::sin(speed * time), rate = radius * speed;
    return {{0, radius * (c - 1), radius * s}, {0, -rate * s, rate * c}, {0, -rate * speed * c, -rate * speed * s}};
}

// Adds the angular acceleration that turns the axes of the tool back to others near by.
template <class Axes>
void turn(const Axes& from, const Axes& to, double* a) {
    for (int k = 0; k < 3; ++k) {
        const auto own = from.column(k), wanted = to.column(k);
        for (int i = 0; i < 3; ++i) {
            const int next = (i + 1) % 3, last = (i + 2) % 3;
            a[i] += stiffness / 2 * (own[next] * wanted[last] - own[last] * wanted[next]);
        }
    }
}

int main() {
    const mjx::Model model = mjx::load_mjcf(MJX_EXAMPLES_DIR "/../tests/models/arm.xml");
    mjx::Simulator<double, mjx::ImplicitFast, mjx::Newton> sim(model);
    const double bent[7] = {0.3, 0.6, 0.2, -1.2, 0.1, 0.8, 0};
    for (int i = 0; i < 7; ++i) sim.qpos()[i] = bent[i];
    sim.forward();

    const auto tool = mjx::site(model.site("tool"));
    const auto start = mjx::pose(sim, tool);
    mjx::Matrix<double> J = mjx::jacobian(sim, tool), used = J, L = mjx::operational_inertia(sim, used, 6);
    mjx::Vector<double> force = mjx::bias_force(sim), free = force;

    double worst = 0;
    for (int step = 0; step < 3000; ++step) {
        sim.step1();  // all that depends on the state; then there is room for a controller
        const Target target = circle(sim.time());
        const auto at = mjx::pose(sim, tool);
        const auto v = mjx::velocity(sim, tool), drift = mjx::jacobian_dot_times_v(sim, tool);

        mjx::jacobian(sim, tool, J);
        used = J;
        mjx::operational_inertia(sim, used, 6, L);
        mjx::solve_mass(sim, sim.data().qfrc_passive, free);
        double a[6] = {}, error = 0;
        turn(at.axes, start.axes, a);
        for (int k = 0; k < 3; ++k) {
            const double away = start.pos[k] + target.pos[k] - at.pos[k];
            a[k] -= damping * v[k];
            a[3 + k] = target.a[k] + stiffness * away + damping * (target.v[k] - v[3 + k]);
            error += away * away;
        }
        mjx::bias_force(sim, force);
        for (std::size_t r = 0; r < 6; ++r) {
            a[r] -= drift[int(r)];
            for (std::size_t i = 0; i < 7; ++i) a[r] -= J(r, i) * free(i);
        }
        for (std::size_t i = 0; i < 7; ++i)
            for (std::size_t r = 0; r < 6; ++r)
                for (std::size_t k = 0; k < 6; ++k) force(i) += J(r, i) * L(r, k) * a[k];
        for (int i = 0; i < 7; ++i) sim.qfrc_applied()[i] = force(std::size_t(i));
        sim.step2();
        if (sim.time() > 1) worst = std::max(worst, std::sqrt(error));  // after the first second
    }
    std::printf("the tool follows its circle to %.3f mm\n", 1000 * worst);
    return worst < 1e-3 ? 0 : 1;
}
