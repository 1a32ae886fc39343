// The integrators: the second parameter of Simulator.
//
//     Euler                  semi-implicit, joint damping implicit: MuJoCo's default
//     RK4                    fourth order, four evaluations of the forces
//     Implicit               velocity derivatives of all smooth forces, Coriolis terms too
//     ImplicitFast           the symmetric part of those, without Coriolis terms: cheaper
//     Discrete               springs, dampers, servos and constraints at the end of the step, found together: stiff things at large steps
//     ImplicitSpringDamper   springs and dampers of joints by an implicit step
// README.md, "Which integrator", says when to take which.
//
// One's own derives from IntegratorDefaults (integrator/integrator.hpp: what it may say of itself) and has integrate(m, d, forward), which
// ends in advance(m, d, act_dot, qacc, qvel): the rates over the step. solvers.hpp shows how it has arrays to work on.
#pragma once

#include "mjx/data/work.hpp"
#include "mjx/integrator/discrete.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/implicit.hpp"
#include "mjx/integrator/implicit_spring_damper.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/integrator/integrator.hpp"
#include "mjx/integrator/rk4.hpp"

namespace mjx {

using inner::Discrete;
using inner::Euler;
using inner::Implicit;
using inner::ImplicitFast;
using inner::ImplicitSpringDamper;
using inner::RK4;

// For one's own.
using inner::advance;
using inner::borrow;
using inner::Dim;
using inner::IntegratorDefaults;
using inner::solver_of;
using inner::WorkArray;
using inner::WorkPlace;

}  // namespace mjx
