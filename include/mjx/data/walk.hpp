// The walk over Data: its fields, the items of a field, the numbers of an item. Snapshots, lanes, batches, dumps, derivatives take it.
//
//     for_each_state_number([](auto& x, const auto& y) { x = y; }, to, from);
//     for_each_number([](const auto& x) { ... }, d.xpos);
// An item is a number, a vector, a quaternion or a matrix; what there is one of, such as the time, is a field of one item.
#pragma once

#include "mjx/data/fields.hpp"
#include "mjx/model/array.hpp"
#include "mjx/scalar/scalar.hpp"

#include <concepts>
#include <type_traits>

namespace mjx::inner {

template <class T>
concept has_components = requires(T t) {
    t[0];
    T::size + 0;
};

// How many numbers an item has.
template <class T>
constexpr int component_count() {
    if constexpr (has_components<T>)
        return T::size;
    else
        return 1;
}

template <class T>
concept has_items = requires(T t) {
    t.begin();
    t.end();
    t.data();
};

// x as a field: itself, or the one item of a field.
template <class T>
constexpr decltype(auto) as_field(T& x) {
    if constexpr (has_items<T>)
        return (x);
    else
        return Span<T>{&x, 1};
}
template <class T>
using item_t = typename std::remove_cvref_t<decltype(as_field(std::declval<T&>()))>::value_type;

// f(number of each item given...).
template <class F, class First, class... Rest>
constexpr void for_each_component(F&& f, First&& first, Rest&&... rest) {
    if constexpr (has_components<std::remove_cvref_t<First>>) {
        for (int i = 0; i < std::remove_cvref_t<First>::size; ++i) f(first[i], rest[i]...);
    } else {
        f(first, rest...);
    }
}

// f(number of each field given...).
template <class F, class First, class... Rest>
constexpr void for_each_number(F&& f, First&& first, Rest&&... rest) {
    const int count = as_field(first).size();
    for (int i = 0; i < count; ++i) for_each_component(f, as_field(first)[i], as_field(rest)[i]...);
}

// f(number of each Data given...) over what a simulation continues from.
template <class F, class... D>
constexpr void for_each_state_number(F&& f, D&&... d) {
    for_each_state_field([&](const char*, Section, auto&... x) { for_each_number(f, x...); }, d...);
}

// Some of a state's numbers are integers: switches, whatever the scalar.
template <class T>
inline constexpr bool is_switch_v = std::is_same_v<std::remove_cvref_t<T>, int>;

// How many numbers a field has.
template <class T>
constexpr int number_count(const T& x) {
    return as_field(x).size() * component_count<std::remove_cv_t<item_t<const T>>>();
}

}  // namespace mjx::inner
