// Euler: semi-implicit, with joint damping integrated implicitly.
//
// Reads   qacc, M, qfrc_smooth, qfrc_constraint, qvel
// Writes  qvel, qpos, time (and qH, its factors)
// v' = v + h (M + h B)⁻¹ (f + f_constraint), B = d(damper force)/dv on the diagonal; then q' = q ⊕ h v' (MuJoCo, computation
// chapter: "Numerical integration").
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/model/types.hpp"
#include "mjx/stage/actuator_damping.hpp"

namespace mjx::inner {

struct Euler {
    static constexpr int type = integrator_type::euler;
    static constexpr const char* name = "Euler";

    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        using S = typename D::scalar;
        const mask_t<S> damped(implicitly_damped(m));
        if (m.opt.disabled(disable::eulerdamp) || m.opt.disabled(disable::damper) || !any(damped)) {
            advance(m, d, d.act_dot, d.qacc, d.qvel);
            return;
        }
        over_dofs<S>(m, [&](auto i) {
            const auto b = dof_total_damping(m, i);
            const S slope = poly_slope(b.linear, b.poly, d.qvel[i], Parity::even);
            d.qHDiagInv[i] = select(damped, slope, S(0)) * m.opt.timestep;
            d.work_nv[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        });
        factor_ldl(m, d.M, d.qHDiagInv, d.qH, d.qHDiagInv);
        solve_ldl(m, d.qH, d.qHDiagInv, d.work_nv);
        advance(m, d, d.act_dot, d.work_nv, d.qvel);
    }
};

}  // namespace mjx::inner
