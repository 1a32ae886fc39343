// A robot in URDF, as it comes out of CAD: it says what its joints can bear but has no motors, and one of its inertias is that of no body.
// Loaded with options for both, it falls; then a PD controller with gravity compensation holds it.
#include "mjx/mjx.hpp"

#include <cmath>
#include <cstdio>

int main() {
    const mjx::Model model = mjx::load_urdf(MJX_EXAMPLES_DIR "/arm.urdf", {.repair_inertia = true, .actuators = true});
    auto sim = mjx::simulator<mjx::ImplicitFast, mjx::Newton>(model);

    sim.step(750);
    const double fallen = sim.qpos()[1];
    std::printf("after a second and a half without controls the shoulder is at %.3f rad\n", fallen);

    sim.reset();
    const double target[] = {0.5, -0.4, 0.8}, kp[] = {60, 120, 60}, kd[] = {6, 12, 6};
    for (int i = 0; i < 1500; ++i) {
        sim.step1();
        mjx::gravity_force(sim, sim.ctrl());  // the torques that carry the arm's weight; the motors have gears of 1
        for (int j = 0; j < model.nu; ++j) sim.ctrl()[j] += kp[j] * (target[j] - sim.qpos()[j]) - kd[j] * sim.qvel()[j];
        sim.step2();
    }
    double error = 0;
    for (int j = 0; j < model.nu; ++j) error = std::max(error, std::abs(sim.qpos()[j] - target[j]));
    std::printf("the controller holds it within %.2g rad\n", error);
    return std::abs(fallen) > 0.5 && error < 1e-3 ? 0 : 1;
}
