// How far energy and momentum drift, held against MuJoCo's: what nobody loses for physics is lost by the integrator, and as much as there.
// drift/ has the models, drift/README.md a table over a million steps, which the hidden test [drift] prints.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/registry.hpp"
#include "mjx/simulator.hpp"

#include <cstdio>

namespace {

struct Drift {
    std::string model;
    int integrator;
    double energy, linear, angular;  // change of energy (J), of the centre's velocity (m/s) and of angular momentum (kg m2/s)
};

// MuJoCo 3.12.0 after 5000 steps of 1 ms.
const Drift mujoco[] = {
    {"pendulum", 0, -3.2152284697e-03, 1.0396110946e+00, 6.3949479591e-02},
    {"pendulum", 1, -5.1665065259e-12, 1.0396103455e+00, 6.3949433512e-02},
    {"pendulum", 2, -3.2152284697e-03, 1.0396110946e+00, 6.3949479591e-02},
    {"pendulum", 3, -3.2152284697e-03, 1.0396110946e+00, 6.3949479591e-02},
    {"double_pendulum", 0, 1.4440616020e-01, 2.1047344634e+00, 6.4146925310e-01},
    {"double_pendulum", 1, -6.5260308268e-10, 2.0553013857e+00, 6.4138718703e-01},
    {"double_pendulum", 2, -1.3066995793e-01, 2.0177597672e+00, 6.3847351831e-01},
    {"double_pendulum", 3, 1.4440616020e-01, 2.1047344634e+00, 6.4146925310e-01},
    {"top", 0, 9.6425677504e-02, 1.8927043017e-16, 1.9847193466e-02},
    {"top", 1, -1.2789769244e-13, 1.5833821449e-16, 2.4799334934e-08},
    {"top", 2, -9.5733324085e-02, 1.2176797686e-16, 1.9738876295e-02},
    {"top", 3, -9.5733324085e-02, 1.2006065395e-16, 1.9738876295e-02},
    {"ball_chain", 0, -1.4406693564e-04, 2.1930519702e-03, 1.0278583039e-03},
    {"ball_chain", 1, -3.9690489384e-07, 1.5806983622e-07, 5.1990971254e-08},
    {"ball_chain", 2, -5.1019875718e-03, 2.1528042347e-03, 1.4432331249e-03},
    {"ball_chain", 3, -1.4406693564e-04, 2.1930519702e-03, 1.0278583039e-03},
    {"spring", 0, -2.2872660053e-03, 3.8977743514e-01, 0.0000000000e+00},
    {"spring", 1, -8.0075945874e-12, 3.8967761730e-01, 0.0000000000e+00},
    {"spring", 2, -2.2872660053e-03, 3.8977743514e-01, 0.0000000000e+00},
    {"spring", 3, -2.2872660053e-03, 3.8977743514e-01, 0.0000000000e+00},
};

struct Measured : Drift {
    double kinetic = 0;  // the most in the first second, J
};
Measured measure(const std::string& name, int integrator, int steps) {
    const auto m = load_model(std::string(MJX_TESTS_DIR) + "/integrator/drift/" + name + ".xml");
    mjx::Data<double, mjx::Model<double>> d(m);
    Measured result{{name, integrator, 0, 0, 0}};
    mjx::with_integrator(integrator, [&](auto type) {
        mjx::reset_keyframe(m, d, 0);
        mjx::forward<mjx::Newton>(m, d);
        const double energy = d.energy[0] + d.energy[1];
        const std::vector<double> start(d.sensordata.data(), d.sensordata.data() + 6);
        for (int i = 0; i < steps; ++i) {
            mjx::step<decltype(type), mjx::Newton>(m, d);
            if (i < 1000) result.kinetic = std::max(result.kinetic, d.energy[1]);
        }
        mjx::forward<mjx::Newton>(m, d);
        const auto distance = [&](int first) {
            double sum = 0;
            for (int i = first; i < first + 3; ++i) {
                const double change = d.sensordata[i] - start[static_cast<std::size_t>(i)];
                sum += change * change;
            }
            return std::sqrt(sum);
        };
        result.energy = d.energy[0] + d.energy[1] - energy;
        result.linear = distance(0);
        result.angular = distance(3);
    });
    return result;
}

}  // namespace

TEST_CASE("energy and momentum drift as in MuJoCo") {
    for (const Drift& expected : mujoco) {
        const Measured got = measure(expected.model, expected.integrator, 5000);
        CAPTURE(expected.model, expected.integrator);
        CHECK(std::abs(got.energy - expected.energy) < 1e-10 * got.kinetic);
        CHECK(std::abs(got.linear - expected.linear) < 1e-9);
        CHECK(std::abs(got.angular - expected.angular) < 1e-9);
    }
}

TEST_CASE("drift over a million steps", "[.][drift]") {
    std::printf("| model | integrator | energy | velocity of the centre | angular momentum |\n");
    for (const Drift& row : mujoco) {
        const Measured got = measure(row.model, row.integrator, 1000000);
        std::printf("| %s | %d | %+.1e | %.1e | %.1e |\n", row.model.c_str(), row.integrator, got.energy / got.kinetic, got.linear,
                    got.angular);
    }
}
