// Control: trajectories that make a cost small, by derivatives or by trying.
//
//     mjx::ILQR plan(sim, cost, 50);                              // derivatives: differential dynamic programming, controls in their box
//     while (plan.improve(sim)) {}
//     sim.set_ctrl(xt::row(plan.controls(), 0));
//     auto tries = mjx::sampling<mjx::pack<float>, mjx::Euler, mjx::Newton>(model, cost, {.horizon = 50, .samples = 128});
//     tries.improve(mjx::State(sim.data()));                      // trying: MPPI, or with temperature 0 predictive sampling
//     const auto gradient = mjx::rollout_gradient(sim, controls, cost);      // by controls and start; with parameters given, by them too
//     mjx::feel_contacts(model, 0.1);                             // for planners: contacts felt from 10 cm on
// A cost is a functor of the model and the data that hands out the terms of a sum of squares (control/cost.hpp).
#pragma once

#include "mjx/control/feel.hpp"
#include "mjx/control/ilqr.hpp"
#include "mjx/control/rollout_gradient.hpp"
#include "mjx/control/sampling.hpp"
#include "mjx/views.hpp"

namespace mjx {

using inner::evaluate_cost;
using inner::feel_contacts;
using inner::ILQR;
using inner::Parameters;
using inner::rollout_gradient;
using inner::RolloutDifferentiation;
using inner::RolloutGradient;
using inner::Sampling;
using inner::sampling;
using inner::SamplingOptions;
using inner::State;

}  // namespace mjx
