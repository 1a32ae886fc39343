// WithCone: a solver with its own choice of friction cone, whatever the model says.
//
//     mjx::Simulator<double, mjx::Euler, mjx::WithCone<mjx::PGS, mjx::cone::elliptic>> sim(model);
//
// The cone decides which rows a contact has, so it is the pipeline (step.hpp) that asks for it, before the solver runs.
#pragma once

#include "mjx/model/types.hpp"

namespace mjx::inner {

template <class Solver, int Cone>
struct WithCone : Solver {
    static_assert(Cone == inner::cone::pyramidal || Cone == inner::cone::elliptic,
                  "the second parameter of WithCone must be mjx::cone::pyramidal or mjx::cone::elliptic");
    static constexpr int friction_cone = Cone;
};

// The solver's cone, or else the model's.
template <class Solver, class M>
constexpr int cone_of(const M& m) {
    if constexpr (requires { Solver::friction_cone; })
        return Solver::friction_cone;
    else
        return m.opt.cone;
}

// Whether contacts of different lanes may have the same rows: the primal solvers look at rows only.
template <class Solver, class M>
constexpr bool shares_rows(const M& m) {
    if constexpr (requires { Solver::shares_rows; })
        return m.opt.noslip_iterations == 0;
    else
        return false;
}

// Whether a solver starts from the contact forces of the step before, which are then part of the state.
template <class Solver>
constexpr bool remembers_contacts() {
    if constexpr (requires { Solver::remembers_contacts; })
        return Solver::remembers_contacts;
    else
        return false;
}

}  // namespace mjx::inner
