#include "find_method.hpp"

namespace command {

Method<mjx::Model<float>> find_method(const mjx::Model<float>& model) { return find_method_of(model); }

}  // namespace command
