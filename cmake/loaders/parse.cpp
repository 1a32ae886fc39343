// The half of mjx::loaders that reads MJCF.
#include "mjx/io/mjcf.hpp"

namespace mjx::loaders {

Spec parse_mjcf_file(const std::string& path) { return mjx::parse_mjcf_file(path); }
Spec parse_mjcf_string(std::string_view text, const std::string& name, const std::string& directory) {
    return mjx::parse_mjcf_string(text, name, directory);
}

}  // namespace mjx::loaders
