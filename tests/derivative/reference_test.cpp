// Derivatives of accelerations beside differences of MuJoCo's own forward dynamics (refs/ is made by generate.mjs), in the states of
// feature models, and of the public models of the corpus when it is there.
#include "catch.hpp"
#include "conformance/corpus.hpp"
#include "load.hpp"

#include "mjx/derivative/acceleration.hpp"
#include "mjx/dump.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/solver/newton.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Sim = mjx::Simulator<double, mjx::Euler, mjx::Newton>;

// xᵀ A x with x[i] = sin(i + 1), as in generate.mjs; `size` is that of A x, which its differences know to some 1e-7.
double product(const auto& A, double& size) {
    double sum = 0;
    size = 1;
    for (std::size_t r = 0; r < A.shape(0); ++r) {
        double row = 0;
        for (std::size_t c = 0; c < A.shape(1); ++c) row += A(r, c) * std::sin(double(c + 1));
        sum += row * std::sin(double(r + 1));
        size += std::fabs(row);
    }
    return sum;
}

struct Tally {
    int compared = 0;
    double worst = 0;
};

// The position that the lines of a state are about: STATE+ and STATE- are beside STATE along x.
void go_beside(Sim& sim, char side) {
    std::vector<double> x;
    for (int i = 0; i < sim.model().nv; ++i) x.push_back(std::sin(double(i + 1)));
    mjx::integrate_pos(sim.model(), sim.data().qpos, x, side == '+' ? 3e-3 : -3e-3);
}

Tally compare_all(const fs::path& root, const std::string& references) {
    Tally tally;
    const auto models = conformance::models(root / "models");
    std::string last;
    mjx::AccelerationMatrices<double> result;
    for (const auto& [line, expected] : mjx::read_dump(MJX_TESTS_DIR "/derivative/refs/" + references)) {
        const auto by = line.rfind('.');  // model.state.position
        if (std::string name = line.substr(0, by); name != last) {
            last = name;
            const char side = name.back();
            const bool beside = side == '+' || side == '-';
            if (beside) name.pop_back();
            auto model = load_model(models.at(name.substr(0, name.rfind('.'))).string());
            model.opt.tolerance = 0;
            model.opt.iterations = 100;
            model.opt.chosen = 0;
            model.opt.enableflags &= ~mjx::enable::sleep;  // as there
            Sim sim(model);
            const std::string state = (root / "refs" / (name + ".state")).string();
            mjx::apply_state(sim.model(), sim.data(), mjx::read_dump(state), state);
            if (beside) go_beside(sim, side);
            result = mjx::acceleration_derivatives(sim);
        }
        double size;
        const std::string what = line.substr(by + 1);
        const double got = product(what == "position" ? result.DaDq : what == "velocity" ? result.DaDv : result.DaDf, size);
        // at a kink two slopes are expected, and the derivative between them
        const double least = std::fmin(expected.front(), expected.back()), most = std::fmax(expected.front(), expected.back());
        const double off = std::fmax(least - got, got - most);
        INFO(line << ": " << got << ", MuJoCo " << least << " to " << most);
        CHECK(off < 1e-5 * size);
        tally.worst = std::fmax(tally.worst, off / size);
        ++tally.compared;
    }
    std::printf("%d derivatives agree with MuJoCo's differences to %.1e\n", tally.compared, tally.worst);
    return tally;
}

}  // namespace

TEST_CASE("accelerations change with position, velocity and force as MuJoCo's do, in the states of feature models") {
    CHECK(compare_all(fs::path(MJX_TESTS_DIR) / "conformance", "features.ref").compared > 700);
}

TEST_CASE("so they do in the states of public models") {
    if (!fs::exists(conformance::corpus() / "refs")) {
        WARN("no corpus found: set MJX_CORPUS to compare derivatives on public models");
        return;
    }
    CHECK(compare_all(conformance::corpus(), "corpus.ref").compared > 700);
}
