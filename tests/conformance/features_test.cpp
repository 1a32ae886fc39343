// Small models, one feature each, against dumps made by generate.mjs from MuJoCo 3.14.
#include "catch.hpp"
#include "simulate.hpp"

#include <filesystem>

namespace fs = std::filesystem;

TEST_CASE("each feature agrees with MuJoCo in every field, and inverse with forward dynamics") {
    const fs::path here = fs::path(MJX_TESTS_DIR) / "conformance";
    int count = 0;
    for (const auto& entry : fs::directory_iterator(here / "refs")) {
        if (entry.path().extension() != ".ref") continue;
        const fs::path base = fs::path(entry.path()).replace_extension();            // refs/model.state
        const std::string name = base.stem().string();                               // model
        INFO(base.filename().string());
        auto model = mjx::load_mjcf((here / "models" / (name + ".xml")).string());
        const auto got = conformance::simulate(model, base.string() + ".state");
        const auto source = name.find("noslip") == std::string::npos ? conformance::Source::features : conformance::Source::noslip;
        const auto verdict = conformance::compare(conformance::to_fields(mjx::read_dump(entry.path().string())), got, source);
        for (const auto& [field, error] : verdict.differ) {
            INFO(field << " differs by " << error);
            CHECK(false);
        }
        CHECK(verdict.total > 20);
        if (got.count("fwdinv")) CHECK(got.at("fwdinv")[0] < 1.4e-12);
        ++count;
    }
    CHECK(count > 0);
}
