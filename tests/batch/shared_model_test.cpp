// One const Model serves any number of threads, each with its own Data: results are those of one thread. In the variation tsan the thread
// sanitizer looks on.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/integrators.hpp"
#include "mjx/registry.hpp"
#include "mjx/simulator.hpp"

#include <thread>

TEST_CASE("two threads step one const model with every solver") {
    const mjx::Model<double> m = load_scene("humanoid");
    const auto run = [&m](int solver, std::vector<double>& result) {
        mjx::Data<double, mjx::Model<double>> d(m);
        mjx::with_solver(solver, [&](auto type) {
            mjx::reset(m, d);
            for (int i = 0; i < 200; ++i) mjx::step<mjx::Euler, decltype(type)>(m, d);
        });
        result.assign(d.qpos.data(), d.qpos.data() + m.nq);
    };
    for (int solver = mjx::solver_type::pgs; solver <= mjx::solver_type::penalty; ++solver) {
        std::vector<double> alone, results[2];
        run(solver, alone);
        std::thread first([&] { run(solver, results[0]); }), second([&] { run(solver, results[1]); });
        first.join();
        second.join();
        CHECK(results[0] == alone);
        CHECK(results[1] == alone);
    }
}
