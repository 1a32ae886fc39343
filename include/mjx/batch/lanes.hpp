// One environment of a pack at a time: the lanes of a Data as states of the plain scalar.
//
//     State<float> s = lane_state(sim.data(), 3);           // environment 3 of a Simulator<pack<float>, ...>
//     set_lane_state(sim.data(), 5, s);                     // environment 5 goes on from there
//     reset_lanes(sim.model(), sim.data(), lane_mask<pack<float>>([](int k) { return k == 2; }));
// Works for every scalar: a plain one is its own only lane. The switches of a state, eq_active and tree_asleep, are shared by the lanes of
// a pack: the state of one lane does not set them.
#pragma once

#include "mjx/data/state.hpp"
#include "mjx/stage/reset.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mjx::inner {

// The mask of the lanes k for which chosen(k) holds.
template <class S, class F>
mask_t<S> lane_mask(F&& chosen) {
    mask_t<S> mask(false);
    for (int k = 0; k < lanes_v<S>; ++k) set_lane(mask, k, chosen(k));
    return mask;
}

// A remembered contact as lane k has it.
template <class S>
CachedContact<lane_t<S>> cached_lane(const CachedContact<S>& c, int k) {
    CachedContact<lane_t<S>> one{{}, {}, c.geom1, c.geom2};
    for (int i = 0; i < 3; ++i) one.cell[i] = lane(c.cell[i], k);
    for (int i = 0; i < 6; ++i) one.force[i] = lane(c.force[i], k);
    return one;
}
// Lane k remembers these contacts and no others, in places of their own.
template <class D, class Cache>
void set_lane_cache(D& d, int k, const Cache& cache) {
    using T = value_part_t<typename D::scalar>;
    for (int c = 0; c < d.ncache; ++c) set_lane(d.cache[c].cell[0], k, lane_t<T>(forgotten_cell_v<T>));
    for (const auto& contact : cache) {
        if (d.ncache == d.cache.size()) return;
        auto& place = d.cache[d.ncache++];
        place = {Vec3<T>::zero(), Vec6<T>::zero(), contact.geom1, contact.geom2};
        place.cell[0] = T(forgotten_cell_v<T>);
        for (int i = 0; i < 3; ++i) set_lane(place.cell[i], k, contact.cell[i]);
        for (int i = 0; i < 6; ++i) set_lane(place.force[i], k, contact.force[i]);
    }
}

template <class S, class M, class Space>
State<lane_t<S>> lane_state(const Data<S, M, Space>& d, int k) {
    State<lane_t<S>> state;
    for_each_state_number(
        [&](const auto& x) {
            if constexpr (is_switch_v<decltype(x)>)
                state.switches.push_back(x);
            else
                state.values.push_back(lane(x, k));
        },
        d);
    for (int c = 0; c < d.ncache; ++c)
        if (lane(d.cache[c].cell[0], k) != forgotten_cell_v<value_part_t<S>>) state.cache.push_back(cached_lane(d.cache[c], k));
    return state;
}

// Throws unless the state is one of the model of this Data.
template <class S, class M, class Space>
void require_state(const Data<S, M, Space>& d, const State<lane_t<S>>& state) {
    std::size_t values = 0, switches = 0;
    for_each_state_number([&](const auto& x) { ++(is_switch_v<decltype(x)> ? switches : values); }, d);
    if (state.values.size() != values || state.switches.size() != switches)
        throw std::invalid_argument("Batch: the state is that of another model");
}

// What all lanes share becomes that of the state.
template <class S, class M, class Space>
void set_switches(Data<S, M, Space>& d, const State<lane_t<S>>& state) {
    std::size_t next = 0;
    for_each_state_number(
        [&](auto& x) {
            if constexpr (is_switch_v<decltype(x)>) x = state.switches[next++];
        },
        d);
}
// The first switch in which a state differs from what its lane shares with others, in words; empty: none. Packs never sleep: how long their
// trees have been at rest does not matter.
template <class S, class M, class Space>
std::string other_switch(const Data<S, M, Space>& d, const State<lane_t<S>>& state) {
    std::string found;
    std::size_t next = 0;
    for_each_state_field(
        [&](const char* name, Section, const auto& field) {
            if constexpr (is_switch_v<item_t<decltype(field)>>)
                for (int i = 0; i < as_field(field).size(); ++i) {
                    const int own = state.switches[next++], shared = as_field(field)[i];
                    const bool sleep = std::string_view(name) == "tree_asleep",
                               differ = sleep ? (own >= 0) != (shared >= 0) : own != shared;
                    if (differ && found.empty())
                        found = std::string(name) + "[" + std::to_string(i) + "] is " + std::to_string(own) + " in the state and " +
                                std::to_string(shared) + " in its pack";
                }
        },
        d);
    return found;
}

// The state must be of the same model.
template <class S, class M, class Space>
void set_lane_state(Data<S, M, Space>& d, int k, const State<lane_t<S>>& state) {
    std::size_t next = 0;
    for_each_state_number(
        [&](auto& x) {
            if constexpr (!is_switch_v<decltype(x)>) set_lane(x, k, state.values[next++]);
        },
        d);
    if constexpr (lanes_v<S> == 1) set_switches(d, state);
    set_lane_cache(d, k, state.cache);
}

// How often environment k ran into the trouble `which` (warning::).
template <class S, class M, class Space>
int lane_warning(const Data<S, M, Space>& d, int which, int k) {
    return d.warning[which * lanes_v<S> + k];
}
// How often the state of each environment has broken.
template <class S, class M, class Space>
auto lane_troubles(const Data<S, M, Space>& d) {
    std::array<int, static_cast<std::size_t>(lanes_v<S>)> count{};
    for (const int which : {warning::badqpos, warning::badqvel, warning::badqacc, warning::badact})
        for (int k = 0; k < lanes_v<S>; ++k) count[static_cast<std::size_t>(k)] += lane_warning(d, which, k);
    return count;
}

}  // namespace mjx::inner
