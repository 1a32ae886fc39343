// Spec: a model as a person writes it, without XML, and compile(), which makes a Model of it.
//
//     mjx::Spec spec;
//     auto& arm = spec.world.add_body({.name = "arm", .pos = {0, 0, 1}});
//     arm.add_joint({.type = mjx::jnt::hinge, .axis = {0, 1, 0}});
//     arm.add_geom({.type = mjx::shape::capsule, .size = {0.05}, .fromto = {0, 0, 0, 0, 0, -1}});
//     mjx::Model model = mjx::compile(spec);
#pragma once

#include "mjx/compile/compile.hpp"
#include "mjx/model.hpp"
#include "mjx/model/spec.hpp"

namespace mjx {

using inner::Budget;
using inner::compile;
using inner::model_error;
using inner::Spec;

}  // namespace mjx
