// Recursive Newton-Euler: the forces that produce given accelerations (Featherstone 2008, ch. 5.3).
//
// Reads   cinert, cdof, cvel, cdof_dot, qvel (and qacc for inverse dynamics)
// Writes  the result: qfrc_bias (Coriolis, centrifugal and gravity) when there is no acceleration
// Gravity enters as an upward acceleration of the world.
#pragma once

#include "mjx/data/work.hpp"
#include "mjx/math/fours.hpp"
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

#ifdef __AVX__
// Accelerations of bodies, and the forces on each and all that it carries, in registers.
template <bool Accelerated, class M, class D, class Acceleration, class A>
void accumulate_in_fours(const M& m, const D& d, const Acceleration& qacc, A& acceleration, A& force) {
    for (int b = 1; b < m.nbody; ++b) {
        SpatialQuads a(acceleration[m.body_parentid[b]]);
        const int first = m.body_dofadr[b];
        for (int i = first; i < first + m.body_dofnum[b]; ++i) {
            a += SpatialQuads(d.cdof_dot[i]) * d.qvel[i];
            if constexpr (Accelerated) a += SpatialQuads(d.cdof[i]) * qacc[i];
        }
        a.store(acceleration[b]);
    }
    over_fours(
        1, m.nbody, [&](int b) __attribute__((always_inline)) {
            const auto four = [&](auto& x) __attribute__((always_inline)) { return load_four(x[b], x[b + 1], x[b + 2], x[b + 3]); };
            const auto inertia = four(d.cinert);
            const auto velocity = four(d.cvel);
            store_four(inertia * four(acceleration) + cross_force(velocity, inertia * velocity), force[b], force[b + 1], force[b + 2],
                       force[b + 3]);
        });
    for (int b = m.nbody - 1; b > 0; --b) {
        const int parent = m.body_parentid[b];
        if (parent == 0) continue;
        SpatialQuads sum(force[parent]);
        sum += SpatialQuads(force[b]);
        sum.store(force[parent]);
    }
}
#endif

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

    constexpr bool accelerated = !std::is_same_v<Acceleration, no_acceleration>;
    if constexpr (in_fours<M, D>())
        if (m.nbody > 4) {
            accumulate_in_fours<accelerated>(m, d, qacc, acceleration, force);
            for (int i = 0; i < m.nv; ++i) result[i] = dot_of_pairs(d.cdof[i], force[m.dof_bodyid[i]]);
            return;
        }
    // plain loops: their bodies are long enough that knowing the indices gains nothing
    for (int b = 1; b < m.nbody; ++b) {
        Vec6<S> a = acceleration[m.body_parentid[b]];
        const int first = m.body_dofadr[b];
        for (int i = first; i < first + m.body_dofnum[b]; ++i) {
            a += d.cdof_dot[i] * d.qvel[i];
            if constexpr (accelerated) a += d.cdof[i] * qacc[i];
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
