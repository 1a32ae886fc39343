// Account: what reading a model has taken of its budget so far. All files of a model share one.
#pragma once

#include "mjx/model/budget.hpp"

namespace mjx::inner {

struct Account {
    Budget budget{};
    std::size_t bytes = 0, elements = 0, copies = 0;
};

}  // namespace mjx::inner
