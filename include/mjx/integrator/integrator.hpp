// What an integrator is: a struct with integrate(m, d, forward), which takes the state one step further.
//
// An integrator derives from IntegratorDefaults and has
//     integrate(m, d, forward)          ends in advance(m, d, act_dot, qacc, qvel), the rates over the step; forward() evaluates the
//                                       forces at the state in d once more
//     continuous_force(m, d, force)     for discrete inverse dynamics (solver/inverse.hpp), where qacc is what its step made of the
//                                       velocity, (v' - v)/h: force = M a with the acceleration a that the step started from; false
//                                       if the one does not follow from the other
// Where its qacc is no acceleration to start from it may have inverse(m, d), inverse dynamics as a whole, in the place of the latter.
#pragma once

#include "mjx/model/types.hpp"

#include <concepts>

namespace mjx::inner {

struct IntegratorDefaults {
    static constexpr int type = -1;  // its number in integrator_type; -1: no file can ask for it
    static constexpr const char* name = "one of the program's own";
    static constexpr bool keeps_slopes = true;  // it needs qDeriv
    // The solver as its steps have it: another one that derives from it, where the integrator has a part in the solution.
    template <class Solver>
    using solver = Solver;
    // template <class S, class M> using work = ...;      the arrays that it works on (data/work.hpp), if it has any
};

template <class Integrator, class Solver>
using solver_of = typename Integrator::template solver<Solver>;

template <class T>
concept integrator_like = std::derived_from<T, IntegratorDefaults>;

}  // namespace mjx::inner
