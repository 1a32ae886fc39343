// Where the public models of the corpus are, if they are: MJX_CORPUS, or a directory `shared/corpus` beside the repository.
//
// A folder has models/, and in refs/ for each of them states (.state) with MuJoCo's answers (.ref); tests/conformance is one, too.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace conformance {

inline std::filesystem::path corpus() {
    if (const char* given = std::getenv("MJX_CORPUS")) return given;
    return std::filesystem::path(MJX_TESTS_DIR) / ".." / ".." / "shared" / "corpus";
}

// References are named after the model's path, with __ for /: longest match wins, since names contain underscores too.
inline std::map<std::string, std::filesystem::path> models(const std::filesystem::path& root) {
    std::map<std::string, std::filesystem::path> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (entry.path().extension() != ".xml" && entry.path().extension() != ".urdf") continue;
        std::string name = std::filesystem::relative(entry.path(), root).replace_extension().string(), key;
        for (const char c : name) c == '/' ? key += "__" : key += c;
        out[key] = entry.path();
    }
    return out;
}

}  // namespace conformance
