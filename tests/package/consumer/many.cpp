// Derivatives and a batch of a robot that is loaded: the installed library has their steps. Both are those of one pendulum.
#include <mjx/batch.hpp>
#include <mjx/derivatives.hpp>
#include <mjx/mjx.hpp>

#include <cmath>
#include <cstdio>

int main(int, char** arguments) {
    const mjx::Model model = mjx::load_mjcf(arguments[1]);
    auto sim = mjx::simulator<mjx::Euler, mjx::Newton>(model);
    sim.qpos()[0] = 0.3;
    // v' = v - h 9.81 sin(q) m / (I + m), q' = q + h v'
    const double h = model.opt.timestep, slope = -h * 9.81 * std::cos(0.3) * model.body_mass[1] / (0.1 + model.body_mass[1]);
    const auto analytic = mjx::derivatives(sim), duals = mjx::derivatives_by_duals(sim);
    double error = std::abs(analytic.A(1, 0) - slope) + std::abs(duals.A(1, 0) - slope) + std::abs(duals.A(0, 1) - h);

    mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton> batch(model, 6, 2);
    auto qpos = batch.qpos();
    for (std::size_t e = 0; e < 6; ++e) qpos(e, 0) = 0.3f;
    batch.set_qpos(qpos);
    batch.step(100);
    sim.step(100);
    for (std::size_t e = 0; e < 6; ++e) error += std::abs(static_cast<double>(batch.qpos()(e, 0)) - sim.qpos()[0]) < 1e-4 ? 0 : 1;
    std::printf("error %g\n", error);
    return error < 1e-12 ? 0 : 1;
}
