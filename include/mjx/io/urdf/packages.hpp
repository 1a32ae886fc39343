// find_resource: the file behind package://NAME/PATH, model://NAME/PATH and file:///PATH, as ROS and Gazebo write the names of meshes.
//
// A package is a folder. It is taken from the caller's map, or found where ROS 1 (ROS_PACKAGE_PATH: folders that contain packages, or
// are one), ROS 2 (AMENT_PREFIX_PATH: PREFIX/share/NAME) and Gazebo (GAZEBO_MODEL_PATH) look, or above the file that mentions it: most
// robots are read from inside their package. A folder is a package by its own name or by the <name> in its package.xml.
#pragma once

#include "mjx/io/read_file.hpp"

#include <cstdlib>
#include <map>
#include <optional>

namespace mjx::inner {

using Packages = std::map<std::string, std::string>;

namespace detail {

namespace fs = std::filesystem;

// The part after "scheme://", with slashes at its beginning taken off; empty if the name does not begin so.
[[gnu::cold]] inline std::string after_scheme(const std::string& name, std::string_view scheme) {
    if (!name.starts_with(scheme)) return "";
    const std::size_t at = name.find_first_not_of('/', scheme.size());
    return at == std::string::npos ? "" : name.substr(at);
}

[[gnu::cold]] inline bool is_package(const fs::path& folder, const std::string& name) {
    if (folder.filename() == name) return true;
    std::ifstream manifest(folder / "package.xml");
    constexpr std::size_t most = 4096;  // the name stands near the beginning
    std::string text(most, '\0');
    manifest.read(text.data(), most);
    return text.find("<name>" + name + "</name>") != std::string::npos;
}

// The folders in an environment variable.
[[gnu::cold]] inline List<fs::path> folders_in(const char* variable) {
    List<fs::path> folders;
    const char* const value = std::getenv(variable);
    std::string_view rest = value ? value : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (end > 0) folders.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return folders;
}

// Where the package may be, in the order of preference.
[[gnu::cold]] inline List<fs::path> package_candidates(const std::string& name, const Packages& given, const fs::path& directory) {
    List<fs::path> places;
    if (const auto found = given.find(name); found != given.end()) return {fs::path(found->second)};
    for (const char* variable : {"ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH"})
        for (const fs::path& folder : folders_in(variable)) {
            places.push_back(folder / name);
            if (is_package(folder, name)) places.push_back(folder);
        }
    for (const fs::path& prefix : folders_in("AMENT_PREFIX_PATH")) places.push_back(prefix / "share" / name);
    std::error_code error;
    for (fs::path above = fs::weakly_canonical(fs::absolute(directory, error), error); !above.empty(); above = above.parent_path()) {
        if (is_package(above, name)) places.push_back(above);
        places.push_back(above / name);
        if (above == above.root_path()) break;
    }
    return places;
}

}  // namespace detail

struct Resource {
    std::string file{};     // empty: not found
    std::string trouble{};  // why, and what would help
};

// Nothing when `name` is an ordinary path. `directory` is that of the file which mentions it.
[[gnu::cold]] inline std::optional<Resource> find_resource(const std::string& name, const Packages& given, const std::string& directory) {
    namespace fs = std::filesystem;
    if (name.starts_with("file://")) return Resource{name.substr(7)};
    std::string path = detail::after_scheme(name, "package://");
    if (path.empty()) path = detail::after_scheme(name, "model://");
    if (path.empty()) return {};
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string package = path.substr(0, slash), rest = path.substr(std::min(slash + 1, path.size()));
    const bool named = given.contains(package);
    std::error_code error;
    bool known = named;
    for (const fs::path& place : detail::package_candidates(package, given, directory)) {
        if (fs::path file = place / rest; fs::is_regular_file(file, error)) return Resource{file.lexically_normal().string()};
        known |= fs::is_directory(place, error);
    }
    if (named) return Resource{"", joined({"package '", package, "' has no file '", rest, "' in '", given.at(package), "'"})};
    if (known)
        return Resource{"", joined({"package '", package, "' has no file '", rest, "', expected another folder in the option packages"})};
    return Resource{"", joined({"package '", package,
                                "' is not found, expected its folder in the option packages, in ROS_PACKAGE_PATH, in AMENT_PREFIX_PATH, or "
                                "above the file"})};
}

}  // namespace mjx::inner
