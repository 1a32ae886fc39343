// Environments on a device with parameters of their own move as those of a Batch do, bit by bit.
#include "catch.hpp"

#include "cheetah.hpp"

#include "mjx/batch/batch.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/sycl.hpp"

#include <vector>

namespace {

using Cheetah = models::Cheetah;
using Robot = mjx::WithOwn<Cheetah, "body_mass", "geom_size", "geom_friction", "dof_damping", "gravity">;
constexpr int environments = 5, steps = 120;

float control(int e, int i) { return 0.15f * float((e + i) % 5 - 2); }
float vary(int e, int i) { return 1 + 0.1f * float((5 * e + 3 * i) % 7 - 3); }

}  // namespace

TEST_CASE("every environment on a device has the masses, sizes, frictions, dampers and gravity that it was given") {
    mjx::SyclBatch<float, mjx::Euler, mjx::Newton, Robot> device(environments, sycl::queue{}, 2);
    mjx::Batch<float, mjx::Euler, mjx::Newton, Robot> host(environments, 1);
    CHECK(device.parameter_rows("geom_friction") == 3 * Cheetah::ngeom);
    for (const char* name : {"body_mass", "geom_friction", "geom_size", "dof_damping", "gravity"}) {
        auto numbers = host.parameters(name);
        const int rows = device.parameter_rows(name);
        REQUIRE(numbers.size() == std::size_t(rows * environments));
        float* const there = device.parameters(name);
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < rows; ++i) {
                float& number = numbers.data()[e * rows + i];
                CHECK(there[i * environments + e] == number);
                there[i * environments + e] = number *= vary(e, i);
            }
        host.set_parameters(name, numbers);
        if (mjx::inner::has_consequences(name)) device.set_parameters(name, there);  // all others may be written in place
    }
    auto ctrl = host.ctrl();
    for (int e = 0; e < environments; ++e)
        for (int i = 0; i < Cheetah::nu; ++i) device.ctrl(e, i) = ctrl(std::size_t(e), std::size_t(i)) = control(e, i);
    host.set_ctrl(ctrl);
    host.step(steps);
    device.step(steps);
    const auto qpos = host.qpos(), qvel = host.qvel();
    for (int e = 0; e < environments; ++e) {
        for (int i = 0; i < Cheetah::nq; ++i) CHECK(device.qpos(e, i) == qpos(std::size_t(e), std::size_t(i)));
        for (int i = 0; i < Cheetah::nv; ++i) CHECK(device.qvel(e, i) == qvel(std::size_t(e), std::size_t(i)));
    }
    CHECK(qpos(0, 0) != qpos(1, 0));

    device.share_parameters();
    const float* const friction = device.parameters("geom_friction");
    for (int e = 0; e < environments; ++e) CHECK(friction[e] == float(Cheetah::geom_friction[0][0]));
    CHECK_THROWS_WITH(device.parameters("jnt_range"),
                      "SyclBatch: environments share 'jnt_range', expected one of those that WithOwn names, "
                      "and it names body_mass, geom_size, geom_friction, dof_damping, gravity");
}
