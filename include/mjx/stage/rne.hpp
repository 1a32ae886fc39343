// Recursive Newton-Euler: the forces that produce given accelerations (Featherstone 2008, ch. 5.3).
//
// Reads   cinert, cdof, cvel, cdof_dot, qvel (and qacc for inverse dynamics)
// Writes  the result: qfrc_bias (Coriolis, centrifugal and gravity) when there is no acceleration
// Gravity enters as an upward acceleration of the world.
#pragma once

#include "mjx/data/work.hpp"
#include "mjx/math/spatial.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

template <class S, class M>
struct RneWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<Vec6<S>, Dim::nbody> acceleration{at};
    array<Vec6<S>, Dim::nbody> force{at};
};

struct no_acceleration {};

// result = M qacc + bias; pass no_acceleration for the bias alone.
template <class M, class D, class Acceleration, class Result>
void rne(const M& m, D& d, const Acceleration& qacc, Result& result) {
    using S = typename D::scalar;
    const auto w = borrow<RneWork>(m, d);
    auto& acceleration = w->acceleration;
    auto& force = w->force;

    acceleration[0] = force[0] = Vec6<S>::zero();
    if (!m.opt.disabled(disable::gravity))
        for (int k = 0; k < 3; ++k) acceleration[0][3 + k] = S(-m.opt.gravity[k]);

    // plain loops: their bodies are long enough that knowing the indices gains nothing
    for (int b = 1; b < m.nbody; ++b) {
        Vec6<S> a = acceleration[m.body_parentid[b]];
        const int first = m.body_dofadr[b];
        for (int i = first; i < first + m.body_dofnum[b]; ++i) {
            a += d.cdof_dot[i] * d.qvel[i];
            if constexpr (!std::is_same_v<Acceleration, no_acceleration>) a += d.cdof[i] * qacc[i];
        }
        acceleration[b] = a;
        force[b] = d.cinert[b] * a + cross_force(d.cvel[b], d.cinert[b] * d.cvel[b]);
    }
    for (int b = m.nbody - 1; b > 0; --b)
        if (m.body_parentid[b] > 0) force[m.body_parentid[b]] += force[b];
    for (int i = 0; i < m.nv; ++i) result[i] = dot(d.cdof[i], force[m.dof_bodyid[i]]);
}

template <class M, class D>
void rne(const M& m, D& d) {
    rne(m, d, no_acceleration{}, d.qfrc_bias);
}

}  // namespace mjx::inner
