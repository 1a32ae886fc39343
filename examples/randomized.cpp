// Domain randomization: a thousand boxes slide over floors of a thousand frictions, each with a mass and a push of its own.
// A box that starts with the velocity v comes to rest after v²/(2 μ g), whatever its mass: printed beside what happened.
// With a robot compiled in (mjx_add_model), the model is mjx::WithOwn<models::Robot, "geom_friction", "body_mass">; the rest is the same.
#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/load.hpp"
#include "mjx/solvers.hpp"

#include <cmath>
#include <cstdio>

int main() {
    using P = mjx::pack<float>;
    const auto model = mjx::load_mjcf_string(R"(<mujoco><option timestep="0.002" cone="elliptic"/><worldbody>
        <geom name="floor" type="plane" size="50 50 1" priority="1"/>
        <body name="box" pos="0 0 0.05"><freejoint/><geom type="box" size="0.2 0.2 0.05"/></body></worldbody></mujoco>)");
    const std::size_t environments = 1024;
    mjx::Batch<P, mjx::Euler, mjx::Newton, mjx::Model<P>> batch(model, environments);  // the model has a set in each lane

    auto friction = batch.parameters("geom_friction"),
         mass = batch.parameters("body_mass");  // (environment, geom, 3), (environment, body, 1)
    auto qvel = batch.qvel();
    for (std::size_t e = 0; e < environments; ++e) {
        mjx::EnvironmentRandom random(1, int(e));
        friction(e, 0, 0) = float(random.uniform(0.2, 1));
        mass(e, 1, 0) = float(random.uniform(1, 20));
        qvel(e, 0) = float(random.uniform(0.5, 2));
    }
    batch.set_parameters("geom_friction", friction);
    batch.set_parameters("body_mass", mass);  // with the inertia, and all that follows from it
    const auto start = batch.qpos();
    batch.set_qvel(qvel);
    batch.step(750);

    const auto end = batch.qpos();
    double worst = 0;
    for (std::size_t e = 0; e < environments; ++e) {
        const double way = double(end(e, 0) - start(e, 0)), law = std::pow(double(qvel(e, 0)), 2) / (2 * double(friction(e, 0, 0)) * 9.81);
        worst = std::max(worst, std::abs(way - law));
        if (e < 8)
            std::printf("friction %.2f, mass %5.2f kg, %.2f m/s: slid %.3f m, the law says %.3f m\n", double(friction(e, 0, 0)),
                        double(mass(e, 1, 0)), double(qvel(e, 0)), way, law);
    }
    std::printf("worst of %zu environments: %.1f mm off\n", environments, 1000 * worst);
    return worst < 0.01 ? 0 : 1;
}
