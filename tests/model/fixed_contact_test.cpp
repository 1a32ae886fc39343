// A fixed model with contacts, limits and motors moves exactly as the loaded one, whatever the solver.
#include "catch.hpp"
#include "load.hpp"

#include "cheetah.hpp"
#include "humanoid.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/pgs.hpp"

#include <cstring>
#include <memory>

namespace {

template <class S, class Solver, class M>
void check_motion(const std::string& scene, int steps) {
    INFO(scene);
    mjx::Simulator<S, mjx::Euler, Solver> runtime(load_scene(scene));
    const auto fixed = std::make_unique<mjx::Simulator<S, mjx::Euler, Solver, M>>();
    int contacts = 0;
    for (int k = 0; k < steps; ++k) {
        for (int i = 0; i < M::nu; ++i) runtime.ctrl()[i] = fixed->ctrl()[i] = S(0.3 * ((i + k / 10) % 3 - 1));
        runtime.step();
        fixed->step();
        contacts = std::max(contacts, fixed->data().ncon);
    }
    CHECK(contacts > 0);
    CHECK(runtime.data().nefc == fixed->data().nefc);
    CHECK(std::memcmp(runtime.qpos().data(), fixed->qpos().data(), sizeof(S) * M::nq) == 0);
    CHECK(std::memcmp(runtime.qvel().data(), fixed->qvel().data(), sizeof(S) * M::nv) == 0);
}

}  // namespace

TEST_CASE("a fixed model with contacts moves bit by bit as the loaded model does, with Newton") {
    check_motion<double, mjx::Newton, models::Humanoid>("humanoid", 200);
    check_motion<float, mjx::Newton, models::Cheetah>("cheetah", 200);
}

TEST_CASE("a fixed model with contacts moves bit by bit as the loaded model does, with PGS") {
    check_motion<double, mjx::PGS, models::Cheetah>("cheetah", 200);
}
