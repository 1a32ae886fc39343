// SyclBatch: many environments of one fixed model on a SYCL device, one per work item.
//
//     sycl::queue queue;
//     mjx::SyclBatch<float, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096, queue);
//     batch.step(10);
// In the place of the model,
//     mjx::WithOwn<models::Humanoid, mjx::own::geom_friction>    gives every environment a table of its own: batch.parameters("geom_friction")
//     mjx::ConvexIn<float, models::Humanoid>                     has meshes, cylinders and ellipsoids collide without a number of type double
#pragma once

#include "mjx/batch/sycl.hpp"

namespace mjx {

using inner::ConvexIn;
using inner::EnvironmentRandom;
using inner::SyclBatch;
using inner::SyclRollout;
using inner::WithOwn;
namespace own = inner::own;

}  // namespace mjx
