// Batch: many environments of one model, over the lanes of a pack and over threads.
//
//     mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Humanoid> batch(4096);
//     batch.set_ctrl(policy(batch.qpos(), batch.qvel()));      // arrays of shape (environment, dimension)
//     batch.step(5);
//     batch.reset(fallen);                                     // or to a keyframe, to states, or as a functor wants
//     const auto seen = batch.map(2, [](const auto& m, const auto& d, auto* out) {    // any field, contacts too: (environment, 2)
//         out[0] = d.xpos[1][2];
//         out[1] = d.qvel[0] * d.qvel[0];
//     });
//     const auto [A, B] = batch.derivatives();                 // of a step: arrays of shape (environment, row, column)
//
// batch() takes the parameters in the same order and finds out the others from its arguments, as simulator() does (simulator.hpp):
//
//     auto batch = mjx::batch<P, mjx::Euler, mjx::Newton>(model, 4096);                     // P is mjx::pack<float>
//     auto fixed = mjx::batch<P, mjx::Euler, mjx::Newton, models::Humanoid>(4096, 2);       // on two threads, not on all
//
// Every environment may have parameters of its own. A fixed model says of which tables and options; another has the numbers of the lanes:
//
//     mjx::Batch<P, mjx::Euler, mjx::Newton, mjx::WithOwn<models::Humanoid, "geom_friction">> batch(4096);
//     mjx::Batch<P, mjx::Euler, mjx::Newton, mjx::Model<P>> batch(model, 4096);
//     auto friction = batch.parameters("geom_friction");       // (environment, geom, 3)
//     friction(7, 0, 0) = 0.3f;
//     batch.set_parameters("geom_friction", friction);         // masses, sizes, gains, damping, gravity, ... in the same way
//
// A hook (hooks.hpp) has values of each environment from its userdata, of which the model has <size nuserdata="2"/>:
//
//     struct Push {
//         template <class M, class D>
//         void control(const M&, D& d) const { d.ctrl[0] = d.userdata[0] * d.qpos[7] + d.userdata[1]; }    // of all lanes at once
//     };
//     auto batch = mjx::batch<P, mjx::Euler, mjx::Newton>(model, 4096, Push());             // after the threads, if they are given
//     batch.set_userdata(gains);                               // (environment, 2)
//
// Equality constraints are on or off (eq_active) for all environments of a pack together: a batch of float or double has them one by one.
#pragma once

#include "mjx/batch/batch.hpp"
#include "mjx/compiled.hpp"
#include "mjx/scalars.hpp"
#include "mjx/views.hpp"

#include <concepts>
#include <utility>

namespace mjx {

using inner::Batch;
using inner::BatchDerivatives;
using inner::Environment;
using inner::EnvironmentRandom;
using inner::Rollout;
using inner::WithOwn;

// A Batch of a fixed model, the last type: batch<P, Euler, Newton, models::Humanoid>(4096), with threads and hooks or without. A Batch
// stays where it is made: what is returned is made in the caller's place.
template <class... Types, class Hooks = no_hooks>
    requires(inner::simulator_types<Types...>::fixed)
auto batch(int environments, int threads, Hooks hooks = {}) {
    using T = inner::simulator_types<Types...>;
    using M = typename T::model;
    return Batch<typename T::template scalar_for<M>, typename T::integrator, typename T::solver, M, Hooks>(environments, threads,
                                                                                                           std::move(hooks));
}
template <class... Types, class Hooks = no_hooks>
    requires(inner::simulator_types<Types...>::fixed && !std::integral<Hooks>)
auto batch(int environments, Hooks hooks = {}) {
    return batch<Types...>(environments, 0, std::move(hooks));
}
// A Batch of the model that is given: batch<P, Euler, Newton>(model, 4096), with threads and hooks or without.
template <class... Types, class Given, class Hooks = no_hooks>
    requires(!inner::simulator_types<Types...>::fixed)
auto batch(const Given& given, int environments, int threads, Hooks hooks = {}) {
    using T = inner::simulator_types<Types...>;
    using M = typename T::template model_for<Given>;
    constexpr bool is_model = requires { M::is_fixed; };
    static_assert(is_model, "mjx::batch needs a model: mjx::batch<mjx::pack<float>, Euler, Newton>(mjx::load_mjcf(file), environments)");
    if constexpr (is_model)
        return Batch<typename T::template scalar_for<M>, typename T::integrator, typename T::solver, M, Hooks>(given, environments, threads,
                                                                                                               std::move(hooks));
}
template <class... Types, class Given, class Hooks = no_hooks>
    requires(!inner::simulator_types<Types...>::fixed && !std::integral<Hooks>)
auto batch(const Given& given, int environments, Hooks hooks = {}) {
    return batch<Types...>(given, environments, 0, std::move(hooks));
}
template <class... Types>
    requires(!inner::simulator_types<Types...>::fixed)
void batch(int) {
    static_assert(sizeof...(Types) == 0, "mjx::batch needs a model: batch<P, Euler, Newton>(model, 4096), or a fixed one as the last type");
}

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
MJX_COMPILED_LANES template Model<float> cast<float>(const Model<>&);
MJX_COMPILED_LANES template Blocks<pack<float>, Data<pack<float>, Model<float>>>::Blocks(int, Data<pack<float>, Model<float>>&);
MJX_COMPILED_LANES template void Blocks<pack<float>, Data<pack<float>, Model<float>>>::load(int, Data<pack<float>, Model<float>>&);
MJX_COMPILED_LANES template void Blocks<pack<float>, Data<pack<float>, Model<float>>>::store(int, Data<pack<float>, Model<float>>&);

}  // namespace mjx::inner
#endif
