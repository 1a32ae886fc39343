// What a solver is: a struct with solve(m, d), which finds the constraint forces, and what the pipeline asks it beside that.
//
// A solver derives from SolverDefaults and says where it differs. The pipeline (step.hpp) calls
//     solve(m, d)     reads the rows (efc_*, block_*: constraint/block.hpp) and qacc_smooth, writes qacc, efc_force, qfrc_constraint
// when the rows and the smooth accelerations are known.
#pragma once

#include "mjx/model/types.hpp"

#include <concepts>

namespace mjx::inner {

struct SolverDefaults {
    static constexpr int type = -1;  // its number in solver_type; -1: no file can ask for it
    static constexpr const char* name = "one of the program's own";
    static constexpr bool constrained = true;          // it wants rows; without them there is no collision either
    static constexpr bool shares_rows = false;         // it looks at rows only, so contacts of different lanes may have the same ones
    // it starts from the contact forces of the step before: they are part of the state, and settle(m, d) is solve(m, d) that remembers none
    static constexpr bool remembers_contacts = false;
    static constexpr bool minimizes_cost = false;  // its answer is where the gradient of MuJoCo's cost is zero: derivatives use that
    static constexpr bool primal = false;  // it works on accelerations, so any inertia will do (solver/effective.hpp), not on forces
    static constexpr int friction_cone = -1;  // one of cone::, or the model's
    // template <class S, class M> using work = ...;      the arrays that it works on (data/work.hpp), if it has any
};

template <class T>
concept solver_like = std::derived_from<T, SolverDefaults>;

// The solver's cone, or else the model's.
template <class Solver, class M>
constexpr int cone_of(const M& m) {
    return Solver::friction_cone >= 0 ? Solver::friction_cone : m.opt.cone;
}

// Whether contacts of different lanes have the same rows.
template <class Solver, class M>
constexpr bool shares_rows(const M& m) {
    return Solver::shares_rows && m.opt.noslip_iterations == 0;
}

// WithCone: a solver with its own choice of friction cone, whatever the model says.
//     mjx::Simulator<double, mjx::Euler, mjx::WithCone<mjx::PGS, mjx::cone::elliptic>> sim(model);
// The cone decides which rows a contact has, so it is the pipeline (step.hpp) that asks for it, before the solver runs.
template <class Solver, int Cone>
struct WithCone : Solver {
    static_assert(Cone == inner::cone::pyramidal || Cone == inner::cone::elliptic,
                  "the second parameter of WithCone must be mjx::cone::pyramidal or mjx::cone::elliptic");
    static constexpr int friction_cone = Cone;
};

}  // namespace mjx::inner
