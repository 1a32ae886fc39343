// Batch: many environments of one model, over the lanes of a pack and over threads.
//
//     mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096);
//     batch.set_ctrl(policy(batch.qpos(), batch.qvel()));      // arrays of shape (environment, dimension)
//     batch.step(5);
//     batch.reset(fallen);
//     const auto [A, B] = batch.derivatives();                 // of a step: arrays of shape (environment, row, column)
#pragma once

#include "mjx/batch/batch.hpp"
#include "mjx/scalars.hpp"
#include "mjx/views.hpp"

namespace mjx {

using inner::Batch;
using inner::BatchDerivatives;
using inner::Rollout;

}  // namespace mjx
