// The pipeline for Model<double> is compiled once: where MJX_COMPILED is defined, a library holds the functions declared here, and a
// program that calls them compiles in a third of the time. The CMake target mjx::mjx defines the one and links the other; mjx::headers
// does neither. Nothing else changes: what is not declared here (other scalars, other joints, hooks of one's own in the stages that
// call them) is instantiated where it is used, as ever.
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

#include "mjx/model/model.hpp"
#include "mjx/registry.hpp"
#include "mjx/simulator.hpp"

// The sources of the library define MJX_COMPILED_STAGES or MJX_COMPILED_STEPS as nothing, for the half they instantiate.
#ifndef MJX_COMPILED_STAGES
#define MJX_COMPILED_STAGES extern
#endif
#ifndef MJX_COMPILED_STEPS
#define MJX_COMPILED_STEPS extern
#endif

namespace mjx::inner {

MJX_COMPILED_STAGES template void reset(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void reset_keyframe(const Model<>&, Data<double, Model<>>&, int);

// The stages of step.hpp, in its order.
MJX_COMPILED_STAGES template void wake_disturbed(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void kinematics(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void com_pos(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void cameras(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void lights(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void tendon(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void crba(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void tendon_armature(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void factor(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void collision(const Model<>&, Data<double, Model<>>&, const no_hooks&);
MJX_COMPILED_STAGES template void make_constraint(const Model<>&, Data<double, Model<>>&, int, bool);
MJX_COMPILED_STAGES template bool wake_coupled(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void transmission(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void sensor_pos(const Model<>&, Data<double, Model<>>&, const no_hooks&);
MJX_COMPILED_STAGES template void tendon_velocity(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void actuator_velocity(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void com_vel(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void passive(const Model<>&, Data<double, Model<>>&, const no_hooks&);
MJX_COMPILED_STAGES template void reference_constraint(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void rne(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void tendon_bias(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void sensor_vel(const Model<>&, Data<double, Model<>>&, const no_hooks&);
MJX_COMPILED_STAGES template void energy(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void actuation(const Model<>&, Data<double, Model<>>&, const no_hooks&);
MJX_COMPILED_STAGES template void acceleration(const Model<>&, Data<double, Model<>>&);
MJX_COMPILED_STAGES template void sensor_acc(const Model<>&, Data<double, Model<>>&, const no_hooks&);

// Whole steps, for every integrator and solver.
#define MJX_SOLVER(Solver)                                                                                     \
    MJX_COMPILED_STEPS template void forward<Solver>(const Model<>&, Data<double, Model<>>&, const no_hooks&); \
    MJX_COMPILED_STEPS template void step1<Solver>(const Model<>&, Data<double, Model<>>&, const no_hooks&);   \
    MJX_INTEGRATOR(Euler, Solver)                                                                              \
    MJX_INTEGRATOR(RK4, Solver)                                                                                \
    MJX_INTEGRATOR(Implicit, Solver)                                                                           \
    MJX_INTEGRATOR(ImplicitFast, Solver)                                                                       \
    MJX_INTEGRATOR(ImplicitSpringDamper, Solver)
#define MJX_INTEGRATOR(Integrator, Solver)                                                                               \
    MJX_COMPILED_STEPS template void step2<Integrator, Solver>(const Model<>&, Data<double, Model<>>&, const no_hooks&); \
    MJX_COMPILED_STEPS template void step<Integrator, Solver>(const Model<>&, Data<double, Model<>>&, const no_hooks&);
MJX_SOLVER(PGS)
MJX_SOLVER(CG)
MJX_SOLVER(Newton)
MJX_SOLVER(CachedPGS)
MJX_SOLVER(Penalty)
#undef MJX_SOLVER
#undef MJX_INTEGRATOR
#undef MJX_COMPILED_STAGES
#undef MJX_COMPILED_STEPS

}  // namespace mjx::inner

#endif
