// Analytic derivatives beside dual numbers, in every state that there are references for: of the feature models, and of the public models
// of the corpus when it is there. With the model's own integrator.
#include "conformance/corpus.hpp"
#include "catch.hpp"
#include "load.hpp"

#include "mjx/derivative/check.hpp"
#include "mjx/dump.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/registry.hpp"

#include <cstdio>

namespace fs = std::filesystem;

namespace {

struct Tally {
    int states = 0, by_duals = 0;
    double worst = 0;
};

template <class Sim>
void compare_states(const mjx::Model<double>& model, const std::vector<fs::path>& states, Tally& tally) {
    Sim sim(model);
    mjx::TransitionDerivatives<Sim> analytic(sim, false);
    if (!analytic.is_analytic()) {
        tally.by_duals += static_cast<int>(states.size());
        return;
    }
    mjx::DualDerivatives<Sim> duals(sim);
    for (const fs::path& state : states) {
        sim.reset();
        mjx::apply_state(sim.model(), sim.data(), mjx::read_dump(state.string()), state.string());
        const auto& a = analytic(sim);
        const auto& b = duals(sim);
        const double off = std::max(mjx::max_relative_error(a.A, b.A), mjx::max_relative_error(a.B, b.B));
        INFO(state.filename().string() << ": off by " << off);
        if (!(off < 1e-9)) std::printf("%s: %.2g\n", state.filename().string().c_str(), off);
        CHECK(off < 1e-9);
        tally.worst = std::max(tally.worst, off);
        ++tally.states;
    }
}

// Models of more dofs than `most` are passed over.
Tally compare_all(const fs::path& root, int most) {
    Tally tally;
    for (const auto& [key, path] : conformance::models(root / "models")) {
        std::vector<fs::path> states;
        for (const char* name : {"init", "rand1", "rand2", "rest"})
            if (const fs::path file = root / "refs" / (key + "." + name + ".state"); fs::exists(file)) states.push_back(file);
        if (states.empty()) continue;
        auto model = load_model(path.string());
        if (model.nv > most) continue;
        model.opt.chosen = 0;
        model.opt.tolerance = 0;
        model.opt.iterations = 100;
        mjx::with_integrator(model.opt.integrator, [&](auto integrator) {
            compare_states<mjx::Simulator<double, decltype(integrator), mjx::Newton>>(model, states, tally);
        });
    }
    std::printf("%d states agree to %.1e, %d more go by duals\n", tally.states, tally.worst, tally.by_duals);
    return tally;
}

}  // namespace

TEST_CASE("analytic derivatives equal dual numbers in the states of all feature models") {
    CHECK(compare_all(fs::path(MJX_TESTS_DIR) / "conformance", 1000).states > 200);
}

TEST_CASE("analytic derivatives equal dual numbers in the states of public models") {
    if (!fs::exists(conformance::corpus() / "refs")) {
        WARN("no corpus found: set MJX_CORPUS to compare derivatives on public models");
        return;
    }
    CHECK(compare_all(conformance::corpus(), 1000).states > 200);
}
