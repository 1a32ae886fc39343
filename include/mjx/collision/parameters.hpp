// Parameters of a contact from those of its two geoms or its explicit pair, by MuJoCo's mixing rules.
//
// The geom of higher priority decides alone. At equal priority: the larger condim, the larger friction of each kind, solimp and
// solref averaged with the weights solmix (the smaller numbers where solref is a stiffness, not positive), the sum of adhesions.
// Margins and gaps always add. Contacts are found within margin + gap and act below the margin. The override flag replaces margin,
// solref, solimp and friction, not the gap.
#pragma once

#include "mjx/math/vec.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

template <class Real>
struct ContactParameters {
    int dim;
    Vec<Real, 5> friction;  // tangent 1 and 2, spin, roll 1 and 2
    Vec<Real, nref> solref;
    Vec<Real, nref> solreffriction;
    Vec<Real, nimp> solimp;
    Real adhesion;
};

template <class M>
auto contact_margin(const M& m, int geom1, int geom2, int pair) {
    using Real = typename M::real;
    if (m.opt.enabled(enable::override_contact)) return Real(m.opt.o_margin);
    return pair >= 0 ? Real(m.pair_margin[pair]) : Real(m.geom_margin[geom1] + m.geom_margin[geom2]);
}

template <class M>
auto contact_gap(const M& m, int geom1, int geom2, int pair) {
    using Real = typename M::real;
    return pair >= 0 ? Real(m.pair_gap[pair]) : Real(m.geom_gap[geom1] + m.geom_gap[geom2]);
}

// How much of geom 1 goes into the average.
template <class Real>
Real solver_mix(const Real& mix1, const Real& mix2) {
    const Real least(minval_v<Real>);
    const auto none1 = mix1 < least, none2 = mix2 < least;
    const Real one_sided = select(none1, Real(0), Real(1));
    const Real both = mix1 / select(none1 && none2, Real(1), mix1 + mix2);
    return select(none1 && none2, Real(0.5), select(none1 || none2, one_sided, both));
}

template <class M>
[[gnu::always_inline]] inline void mix_parameters(const M& m, int geom1, int geom2, ContactParameters<typename M::real>& p) {
    using Real = typename M::real;
    Vec3<Real> friction;
    const int priority1 = m.geom_priority[geom1], priority2 = m.geom_priority[geom2];
    if (priority1 != priority2) {
        const int g = priority1 > priority2 ? geom1 : geom2;
        p.dim = m.geom_condim[g];
        p.solref = m.geom_solref[g];
        p.solimp = m.geom_solimp[g];
        p.adhesion = m.geom_adhesion[g];
        friction = m.geom_friction[g];
    } else {
        p.dim = m.geom_condim[geom1] > m.geom_condim[geom2] ? m.geom_condim[geom1] : m.geom_condim[geom2];
        const Real mix = solver_mix(Real(m.geom_solmix[geom1]), Real(m.geom_solmix[geom2]));
        const auto &ref1 = m.geom_solref[geom1], &ref2 = m.geom_solref[geom2];
        const auto standard = (ref1[0] > Real(0)) && (ref2[0] > Real(0));
        for (int i = 0; i < nref; ++i)
            p.solref[i] = select(standard, Real(mix * ref1[i] + (Real(1) - mix) * ref2[i]), min(Real(ref1[i]), Real(ref2[i])));
        for (int i = 0; i < nimp; ++i) p.solimp[i] = mix * m.geom_solimp[geom1][i] + (Real(1) - mix) * m.geom_solimp[geom2][i];
        for (int i = 0; i < 3; ++i) friction[i] = max(Real(m.geom_friction[geom1][i]), Real(m.geom_friction[geom2][i]));
        p.adhesion = m.geom_adhesion[geom1] + m.geom_adhesion[geom2];
    }
    p.friction = {{friction[0], friction[0], friction[1], friction[2], friction[2]}};
    p.solreffriction = Vec<Real, nref>::zero();
}

template <class M>
auto contact_parameters(const M& m, int geom1, int geom2, int pair) {
    using Real = typename M::real;
    ContactParameters<Real> p;
    if (pair >= 0)
        p = {m.pair_dim[pair],    m.pair_friction[pair], m.pair_solref[pair], m.pair_solreffriction[pair],
             m.pair_solimp[pair], m.pair_adhesion[pair]};
    else
        mix_parameters(m, geom1, geom2, p);
    if (m.opt.enabled(enable::override_contact)) {
        p.solref = p.solreffriction = Vec<Real, nref>::from(m.opt.o_solref);
        p.solimp = Vec<Real, nimp>::from(m.opt.o_solimp);
        p.friction = Vec<Real, 5>::from(m.opt.o_friction);
    }
    for (int i = 0; i < 5; ++i) p.friction[i] = max(p.friction[i], Real(static_cast<value_t<Real>>(1e-5)));
    return p;
}

}  // namespace mjx::inner
