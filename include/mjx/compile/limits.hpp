// Limits that switch themselves on: limited="auto" means "limited when a range is given".
#pragma once

#include "mjx/compile/tree.hpp"

namespace mjx::inner::compiler {

using Interval = Vec<double, 2>;

[[gnu::cold]] inline bool is_limited(Tristate limited, const Interval& range) {
    return limited == Tristate::yes || (limited == Tristate::automatic && range[0] < range[1]);
}

// Without autolimits a range must say whether it is meant.
template <class Element>
void check_autolimits(const Element& e, const char* kind, const char* attribute, bool autolimits, Tristate limited, const Interval& range) {
    const bool has_range = range[0] != 0 || range[1] != 0;
    if (!autolimits && limited == Tristate::automatic && has_range)
        fail(e, kind,
             {"has ", attribute, "range but not ", attribute, "limited: set it to true or false, or set autolimits=\"true\" in compiler"});
}

template <class Element>
void check_range(const Element& e, const char* kind, const char* what, Tristate limited, const Interval& range) {
    if (is_limited(limited, range) && range[0] >= range[1])
        fail(e, kind, {"invalid ", what, ", expected the first number to be smaller than the second"});
}

}  // namespace mjx::inner::compiler
