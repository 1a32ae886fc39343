// Catch2, version 2 or 3: the tests use what both have.
#pragma once

#include "rooms.hpp"

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
