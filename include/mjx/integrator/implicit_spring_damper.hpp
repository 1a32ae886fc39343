// ImplicitSpringDamper: joint springs and dampers implicit, everything else explicit. For stiff springs; not one of MuJoCo's.
//
// Reads   M, qfrc_smooth, qfrc_constraint, qpos, qvel
// Writes  qvel, qpos, act, time (and qH)
// (M + h D + h² K) v' = M v + h f - h K (q - q_ref), with D and K the slopes of the joints' damper and spring forces and f all other
// forces; springs of tendons stay in f. Written for the acceleration, with the spring at q and the damper at v left in the forces:
//     (M + h D + h² K) a = f_smooth + f_constraint - h K v.
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/math/sparse_ldl.hpp"
#include "mjx/stage/spring_damper.hpp"

namespace mjx::inner {

template <class S, class M>
struct SpringDamperWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<S, Dim::nv> qacc{at};  // of the implicit step
};

struct ImplicitSpringDamper {
    static constexpr int type = integrator_type::implicit_spring_damper;
    static constexpr const char* name = "implicit_spring_damper";
    template <class S, class M>
    using work = SpringDamperWork<S, M>;

    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        using S = typename D::scalar;
        const auto h = m.opt.timestep;
        const auto w = borrow<SpringDamperWork>(m, d);
        for (int k = 0; k < m.nM; ++k) d.qH[k] = d.M[k];
        for (int i = 0; i < m.nv; ++i) w->qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        const auto diagonal = [&](int i) -> S& { return d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1]; };
        if (!m.opt.disabled(disable::damper))
            for (int i = 0; i < m.nv; ++i) {
                const auto b = dof_total_damping(m, i);
                diagonal(i) += poly_slope(b.linear, b.poly, d.qvel[i], Parity::even) * h;
            }
        if (!m.opt.disabled(disable::spring))
            for (int j = 0; j < m.njnt; ++j)
                if (poly_present(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j])) soften(m, d, j, diagonal, w->qacc);
        factor_ldl(m, d.qH, d.qHDiagInv);
        solve_ldl(m, d.qH, d.qHDiagInv, w->qacc);
        advance(m, d, d.act_dot, w->qacc, d.qvel);
    }

  private:
    // Adds joint j's spring to the system. A spring along a vector is taken as isotropic with its radial slope.
    template <class M, class D, class Diagonal, class Force>
    static void soften(const M& m, D& d, int j, const Diagonal& diagonal, Force& force) {
        using S = typename D::scalar;
        const auto h = m.opt.timestep;
        for_each_displacement(m, d, j, [&](int dof, const auto& x, const S& length) {
            const S K = poly_slope(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j], length, Parity::plain);
            for (int i = dof; i < dof + x.size; ++i) {
                diagonal(i) += K * h * h;
                force[i] -= K * d.qvel[i] * h;
            }
        });
    }
};

}  // namespace mjx::inner
