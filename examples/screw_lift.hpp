// The model of screw_joint.cpp: a platform on a vertical screw, with a spring, a limit and a motor, that carries an arm.
#pragma once

#include "screw_joint.hpp"

#include "mjx/compile.hpp"

using LiftJoints = mjx::joint_set<mjx::Hinge, Screw>;

inline mjx::Model<double, LiftJoints> screw_lift() {
    mjx::Spec spec;
    spec.name = "lift";
    auto& platform = spec.world.add_body({.name = "platform"});
    platform.add_joint({.name = "screw", .type = Screw::type, .stiffness = {0.02}, .range = {-4, 4}, .armature = 0.001, .user = {0.05}});
    platform.add_geom({.type = mjx::shape::cylinder, .size = {0.1, 0.02}, .mass = 0.5});
    auto& arm = platform.add_body({.name = "arm", .pos = {0.1, 0, 0}});
    arm.add_joint({.name = "arm", .type = mjx::Hinge::type, .axis = {0, 1, 0}, .damping = {0.01}});
    arm.add_geom({.type = mjx::shape::capsule, .size = {0.02}, .fromto = {0, 0, 0, 0.2, 0, 0}, .mass = 0.1});
    spec.add_actuator({.name = "motor", .trntype = mjx::trn::joint, .target = "screw"});
    return mjx::compile<LiftJoints>(spec);
}
