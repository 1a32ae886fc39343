// Contact forces remembered from one step to the next, keyed by the pair of geoms and a cell of 1 cm in the world.
//
// Reads   contact, efc_force
// Writes  ncache, cache
// Contacts come and go and change places in the list; the key finds the force of the same spot again. For packs each lane has
// its own cell.
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/data/contact.hpp"

#include <type_traits>

namespace mjx::inner {

template <class S>
auto contact_cell(const Contact<S>& contact) {
    using T = value_part_t<S>;
    Vec3<T> cell;
    for (int k = 0; k < 3; ++k) cell[k] = floor(part<T>(contact.pos[k]) * T(100));
    return cell;
}

// The remembered force of the block's contact in its frame; zero where there is none.
template <class D>
auto cached_force(const D& d, int block) {
    using S = typename D::scalar;
    using T = value_part_t<S>;
    const auto& contact = d.contact[d.efc_id[d.block_row[block]]];
    const Vec3<T> cell = contact_cell(contact);
    Vec6<T> force = Vec6<T>::zero();
    for (int c = 0; c < d.ncache; ++c) {
        const CachedContact<S>& cached = d.cache[c];
        if (cached.geom1 != contact.geom1 || cached.geom2 != contact.geom2) continue;
        const Vec3<T>& there = cached.cell;
        const auto same = there[0] == cell[0] && there[1] == cell[1] && there[2] == cell[2];
        for (int k = 0; k < 6; ++k) force[k] = select(same, cached.force[k], force[k]);
    }
    return force;
}

// A solver that starts from what it remembers and does not remember more: settle(m, d) is its solve(m, d) without remember_contacts.
template <class Solver>
struct Forgetful : Solver {
    template <class M, class D>
    static void solve(const M& m, D& d) {
        Solver::settle(m, d);
    }
};
template <class Solver>
using forgetful =
    typename std::conditional_t<Solver::remembers_contacts, std::type_identity<Forgetful<Solver>>, std::type_identity<Solver>>::type;

// Remembers the forces in efc_force.
template <class D>
void remember_contacts(D& d) {
    using S = typename D::scalar;
    using T = value_part_t<S>;
    d.ncache = 0;
    for (int b = 0; b < d.nblock; ++b) {
        const int row = d.block_row[b];
        if (d.efc_type[row] < cnstr::contact_frictionless) continue;
        const auto& contact = d.contact[d.efc_id[row]];
        CachedContact<S>& cached = d.cache[d.ncache++];
        cached.geom1 = contact.geom1;
        cached.geom2 = contact.geom2;
        cached.cell = contact_cell(contact);
        cached.force = Vec6<T>::zero();
        to_base<T>(d, b, d.efc_force, cached.force.e);
        // a lane without this contact shall not find it
        const auto here = part<T>(d.efc_D[row]) > T(0);
        cached.cell[0] = select(here, cached.cell[0], T(forgotten_cell_v<T>));
    }
}

}  // namespace mjx::inner
