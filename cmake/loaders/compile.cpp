// The half of mjx::loaders that compiles a Spec.
#include "mjx/compile/compile.hpp"

namespace mjx::loaders {

Spec parse_mjcf_file(const std::string& path);
Spec parse_mjcf_string(std::string_view text, const std::string& name, const std::string& directory);

Model<double> compile(const Spec& spec) { return mjx::compile(spec); }
Model<double> load_mjcf(const std::string& path) { return mjx::compile(parse_mjcf_file(path)); }
Model<double> load_mjcf_string(const std::string& text) { return mjx::compile(parse_mjcf_string(text, "<string>", "")); }

}  // namespace mjx::loaders
