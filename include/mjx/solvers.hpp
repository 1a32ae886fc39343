// The constraint solvers: the third parameter of Simulator.
//
//     Newton, CG             MuJoCo's convex problem over accelerations; Newton is MuJoCo's default
//     PGS                    the same problem over forces, row by row; CachedPGS starts from the forces of the contacts of the step before
//     Penalty                springs and dampers in place of constraints
//     Unconstrained          no constraints, no collision
//     WithCone<PGS, mjx::cone::elliptic>     a solver with its own choice of friction cone
#pragma once

#include "mjx/model/types.hpp"
#include "mjx/solver/cg.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/solver/pgs.hpp"
#include "mjx/solver/unconstrained.hpp"
#include "mjx/solver/with_cone.hpp"

namespace mjx {

using inner::CachedPGS;
using inner::CG;
using inner::Newton;
using inner::Penalty;
using inner::PGS;
using inner::Unconstrained;
using inner::WithCone;

namespace cone = inner::cone;

}  // namespace mjx
