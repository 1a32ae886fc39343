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
