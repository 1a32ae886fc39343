// expect: a vector of a Spec is given more numbers than it has
#include "mjx/spec.hpp"

void f(mjx::Spec& spec) { spec.world.add_geom({.fromto = {0, 0, 0, 0, 0, 1, 7}}); }
