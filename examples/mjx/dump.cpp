// mjx dump: the scalar is chosen here, the work is done in dump_double.cpp and dump_float.cpp.
#include "command.hpp"

#include <cstdio>

namespace command {

void dump(const Options& o) {
    const auto model = load(o);
    const std::string text = o.scalar.value_or("double") == "float" ? dump_float(model, o) : dump_double(model, o);
    std::fputs(text.c_str(), stdout);
}

}  // namespace command
