// expect: the_model_has_no_joint_of_this_name
#include "mjx/model/fixed.hpp"

constexpr mjx::inner::FixedArray<std::string_view, 2> joints{{"hip", "knee"}};
constexpr int id = mjx::inner::require_name(joints, "elbow", mjx::inner::the_model_has_no_joint_of_this_name);
