// Spec: a model as a person writes it, without XML, and compile(), which makes a Model of it.
//
//     mjx::Spec spec;
//     auto& arm = spec.world.add_body({.name = "arm", .pos = {0, 0, 1}});
//     arm.add_joint({.type = mjx::jnt::hinge, .axis = {0, 1, 0}});
//     arm.add_geom({.type = mjx::shape::capsule, .size = {0.05}, .fromto = {0, 0, 0, 0, 0, -1}});
//     mjx::Model model = mjx::compile(spec);
//
// An element is a struct with MuJoCo's defaults, as in model/spec.hpp; a function that builds a part of a model takes what it adds to:
//
//     void add_leg(mjx::SpecBody& torso, double y) {
//         auto& leg = torso.add_body({.pos = {0, y, 0}});
//         leg.add_joint({.axis = {0, 1, 0}, .limited = mjx::Tristate::yes, .range = {-1, 1}});
//         leg.add_geom({.type = mjx::shape::capsule, .size = {0.03}, .fromto = {0, 0, 0, 0, 0, -0.4}});
//     }
#pragma once

#include "mjx/compile/compile.hpp"
#include "mjx/model.hpp"
#include "mjx/model/spec.hpp"

namespace mjx {

using inner::Budget;
using inner::compile;
using inner::model_error;
using inner::Spec;

using inner::SpecActuator;
using inner::SpecBody;
using inner::SpecCable;
using inner::SpecCamera;
using inner::SpecCompiler;
using inner::SpecEquality;
using inner::SpecExclude;
using inner::SpecGeom;
using inner::SpecHfield;
using inner::SpecInertial;
using inner::SpecJoint;
using inner::SpecKey;
using inner::SpecLight;
using inner::SpecMaterial;
using inner::SpecMesh;
using inner::SpecNumeric;
using inner::SpecPair;
using inner::SpecSensor;
using inner::SpecSite;
using inner::SpecStatistic;
using inner::SpecTendon;
using inner::SpecText;
using inner::SpecTexture;
using inner::SpecTuple;
using inner::SpecWrap;

// What their members are.
using inner::LightLook;
using inner::List;
using inner::MaterialLook;
using inner::Option;
using inner::TextureLook;
using inner::Tristate;
using inner::ViewLook;

namespace mesh_inertia = inner::mesh_inertia;
namespace texture_builtin = inner::texture_builtin;
namespace texture_type = inner::texture_type;

}  // namespace mjx
