// Messages are written in pieces and put together in one place: errors are checked for everywhere, and code for concatenation there
// would be most of a loader.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace mjx::inner {

using Pieces = std::initializer_list<std::string_view>;

[[gnu::noinline]] inline std::string joined(Pieces pieces) {
    std::string text;
    for (const std::string_view piece : pieces) text += piece;
    return text;
}

}  // namespace mjx::inner
