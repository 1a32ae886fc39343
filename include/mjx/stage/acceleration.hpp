// The acceleration without constraints.
//
// Reads   qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied, qLD
// Writes  qfrc_smooth, qacc_smooth
#pragma once

#include "mjx/math/quad.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/stage/factor.hpp"
#include "mjx/stage/jacobian.hpp"
#include "mjx/stage/sleep.hpp"

namespace mjx::inner {

// qfrc += what the user's forces and torques at the bodies' centres of mass do to the joints.
template <class M, class D, class Q>
void add_applied_forces(const M& m, const D& d, Q& qfrc) {
    using S = typename D::scalar;
    if constexpr (!M::is_fixed && !has_derivative<S>)  // as a rule
        if (all_zero(d.xfrc_applied[0].e, 6 * m.nbody)) return;
    for (int b = 1; b < m.nbody; ++b) {
        const Vec6<S>& x = d.xfrc_applied[b];  // force first
        mask_t<S> still(true);
        for (int k = 0; k < 6; ++k) still = still & (x[k] == S(0));
        if (!all(still) || has_derivative<S>) apply_force(m, d, b, d.xipos[b], angular(x), linear(x), qfrc);
    }
}

template <class M, class D>
void acceleration(const M& m, D& d) {
    for (int i = 0; i < m.nv; ++i) d.qfrc_smooth[i] = d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i];
    add_applied_forces(m, d, d.qfrc_smooth);
    for (int i = 0; i < m.nv; ++i) d.qacc_smooth[i] = d.qfrc_smooth[i];
    solve_ldl(m, d.qLD, d.qLDiagInv, d.qacc_smooth, LoneDofs<M>(m));
    if (!some_sleep(m, d)) return;
    for (int i = 0; i < m.nv; ++i)
        if (dof_sleeps(m, d, i)) d.qfrc_smooth[i] = d.qacc_smooth[i] = typename D::scalar(0);
}

}  // namespace mjx::inner
