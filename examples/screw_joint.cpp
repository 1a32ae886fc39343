// A lift on a screw joint of the program's own (screw_joint.hpp), simulated with plain numbers, with derivatives by the motor's torque,
// in the lanes of a register with a torque for each, and as a fixed model (lift.hpp, which screw_header.cpp wrote).
// To watch it: `#include "mjx/viewer.hpp"`, `mjx::Viewer viewer(sim);` after a simulator, `viewer.update();` after each step.
#include "screw_lift.hpp"

#include "lift.hpp"

#include "mjx/integrators.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <cmath>
#include <cstdio>

template <class S, class M>
auto run(mjx::Simulator<S, mjx::Euler, mjx::PGS, M> sim, const S& torque) {
    sim.ctrl()[0] = torque;
    sim.step(500);
    return S(sim.qpos()[0]);
}

int main() {
    using Lift = mjx::Model<double, LiftJoints>;
    const Lift model = screw_lift();
    using dual = mjx::dual<double, 1>;
    using pack = mjx::pack<double>;
    const dual torque = dual::variable(0.31, 0);
    pack torques(0.31);
    mjx::set_lane(torques, 0, 0.4);

    const double plain = run(mjx::Simulator<double, mjx::Euler, mjx::PGS, Lift>(model), 0.31);
    const double more = run(mjx::Simulator<double, mjx::Euler, mjx::PGS, Lift>(model), 0.4);
    const double fixed = run(mjx::Simulator<double, mjx::Euler, mjx::PGS, models::Lift>(), 0.31);
    const dual slope = run(mjx::Simulator<dual, mjx::Euler, mjx::PGS, Lift>(model), torque);
    const pack lanes = run(mjx::Simulator<pack, mjx::Euler, mjx::PGS, Lift>(model), torques);
    constexpr int last = mjx::lanes_v<pack> - 1;
    std::printf("angle of the screw after a second    %.12f rad at 0.31 Nm, %.12f at 0.4 Nm\n", plain, more);
    std::printf("as a fixed model                     %.12f\n", fixed);
    std::printf("with its derivative by the torque    %.12f, %.6f rad/Nm\n", slope.value, slope.partial[0]);
    std::printf("in lanes                             %.12f, first lane %.12f\n", mjx::lane(lanes, last), mjx::lane(lanes, 0));
    const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
    const bool agree = near(plain, fixed) && near(plain, slope.value) && near(mjx::lane(lanes, last), last > 0 ? plain : more) &&
                       near(mjx::lane(lanes, 0), more);
    std::printf("%s\n", agree ? "all agree" : "they differ");
    return agree ? 0 : 1;
}
