// What a program gets compiled: where MJX_COMPILED is defined, a library holds the functions declared here, and a program that calls them
// compiles in a third of the time. The CMake target mjx::mjx defines the one and links the other; mjx::headers does neither. The library
// has the pipeline for Model<double>; where MJX_COMPILED_ALL is defined too, also that on dual<double, 7> and the analytic derivatives,
// declared by derivatives.hpp, and that on pack<float>, declared by batch.hpp. Nothing else changes: what is not declared (other scalars,
// other joints, hooks of one's own in the stages that call them) is instantiated where it is used, as ever.
//
// MJX_COMPILED is the width in bytes of the registers that the library was compiled for. A file compiled for other ones gets its own
// instantiations, so that flags such as -march=native are not lost on the step.
//
// Where MJX_COMPILED_WIDE is defined, the library has the steps on double for AVX2 as well, and takes them where the machine has it. They
// are made of the same headers in a namespace of their own (cmake/compiled/wide.cpp): the linker cannot take one for the other, and both
// have Model and Data in the same places.
#pragma once

#ifdef __AVX512F__
#define MJX_REGISTER_BYTES 64
#elif defined(__AVX__)
#define MJX_REGISTER_BYTES 32
#else
#define MJX_REGISTER_BYTES 16
#endif

// What there is of wide steps, as f(part of a step, a name for its types, the types).
#define MJX_WIDE_STEPS(f, Solver)                                                                                                        \
    f(forward, Solver, Solver) f(forward, Discrete##Solver, InEffectiveInertia<Solver>) f(step1, Solver, Solver)                         \
        f(step1, Discrete##Solver, InEffectiveInertia<Solver>) f(step2, Euler##Solver, Euler, Solver) f(step2, RK4##Solver, RK4, Solver) \
            f(step2, Implicit##Solver, Implicit, Solver) f(step2, ImplicitFast##Solver, ImplicitFast, Solver)                            \
                f(step2, Discrete##Solver, Discrete, Solver) f(step2, ImplicitSpringDamper##Solver, ImplicitSpringDamper, Solver)

#if defined(MJX_COMPILED) && MJX_COMPILED == MJX_REGISTER_BYTES
#define MJX_LIBRARY

#include "mjx/model/cast.hpp"
#include "mjx/model/model.hpp"
#include "mjx/registry.hpp"
#include "mjx/simulator.hpp"

// The data and the stages of step.hpp, in its order, then what integrators share, for a scalar and the numbers of its model: declared with
// `extern` as linkage, instantiated without. A class template's members are declared so where they are defined outside of it.
#define MJX_STAGES(linkage, S, Real)                                                                                                      \
    linkage template Data<S, Model<Real>>::Data(const Model<Real>&, std::size_t);                                                         \
    linkage template Data<S, Model<Real>>::Data(const Data<S, Model<Real>>&);                                                             \
    linkage template void reset(const Model<Real>&, Data<S, Model<Real>>&);                                                               \
    linkage template void reset_keyframe(const Model<Real>&, Data<S, Model<Real>>&, int);                                                 \
    linkage template void wake_disturbed(const Model<Real>&, Data<S, Model<Real>>&);                                                      \
    linkage template void kinematics(const Model<Real>&, Data<S, Model<Real>>&);                                                          \
    linkage template void com_pos(const Model<Real>&, Data<S, Model<Real>>&);                                                             \
    linkage template void cameras(const Model<Real>&, Data<S, Model<Real>>&);                                                             \
    linkage template void lights(const Model<Real>&, Data<S, Model<Real>>&);                                                              \
    linkage template void tendon(const Model<Real>&, Data<S, Model<Real>>&);                                                              \
    linkage template void crba(const Model<Real>&, Data<S, Model<Real>>&);                                                                \
    linkage template void tendon_armature(const Model<Real>&, Data<S, Model<Real>>&);                                                     \
    linkage template void factor(const Model<Real>&, Data<S, Model<Real>>&);                                                              \
    linkage template void collision(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);                                          \
    linkage template void make_constraint(const Model<Real>&, Data<S, Model<Real>>&, int, bool);                                          \
    linkage template bool wake_coupled(const Model<Real>&, Data<S, Model<Real>>&);                                                        \
    linkage template void transmission(const Model<Real>&, Data<S, Model<Real>>&);                                                        \
    linkage template void sensor_pos(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);                                         \
    linkage template void tendon_velocity(const Model<Real>&, Data<S, Model<Real>>&);                                                     \
    linkage template void actuator_velocity(const Model<Real>&, Data<S, Model<Real>>&);                                                   \
    linkage template void com_vel(const Model<Real>&, Data<S, Model<Real>>&);                                                             \
    linkage template void passive(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);                                            \
    linkage template void reference_constraint(const Model<Real>&, Data<S, Model<Real>>&);                                                \
    linkage template void rne(const Model<Real>&, Data<S, Model<Real>>&);                                                                 \
    linkage template void tendon_bias(const Model<Real>&, Data<S, Model<Real>>&);                                                         \
    linkage template void sensor_vel(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);                                         \
    linkage template void energy(const Model<Real>&, Data<S, Model<Real>>&);                                                              \
    linkage template void actuation(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);                                          \
    linkage template void acceleration(const Model<Real>&, Data<S, Model<Real>>&);                                                        \
    linkage template void sensor_acc(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);                                         \
    linkage template void record_sensors(const Model<Real>&, Data<S, Model<Real>>&);                                                      \
    linkage template void bias_derivative_terms(const Model<Real>&, const Data<S, Model<Real>>&, BiasWork<S, Model<Real>>&);              \
    linkage template void subtract_bias_derivative(const Model<Real>&, Data<S, Model<Real>>&, const BiasWork<S, Model<Real>>&, int, int); \
    linkage template void smooth_velocity_derivative_without_bias(const Model<Real>&, Data<S, Model<Real>>&, bool);                       \
    linkage template void smooth_velocity_derivative(const Model<Real>&, Data<S, Model<Real>>&);                                          \
    MJX_REPORTS(linkage, S, Real)
#ifdef __cpp_exceptions
#define MJX_REPORTS(linkage, S, Real) linkage template void WarningReports<S>::look(const Model<Real>&, const Data<S, Model<Real>>&);
#else
#define MJX_REPORTS(linkage, S, Real)
#endif

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
    linkage template void step<Integrator, Solver>(const Model<Real>&, Data<S, Model<Real>>&, const no_hooks&);  \
    linkage template std::size_t space_for<Integrator, Solver, S>(const Model<Real>&);

// The sources of the library define one of these as nothing: the part they instantiate.
#ifndef MJX_COMPILED_STAGES
#define MJX_COMPILED_STAGES extern
#endif
#ifndef MJX_COMPILED_STEPS
#define MJX_COMPILED_STEPS extern
#endif

namespace mjx::inner {

#ifdef MJX_COMPILED_WIDE
extern const bool machine_is_wide;

template <auto* Function>
struct WideFunction {
    static constexpr bool run(const auto&, auto&, const auto&) { return false; }
    static bool run(const Model<double>& m, Data<double, Model<double>>& d, const no_hooks&) {
        if (machine_is_wide) Function(&m, &d);
        return machine_is_wide;
    }
};
#define MJX_WIDE_DECLARED(part, name, ...)                                   \
    extern "C" void mjx_wide_##part##_##name(const void* model, void* data); \
    template <>                                                              \
    struct Wide<Part::part, __VA_ARGS__> : WideFunction<&mjx_wide_##part##_##name> {};
MJX_WIDE_STEPS(MJX_WIDE_DECLARED, PGS)
MJX_WIDE_STEPS(MJX_WIDE_DECLARED, CG)
MJX_WIDE_STEPS(MJX_WIDE_DECLARED, Newton)
#endif

MJX_STAGES(MJX_COMPILED_STAGES, double, double)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, PGS)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, CG)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, Newton)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, CachedPGS)
MJX_STEPS(MJX_COMPILED_STEPS, double, double, Penalty)

}  // namespace mjx::inner

#endif
