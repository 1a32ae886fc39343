// Numbers that need not be multiplied by: is_nothing.
#pragma once

#include "mjx/scalar/scalar.hpp"

namespace mjx::inner {

// Whether a number is zero in every lane and has no derivatives: what it is multiplied by need not be computed.
template <class S>
constexpr bool is_nothing(const S& x) {
    if constexpr (requires { x.partial; }) {
        bool nothing = is_nothing(x.value);
        for (const auto& slope : x.partial) nothing = nothing && is_nothing(slope);
        return nothing;
    } else {
        return !any(x != S(0));
    }
}

}  // namespace mjx::inner
