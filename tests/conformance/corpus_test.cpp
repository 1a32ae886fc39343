// The public models of the corpus, when it is there (corpus.hpp).
#include "corpus.hpp"
#include "catch.hpp"
#include "simulate.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;
using conformance::corpus;
using conformance::models;

namespace {

int best_so_far() {
    std::ifstream file(fs::path(MJX_TESTS_DIR) / "conformance" / "agreeing.txt");
    int count = 0;
    file >> count;
    return count;
}

struct Tally {
    int agree = 0, total = 0;
    double fwdinv = 0;
};

// Holds every model of a folder against its references, which a version of MuJoCo made (Option::mujoco).
Tally compare_all(const fs::path& root, int mujoco) {
    Tally tally;
    int loaded = 0, all = 0;
    for (const auto& [key, path] : models(root / "models")) {
        int model_agree = 0, model_total = 0;
        std::string remark;
        bool has_references = false;
        for (const char* state : {"init", "rand1", "rand2", "rest"}) {
            const fs::path base = root / "refs" / (key + "." + state);
            if (!fs::exists(base.string() + ".ref")) continue;
            has_references = true;
            const auto reference = conformance::to_fields(mjx::read_dump(base.string() + ".ref"));
            conformance::Fields got;
            try {
                auto spec = mjx::parse_file(path.string(), {}, {});
                spec.option.mujoco = mujoco;
                auto model = mjx::compile(spec);
                got = conformance::simulate(model, base.string() + ".state");
            } catch (const std::exception& trouble) {
                remark = trouble.what();
            }
            if (got.count("fwdinv")) tally.fwdinv = std::max(tally.fwdinv, got.at("fwdinv")[0]);
            const auto verdict = conformance::compare(reference, got, conformance::Source::corpus);
            model_agree += verdict.agree;
            model_total += verdict.total;
            if (remark.empty() && !verdict.differ.empty()) {
                remark = state;
                for (const auto& [name, error] : verdict.differ) remark += " " + name + " (" + std::to_string(error) + ")";
            }
        }
        if (!has_references) continue;
        ++all;
        if (model_agree > 0) ++loaded;
        tally.agree += model_agree;
        tally.total += model_total;
        if (model_agree < model_total) std::printf("%4d of %4d fields  %s: %s\n", model_agree, model_total, key.c_str(), remark.c_str());
    }
    std::printf("corpus: %d of %d models loaded, %d of %d fields agree, inverse with forward dynamics to %.1e\n", loaded, all, tally.agree,
                tally.total, tally.fwdinv);
    return tally;
}

}  // namespace

TEST_CASE("every field of every public model agrees with MuJoCo, and none that agreed is lost") {
    if (!fs::exists(corpus() / "refs")) {
        WARN("no corpus found: set MJX_CORPUS to compare with MuJoCo on public models");
        return;
    }
    const Tally tally = compare_all(corpus(), 312);
    CHECK(tally.agree >= best_so_far());
    CHECK(tally.fwdinv < 4e-10);
}

// MJX_ROBOTS names a folder like a corpus, with references by 3.14.
TEST_CASE("every field of public robots in URDF agrees with MuJoCo") {
    const char* const named = std::getenv("MJX_ROBOTS");
    if (!named || !fs::exists(fs::path(named) / "refs")) {
        WARN("MJX_ROBOTS names no folder with models/ and refs/: no robots to compare");
        return;
    }
    const Tally tally = compare_all(named, 314);
    CHECK(tally.agree == tally.total);
}
