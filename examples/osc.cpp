// Operational-space control: the tool of a seven-joint arm follows a circle, its orientation held, to a millimetre (Khatib 1987).
//
// The tool is to accelerate by a. Its inertia is L = (J M⁻¹ Jᵀ)⁻¹, so the force f = L (a - J̇ v - J M⁻¹ passive) at the tool does it,
// and the joints exert Jᵀ f beside what gravity and Coriolis forces take. The joint left over comes to rest by its damping.
// To watch it: `#include "mjx/viewer.hpp"`, `mjx::Viewer viewer(sim);` after the simulator, `viewer.update();` after each step.
#include "mjx/mjx.hpp"
#include "mjx/views.hpp"

#include <cmath>
#include <cstdio>

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
    const double radius = 0.1, speed = 1.5, stiffness = 400, damping = 40;  // m, rad/s, 1/s², 1/s

    double worst = 0;
    for (int step = 0; step < 3000; ++step) {
        sim.step1();  // all that depends on the state; then there is room for a controller
        const double angle = speed * sim.time(), c = std::cos(angle), s = std::sin(angle);
        const auto at = mjx::pose(sim, tool);
        const auto v = mjx::velocity(sim, tool), drift = mjx::jacobian_dot_times_v(sim, tool);
        const double target[3] = {start.pos[0], start.pos[1] + radius * (c - 1), start.pos[2] + radius * s};
        const double target_v[3] = {0, -radius * speed * s, radius * speed * c};
        const double target_a[3] = {0, -radius * speed * speed * c, -radius * speed * speed * s};

        mjx::jacobian(sim, tool, J);
        used = J;
        mjx::operational_inertia(sim, used, 6, L);
        mjx::solve_mass(sim, sim.data().qfrc_passive, free);
        double a[6] = {};
        for (int k = 0; k < 3; ++k) {  // the axes of the tool turn back to those at the start
            const auto own = at.axes.column(k), wanted = start.axes.column(k);
            for (int i = 0; i < 3; ++i) {
                const int next = (i + 1) % 3, last = (i + 2) % 3;
                a[i] += stiffness / 2 * (own[next] * wanted[last] - own[last] * wanted[next]);
            }
        }
        double error = 0;
        for (int k = 0; k < 3; ++k) {
            a[k] -= damping * v[k];
            a[3 + k] = target_a[k] + stiffness * (target[k] - at.pos[k]) + damping * (target_v[k] - v[3 + k]);
            error += (target[k] - at.pos[k]) * (target[k] - at.pos[k]);
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
