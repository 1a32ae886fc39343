// What a program knows of its model when it is compiled: all of a fixed model, nothing of a runtime one.
//
//     if constexpr (may<M>([](const auto& m) { return m.opt.noslip_iterations > 0; })) noslip(m, d);
//
// Code for what a fixed model never does is not compiled. Of a runtime model anything may be true.
#pragma once

#include "mjx/math/traverse.hpp"

namespace mjx::inner {

template <class M, class Fact>
constexpr bool may(Fact fact) {
    if constexpr (M::is_fixed)
        return fact(constants_t<M>{});
    else
        return true;
}

}  // namespace mjx::inner
