// Every model of the public corpus is read, if the corpus is there: MJX_CORPUS names its directory, else ../shared/corpus.
#include "io/mjcf_support.hpp"

#include <cstdlib>

TEST_CASE("every model of the corpus is read") {
    namespace fs = std::filesystem;
    const char* const named = std::getenv("MJX_CORPUS");
    const fs::path corpus = named ? fs::path(named) : fs::path(MJX_TESTS_DIR) / "../../shared/corpus";
    std::error_code error;
    if (!fs::is_directory(corpus / "models", error)) {
        WARN("no corpus at " << corpus.string() << ": nothing to read");
        return;
    }
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(corpus / "models")) {
        if (entry.path().extension() != ".xml") continue;
        INFO(entry.path().string());
        CHECK_NOTHROW(mjx::parse_mjcf_file(entry.path().string()));
        ++count;
    }
    CHECK(count > 0);
}

// MJX_ROBOTS names a folder of public robots in URDF, such as Gepetto/example-robot-data.
TEST_CASE("robots as they are found load, and what is refused says where and why") {
    namespace fs = std::filesystem;
    const char* const named = std::getenv("MJX_ROBOTS");
    if (!named) {
        WARN("MJX_ROBOTS names no folder of robots: nothing to read");
        return;
    }
    int count = 0, as_they_are = 0, repaired = 0;
    const auto loads = [](const std::string& path, const mjx::UrdfOptions& options) {
        try {
            mjx::load_urdf(path, options);
            return true;
        } catch (const mjx::model_error& refusal) {
            if (options.repair_inertia) WARN(refusal.what());
            CHECK(std::string(refusal.what()).find(path + ":") == 0);
            return false;
        }
    };
    for (const auto& entry : fs::recursive_directory_iterator(named)) {
        if (entry.path().extension() != ".urdf") continue;
        ++count;
        const std::string path = entry.path().string();
        as_they_are += loads(path, {});
        repaired += loads(path, {.repair_inertia = true, .on_warning = [](const std::string&) {}});
    }
    std::printf("robots: of %d, %d load as they are and %d with repair_inertia\n", count, as_they_are, repaired);
    CHECK(repaired >= 0.95 * count);
}
