// expect: mjx needs C++20: g++ 12 or clang 14 or newer
// flags: -std=c++17
// alone
#include "mjx/mjx.hpp"
