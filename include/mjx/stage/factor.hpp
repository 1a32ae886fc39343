// The factors of the inertia matrix.
//
// Reads   M
// Writes  qLD, qLDiagInv
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/stage/same_frames.hpp"
#include "mjx/stage/tendon_armature.hpp"

namespace mjx::inner {

// The factor of M plus a diagonal.
template <class M, class D, class Diagonal, class A, class V>
void factor_inertia(const M& m, const D& d, const Diagonal& diagonal, A& a, V& inverse) {
    const bool coupled = tendons_have_armature(m);
    factor_ldl(m, d.M, diagonal, a, inverse, [&](int i) { return !coupled && stands_alone(m, i); });
}

template <class M, class D>
void factor(const M& m, D& d) {
    factor_inertia(m, d, no_diagonal{}, d.qLD, d.qLDiagInv);
}

}  // namespace mjx::inner
