// Trouble speaks: in words, with names and times, once per kind, to whom it may concern.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/integrators.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"
#include "mjx/summary.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <limits>

namespace {

using Simulator = mjx::Simulator<double, mjx::Euler, mjx::Newton>;

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

template <class F>
std::string message_of(F&& f) {
    try {
        f();
    } catch (const std::exception& trouble) {
        return trouble.what();
    }
    return "nothing was thrown";
}

// What f writes to stderr.
template <class F>
std::string heard(F&& f) {
    std::FILE* const file = std::tmpfile();
    REQUIRE(file);
    std::fflush(stderr);
    const int kept = dup(2);
    dup2(fileno(file), 2);
    f();
    std::fflush(stderr);
    dup2(kept, 2);
    close(kept);
    std::rewind(file);
    std::string text;
    char buffer[1000];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
    std::fclose(file);
    return text;
}

// Whether f ends its process by an assertion.
template <class F>
bool asserts(F&& f) {
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        close(2);
        f();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a bad number is named by dof or control, joint and time, and what was done about it") {
    Simulator sim(load_scene("arm"));
    std::vector<std::string> texts;
    sim.on_warning([&](const mjx::Warning& w) { texts.push_back(w.text); });
    sim.step(5);
    CHECK(sim.warnings().empty());
    sim.qvel()[3] = 1e300;
    sim.step();
    REQUIRE(texts.size() == 1);
    CHECK(has(texts[0], "bad qvel at dof 3 (joint4) at t = 0.01 s: state reset"));
    CHECK(sim.time() == Approx(sim.model().opt.timestep));
    sim.qpos()[6] = not_a_number;
    sim.step();
    CHECK(has(texts.back(), "bad qpos at coordinate 6 (joint7)"));
    sim.qfrc_applied()[1] = 1e200;
    sim.step();
    CHECK(has(texts.back(), "bad qacc at dof"));
    sim.ctrl()[2] = not_a_number;
    sim.step();
    CHECK(has(texts.back(), "NaN in ctrl 2"));
    CHECK(has(texts.back(), "all controls were taken for 0"));
    REQUIRE(sim.warnings().size() == 4);
    CHECK(sim.warnings().back().kind == mjx::warning::badctrl);
    CHECK(has(mjx::summary(sim), "NaN in ctrl 2"));
    sim.reset();
    texts.clear();
    sim.step(3);
    CHECK(texts.empty());
}

TEST_CASE("by default each kind of trouble is told once, on stderr") {
    Simulator sim(load_scene("arm"));
    const auto step_with = [&](double velocity) {
        return heard([&] {
            sim.qvel()[3] = velocity;
            sim.step();
        });
    };
    CHECK(step_with(0.1).empty());
    CHECK(step_with(1e300) == "mjx: bad qvel at dof 3 (joint4) at t = 0.002 s: state reset\n");
    CHECK(step_with(not_a_number).empty());  // the second time
    CHECK(sim.warnings()[0].count == 2);
    CHECK(has(heard([&] {
                  sim.ctrl()[0] = not_a_number;
                  sim.step();
              }),
              "mjx: NaN in ctrl 0"));
    Simulator silent(load_scene("arm"));
    silent.set_trouble(mjx::Trouble::quiet);
    CHECK(heard([&] {
              silent.qvel()[0] = not_a_number;
              silent.step();
          }).empty());
    CHECK(silent.warnings().size() == 1);
}

TEST_CASE("of a pack, trouble is told with its lane, and the others go on") {
    mjx::Simulator<mjx::pack<double>, mjx::Euler, mjx::Unconstrained> sim(load_scene("pendulum"));
    std::vector<mjx::Warning> list;
    sim.on_warning([&](const mjx::Warning& w) { list.push_back(w); });
    sim.step(10);
    set_lane(sim.qvel()[0], 1, not_a_number);
    sim.step();
    REQUIRE(list.size() == 1);
    CHECK(list[0].lane == 1);
    CHECK(has(list[0].text, "in lane 1"));
    CHECK(lane(sim.time(), 0) > lane(sim.time(), 1));
}

TEST_CASE("spans and handles check their index") {
#ifdef NDEBUG
    WARN("built with NDEBUG: indices are not checked");
#else
    Simulator sim(load_scene("arm"));
    const int nu = sim.model().nu;
    CHECK(!asserts([&] { sim.ctrl()[nu - 1] = 0; }));
    CHECK(asserts([&] { sim.ctrl()[nu] = 0; }));
    CHECK(asserts([&] { sim.qpos()[-1] = 0; }));
    CHECK(asserts([&] { sim.joint("joint1").qvel()[1] = 0; }));
#endif
}

TEST_CASE("an error keeps the state instead of resetting it, and says the same") {
    Simulator sim(load_scene("arm"));
    sim.set_trouble(mjx::Trouble::error);
    sim.step(10);
    sim.qvel()[0] = -1e11;
    CHECK(has(message_of([&] { sim.step(); }), "bad qvel at dof 0 (joint1) at t = 0.02 s: the state is kept"));
    CHECK(sim.time() > 0.02);
}

TEST_CASE("contacts and rows that find no room are counted, with the option that gives it") {
    mjx::Model<double> model = load_scene("humanoid");
    model.nconmax = 2;
    Simulator sim(model);
    std::vector<std::string> texts;
    sim.on_warning([&](const mjx::Warning& w) { texts.push_back(w.text); });
    for (int i = 0; i < 2000 && texts.empty(); ++i) sim.step();
    REQUIRE(!texts.empty());
    CHECK(has(texts[0], "contacts full"));
    CHECK(has(texts[0], "room for 2"));
    CHECK(has(texts[0], "raise nconmax to"));

    model.nconmax = 100;
    model.njmax = 5;
    Simulator cramped(model);
    texts.clear();
    cramped.on_warning([&](const mjx::Warning& w) { texts.push_back(w.text); });
    for (int i = 0; i < 2000 && texts.empty(); ++i) cramped.step();
    REQUIRE(!texts.empty());
    CHECK(has(texts[0], "constraint rows full"));
    CHECK(has(texts[0], "room for 5"));
    CHECK(has(texts[0], "njmax"));
}

TEST_CASE("controls of the wrong length are an error with both lengths") {
    Simulator sim(load_scene("arm"));
    const int nu = sim.model().nu;
    std::vector<double> values(std::size_t(nu), 0.25);
    sim.set_ctrl(values);
    CHECK(sim.ctrl()[nu - 1] == 0.25);
    values.pop_back();
    const std::string message = message_of([&] { sim.set_ctrl(values); });
    CHECK(has(message, ("given " + std::to_string(nu - 1)).c_str()));
    CHECK(has(message, ("has " + std::to_string(nu)).c_str()));
}

TEST_CASE("a summary shows sizes, options, contacts, energy and momentum") {
    Simulator sim(load_scene("humanoid"));
    sim.step(200);
    sim.forward();
    const std::string text = mjx::summary(sim);
    for (const char* word : {"humanoid", "27 dofs", "Euler with Newton", "contacts", "constraint rows", "energy", "kg m/s", "root"}) {
        INFO(text);
        CHECK(has(text, word));
    }
}
