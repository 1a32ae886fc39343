// The tests look into the rooms: to them, mjx:: means what users are promised and what lies behind it.
#pragma once

namespace mjx::inner {}
namespace mjx {
using namespace inner;
}
