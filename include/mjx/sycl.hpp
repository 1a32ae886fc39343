// SyclBatch: many environments of one fixed model on a SYCL device, one per work item.
//
//     sycl::queue queue;
//     mjx::SyclBatch<float, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096, queue);
//     batch.step(10);
#pragma once

#include "mjx/batch/sycl.hpp"

namespace mjx {

using inner::SyclBatch;
using inner::SyclRollout;

}  // namespace mjx
