#include "dump.hpp"

#include "mjx/model.hpp"

namespace command {

std::string dump_float(const mjx::Model<double>& model, const Options& o) { return dump_as(mjx::cast<float>(model), o); }

}  // namespace command
