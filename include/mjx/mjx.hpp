// All of mjx that a program with MJCF models needs: loading, simulating, every scalar, integrator and solver.
//
// xtensor views (data/views.hpp), batches (batch/) and derivatives (derivative/) are included on their own: they cost compile
// time that a simulation does not need. A program with a fixed model includes simulator.hpp and the generated header instead.
#pragma once

#include "mjx/compile/load.hpp"
#include "mjx/compiled.hpp"
#include "mjx/data/state.hpp"
#include "mjx/integrator/implicit_spring_damper.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/registry.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/inverse.hpp"
#include "mjx/solver/unconstrained.hpp"
