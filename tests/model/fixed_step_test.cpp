// A fixed model moves exactly as the loaded one: the same stages on the same numbers.
#include "catch.hpp"
#include "load.hpp"

#include "arm.hpp"
#include "chain15.hpp"
#include "cheetah.hpp"
#include "humanoid.hpp"
#include "joints.hpp"
#include "pendulum.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/unconstrained.hpp"

#include <cstring>
#include <memory>

namespace {

// Something for every dof and control to do, the same for both kinds of model.
template <class Sim>
void stir(Sim& sim) {
    using S = typename Sim::scalar;
    for (int i = 0; i < sim.qvel().size(); ++i) sim.qvel()[i] = S(0.3 * ((i % 5) - 2));
    for (int i = 0; i < sim.ctrl().size(); ++i) sim.ctrl()[i] = S(0.2 * ((i % 3) - 1));
}

template <class Items>
bool same_bits(const Items& a, const Items& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(a[0]) * static_cast<std::size_t>(a.size())) == 0;
}

template <class S, class Integrator, class M>
void check_motion(const std::string& scene, int steps) {
    INFO(scene);
    mjx::Simulator<S, Integrator, mjx::Unconstrained> runtime(load_scene(scene));
    const auto fixed = std::make_unique<mjx::Simulator<S, Integrator, mjx::Unconstrained, M>>();
    stir(runtime);
    stir(*fixed);
    for (int k = 0; k < steps; ++k) {
        runtime.step();
        fixed->step();
    }
    CHECK(same_bits(runtime.qpos(), fixed->qpos()));
    CHECK(same_bits(runtime.qvel(), fixed->qvel()));
    CHECK(same_bits(runtime.qacc(), fixed->qacc()));
    CHECK(std::isfinite(fixed->qpos()[0]));
    CHECK(fixed->time() > 0);
}

}  // namespace

TEST_CASE("a fixed model in double moves bit by bit as the loaded model does") {
    check_motion<double, mjx::Euler, models::Pendulum>("pendulum", 200);
    check_motion<double, mjx::Euler, models::Chain15>("chain15", 200);
    check_motion<double, mjx::Euler, models::Arm>("arm", 200);
    check_motion<double, mjx::Euler, models::Cheetah>("cheetah", 200);
    check_motion<double, mjx::Euler, models::Humanoid>("humanoid", 100);
    check_motion<double, mjx::Euler, models::Joints>("joints", 200);
}

TEST_CASE("a fixed model in float moves bit by bit as the loaded model does") {
    check_motion<float, mjx::RK4, models::Humanoid>("humanoid", 100);
    check_motion<float, mjx::Euler, models::Joints>("joints", 100);
}

TEST_CASE("the data of a fixed model is one object that can be copied as bytes") {
    using Simulator = mjx::Simulator<double, mjx::Euler, mjx::Unconstrained, models::Arm>;
    using Data = Simulator::data_type;
    static_assert(std::is_trivially_copyable_v<Data>);
    static_assert(std::is_trivially_copyable_v<mjx::Data<float, models::Humanoid_of<float>>>);
    Simulator first, second;
    stir(first);
    first.step(10);
    std::memcpy(static_cast<void*>(&second.data()), &first.data(), sizeof(Data));
    first.step(10);
    second.step(10);
    CHECK(same_bits(first.qpos(), second.qpos()));
}
