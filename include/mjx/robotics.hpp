// What people ask of a robot around its step: forces from accelerations, contact forces, rays, distances.
//
//     sim.forward();  sim.qacc()[0] = 1;  mjx::inverse(sim.model(), sim.data());      // sim.data().qfrc_inverse
//     const auto force = mjx::contact_force(sim.model(), sim.data(), i);              // force, torque in the contact's frame
//     const auto hit = mjx::ray(sim.model(), sim.data(), from, along);
#pragma once

#include "mjx/collision/distance.hpp"
#include "mjx/collision/ray.hpp"
#include "mjx/solver/inverse.hpp"
#include "mjx/stage/contact_force.hpp"

namespace mjx {

using inner::compare_forward_inverse;
using inner::contact_force;
using inner::geom_distance;
using inner::inverse;
using inner::ray;
using inner::RayFilter;
using inner::RayHit;

}  // namespace mjx
