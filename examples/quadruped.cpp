// A quadruped compiled to constants, with a controller as a hook: it stands up from a crouch, then trots in place, for five seconds.
// Data is one object without heap that fits the nearer caches. Robots from Menagerie are built in the same way:
// mjx_add_model(app unitree_go2/scene.xml NAME UnitreeGo2).
#include "quadruped.hpp"

#include "mjx/integrators.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>

using Robot = models::Quadruped;

// Joint positions to go to, by a spring and a damper at each joint. Legs come in the order FL, FR, RL, RR, joints as hip, thigh, knee.
struct Trot {
    static constexpr int first_q = Robot::jnt_qposadr[Robot::joint("FL_hip")], first_v = Robot::jnt_dofadr[Robot::joint("FL_hip")];
    static constexpr double stiffness = 60, damping = 2, rise = 1, start = 2, period = 0.5;
    static constexpr double stand = 0.75, crouch = 0.55, lift = 0.35;  // rad, at the thigh; twice that at the knee

    // How far a leg is bent: from the crouch to the stand in `rise` seconds; then diagonal legs take turns.
    static double bend(double time, int leg) {
        if (time < rise) return crouch * (1 - time / rise);
        if (time < start) return 0;
        const double turn = std::sin(2 * std::numbers::pi * (time - start) / period) * (leg == 0 || leg == 3 ? 1 : -1);
        return turn > 0 ? lift * turn : 0;
    }
    template <class M, class D>
    void control(const M&, D& d) const {
        for (int leg = 0; leg < 4; ++leg) {
            const double thigh = stand + bend(d.time, leg), target[3] = {0, thigh, -2 * thigh};
            for (int k = 0; k < 3; ++k) {
                const int i = 3 * leg + k;
                d.ctrl[i] = stiffness * (target[k] - d.qpos[first_q + i]) - damping * d.qvel[first_v + i];
            }
        }
    }
};

int main() {
    static mjx::Simulator<double, mjx::Euler, mjx::Newton, Robot, Trot> sim;
    sim.reset_keyframe("crouch");
    std::printf("%zu bytes of data, room for %d contacts\n%8s %8s %8s %9s\n", sizeof(sim.data()), Robot::nconmax, "time", "height",
                "upright", "contacts");
    double lowest = 1, tilt = 1;
    int feet_up = 0;
    while (sim.time() < 5) {
        sim.step();
        const double height = sim.body("trunk").xpos()[2], upright = sim.body("trunk").xmat()[8];
        if (sim.time() > 1.5) {
            lowest = std::fmin(lowest, height);
            tilt = std::fmin(tilt, upright);
            feet_up += sim.data().ncon == 2;
        }
        if (std::fmod(sim.time() + 1e-9, 0.5) < 1e-3) std::printf("%8.2f %8.4f %8.4f %9d\n", sim.time(), height, upright, sim.data().ncon);
    }
    const bool good = lowest > 0.22 && tilt > 0.97 && feet_up > 500 && sim.warnings().empty();
    std::printf("never lower than %.3f m after 1.5 s, two feet in the air for %.2f s: %s\n", lowest, feet_up * Robot::opt.timestep,
                good ? "it trots" : "it fell");
    return good ? 0 : 1;
}
