// What mjx::loaders is made of: reading and compiling models, built once for programs that include only the declarations.
#include "mjx/compile/compile.hpp"
#include "mjx/io/mjcf.hpp"

namespace mjx {

Model<double> load_mjcf(const std::string& path) { return compile(parse_mjcf_file(path)); }
Model<double> load_mjcf_string(const std::string& text) { return compile(parse_mjcf_string(text)); }

}  // namespace mjx
