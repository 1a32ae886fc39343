// Packs: every lane is an environment of its own.
#include "catch.hpp"

#include "arm.hpp"
#include "joints.hpp"

#include "mjx/batch/lanes.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/unconstrained.hpp"

#include <cstring>
#include <memory>

namespace {

template <class S, class M>
using Sim = mjx::Simulator<S, mjx::Euler, mjx::Unconstrained, M>;

// Environment k has its own velocities and controls.
template <class S>
double velocity(int i, int k) {
    return 0.1 * ((i + k) % 5 - 2);
}

template <class P, class M>
std::unique_ptr<Sim<P, M>> make_pack() {
    auto sim = std::make_unique<Sim<P, M>>();
    for (int k = 0; k < mjx::lanes_v<P>; ++k) {
        for (int i = 0; i < M::nv; ++i) set_lane(sim->qvel()[i], k, static_cast<mjx::value_t<P>>(velocity<P>(i, k)));
        for (int i = 0; i < M::nu; ++i) set_lane(sim->ctrl()[i], k, static_cast<mjx::value_t<P>>(0.05 * k));
    }
    return sim;
}
template <class T, class M>
std::unique_ptr<Sim<T, M>> make_single(int k) {
    auto sim = std::make_unique<Sim<T, M>>();
    for (int i = 0; i < M::nv; ++i) sim->qvel()[i] = static_cast<T>(velocity<T>(i, k));
    for (int i = 0; i < M::nu; ++i) sim->ctrl()[i] = static_cast<T>(0.05 * k);
    return sim;
}

template <class T>
bool same_bits(const mjx::State<T>& a, const mjx::State<T>& b) {
    return a.values.size() == b.values.size() && std::memcmp(a.values.data(), b.values.data(), sizeof(T) * a.values.size()) == 0;
}

// The largest difference of two states in time, positions and velocities, in units of the scalar's epsilon and the size of the numbers.
template <class M, class T>
double ulps(const mjx::State<T>& a, const mjx::State<T>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(1 + M::nq + M::nv); ++i) {
        const double x = static_cast<double>(a.values[i]), y = static_cast<double>(b.values[i]);
        worst = std::max(worst, std::abs(x - y) / (std::numeric_limits<T>::epsilon() * std::max(1.0, std::abs(y))));
    }
    return worst;
}

constexpr int steps = 50;

}  // namespace

TEMPLATE_TEST_CASE("lane k moves as environment k does alone, to a few ulps in each step", "", float, double) {
    using P = mjx::pack<TestType>;
    const auto pack = make_pack<P, models::Joints>();
    pack->step(steps);
    for (int k = 0; k < mjx::lanes_v<P>; ++k) {
        const auto single = make_single<TestType, models::Joints>(k);
        single->step(steps);
        INFO("lane " << k);
        CHECK(ulps<models::Joints>(mjx::lane_state(pack->data(), k), mjx::State(single->data())) < 2.0 * steps);
    }
}

TEMPLATE_TEST_CASE("a lane does not depend on its neighbours, bit by bit, even when one of them is lost", "", float, double) {
    using T = TestType;
    using P = mjx::pack<T>;
    const auto mixed = make_pack<P, models::Joints>();
    const auto infected = make_pack<P, models::Joints>();
    const int sick = mjx::lanes_v<P> - 1;
    set_lane(infected->qvel()[0], sick, std::numeric_limits<T>::quiet_NaN());
    set_lane(infected->ctrl()[1], 0, std::numeric_limits<T>::infinity());  // lane 0 becomes bad within the step
    mixed->step(steps);
    infected->step(steps);
    for (int k = 1; k < sick; ++k) {
        INFO("lane " << k);
        CHECK(same_bits(mjx::lane_state(mixed->data(), k), mjx::lane_state(infected->data(), k)));
    }
    for (int k = 0; k < mjx::lanes_v<P>; ++k) {
        // all lanes equal to environment k: no neighbour is different
        const auto uniform = std::make_unique<Sim<P, models::Joints>>();
        const auto start = mjx::lane_state(make_pack<P, models::Joints>()->data(), k);
        for (int lane = 0; lane < mjx::lanes_v<P>; ++lane) mjx::set_lane_state(uniform->data(), lane, start);
        uniform->step(steps);
        CHECK(same_bits(mjx::lane_state(mixed->data(), k), mjx::lane_state(uniform->data(), 0)));
    }
}

