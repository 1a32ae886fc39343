// Implicit: velocities implicit in all smooth forces that depend on them.
//
// Reads   M, qfrc_smooth, qfrc_constraint, what smooth_velocity_derivative reads
// Writes  qvel, qpos, act, time (and qDeriv, qDeriv_upper, qH, qH_upper)
// v' = v + h (M - h D)⁻¹ (f + f_constraint), D = d(passive + actuator - bias)/dv, not symmetric: Coriolis and gyroscopic forces
// belong to it (MuJoCo, computation chapter: "Numerical integration").
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/math/sparse_lu.hpp"
#include "mjx/stage/velocity_derivative.hpp"

namespace mjx::inner {

template <class S, class M>
struct ImplicitWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<S, Dim::nM> upper{at};  // factor of M - h qDeriv, which is not symmetric; the lower one is qH
    array<S, Dim::nv> qacc{at};   // of the implicit step
};

struct Implicit {
    static constexpr int type = integrator_type::implicit;
    static constexpr const char* name = "implicit";
    template <class S, class M>
    using work = ImplicitWork<S, M>;

    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        const auto h = m.opt.timestep;
        smooth_velocity_derivative(m, d);
        const auto w = borrow<ImplicitWork>(m, d);
        for (int k = 0; k < m.nM; ++k) {
            d.qH[k] = d.M[k] - d.qDeriv[k] * h;
            w->upper[k] = d.M[k] - d.qDeriv_upper[k] * h;
        }
        for (int i = 0; i < m.nv; ++i) w->qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        factor_lu(m, d.qH, w->upper, d.qHDiagInv, 0, m.nv);
        solve_lu(m, d.qH, w->upper, d.qHDiagInv, w->qacc, 0, m.nv);
        advance(m, d, d.act_dot, w->qacc, d.qvel);
    }
};

}  // namespace mjx::inner
