// The factors of the inertia matrix.
//
// Reads   M
// Writes  qLD, qLDiagInv
#pragma once

#include "mjx/math/sparse_ldl.hpp"

namespace mjx::inner {

template <class M, class D>
void factor(const M& m, D& d) {
    factor_ldl(m, d.M, no_diagonal{}, d.qLD, d.qLDiagInv);
}

}  // namespace mjx::inner
