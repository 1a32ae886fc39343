// What the tests of the model reader share: models from snippets, and the message of an error.
#pragma once

#include "rooms.hpp"

#include "catch.hpp"
#include "mjx/compile/load.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace mjx_test {

// A model with the given sections.
inline mjx::Spec read(const std::string& sections) { return mjx::parse_mjcf_string("<mujoco>" + sections + "</mujoco>", "model"); }

// What is wrong with a text, or "" if nothing is.
inline std::string error_of(const std::string& text) {
    try {
        mjx::parse_mjcf_string(text, "model");
        return "";
    } catch (const mjx::model_error& error) {
        return error.what();
    }
}
inline std::string error_in(const std::string& sections) { return error_of("<mujoco>" + sections + "</mujoco>"); }
inline std::string error_in_body(const std::string& contents) {
    return error_in("<worldbody><body name='b'>" + contents + "</body></worldbody>");
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <class V>
bool close(const V& a, const V& b, double tolerance = 1e-14) {
    for (int i = 0; i < V::size; ++i)
        if (!(std::abs(a[i] - b[i]) <= tolerance)) return false;
    return true;
}

// A directory of its own for files that a test writes; removed at the end.
struct TemporaryDirectory {
    std::filesystem::path path;

    explicit TemporaryDirectory(const std::string& name) : path(std::filesystem::temp_directory_path() / ("mjx_" + name)) {
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    std::string write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = path / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file.string();
    }
    // What is wrong with a file in the directory.
    std::string error(const std::string& name) const {
        try {
            mjx::parse_mjcf_file((path / name).string());
            return "";
        } catch (const mjx::model_error& wrong) {
            return wrong.what();
        }
    }
};

}  // namespace mjx_test
