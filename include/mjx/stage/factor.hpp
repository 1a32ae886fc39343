// The factors of the inertia matrix.
//
// Reads   M
// Writes  qLD, qLDiagInv
#pragma once

#include "mjx/math/sparse_ldl.hpp"

namespace mjx {

template <class M, class D>
void factor(const M& m, D& d) {
    for (int k = 0; k < m.nM; ++k) d.qLD[k] = d.M[k];
    factor_ldl(m, d.qLD, d.qLDiagInv);
}

}  // namespace mjx
