// State: a snapshot of everything a simulation continues from. Copy out, copy back, and stepping on is bitwise the same.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/data/walk.hpp"

#include <stdexcept>
#include <vector>

namespace mjx::inner {

// Contacts that the solver remembers come back as they were.
template <class D, class Cache>
void restore_cache(D& d, const Cache& cache) {
    d.ncache = 0;
    for (const auto& contact : cache)
        if (d.ncache < d.cache.size()) d.cache[d.ncache++] = contact;
}

template <class S>
struct State {
    std::vector<S> values;      // the state fields of Data, in the order of for_each_state_field
    std::vector<int> switches;  // the integer ones: eq_active, tree_asleep
    std::vector<CachedContact<S>> cache;  // contacts that the solver remembers, if it is of that kind

    State() = default;
    template <class M, class Space>
    explicit State(const Data<S, M, Space>& d) {
        for_each_state_number(
            [&](const auto& x) {
                if constexpr (is_switch_v<decltype(x)>)
                    switches.push_back(x);
                else
                    values.push_back(x);
            },
            d);
        cache.assign(d.cache.begin(), d.cache.begin() + d.ncache);
    }
    // The Data must be of the same model: one whose state has another size throws.
    template <class M, class Space>
    void restore(Data<S, M, Space>& d) const {
        std::size_t next = 0, next_switch = 0;
        for_each_state_number([&](const auto& x) { ++(is_switch_v<decltype(x)> ? next_switch : next); }, d);
        if (next != values.size() || next_switch != switches.size())
            throw std::invalid_argument("mjx::State::restore: the state is that of another model");
        next = next_switch = 0;
        for_each_state_number(
            [&](auto& x) {
                if constexpr (is_switch_v<decltype(x)>)
                    x = switches[next_switch++];
                else
                    x = values[next++];
            },
            d);
        restore_cache(d, cache);
    }
};

template <class S, class M, class Space>
State(const Data<S, M, Space>&) -> State<S>;

}  // namespace mjx::inner
