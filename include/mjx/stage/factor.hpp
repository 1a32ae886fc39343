// The factors of the inertia matrix.
//
// Reads   M
// Writes  qLD, qLDiagInv
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/stage/same_frames.hpp"
#include "mjx/stage/tendon_armature.hpp"

namespace mjx::inner {

// Whether dof i has nothing but its diagonal in M and in its factor.
template <class M>
class LoneDofs {
  public:
    explicit LoneDofs(const M& m) : m_(m) {}
    [[gnu::always_inline]] bool operator()(int i) {
        if (!stands_alone(m_, i)) return false;
        if (coupled_ < 0) coupled_ = tendons_have_armature(m_);
        return coupled_ == 0;
    }

  private:
    const M& m_;
    int coupled_ = -1;  // by a tendon; not known before it matters
};

// The factor of M plus a diagonal.
template <class M, class D, class Diagonal, class A, class V>
void factor_inertia(const M& m, const D& d, const Diagonal& diagonal, A& a, V& inverse) {
    factor_ldl(m, d.M, diagonal, a, inverse, LoneDofs<M>(m));
}

template <class M, class D>
void factor(const M& m, D& d) {
    factor_inertia(m, d, no_diagonal{}, d.qLD, d.qLDiagInv);
}

}  // namespace mjx::inner
