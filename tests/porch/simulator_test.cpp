// simulator() and simulate(): the ways to a Simulator, and what is said when its types are not what the model asks for.
#include "catch.hpp"
#include "load.hpp"

#include "pendulum.hpp"

#include "mjx/integrators.hpp"
#include "mjx/joints.hpp"
#include "mjx/model.hpp"
#include "mjx/registry.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <unistd.h>
#include <cstdio>

using namespace mjx;

namespace {

struct Push {
    double force = 2;
    template <class M, class D>
    void passive(const M&, D& d) const {
        d.qfrc_passive[0] += force;
    }
};

Model<double> pendulum(const std::string& option) {
    return load_model_string("<mujoco model='swing'><option " + option + R"(/><worldbody><body><joint axis="0 1 0"/>
        <geom size="0.1" pos="0 0 -1"/></body></worldbody></mujoco>)");
}

// What is written to stderr meanwhile.
template <class F>
std::string said_by(const F& f) {
    std::fflush(stderr);
    std::FILE* const file = std::tmpfile();
    const int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    f();
    std::fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    std::rewind(file);
    std::string text;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
    std::fclose(file);
    return text;
}

}  // namespace

TEST_CASE("simulator() is the Simulator of its types and arguments") {
    const Model<double> model = pendulum("");
    static_assert(std::is_same_v<decltype(simulator<RK4, PGS>(model)), Simulator<double, RK4, PGS>>);
    static_assert(std::is_same_v<decltype(simulator<float, RK4, PGS>(model)), Simulator<float, RK4, PGS>>);
    static_assert(std::is_same_v<decltype(simulator<RK4, PGS>(model, Push{})), Simulator<double, RK4, PGS, Model<>, Push>>);
    static_assert(std::is_same_v<decltype(simulator<RK4, PGS, models::Pendulum>()), Simulator<double, RK4, PGS, models::Pendulum>>);
    static_assert(
        std::is_same_v<decltype(simulator<float, RK4, PGS, models::Pendulum>(Push{})), Simulator<float, RK4, PGS, models::Pendulum, Push>>);
    using D = dual<double, 1>;
    static_assert(std::is_same_v<decltype(simulator<Euler, Newton>(Model<D>{})), Simulator<D, Euler, Newton, Model<D>>>);
    using HingeModel = Model<double, joint_set<Hinge>>;
    static_assert(std::is_same_v<decltype(simulator<Euler, Newton>(HingeModel{})), Simulator<double, Euler, Newton, HingeModel>>);

    Simulator<double, Euler, Newton, Model<>, Push> written(model, Push{3});
    auto made = simulator<Euler, Newton>(model, Push{3});
    written.step(5);
    made.step(5);
    CHECK(made.qpos()[0] == written.qpos()[0]);
    CHECK(made.qpos()[0] != 0);
}

TEST_CASE("simulate() has the integrator and the solver that the model asks for") {
    for (const char* integrator : integrator_names)
        for (const char* solver : solver_names) {
            const auto model = pendulum("integrator='" + std::string(integrator) + "' solver='" + solver + "'");
            std::string names;
            const auto told = said_by([&] {
                names = simulate(model,
                                 []<class S, class I, class C>(Simulator<S, I, C>&) { return std::string(I::name) + " " + C::name; });
            });
            CHECK(names == std::string(integrator) + " " + solver);
            CHECK(told == "");
        }
    double force = 0;
    simulate<float>(pendulum(""), Push{3}, [&](auto& sim) {
        static_assert(std::is_same_v<decltype(sim.time()), float&>);
        force = sim.hooks().force;
    });
    CHECK(force == 3);
    auto model = pendulum("");
    model.opt.solver = 7;
    CHECK_THROWS_WITH(simulate(model, [](auto&) {}), "the model asks for an integrator or solver that does not exist");
}

TEST_CASE("a Simulator says once where its types replace what the model asks for") {
    const auto model = pendulum("integrator='Euler' solver='CG' cone='elliptic'");
    CHECK(
        said_by([&] { Simulator<double, RK4, PGS> sim(model); }) ==
        "mjx: swing: integrator RK4 instead of Euler, solver PGS instead of CG, which the model asks for (mjx::simulate follows the model)\n");
    CHECK(said_by([&] { simulator<Euler, WithCone<CG, cone::pyramidal>>(model); }) ==
          "mjx: swing: cone pyramidal instead of elliptic, which the model asks for (mjx::simulate follows the model)\n");
    CHECK(said_by([&] { simulator<Euler, Unconstrained>(model); }) ==
          "mjx: swing: solver Unconstrained instead of CG, which the model asks for (mjx::simulate follows the model)\n");
    CHECK(said_by([&] { simulator<Euler, WithCone<CG, cone::elliptic>>(model); }) == "");
    CHECK(said_by([&] { simulator<Euler, CG>(model); }) == "");
    // what nobody asked for is not replaced, and what was said is not said again
    CHECK(said_by([&] { simulator<RK4, PGS>(pendulum("")); }) == "");
    CHECK(said_by([&] { simulator<RK4, PGS, models::Pendulum>(); }) == "");
    const auto again = said_by([&] {
        auto sim = simulator<RK4, CG>(model);
        auto of_the_same = simulator<RK4, PGS>(sim.model());
    });
    CHECK(again == "mjx: swing: integrator RK4 instead of Euler, which the model asks for (mjx::simulate follows the model)\n");
    auto quiet = model;
    quiet.opt.chosen = 0;
    CHECK(said_by([&] { simulator<RK4, PGS>(quiet); }) == "");
    // in C++ a choice is what differs from MuJoCo's default
    Spec spec;
    spec.name = "built";
    spec.option.integrator = integrator_type::rk4;
    CHECK(said_by([&] { simulator<Euler, PGS>(cast<float>(compile_spec(spec))); }) ==
          "mjx: built: integrator Euler instead of RK4, which the model asks for (mjx::simulate follows the model)\n");
}
