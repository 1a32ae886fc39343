// xtensor views of fields: the only header that includes xtensor. A view writes through to the Data it shows.
#pragma once

#include "mjx/data/walk.hpp"

#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>

#include <array>

namespace mjx::inner {

// A field of numbers is a vector; a field of vectors or matrices is (items, components).
template <class Field>
auto view(Field& given) {
    auto&& field = as_field(given);
    using T = typename std::remove_cvref_t<decltype(field)>::value_type;
    const auto items = static_cast<std::size_t>(field.size());
    if constexpr (has_components<T>) {
        using S = typename T::scalar_type;
        static_assert(sizeof(T) == sizeof(S) * static_cast<std::size_t>(T::size));
        const std::array<std::size_t, 2> shape{items, static_cast<std::size_t>(T::size)};
        auto* first = items == 0 ? nullptr : &field[0][0];
        return xt::adapt(first, items * shape[1], xt::no_ownership(), shape);
    } else {
        const std::array<std::size_t, 1> shape{items};
        return xt::adapt(field.data(), items, xt::no_ownership(), shape);
    }
}

// Owned arrays that batches and derivatives return.
template <class T>
using Vector = xt::xtensor<T, 1>;
template <class T>
using Matrix = xt::xtensor<T, 2>;
template <class T>
using Tensor3 = xt::xtensor<T, 3>;

}  // namespace mjx::inner
