// Faults from outside: hooks that throw, memory that runs out. Nothing leaks, nothing is left half done, and the error is one of ours.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/load.hpp"
#include "mjx/solvers.hpp"

#include <sys/resource.h>

#include <cstdlib>
#include <new>

namespace {

// Allocations by new: how many live, and which one fails.
long live = 0, until_failure = -1;

}  // namespace

void* operator new(std::size_t bytes) {
    if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
    void* const place = std::malloc(bytes ? bytes : 1);
    if (!place) throw std::bad_alloc();
    ++live;
    return place;
}
void operator delete(void* place) noexcept {
    if (place) --live;
    std::free(place);
}
void operator delete(void* place, std::size_t) noexcept { operator delete(place); }

namespace {

const std::string scene = R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    <body name="a" pos="0 0 1"><freejoint/><geom name="g" type="box" size=".1 .2 .3"/><site name="s"/>
    <replicate count="3" sep="_"><body name="b"><joint name="j" axis="0 1 0"/><geom size=".1" pos="0 0 .3"/></body></replicate>
    </body></worldbody>
    <tendon><fixed name="t"><joint joint="j_1" coef="1"/></fixed></tendon>
    <actuator><motor joint="j_0"/><position tendon="t" kp="2"/></actuator><sensor><accelerometer site="s"/></sensor></mujoco>)";

// Every allocation fails in turn. f() may throw a Mine or succeed, and keeps nothing.
template <class Mine, class F>
int fail_each_allocation(F&& f) {
    f();  // what is made once and kept
    int failures = 0;
    for (long n = 0;; n += 1 + n / 50) {
        const long before = live;
        until_failure = n;
        bool failed = false;
        try {
            f();
        } catch (const Mine&) {
            failed = true;
        }
        const bool reached = until_failure < 0;
        until_failure = -1;
        REQUIRE(live == before);
        REQUIRE(failed == reached);
        if (!reached) return failures;
        ++failures;
    }
}

constexpr double trigger = 1e-300;  // too small to move anything
struct Stumbles {
    template <class M, class D>
    void control(const M&, D& d) const {
        if (d.qfrc_applied[0] == trigger) throw std::runtime_error("the controller of " + std::to_string(int(d.qpos[0])) + " stumbled");
    }
};

}  // namespace

TEST_CASE("memory that runs out while a model is made is a model_error, and nothing leaks") {
    CHECK(fail_each_allocation<mjx::model_error>([] { mjx::load_mjcf_string(scene); }) > 100);
}

TEST_CASE("memory that runs out for a simulation or a batch is named, and nothing leaks") {
    auto m = mjx::load_mjcf_string(scene);
    CHECK(fail_each_allocation<std::bad_alloc>([&] { mjx::Batch<double, mjx::Euler, mjx::Newton> batch(m, 10, 1); }) > 10);
    m.nconmax = m.njmax = m.nJmax = 1 << 28;
    rlimit limit;
    REQUIRE(getrlimit(RLIMIT_AS, &limit) == 0);
    const rlimit little{rlim_t(8) << 30, limit.rlim_max};
    REQUIRE(setrlimit(RLIMIT_AS, &little) == 0);
    std::string message;
    try {
        const mjx::Data<double, mjx::Model<double>> d(m);
    } catch (const mjx::memory_error& trouble) {
        message = trouble.what();
    }
    setrlimit(RLIMIT_AS, &limit);
    INFO(message);
    CHECK(message.find("nconmax") != std::string::npos);
}

TEST_CASE("a hook that throws leaves the simulator usable") {
    auto m = load_model_string("<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='0 0 1'/></body></worldbody></mujoco>");
    mjx::Simulator<double, mjx::Euler, mjx::Newton, mjx::Model<>, Stumbles> sim(m), other(m);
    sim.step(5);
    sim.qfrc_applied()[0] = trigger;
    CHECK_THROWS_AS(sim.step(), std::runtime_error);
    sim.qfrc_applied()[0] = 0;
    sim.step(5);
    other.step(10);
    CHECK(sim.qpos()[0] == other.qpos()[0]);
    CHECK(sim.time() == other.time());
}

TEST_CASE("a hook that throws in a batch stops its own environment alone") {
    auto m = load_model_string("<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='0 0 1'/></body></worldbody></mujoco>");
    using Batch = mjx::Batch<double, mjx::Euler, mjx::Newton, mjx::Model<>, Stumbles>;
    for (const int threads : {1, 3}) {
        Batch batch(m, 9, threads), other(m, 9, threads);
        auto qpos = batch.qpos();
        for (std::size_t e = 0; e < 9; ++e) qpos(e, 0) = double(e) + 0.5;
        batch.set_qpos(qpos);
        other.set_qpos(qpos);
        auto force = batch.qvel();
        force.fill(0);
        force(5, 0) = force(7, 0) = trigger;
        batch.set_qfrc_applied(force);
        std::string message;
        try {
            batch.step(3);
        } catch (const std::runtime_error& trouble) {
            message = trouble.what();
        }
        CHECK(message == "the controller of 5 stumbled");
        other.step(3);
        const auto now = batch.qpos(), expected = other.qpos();
        for (std::size_t e = 0; e < 9; ++e) CHECK(now(e, 0) == (e == 5 || e == 7 ? qpos(e, 0) : expected(e, 0)));
        force.fill(0);
        batch.set_qfrc_applied(force);
        batch.step(3);
        CHECK(batch.qpos()(2, 0) != now(2, 0));
    }
}
