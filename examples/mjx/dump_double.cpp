#include "dump.hpp"

namespace command {

std::string dump_double(const mjx::Model<double>& model, const Options& o) { return dump_as(model, o); }

}  // namespace command
