// Analytic derivatives beside dual numbers, on every feature model.
#pragma once

#include "catch.hpp"
#include "load.hpp"

#include "mjx/derivative/check.hpp"
#include "mjx/model/cast.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace agreement {

inline std::vector<std::string> feature_models() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(MJX_TESTS_DIR) + "/conformance/models"))
        if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

// Something for everything to do.
template <class Sim>
void stir(Sim& sim, double size) {
    const auto& m = sim.model();
    for (int i = 0; i < m.nv; ++i) sim.qvel()[i] = size * ((i % 5) - 2);
    for (int i = 0; i < m.nu; ++i) sim.ctrl()[i] = 0.3 * ((i % 3) - 1) + 0.05;
    for (int i = 0; i < m.na; ++i) sim.act()[i] = 0.3;
    for (int k = 0; k < 6 && m.nbody > 2; ++k) sim.data().xfrc_applied[2][k] = 0.1 * (k - 3);
}

// The models of which A and B are not analytic.
template <class Integrator, class Solver>
std::set<std::string> check(const std::vector<std::string>& files, double tolerance) {
    using Sim = mjx::Simulator<double, Integrator, Solver>;
    std::set<std::string> others;
    for (const std::string& file : files) {
        auto model = load_model(file);
        // stiffer than others can step at its own pace
        if (model.opt.integrator == mjx::integrator_type::discrete && Integrator::type != model.opt.integrator) model.opt.timestep /= 2000;
        model.opt.chosen = 0;
        model.opt.tolerance = 0;
        model.opt.iterations = 100;
        const std::string name = std::filesystem::path(file).stem().string();
        Sim sim(model);
        mjx::TransitionDerivatives<Sim> analytic(sim, false);
        if (!analytic.is_analytic()) {
            others.insert(name);
            continue;
        }
        mjx::DualDerivatives<Sim> duals(sim);
        for (int k = 0; k < 3; ++k) {
            if (k > 0) stir(sim, k == 1 ? 0.4 : 0.1);
            if (k > 0) sim.step(k == 1 ? 3 : 30);
            const auto& a = analytic(sim);
            const auto& b = duals(sim);
            const double of_A = mjx::max_relative_error(a.A, b.A), of_B = mjx::max_relative_error(a.B, b.B);
            INFO(name << ", state " << k << ", " << sim.data().ncon << " contacts, " << sim.data().nefc << " rows");
            CHECK(of_A < tolerance);
            CHECK(of_B < tolerance);
        }
    }
    return others;
}

}  // namespace agreement
