// Batches: many environments over lanes and threads.
#include "catch.hpp"

#include "cheetah.hpp"

#include "mjx/batch/batch.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/solver/unconstrained.hpp"

#include <numeric>

namespace {

using M = models::Cheetah;
template <class S>
using Batch = mjx::Batch<S, mjx::Euler, mjx::Unconstrained, M>;

constexpr int environments = 13;  // not a multiple of the lanes

template <class T>
mjx::Matrix<T> controls(int shift) {
    auto u = mjx::Matrix<T>::from_shape({environments, static_cast<std::size_t>(M::nu)});
    for (std::size_t e = 0; e < environments; ++e)
        for (std::size_t i = 0; i < u.shape(1); ++i)
            u(e, i) = static_cast<T>(0.1 * static_cast<double>((e + 2 * i + static_cast<std::size_t>(shift)) % 7) - 0.3);
    return u;
}

template <class S>
void drive(Batch<S>& batch) {
    for (int k = 0; k < 5; ++k) {
        batch.set_ctrl(controls<mjx::lane_t<S>>(k));
        batch.step(4);
    }
}

}  // namespace

TEMPLATE_TEST_CASE("a batch gives the same bits with one, two and five threads", "", double, mjx::pack<float>) {
    Batch<TestType> one(environments, 1), two(environments, 2), five(environments, 5);
    drive(one);
    drive(two);
    drive(five);
    CHECK((one.qpos() == two.qpos()));
    CHECK((one.qvel() == two.qvel()));
    CHECK((one.qpos() == five.qpos()));
    CHECK(one.qpos()(0, 3) != one.qpos()(1, 3));
}

TEST_CASE("an environment of a batch of plain numbers moves as a simulator does, bit by bit") {
    Batch<double> batch(environments, 2);
    drive(batch);
    for (std::size_t e = 0; e < environments; ++e) {
        mjx::Simulator<double, mjx::Euler, mjx::Unconstrained, M> sim;
        for (int k = 0; k < 5; ++k) {
            const auto u = controls<double>(k);
            for (int i = 0; i < M::nu; ++i) sim.ctrl()[i] = u(e, static_cast<std::size_t>(i));
            sim.step(4);
        }
        const auto qpos = batch.qpos();
        for (int i = 0; i < M::nq; ++i) CHECK(qpos(e, static_cast<std::size_t>(i)) == sim.qpos()[i]);
    }
}

TEMPLATE_TEST_CASE("a rollout equals stepping with the same controls", "", mjx::pack<double>) {
    using T = mjx::lane_t<TestType>;
    Batch<TestType> stepped(environments, 2), rolled(environments, 2);
    auto u = mjx::Tensor3<T>::from_shape({environments, 6, static_cast<std::size_t>(M::nu)});
    for (std::size_t t = 0; t < 6; ++t) {
        const auto now = controls<T>(static_cast<int>(t));
        for (std::size_t e = 0; e < environments; ++e)
            for (std::size_t i = 0; i < u.shape(2); ++i) u(e, t, i) = now(e, i);
    }
    const auto trajectory = rolled.rollout(u);
    for (std::size_t t = 0; t < 6; ++t) {
        stepped.set_ctrl(controls<T>(static_cast<int>(t)));
        stepped.step();
        const auto qpos = stepped.qpos();
        for (std::size_t e = 0; e < environments; ++e)
            for (std::size_t i = 0; i < qpos.shape(1); ++i) CHECK(trajectory.qpos(e, t, i) == qpos(e, i));
    }
    CHECK((rolled.qvel() == stepped.qvel()));
}

TEMPLATE_TEST_CASE("environments of a batch are reset by a mask and count their own warnings", "", mjx::pack<float>) {
    Batch<TestType> batch(environments, 2);
    drive(batch);
    const auto before = batch.qpos();
    auto mask = mjx::Vector<bool>::from_shape({environments});
    for (std::size_t e = 0; e < environments; ++e) mask(e) = e % 3 == 1;
    batch.reset(mask);
    const auto after = batch.qpos();
    for (std::size_t e = 0; e < environments; ++e)
        for (std::size_t i = 0; i < after.shape(1); ++i)
            CHECK(after(e, i) == (mask(e) ? M::rebind<float>::qpos0[static_cast<int>(i)] : before(e, i)));

    auto qvel = batch.qvel();
    qvel(7, 2) = std::numeric_limits<float>::quiet_NaN();
    batch.set_qvel(qvel);
    batch.step();
    for (int e = 0; e < environments; ++e) CHECK(batch.warning(e, mjx::warning::badqvel) == (e == 7 ? 1 : 0));
    for (int e = 0; e < environments; ++e) CHECK(batch.was_reset()(std::size_t(e)) == (e == 7));
    CHECK(batch.time()(7, 0) == Approx(M::opt.timestep));
}

TEST_CASE("what a step computes can be inspected for one environment") {
    Batch<mjx::pack<double>> batch(environments, 2);
    drive(batch);
    double height = 0;
    batch.inspect(4, [&](const auto&, const auto& d, int k) { height = lane(d.xpos[M::body("torso")][2], k); });
    CHECK(height == Approx(batch.qpos()(4, 1) + 0.7).epsilon(1e-14));
}

TEST_CASE("arrays of the wrong shape are refused") {
    Batch<double> batch(environments, 1);
    CHECK_THROWS_WITH(batch.set_ctrl(batch.qpos()), "Batch: ctrl was given an array of shape (13, 9), expected (13, 6)");
    CHECK_THROWS_WITH(batch.inspect(13, [](const auto&, const auto&, int) {}), "Batch: there is no environment 13, expected 0 to 12");
    CHECK_THROWS_AS(batch.warning(-1, 0), std::invalid_argument);
    CHECK_THROWS_AS(Batch<double>(0), std::invalid_argument);
}

TEST_CASE("a thread pool runs every item once") {
    mjx::ThreadPool pool(4);
    std::vector<int> count(1000, 0);
    for (int round = 0; round < 20; ++round) pool.for_each(1000, [&](int item, int) { ++count[static_cast<std::size_t>(item)]; });
    CHECK(std::accumulate(count.begin(), count.end(), 0) == 20000);
    CHECK(*std::min_element(count.begin(), count.end()) == 20);
}
