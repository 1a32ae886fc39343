// The kinds of joints, and sets of them for models that need not carry the code of the others.
//
//     mjx::Model<double, mjx::joint_set<mjx::Hinge, mjx::Slide>> model = mjx::cast<double, mjx::joint_set<mjx::Hinge, mjx::Slide>>(loaded);
#pragma once

#include "mjx/math.hpp"
#include "mjx/model/joint_set.hpp"

namespace mjx {

using inner::all_joints;
using inner::Ball;
using inner::Free;
using inner::Hinge;
using inner::joint_set;
using inner::Slide;

}  // namespace mjx
