// ImplicitSpringDamper: joint springs and dampers implicit, everything else explicit. For stiff springs; not one of MuJoCo's.
//
// Reads   M, qfrc_smooth, qfrc_constraint, qpos, qvel
// Writes  qvel, qpos, act, time (and qH); qacc, which is (v' - v)/h after the step
// (M + h D + h² K) v' = M v + h f - h K (q - q_ref), with D and K the slopes of the joints' damper and spring forces and f all other
// forces; springs of tendons stay in f. Written for the acceleration, with the spring at q and the damper at v left in the forces:
//     (M + h D + h² K) a = f_smooth + f_constraint - h K v.
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/integrator/integrator.hpp"
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

struct ImplicitSpringDamper : IntegratorDefaults {
    static constexpr int type = integrator_type::implicit_spring_damper;
    static constexpr const char* name = integrator_names[type];
    template <class S, class M>
    using work = SpringDamperWork<S, M>;

    static constexpr bool implicit_springs = true;
    template <class M, class D>
    static void implicit_part(const M&, D&) {}
    // The system to be solved: M + h D + h² K in qH, and h K v off the force.
    template <class M, class D, class U, class Force>
    static void system(const M& m, D& d, U&&, Force& force) {
        using S = typename D::scalar;
        const auto h = m.opt.timestep;
        for (int k = 0; k < m.nM; ++k) d.qH[k] = d.M[k];
        const auto diagonal = [&](int i) -> S& { return d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1]; };
        for_each_damper(m, d, [&](int i, const S& slope) { diagonal(i) += slope * h; });
        for_each_spring(m, d, [&](int i, const S& K) {
            diagonal(i) += K * h * h;
            force[i] -= K * d.qvel[i] * h;
        });
    }
    template <class M>
    static constexpr bool is_symmetric(const M&, int) {
        return true;
    }

    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        integrate(m, d);
    }
    template <class M, class D>
    static void integrate(const M& m, D& d) {  // one code whatever the solver
        const auto w = borrow<SpringDamperWork>(m, d);
        advance_by_system(m, d, w->qacc, [&](auto& qacc) {
            system(m, d, d.qH, qacc);
            factor_ldl(m, d.qH, d.qHDiagInv);
            solve_ldl(m, d.qH, d.qHDiagInv, qacc);
        });
        for (int i = 0; i < m.nv; ++i)
            if (!dof_sleeps(m, d, i)) d.qacc[i] = w->qacc[i];
    }

    template <class M, class D, class Force>
    static bool continuous_force(const M& m, const D& d, Force& force) {
        using S = typename D::scalar;
        const auto h = m.opt.timestep;
        multiply_symmetric(m, d.M, d.qacc, force);
        for_each_damper(m, d, [&](int i, const S& slope) { force[i] += slope * h * d.qacc[i]; });
        for_each_spring(m, d, [&](int i, const S& K) { force[i] += K * h * (d.qacc[i] * h + d.qvel[i]); });
        return true;
    }

  private:
    // f(i, slope of the damper) for each dof.
    template <class M, class D, class F>
    static void for_each_damper(const M& m, const D& d, F&& f) {
        if (m.opt.disabled(disable::damper)) return;
        for (int i = 0; i < m.nv; ++i) {
            const auto b = dof_total_damping(m, i);
            f(i, poly_slope(b.linear, b.poly, d.qvel[i], Parity::even));
        }
    }
    // f(i, slope of the spring) for each dof of a joint that has one. A spring along a vector is taken as isotropic with its radial slope.
    template <class M, class D, class F>
    static void for_each_spring(const M& m, const D& d, F&& f) {
        using S = typename D::scalar;
        if (m.opt.disabled(disable::spring)) return;
        for (int j = 0; j < m.njnt; ++j)
            if (poly_present(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j]))
                for_each_displacement(m, d, j, [&](int dof, const auto& x, const S& length) {
                    const S K = poly_slope(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j], length, Parity::plain);
                    for (int i = dof; i < dof + x.size; ++i) f(i, K);
                });
    }
};

}  // namespace mjx::inner
