#include "find_method.hpp"

namespace command {

Method<mjx::Model<double>> find_method(const mjx::Model<double>& model) { return find_method_of(model); }

}  // namespace command
