// Derivatives of a step: A = dx'/dx, B = dx'/du, C = dy/dx, D = dy/du for the state x, the controls u and the sensors y.
//
//     const auto [A, B, C, D] = mjx::derivatives(sim);             // exact: analytic, or by dual numbers
//     const auto differences = mjx::transition_fd(sim);            // .A, .B, .C, .D by differences; transition_hybrid: by both
//     const auto [x, u] = mjx::step_vjp(sim, weights);             // weightsᵀ A and weightsᵀ B
//     const auto [x, u, p] = mjx::step_vjp(sim, weights, parameters);          // and by parameters of the model
//     const auto [DaDq, DaDv, DaDf] = mjx::acceleration_derivatives(sim);      // of qacc alone: forward dynamics
//     mjx::integrate_position_derivative(m, v, h, dq, dv, change); // of q ⊕ h v alone, as filters of states need it
// To differentiate again and again keep a TransitionDerivatives. inverse_derivatives(sim) are those of inverse dynamics.
#pragma once

#include "mjx/compiled.hpp"
#include "mjx/derivative/acceleration.hpp"
#include "mjx/derivative/check.hpp"
#include "mjx/derivative/inverse.hpp"
#include "mjx/derivative/position.hpp"
#include "mjx/derivative/transition.hpp"
#include "mjx/derivative/vjp.hpp"
#include "mjx/views.hpp"

namespace mjx {

using inner::acceleration_derivatives;
using inner::AccelerationDerivatives;
using inner::AccelerationMatrices;
using inner::convergence_order;
using inner::derivative_error;
using inner::derivatives;
using inner::derivatives_by_duals;
using inner::Differentiation;
using inner::DualDerivatives;
using inner::integrate_position_derivative;
using inner::inverse_derivatives;
using inner::InverseDerivatives;
using inner::max_relative_error;
using inner::ParameterDerivatives;
using inner::Parameters;
using inner::quat_integrate_derivative;
using inner::step_vjp;
using inner::StepGradient;
using inner::StepParameterGradient;
using inner::sub_quat_derivative;
using inner::Transition;
using inner::transition;
using inner::transition_fd;
using inner::transition_hybrid;
using inner::TransitionDerivatives;
using inner::TransitionOptions;

}  // namespace mjx

// Where there is a library, it has the steps on duals and the analytic derivatives of Model<double> (compiled.hpp).
#if defined(MJX_LIBRARY) && defined(MJX_COMPILED_ALL)
#ifndef MJX_COMPILED_DUALS
#define MJX_COMPILED_DUALS extern
#endif
#ifndef MJX_COMPILED_DERIVATIVES
#define MJX_COMPILED_DERIVATIVES extern
#endif

namespace mjx::inner {

using compiled_dual = dual<double, 7>;
MJX_STAGES(MJX_COMPILED_DUALS, compiled_dual, double)
MJX_STEPS(MJX_COMPILED_DUALS, compiled_dual, double, PGS)
MJX_STEPS(MJX_COMPILED_DUALS, compiled_dual, double, CG)
MJX_STEPS(MJX_COMPILED_DUALS, compiled_dual, double, Newton)
// What integrators have of their own: F is the class that has it.
#define MJX_STEP_DERIVATIVE(linkage, F, ...)                                                 \
    linkage template F<__VA_ARGS__>::F(const Model<>&, const Data<double, Model<>>&);        \
    linkage template void F<__VA_ARGS__>::operator()(const Model<>&, Data<double, Model<>>&, \
                                                     forward_function<Model<>, Data<double, Model<>>>);
MJX_STEP_DERIVATIVE(MJX_COMPILED_DERIVATIVES, StepDerivative, Euler, double, Model<>)
MJX_STEP_DERIVATIVE(MJX_COMPILED_DERIVATIVES, StepDerivative, RK4, double, Model<>)
MJX_STEP_DERIVATIVE(MJX_COMPILED_DERIVATIVES, ImplicitStep, Implicit, double, Model<>)
MJX_STEP_DERIVATIVE(MJX_COMPILED_DERIVATIVES, ImplicitStep, ImplicitFast, double, Model<>)
MJX_COMPILED_DERIVATIVES template void ForwardDerivative<double, Model<>>::assemble(const Model<>&, const Data<double, Model<>>&, bool);
MJX_COMPILED_DERIVATIVES template Transition<double> make_transition(const Model<>&);
MJX_COMPILED_DERIVATIVES template void copy_state(Data<double, Model<>>&, const Data<double, Model<>>&);
MJX_COMPILED_DERIVATIVES template void vary_state(const Model<>&, Data<compiled_dual, Model<>>&, const Data<double, Model<>>&, int, int);
MJX_COMPILED_DERIVATIVES template void take_columns(const Model<>&, Data<compiled_dual, Model<>>&, int, int, Transition<double>&);

}  // namespace mjx::inner
#endif
