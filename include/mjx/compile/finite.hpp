// Numbers that cannot be: options before compiling; in the compiled model, what is so large or so wrong that constants came out
// infinite or undefined.
#pragma once

#include "mjx/compile/names.hpp"
#include "mjx/model/fields.hpp"

#include <algorithm>

namespace mjx::inner::compiler {

template <class T>
bool is_finite_item(const T& x) {
    if constexpr (requires { T::size; }) {
        for (int k = 0; k < T::size; ++k)
            if (!is_finite_item(x[k])) return false;
    } else if constexpr (std::floating_point<T>) {
        return std::isfinite(x);
    }
    return true;
}

// The first item that is not finite, or -1.
template <class T>
[[gnu::noinline]] int find_wrong(const T* items, int n) {
    for (int i = 0; i < n; ++i)
        if (!is_finite_item(items[i])) return i;
    return -1;
}

inline void check_options(const Spec& spec) {
    for_each_option(
        [&](std::string_view name, const auto& value) {
            if (!is_finite_item(value)) fail(spec.where, {"option ", name, " is not finite, expected a number"});
        },
        spec.option);
    if (spec.option.mujoco < 312 || spec.option.mujoco > 314)
        fail(spec.where, {"option mujoco is ", std::to_string(spec.option.mujoco), ", expected 312, 313 or 314"});
    const auto remembers = [](const auto& e) { return e.nsample > 0; };
    const bool history = std::any_of(spec.actuators.begin(), spec.actuators.end(), remembers) ||
                         std::any_of(spec.sensors.begin(), spec.sensors.end(), remembers);
    if (history && !(spec.option.timestep > 0)) fail(spec.where, "option timestep is not positive, which a history (nsample) needs");
}

inline void check_finite(const CompiledModel& m, const std::string& where) {
    const char* wrong = nullptr;
    int at = -1;
    // words are made once, after: made for each of hundreds of tables, they were a tenth of the time that clang took for a program
    for_each_table(
        [&](const char* name, const auto& table) {
            if (at < 0 && (at = find_wrong(table.data(), table.size())) >= 0) wrong = name;
        },
        m);
    if (at >= 0)
        fail(where, {wrong, "[", std::to_string(at), "] is not finite: some size, mass or other number of the model is out of proportion"});
}

}  // namespace mjx::inner::compiler
