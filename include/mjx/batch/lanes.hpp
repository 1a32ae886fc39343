// One environment of a pack at a time: the lanes of a Data as states of the plain scalar.
//
//     State<float> s = lane_state(sim.data(), 3);           // environment 3 of a Simulator<pack<float>, ...>
//     set_lane_state(sim.data(), 5, s);                     // environment 5 goes on from there
//     reset_lanes(sim.model(), sim.data(), lane_mask<pack<float>>([](int k) { return k == 2; }));
// Works for every scalar: a plain one is its own only lane. eq_active is shared by the lanes: it is read, and never set, here.
#pragma once

#include "mjx/data/state.hpp"
#include "mjx/stage/reset.hpp"

namespace mjx::inner {

// The mask of the lanes k for which chosen(k) holds.
template <class S, class F>
mask_t<S> lane_mask(F&& chosen) {
    mask_t<S> mask(false);
    for (int k = 0; k < lanes_v<S>; ++k) set_lane(mask, k, chosen(k));
    return mask;
}

template <class S, class M>
State<lane_t<S>> lane_state(const Data<S, M>& d, int k) {
    State<lane_t<S>> state;
    for_each_state_number([&](const auto& x) {
        if constexpr (is_switch_v<decltype(x)>)
            state.switches.push_back(x);
        else
            state.values.push_back(lane(x, k));
    }, d);
    return state;
}

// The state must be of the same model.
template <class S, class M>
void set_lane_state(Data<S, M>& d, int k, const State<lane_t<S>>& state) {
    std::size_t next = 0;
    for_each_state_number([&](auto& x) {
        if constexpr (!is_switch_v<decltype(x)>) set_lane(x, k, state.values[next++]);
    }, d);
}

// How often environment k ran into the trouble `which` (warning::).
template <class S, class M>
int lane_warning(const Data<S, M>& d, int which, int k) {
    return d.warning[which * lanes_v<S> + k];
}

}  // namespace mjx::inner
