// Centres of mass, and spatial quantities about them.
//
// Reads   xipos, ximat, xmat, xanchor, xaxis
// Writes  subtree_com, cinert, cdof
// Inertias and motion axes of a tree are expressed in world axes about the com of the whole tree (subtree_com of the root), so
// that later recursions add them without transforming (MuJoCo, computation chapter; Featherstone 2008, ch. 2).
#pragma once

#include "mjx/math/fours.hpp"

namespace mjx::inner {

// The inertia of every body about its tree's com.
template <class M, class D>
void body_inertias(const M& m, D& d) {
    using S = typename D::scalar;
    d.cinert[0] = Inertia<S>::zero();
#ifdef __AVX__
    if constexpr (in_fours<M, D>())
        if (m.nbody > 4)
            return over_fours(
                1, m.nbody, [&](int b) __attribute__((always_inline)) {
                    const auto four = [&](auto& x) __attribute__((always_inline)) { return load_four(x[b], x[b + 1], x[b + 2], x[b + 3]); };
                    const auto com = [&](int i) __attribute__((always_inline)) { return &d.subtree_com[m.body_rootid[i]]; };
                    const auto offset = four(d.xipos) - load_four(*com(b), *com(b + 1), *com(b + 2), *com(b + 3));
                    quad<S> mass;
                    load_quad(mass, &m.body_mass[b]);
                    store_four(body_inertia(four(m.body_inertia), mass, four(d.ximat), offset), d.cinert[b], d.cinert[b + 1],
                               d.cinert[b + 2], d.cinert[b + 3]);
                });
#endif
    for (int b = 1; b < m.nbody; ++b) {
        const Vec3<S> offset = d.xipos[b] - d.subtree_com[m.body_rootid[b]];
        d.cinert[b] = body_inertia(m.body_inertia[b], m.body_mass[b], d.ximat[b], offset);
    }
}

template <class M, class D>
void com_pos(const M& m, D& d) {
    using S = typename D::scalar;
    for (int b = 0; b < m.nbody; ++b) d.subtree_com[b] = d.xipos[b] * m.body_mass[b];
    for (int b = m.nbody - 1; b > 0; --b) d.subtree_com[m.body_parentid[b]] += d.subtree_com[b];
    for (int b = 0; b < m.nbody; ++b) {
        using Real = typename M::real;
        const Real mass = m.body_subtreemass[b];
        const auto massless = mass < Real(minval_v<Real>);
        d.subtree_com[b] = d.subtree_com[b] * (Real(1) / select(massless, Real(1), mass));
        if (!any(massless)) continue;
        // a massless subtree has its com at the body: both terms are finite, the weight picks one
        const S weight = S(select(massless, Real(0), Real(1)));
        d.subtree_com[b] = d.xipos[b] + (d.subtree_com[b] - d.xipos[b]) * weight;
    }

    body_inertias(m, d);
    for (int j = 0; j < m.njnt; ++j) {
        const int b = m.jnt_bodyid[j];
        const Vec3<S> arm = d.subtree_com[m.body_rootid[b]] - d.xanchor[j];
        M::joints::visit(m.jnt_type[j], [&](auto joint) { joint.axes(m, d, j, m.jnt_dofadr[j], d.xmat[b], arm); });
    }
}

}  // namespace mjx::inner
