// Parameters that may change after a model is made: set them, then set_constants once, before the next step.
//
//     mjx::set_mass(model, model.body("box"), 5.0);           // the inertia with it
//     mjx::set_size(model, model.geom("box"), mjx::Vec3<double>{{0.1, 0.1, 0.2}});   // with its part in the body's mass and inertia
//     model.dof_armature[3] = 0.1;                            // any table of a runtime model, also sim.model()
//     mjx::set_constants(model);                              // all that follows from them
//     mjx::clamp_muscles(model);                              // activations of muscles end at 0 and 1; nothing follows from that
//
// Masses, inertias, poses and armatures go into constants at rest: subtree masses, the inverse weights that scale contacts and limits,
// lengths of tendons, shortcuts of the kinematics, statistics. Friction, damping, gains, ranges and solver parameters stand alone.
// Models of duals carry derivatives through it, models of packs a set of parameters in every lane. As in mj_setConst, what the loader
// resolved stays: damping ratios, spring-dampers, length ranges, masses inferred from geoms.
//
// Parameters of a fixed model are constants, but those of which environments have their own: mjx::WithOwn<models::Cheetah, "body_mass">
// (model/own_model.hpp), in the place of the model in Batch, SyclBatch or Simulator.
#pragma once

#include "mjx/model/own_model.hpp"
#include "mjx/robotics/parameters.hpp"

namespace mjx {

using inner::clamp_muscles;
using inner::set_constants;
using inner::set_mass;
using inner::set_size;
using inner::WithOwn;

}  // namespace mjx
