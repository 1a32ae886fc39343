// Narrow phase: the contact points of two geoms, by their types.
//
// Reads   geom_xpos, geom_xmat
// The geom of the lower type comes first. `where` says which lanes are worth looking at; points are found within `margin`.
#pragma once

#include "mjx/collision/closed_form.hpp"
#include "mjx/collision/convex.hpp"
#include "mjx/collision/filter.hpp"

namespace mjx::inner {

// Does some pair of geoms have no closed form, of the candidates or of all? Known at compile time for fixed models, whose code
// leaves the convex collider out if none does.
template <class M>
constexpr bool needs_convex(const M& m, bool any_pair) {
    if (!any_pair) {
        for (int i = 0; i < m.ncand; ++i)
            if (!has_closed_form(m.geom_type[m.cand_geom1[i]], m.geom_type[m.cand_geom2[i]])) return true;
        return false;
    }
    for (int g1 = 0; g1 < m.ngeom; ++g1)
        for (int g2 = 0; g2 < m.ngeom; ++g2) {
            const int type1 = m.geom_type[g1], type2 = m.geom_type[g2];
            if (!comes_after(type1, type2) && shapes_collide(type1, type2) && !has_closed_form(type1, type2)) return true;
        }
    return false;
}

// Can the convex collider be needed, for candidates or for any two geoms?
template <class M>
constexpr bool uses_convex(bool any_pair) {
    if constexpr (M::is_fixed)
        return needs_convex(M{}, any_pair);
    else
        return true;
}

// What the two geoms make of each other.
template <bool Convex, class M, class D>
void collide(const M& m, const D& d, int geom1, int geom2, const typename D::scalar& margin, const mask_t<typename D::scalar>& where,
             CollisionResult<typename D::scalar>& out) {
    const int type1 = m.geom_type[geom1], type2 = m.geom_type[geom2];
    const auto shape1 = geom_at(m, d, geom1), shape2 = geom_at(m, d, geom2);
    if (has_closed_form(type1, type2)) return collide_closed_form(type_pair(type1, type2), shape1, shape2, margin, where, out);
    if constexpr (Convex) convex_collide(m, geom1, geom2, shape1, shape2, margin, where, out);
}

}  // namespace mjx::inner
