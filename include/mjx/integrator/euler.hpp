// Euler: semi-implicit, with joint damping integrated implicitly.
//
// Reads   qacc, M, qfrc_smooth, qfrc_constraint, qvel
// Writes  qvel, qpos, act, time (and qH, its factors)
// v' = v + h (M + h B)⁻¹ (f + f_constraint), B = d(damper force)/dv on the diagonal; then q' = q ⊕ h v' (MuJoCo, computation
// chapter: "Numerical integration").
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/integrator/integrator.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/model/types.hpp"
#include "mjx/stage/actuator_damping.hpp"
#include "mjx/stage/factor.hpp"

namespace mjx::inner {

template <class S, class M>
struct EulerWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<S, Dim::nv> damping{at};  // h d(damper force)/dv
    array<S, Dim::nv> qacc{at};     // of the implicit step
};

struct Euler : IntegratorDefaults {
    static constexpr int type = integrator_type::euler;
    static constexpr bool keeps_slopes = false;
    static constexpr const char* name = integrator_names[type];
    template <class S, class M>
    using work = EulerWork<S, M>;

    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        integrate(m, d);
    }
    template <class M, class D>
    static void integrate(const M& m, D& d) {  // one code whatever the solver
        using S = typename D::scalar;
        const mask_t<S> damped(implicitly_damped(m));
        if (m.opt.disabled(disable::eulerdamp) || m.opt.disabled(disable::damper) || !any(damped)) {
            advance(m, d, d.act_dot, d.qacc, d.qvel);
            return;
        }
        const auto w = borrow<EulerWork>(m, d);
        if (has_plain_damping<S>(m))
            for (int i = 0; i < m.nv; ++i) w->damping[i] = m.dof_damping[i] * m.opt.timestep;
        else
            over_dofs<S>(m, [&](auto i) {
                const auto b = dof_total_damping(m, i);
                const S slope = poly_slope(b.linear, b.poly, d.qvel[i], Parity::even);
                w->damping[i] = select(damped, slope, S(0)) * m.opt.timestep;
            });
        advance_by_system(m, d, w->qacc, [&](auto& qacc) {
            factor_inertia(m, d, w->damping, d.qH, d.qHDiagInv);
            solve_ldl(m, d.qH, d.qHDiagInv, qacc);
        });
    }

    template <class M, class D, class Force>
    static bool continuous_force(const M& m, const D& d, Force& force) {
        using S = typename D::scalar;
        const mask_t<S> damped(implicitly_damped(m));
        multiply_symmetric(m, d.M, d.qacc, force);
        if (!m.opt.disabled(disable::eulerdamp))  // as in MuJoCo, even where dampers are disabled
            for (int i = 0; i < m.nv; ++i) {
                const auto b = dof_total_damping(m, i);
                const S slope = poly_slope(b.linear, b.poly, d.qvel[i], Parity::even);
                force[i] += select(damped, slope, S(0)) * m.opt.timestep * d.qacc[i];
            }
        return true;
    }
};

}  // namespace mjx::inner
