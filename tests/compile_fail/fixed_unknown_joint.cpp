// expect: the_model_has_no_joint_of_this_name
#include "mjx/model/fixed.hpp"

constexpr mjx::FixedArray<std::string_view, 2> joints{{"hip", "knee"}};
constexpr int id = mjx::require_name(joints, "elbow", mjx::the_model_has_no_joint_of_this_name);
