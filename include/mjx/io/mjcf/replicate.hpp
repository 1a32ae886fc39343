#pragma once

#include "mjx/io/mjcf/bodies.hpp"

namespace mjx::mjcf {
inline void read_replicate(Reader&, const Element& e, SpecBody&, const Defaults&) { e.fail("<replicate> is not supported"); }
inline void read_attach(Reader&, const Element& e, SpecBody&) { e.fail("<attach> is not supported"); }
}  // namespace mjx::mjcf
