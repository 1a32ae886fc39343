// compile<Joints>(spec): a Spec with joints of a program's own becomes a Model.
//
//     using joints = mjx::joint_set<mjx::Hinge, Screw>;                 // joints.hpp shows how to write Screw
//     spec.world.add_body({.name = "nut"}).add_joint({.type = Screw::type, .user = {0.01}});
//     mjx::Model<double, joints> model = mjx::compile<joints>(spec);
//     auto shaped = mjx::compile<joints, RoundedBox>(spec);             // with shapes of its own, too: shapes.hpp
// For the library's joints spec.hpp is enough, and compiles faster.
#pragma once

#include "mjx/compile/passes.hpp"
#include "mjx/joints.hpp"
#include "mjx/spec.hpp"

namespace mjx {

using inner::compile;

}  // namespace mjx
