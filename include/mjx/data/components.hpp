// The scalars inside a field's item, whatever the item is: a number, a vector, a quaternion, a matrix.
#pragma once

#include "mjx/scalar/scalar.hpp"

#include <concepts>
#include <type_traits>

namespace mjx::inner {

template <class T>
concept has_components = requires(T t) { t[0]; T::size; };

// How many scalars an item has.
template <class T>
constexpr int component_count() {
    if constexpr (has_components<T>)
        return T::size;
    else
        return 1;
}

// f(component of each item given...).
template <class F, class First, class... Rest>
constexpr void for_each_component(F&& f, First&& first, Rest&&... rest) {
    if constexpr (has_components<std::remove_cvref_t<First>>) {
        for (int i = 0; i < std::remove_cvref_t<First>::size; ++i) f(first[i], rest[i]...);
    } else {
        f(first, rest...);
    }
}

}  // namespace mjx::inner
