// Numbers that cannot be: options before compiling; in the compiled model, what is so large or so wrong that constants came out
// infinite or undefined.
#pragma once

#include "mjx/compile/names.hpp"
#include "mjx/model/fields.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

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

// The numbers in an item of a table: 0 if it has none that could be infinite.
template <class T>
constexpr int reals_in() {
    if constexpr (requires { T::size; })
        return T::size * reals_in<std::remove_cvref_t<decltype(std::declval<const T&>()[0])>>();
    else
        return std::floating_point<T> ? 1 : 0;
}

// The first table with a number that is not finite, and its place there. Tables are walked as plain numbers: code for each of hundreds of
// them was a tenth of the time that clang took for a program.
struct WrongNumber {
    const char* table = nullptr;
    int item = -1;

    template <class Real>
    [[gnu::cold, gnu::noinline]] void look(const char* name, const Real* numbers, int items, int in_each) {
        for (int i = 0; i < items * in_each && !table; ++i)
            if (!std::isfinite(numbers[i])) table = name, item = i / in_each;
    }
};

[[gnu::cold]] inline void check_options(const Spec& spec) {
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

[[gnu::cold]] inline void check_finite(const CompiledModel& m, const std::string& where) {
    WrongNumber wrong;
    for_each_table(
        [&](const char* name, const auto& table) {
            using Item = std::remove_cvref_t<decltype(*table.data())>;
            if constexpr (constexpr int in_each = reals_in<Item>(); in_each > 0) {
                using Real = std::conditional_t<sizeof(Item) == in_each * sizeof(double), double, float>;
                static_assert(sizeof(Item) == in_each * sizeof(Real));
                wrong.look(name, reinterpret_cast<const Real*>(table.data()), table.size(), in_each);
            }
        },
        m);
    if (wrong.table)
        fail(where, {wrong.table, "[", std::to_string(wrong.item),
                     "] is not finite: some size, mass or other number of the model is out of proportion"});
}

}  // namespace mjx::inner::compiler
