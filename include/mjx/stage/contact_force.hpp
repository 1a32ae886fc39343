// The force of one contact, for users, touch sensors and the bodies' external forces.
//
// Reads   contact, efc_type, efc_force
#pragma once

#include "mjx/data/contact.hpp"
#include "mjx/math/vec.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

// Force (normal, tangents) then torque that geom1 exerts on geom2, in the contact's frame, net of the pull of adhesion. Zero for
// a contact without rows.
template <class M, class D>
auto contact_force(const M&, const D& d, int c) {
    using S = typename D::scalar;
    Vec6<S> f = Vec6<S>::zero();
    const auto& contact = d.contact[c];
    const int row = contact.efc_address;
    if (row < 0) return f;
    if (d.efc_type[row] == cnstr::contact_pyramidal) {
        // each edge of the pyramid pushes along the normal and, one way or the other, along one friction axis
        S normal(0);
        for (int k = 1; k < 6; ++k) {  // places that are constants: the force stays in registers
            if (k >= contact.dim) break;
            const S plus = d.efc_force[row + 2 * k - 2], minus = d.efc_force[row + 2 * k - 1];
            normal += plus + minus;
            f[k] = (plus - minus) * contact.friction[k - 1];
        }
        f[0] = normal;
    } else {
        for (int k = 0; k < 6; ++k)
            if (k < contact.dim) f[k] = d.efc_force[row + k];
    }
    if constexpr (lanes_v<S> > 1) f = select(contact_acts(contact), f, Vec6<S>::zero());  // other lanes may have another contact there
    f[0] -= select(contact.active, contact.adhesion, S(0));
    return f;
}

}  // namespace mjx::inner
