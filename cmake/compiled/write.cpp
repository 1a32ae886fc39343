// The part of mjx::mjx's library that writes MJCF: apart from reading, since most programs do not write models.
#undef MJX_COMPILED
#include "mjx/io/write_mjcf.hpp"

[[gnu::used]] static constexpr auto write_mjcf = &mjx::inner::write_mjcf;
[[gnu::used]] static constexpr auto save_mjcf = &mjx::inner::save_mjcf;
