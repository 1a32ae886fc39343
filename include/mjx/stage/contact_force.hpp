// The force of one contact, for users, touch sensors and the bodies' external forces.
//
// Reads   contact, efc_type, efc_force
#pragma once

#include "mjx/data/contact.hpp"
#include "mjx/math/vec.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

// The same for a contact of Dim dimensions: places that are constants keep the force in registers.
template <int Dim, class D, class C>
auto contact_force_of(const D& d, const C& contact) {
    using S = typename D::scalar;
    const int row = contact.efc_address;
    Vec6<S> f = Vec6<S>::zero();
    if (d.efc_type[row] == cnstr::contact_pyramidal) {
        // each edge of the pyramid pushes along the normal and, one way or the other, along one friction axis
        for (int k = 1; k < Dim; ++k) {
            const S plus = d.efc_force[row + 2 * k - 2], minus = d.efc_force[row + 2 * k - 1];
            f[0] += plus + minus;
            f[k] = (plus - minus) * contact.friction[k - 1];
        }
    } else {
        for (int k = 0; k < Dim; ++k) f[k] = d.efc_force[row + k];
    }
    if constexpr (lanes_v<S> > 1) f = select(contact_acts(contact), f, Vec6<S>::zero());  // other lanes may have another contact there
    f[0] -= select(contact.active, contact.adhesion, S(0));
    return f;
}

// Force (normal, tangents) then torque that geom1 exerts on geom2, in the contact's frame, net of the pull of adhesion. Zero for
// a contact without rows.
template <class M, class D>
auto contact_force(const M&, const D& d, int c) {
    const auto& contact = d.contact[c];
    if (contact.efc_address < 0) return Vec6<typename D::scalar>::zero();
    switch (contact.dim) {
        case 1: return contact_force_of<1>(d, contact);
        case 3: return contact_force_of<3>(d, contact);
        case 4: return contact_force_of<4>(d, contact);
        default: return contact_force_of<6>(d, contact);
    }
}

}  // namespace mjx::inner
