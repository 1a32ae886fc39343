// The part of mjx::mjx's library that reads MJCF and URDF.
#undef MJX_COMPILED
#include "mjx/io/mjcf.hpp"

[[gnu::used]] static constexpr auto parse_mjcf_file = &mjx::inner::parse_mjcf_file;
[[gnu::used]] static constexpr auto parse_mjcf_string = &mjx::inner::parse_mjcf_string;
[[gnu::used]] static constexpr auto parse_urdf_file = &mjx::inner::parse_urdf_file;
[[gnu::used]] static constexpr auto parse_urdf_string = &mjx::inner::parse_urdf_string;
[[gnu::used]] static constexpr auto parse_file = &mjx::inner::parse_file;
