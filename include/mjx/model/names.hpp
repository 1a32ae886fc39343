// Objects by name: their indices in a model's tables. Fixed models have the same functions for constants (model/fixed.hpp).
#pragma once

#include "mjx/scalar/language.hpp"

#include <concepts>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mjx::inner {

// The index of a name in a list of names, or an error that tells which there are.
template <class Names>
int index_of(const char* kind, const Names& names, std::string_view name) {
    std::string known;
    for (int i = 0; i < names.size(); ++i) {
        if (names[i] == name) return i;
        if (!names[i].empty() && known.size() < 500) (known += known.empty() ? " but " : ", ") += names[i];
    }
    throw std::invalid_argument(std::string("the model has no ") + kind + " named '" + std::string(name) + "'" + known);
}

// A template, so that programs with fixed models may be built without exceptions.
template <std::same_as<int> Index>
void require_index(const char* kind, int count, Index i) {
    if (i >= 0 && i < count) return;
    throw std::invalid_argument(std::string("the model has no ") + kind + " " + std::to_string(i) +
                                (count ? ": they are counted from 0 to " + std::to_string(count - 1) : ": it has none at all"));
}

}  // namespace mjx::inner
