// The constraint solvers: the third parameter of Simulator.
//
//     Newton, CG             MuJoCo's convex problem over accelerations; Newton is MuJoCo's default
//     PGS                    the same problem over forces, row by row; CachedPGS starts from the forces of the contacts of the step before
//     Penalty                springs and dampers in place of constraints
//     Unconstrained          no constraints, no collision
//     WithCone<PGS, mjx::cone::elliptic>     a solver with its own choice of friction cone
//
// One's own derives from SolverDefaults (solver/solver.hpp: what it may say of itself) and has solve(m, d). It reads the rows, efc_* and
// block_* (constraint/block.hpp), and qacc_smooth, and writes qacc, efc_force and qfrc_constraint. Arrays that it works on and nobody reads
// afterwards are a struct beside it, borrowed while it runs (data/work.hpp):
//
//     template <class S, class M>
//     struct PushWork {
//         mjx::WorkPlace<M>* at;
//         mjx::WorkArray<S, mjx::Dim::njmax, S, M> residual{at};      // of the rows; mjx::Dim::nv for dofs, or a function of one's own
//     };
//     struct Push : mjx::SolverDefaults {
//         template <class S, class M> using work = PushWork<S, M>;    // Data makes room for it
//         template <class M, class D> static void solve(const M& m, D& d) {
//             const auto w = mjx::borrow<PushWork>(m, d);
//             mjx::jacobian_product<typename D::scalar>(d, d.qacc_smooth, w->residual);               // J qacc_smooth
//             ...                                                                                     // efc_force from it
//             mjx::jacobian_transpose_product<typename D::scalar>(m, d, d.efc_force, d.qfrc_constraint);
//             ...                                                     // qacc: mjx::solve_ldl(m, d.qLD, d.qLDiagInv, x) is M⁻¹ x, in place
//         }
//     };
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/data/work.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/model/types.hpp"
#include "mjx/solver/cg.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/solver/pgs.hpp"
#include "mjx/solver/solver.hpp"
#include "mjx/solver/unconstrained.hpp"

namespace mjx {

using inner::CachedPGS;
using inner::CG;
using inner::LiteralPenalty;
using inner::Newton;
using inner::Penalty;
using inner::PGS;
using inner::Unconstrained;
using inner::WithCone;

namespace cone = inner::cone;

// For one's own.
using inner::borrow;
using inner::Dim;
using inner::jacobian_product;
using inner::jacobian_transpose_product;
using inner::solve_ldl;
using inner::SolverDefaults;
using inner::WorkArray;
using inner::WorkPlace;

}  // namespace mjx
