// Implicit: velocities implicit in all smooth forces that depend on them.
//
// Reads   M, qfrc_smooth, qfrc_constraint, what smooth_velocity_derivative reads
// Writes  qvel, qpos, act, time (and qDeriv, qDeriv_upper, qH)
// v' = v + h (M - h D)⁻¹ (f + f_constraint), D = d(passive + actuator - bias)/dv, not symmetric: Coriolis and gyroscopic forces
// belong to it (MuJoCo, computation chapter: "Numerical integration").
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/integrator/integrator.hpp"
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

// y = (M - h D) x with the derivatives in qDeriv (lower triangle) and, for rows where `full`, qDeriv_upper.
template <class M, class D, class X, class Y, class Full>
void multiply_implicit(const M& m, const D& d, const X& x, Y& y, Full&& full) {
    const auto h = m.opt.timestep;
    for (int i = 0; i < m.nv; ++i) {
        const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        auto sum = (d.M[row + last] - d.qDeriv[row + last] * h) * x[i];
        for (int c = 0; c < last; ++c) {
            const int j = m.M_colind[row + c];
            const auto lower = d.M[row + c] - d.qDeriv[row + c] * h;
            sum += lower * x[j];
            y[j] += (full(i) ? d.M[row + c] - d.qDeriv_upper[row + c] * h : lower) * x[i];
        }
        y[i] = sum;
    }
}

// M - h D: its lower triangle in qH, the upper in `upper`.
template <class M, class D, class U>
void make_implicit(const M& m, D& d, U& upper) {
    const auto h = m.opt.timestep;
    for (int k = 0; k < m.nM; ++k) {
        d.qH[k] = d.M[k] - d.qDeriv[k] * h;
        upper[k] = d.M[k] - d.qDeriv_upper[k] * h;
    }
}

struct Implicit : IntegratorDefaults {
    static constexpr int type = integrator_type::implicit;
    static constexpr const char* name = integrator_names[type];
    template <class S, class M>
    using work = ImplicitWork<S, M>;

    static constexpr bool implicit_bias = true;
    // What is taken implicitly: D.
    template <class M, class D>
    static void implicit_part(const M& m, D& d) {
        smooth_velocity_derivative(m, d);
    }
    // The system to be solved after that: M - h D in qH and `upper`.
    template <class M, class D, class U, class Force>
    static void system(const M& m, D& d, U& upper, Force&) {
        make_implicit(m, d, upper);
    }
    // Whether the lower triangle says all of dof i.
    template <class M>
    static constexpr bool is_symmetric(const M&, int) {
        return false;
    }

    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        integrate(m, d);
    }
    template <class M, class D>
    static void integrate(const M& m, D& d) {  // one code whatever the solver
        implicit_part(m, d);
        const auto w = borrow<ImplicitWork>(m, d);
        advance_by_system(m, d, w->qacc, [&](auto& qacc) {
            system(m, d, w->upper, qacc);
            factor_lu(m, d.qH, w->upper, d.qHDiagInv, 0, m.nv);
            solve_lu(m, d.qH, w->upper, d.qHDiagInv, qacc, 0, m.nv);
        });
    }

    template <class M, class D, class Force>
    static bool continuous_force(const M& m, D& d, Force& force) {
        implicit_part(m, d);
        multiply_implicit(m, d, d.qacc, force, [](int) { return true; });
        return true;
    }
};

}  // namespace mjx::inner
