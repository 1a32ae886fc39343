// SyclBatch: many environments of one fixed model on a SYCL device, one per work item.
//
//     sycl::queue queue;
//     mjx::SyclBatch<float, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096, queue);
//     batch.step(10);
// In the place of the model,
//     mjx::WithOwn<models::Humanoid, "body_mass">    gives every environment masses of its own: batch.set_parameters("body_mass", numbers)
//     mjx::ConvexIn<float, models::Humanoid>         has meshes, cylinders and ellipsoids collide without a number of type double
#pragma once

#include "mjx/batch/sycl.hpp"

namespace mjx {

using inner::ConvexIn;
using inner::EnvironmentRandom;
using inner::SyclBatch;
using inner::SyclRollout;
using inner::WithOwn;

}  // namespace mjx
