// State: a snapshot of everything a simulation continues from. Copy out, copy back, and stepping on is bitwise the same.
#pragma once

#include "mjx/data/components.hpp"
#include "mjx/data/data.hpp"

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
        for_each_state_field([&](const char*, Stage, const auto& x) {
            for (const auto& item : x)
                for_each_component([&](const auto& c) { push(c); }, item);
        }, d);
    }
    // The Data must be of the same model: one whose state has another size throws.
    template <class M>
    void restore(Data<S, M>& d) const {
        std::size_t next = 0, next_switch = 0;
        for_each_state_field([&](const char*, Stage, const auto& x) {
            for (const auto& item : x)
                for_each_component([&](const auto& c) {
                    ++(std::is_same_v<std::remove_cvref_t<decltype(c)>, int> ? next_switch : next);
                }, item);
        }, d);
        if (next != values.size() || next_switch != switches.size())
            throw std::invalid_argument("mjx::State::restore: the state is that of another model");
        next = next_switch = 0;
        for_each_state_field([&](const char*, Stage, auto& x) {
            for (auto& item : x)
                for_each_component([&](auto& c) {
                    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(c)>, int>)
                        c = switches[next_switch++];
                    else
                        c = values[next++];
                }, item);
        }, d);
    }

  private:
    void push(const S& x) { values.push_back(x); }
    void push(const int& x)
        requires(!std::is_same_v<S, int>)
    {
        switches.push_back(x);
    }
};

template <class S, class M>
State(const Data<S, M>&) -> State<S>;

}  // namespace mjx::inner
