// State: a snapshot of everything a simulation continues from. Copy out, copy back, and stepping on is bitwise the same.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/data/walk.hpp"

#include <stdexcept>
#include <vector>

namespace mjx::inner {

template <class S>
struct State {
    std::vector<S> values;      // the state fields of Data, in the order of for_each_state_field
    std::vector<int> switches;  // the integer ones: eq_active, tree_asleep

    State() = default;
    template <class M>
    explicit State(const Data<S, M>& d) {
        for_each_state_number([&](const auto& x) {
            if constexpr (is_switch_v<decltype(x)>)
                switches.push_back(x);
            else
                values.push_back(x);
        }, d);
    }
    // The Data must be of the same model: one whose state has another size throws.
    template <class M>
    void restore(Data<S, M>& d) const {
        std::size_t next = 0, next_switch = 0;
        for_each_state_number([&](const auto& x) { ++(is_switch_v<decltype(x)> ? next_switch : next); }, d);
        if (next != values.size() || next_switch != switches.size())
            throw std::invalid_argument("mjx::State::restore: the state is that of another model");
        next = next_switch = 0;
        for_each_state_number([&](auto& x) {
            if constexpr (is_switch_v<decltype(x)>)
                x = switches[next_switch++];
            else
                x = values[next++];
        }, d);
    }
};

template <class S, class M>
State(const Data<S, M>&) -> State<S>;

}  // namespace mjx::inner
