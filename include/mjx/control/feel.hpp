// Contacts felt from a distance: a model for planners, whose derivatives know of a contact before it is made.
//
//     auto felt = model;
//     mjx::feel_contacts(felt, 0.1);                     // from 10 cm on
// Without it A and B of a body in the air know nothing of the floor, and a hand that does not touch the cup has no reason to move. Every
// two geoms get the distance as a margin, and an impedance that rises over it from nothing at its edge to their own at the surface, so that
// forces begin with zero slope. Bodies come to rest within that distance above the floor: it is a model to begin with. Plan with a large
// distance first, then from the controls found with smaller ones, and last with the model itself, which decides what a plan is worth.
#pragma once

#include "mjx/model/model.hpp"

namespace mjx::inner {

template <class M, class R>
void feel_contacts(M& m, const R& distance) {
    static_assert(!M::is_fixed, "a fixed model is constant; cast<double>(models::Arm{}) gives one in which contacts can be felt");
    using Real = typename M::real;
    const auto soften = [&](auto& margin, auto& solimp, const Real& share) {
        margin = max(Real(margin), share);
        solimp[0] = min(Real(solimp[0]), Real(0.0001));
        solimp[2] = max(Real(solimp[2]), Real(distance));
        solimp[3] = Real(0.5);
        solimp[4] = Real(3);
    };
    for (int g = 0; g < m.ngeom; ++g) soften(m.geom_margin[g], m.geom_solimp[g], Real(distance) * Real(0.5));
    for (int p = 0; p < m.npair; ++p) soften(m.pair_margin[p], m.pair_solimp[p], Real(distance));
}

}  // namespace mjx::inner