TEMPLATE_TEST_CASE("a bad lane counts a warning of its own and starts again, the others go on", "", float, double) {
    using T = TestType;
    using P = mjx::pack<T>;
    const auto sim = make_pack<P, models::Arm>();
    set_lane(sim->qpos()[2], 0, std::numeric_limits<T>::quiet_NaN());
    set_lane(sim->qvel()[3], 1, T(1e11));
    sim->step();
    CHECK(mjx::lane_warning(sim->data(), mjx::warning::badqpos, 0) == 1);
    CHECK(mjx::lane_warning(sim->data(), mjx::warning::badqpos, 1) == 0);
    CHECK(mjx::lane_warning(sim->data(), mjx::warning::badqvel, 0) == 0);
    CHECK(mjx::lane_warning(sim->data(), mjx::warning::badqvel, 1) == 1);
    const auto fresh = std::make_unique<Sim<P, models::Arm>>();
    fresh->step();
    CHECK(same_bits(mjx::lane_state(sim->data(), 0), mjx::lane_state(fresh->data(), 0)));
    CHECK(same_bits(mjx::lane_state(sim->data(), 1), mjx::lane_state(fresh->data(), 0)));
}

TEMPLATE_TEST_CASE("lanes are reset by a mask", "", float, double) {
    using P = mjx::pack<TestType>;
    const auto sim = make_pack<P, models::Arm>();
    sim->step(5);
    const auto before = mjx::lane_state(sim->data(), 0);
    mjx::reset_lanes(sim->model(), sim->data(), mjx::lane_mask<P>([](int k) { return k == 1; }));
    CHECK(same_bits(before, mjx::lane_state(sim->data(), 0)));
    CHECK(lane(sim->time(), 0) > 0);
    CHECK(lane(sim->time(), 1) == 0);
    for (int i = 0; i < models::Arm::nv; ++i) CHECK(lane(sim->qvel()[i], 1) == 0);
}

TEST_CASE("a state taken from one lane goes on in another as if nothing had happened") {
    using P = mjx::pack<double>;
    const auto sim = make_pack<P, models::Arm>();
    sim->step(5);
    mjx::set_lane_state(sim->data(), 1, mjx::lane_state(sim->data(), 0));
    sim->step(5);
    CHECK(same_bits(mjx::lane_state(sim->data(), 0), mjx::lane_state(sim->data(), 1)));
}

TEST_CASE("a model of packs gives every lane its own masses and damping") {
    using P = mjx::pack<float>;
    const auto factor = [](int k) { return 1 + 0.25f * static_cast<float>(k); };
    const auto scaled = [&](auto model, auto&& set) {
        for (int b = 1; b < model.nbody; ++b) {
            set(model.body_mass[b]);
            set(model.body_subtreemass[b]);
            for (int i = 0; i < 3; ++i) set(model.body_inertia[b][i]);
        }
        set(model.body_subtreemass[0]);
        for (int i = 0; i < model.nv; ++i) set(model.dof_damping[i]);
        return model;
    };
    const auto random = scaled(mjx::cast<P>(models::Arm{}), [&](P& x) {
        for (int k = 0; k < P::size; ++k) set_lane(x, k, lane(x, k) * factor(k));
    });
    Sim<P, mjx::Model<P>> pack(random);
    for (int i = 0; i < models::Arm::nv; ++i) pack.qvel()[i] = P(static_cast<float>(velocity<float>(i, 0)));
    pack.step(steps);
    for (int k = 0; k < P::size; ++k) {
        Sim<float, mjx::Model<float>> single(scaled(mjx::cast<float>(models::Arm{}), [&](float& x) { x *= factor(k); }));
        for (int i = 0; i < models::Arm::nv; ++i) single.qvel()[i] = static_cast<float>(velocity<float>(i, 0));
        single.step(steps);
        INFO("lane " << k);
        CHECK(ulps<models::Arm>(mjx::lane_state(pack.data(), k), mjx::State(single.data())) < 2.0 * steps);
    }
    CHECK(std::abs(lane(pack.qpos()[1], 0) - lane(pack.qpos()[1], P::size - 1)) > 1e-4f);
}

TEST_CASE("the data of a fixed model is trivially copyable for packs too") {
    static_assert(std::is_trivially_copyable_v<mjx::Data<mjx::pack<float>, models::Arm_of<float>>>);
    static_assert(std::is_trivially_copyable_v<mjx::Data<mjx::pack<double>, models::Arm>>);
    CHECK(sizeof(mjx::Data<mjx::pack<double>, models::Arm>) % sizeof(mjx::pack<double>) == 0);
}
