// Batch: many environments of one model, over the lanes of a pack and over threads.
//
//     mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096);
//     batch.set_ctrl(policy(batch.qpos(), batch.qvel()));      // arrays of shape (environment, dimension)
//     batch.step(5);
//     batch.reset(fallen);
//     const auto [A, B] = batch.derivatives();                 // of a step: arrays of shape (environment, row, column)
#pragma once

#include "mjx/batch/batch.hpp"
#include "mjx/compiled.hpp"
#include "mjx/scalars.hpp"
#include "mjx/views.hpp"

namespace mjx {

using inner::Batch;
using inner::BatchDerivatives;
using inner::Rollout;

}  // namespace mjx

// Where there is a library, it has the steps on lanes of Model<float> (compiled.hpp).
#if defined(MJX_LIBRARY) && defined(MJX_COMPILED_ALL)
#ifndef MJX_COMPILED_LANES
#define MJX_COMPILED_LANES extern
#endif

namespace mjx::inner {

MJX_STAGES(MJX_COMPILED_LANES, pack<float>, float)
MJX_STEPS(MJX_COMPILED_LANES, pack<float>, float, PGS)
MJX_STEPS(MJX_COMPILED_LANES, pack<float>, float, CG)
MJX_STEPS(MJX_COMPILED_LANES, pack<float>, float, Newton)

}  // namespace mjx::inner
#endif
