// Contact: one point where two geoms touch or nearly touch, as MuJoCo's mjContact.
#pragma once

#include "mjx/math/mat3.hpp"
#include "mjx/model/types.hpp"

#include <cstdint>

namespace mjx::inner {

// For packs a contact exists when any lane has it; `active` says which. Inactive lanes hold finite numbers; those of
// dist, friction and what else rows are made of may be another contact's, which has the same rows there (constraint/lane_rows.hpp).
template <class S>
struct Contact {
    S dist;                            // distance between the surfaces, negative when they overlap
    Vec3<S> pos;                       // midpoint, world
    Mat3<S> frame;                     // rows: normal from geom1 to geom2, two tangents; world
    S includemargin;                   // the contact acts when dist is below it
    Vec<S, 5> friction;                // tangent 1 and 2, spin, roll 1 and 2
    Vec<S, nref> solref;
    Vec<S, nref> solreffriction;
    Vec<S, nimp> solimp;
    S mu;                              // friction of the regularized cone, set by the constraint rows
    S adhesion;
    mask_t<S> active;
    int dim;                           // 1, 3, 4 or 6
    int geom1, geom2;
    int pair;                          // explicit pair or -1
    int efc_address;                   // first constraint row or -1
    int next;                          // contact of other lanes with the same rows or -1 (constraint/lane_rows.hpp)
    std::uint64_t dofs;                // that its rows there depend on, as bits
};

// Contacts in the gap between margin and includemargin are reported but do not act, unless they stick.
template <class S>
auto contact_acts(const Contact<S>& contact) {
    return contact.active && (contact.dist < contact.includemargin || contact.adhesion != S(0));
}

// A contact remembered from the step before, for solvers that start from its force (solver/contact_cache.hpp). It has no derivatives.
template <class S>
struct CachedContact {
    Vec3<value_part_t<S>> cell;   // world position in centimetres, rounded down
    Vec6<value_part_t<S>> force;  // contact frame
    int geom1, geom2;
};
// The cell of a remembered contact that no contact is in.
template <class T>
inline constexpr value_t<T> forgotten_cell_v = static_cast<value_t<T>>(1e30);

}  // namespace mjx::inner
