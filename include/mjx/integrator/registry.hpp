// All integrators and solvers, for programs that choose at run time: the model's own choice or a command line's.
//
//     with_integrator(m.opt.integrator, [&](auto integrator) { ... decltype(integrator) is Euler, RK4, ... });
#pragma once

#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/implicit.hpp"
#include "mjx/integrator/implicit_spring_damper.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/model/type_set.hpp"
#include "mjx/solver/cg.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/pgs.hpp"

namespace mjx::inner {

// Both say whether the type is known.
template <class F>
bool with_integrator(int type, F&& f) {
    return with_type<Euler, RK4, Implicit, ImplicitFast, ImplicitSpringDamper>(type, f);
}
template <class F>
bool with_solver(int type, F&& f) {
    return with_type<PGS, CG, Newton>(type, f);
}

}  // namespace mjx::inner
