// What a program gets compiled: where MJX_COMPILED is defined, a library holds the functions declared here, and a program that calls them
// compiles in a third of the time. The CMake target mjx::mjx defines the one and links the other; mjx::headers does neither. The library has
// the pipeline for Model<double>; where MJX_COMPILED_ALL is defined too, also that on dual<double, 7> and the analytic derivatives,
// declared by derivatives.hpp, and that on pack<float>, declared by batch.hpp. Nothing else changes: what is not declared (other scalars, other joints, hooks of one's own in the
// stages that call them) is instantiated where it is used, as ever.
//
// MJX_COMPILED is the width in bytes of the registers that the library was compiled for. A file compiled for other ones gets its own
// instantiations, so that flags such as -march=native are not lost on the step.
#pragma once

#ifdef __AVX512F__
#define MJX_REGISTER_BYTES 64
#elif defined(__AVX__)
#define MJX_REGISTER_BYTES 32
#else
#define MJX_REGISTER_BYTES 16
#endif

#if defined(MJX_COMPILED) && MJX_COMPILED == MJX_REGISTER_BYTES
#define MJX_LIBRARY

#include "mjx/model/model.hpp"
#include "mjx/registry.hpp"
#include "mjx/simulator.hpp"

// The stages of step.hpp, in its order, for a scalar and the numbers of its model: declared with `extern` as linkage, instantiated without.
#define MJX_STAGES(linkage, S, Real)                                                              \
    linkage template void reset(const Model<Real>&, Data<S, Model<Real>>&);                       \
    linkage template void reset_keyframe(const Model<Real>&, Data<S, Model<Real>>&, int);         \
    linkage template void wake_disturbed(const Model<Real>&, Data<S, Model<Real>>&);              \
    linkage template void kinematics(const Model<Real>&, Data<S, Model<Real>>&);                  \
    linkage template void com_pos(const Model<Real>&, Data<S, Model<Real>>&);                     \
    linkage template void cameras(const Model<Real>&, Data<S, Model<Real>>&);                     \
    linkage template void lights(const Model<Real>&, Data<S, Model<Real>>&);                      \
    linkage template void tendon(const Model<Real>&, Data<S, Model<Real>>&);                      \
    linkage template void crba(const Model<Real>&, Data<S, Model<Real>>&);                        \
    linkage template void tendon_armature(const Model<Real>&, Data<S, Model<Real>>&);             \
    linkage template void factor(const Model<Real>&, Data<S, Model<Real>>&);                      \
    linkage template void collision(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);  \
    linkage template void make_constraint(const Model<Real>&, Data<S, Model<Real>>&, int, bool);  \
    linkage template bool wake_coupled(const Model<Real>&, Data<S, Model<Real>>&);                \
    linkage template void transmission(const Model<Real>&, Data<S, Model<Real>>&);                \
    linkage template void sensor_pos(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&); \
    linkage template void tendon_velocity(const Model<Real>&, Data<S, Model<Real>>&);             \
    linkage template void actuator_velocity(const Model<Real>&, Data<S, Model<Real>>&);           \
    linkage template void com_vel(const Model<Real>&, Data<S, Model<Real>>&);                     \
    linkage template void passive(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);    \
    linkage template void reference_constraint(const Model<Real>&, Data<S, Model<Real>>&);        \
    linkage template void rne(const Model<Real>&, Data<S, Model<Real>>&);                         \
    linkage template void tendon_bias(const Model<Real>&, Data<S, Model<Real>>&);                 \
    linkage template void sensor_vel(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&); \
    linkage template void energy(const Model<Real>&, Data<S, Model<Real>>&);                      \
    linkage template void actuation(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);  \
    linkage template void acceleration(const Model<Real>&, Data<S, Model<Real>>&);                \
    linkage template void sensor_acc(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);

// Whole steps with a solver, and what derivatives take of them.
#define MJX_STEPS(linkage, S, Real, Solver)                                                                         \
    linkage template void forward_position<Solver>(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);     \
    linkage template void forward_velocity<Solver>(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);     \
    linkage template void forward_acceleration<Solver>(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&); \
    linkage template void forward<Solver>(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);              \
    linkage template void step1<Solver>(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);                \
    MJX_STEP(linkage, S, Real, Euler, Solver)                                                                       \
    MJX_STEP(linkage, S, Real, RK4, Solver)                                                                         \
    MJX_STEP(linkage, S, Real, Implicit, Solver)                                                                    \
    MJX_STEP(linkage, S, Real, ImplicitFast, Solver)                                                                \
    MJX_STEP(linkage, S, Real, Discrete, Solver)                                                                    \
    MJX_STEP(linkage, S, Real, ImplicitSpringDamper, Solver)
#define MJX_STEP(linkage, S, Real, Integrator, Solver)                                                           \
    linkage template void step2<Integrator, Solver>(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&); \
    linkage template void step<Integrator, Solver>(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);

// The sources of the library define one of these as nothing: the part they instantiate.
#ifndef MJX_COMPILED_STAGES
#define MJX_COMPILED_STAGES extern
#endif
#ifndef MJX_COMPILED_STEPS
#define MJX_COMPILED_STEPS extern
#endif

namespace mjx::inner {

MJX_STAGES(MJX_COMPILED_STAGES, double, double)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, PGS)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, CG)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, Newton)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, CachedPGS)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, Penalty)

}  // namespace mjx::inner

#endif
