// Narrow phase: the contact points of two geoms, by their types.
//
// Reads   geom_xpos, geom_xmat
// The geom of the lower type comes first. `where` says which lanes are worth looking at; points are found within `margin`.
#pragma once

#include "mjx/collision/closed_form.hpp"
#include "mjx/collision/convex.hpp"
#include "mjx/collision/filter.hpp"
#include "mjx/model/facts.hpp"

namespace mjx::inner {

// Whether some pair of geoms satisfies f(type1, type2), of the candidates or of all that collide.
template <class M, class F>
constexpr bool some_pair(const M& m, bool any_pair, F&& f) {
    if (!any_pair && m.nbroad == 0) {  // the broad phase may find any two
        for (int i = 0; i < m.ncand; ++i)
            if (f(m.geom_type[m.cand_geom1[i]], m.geom_type[m.cand_geom2[i]])) return true;
        return false;
    }
    for (int g1 = 0; g1 < m.ngeom; ++g1)
        for (int g2 = 0; g2 < m.ngeom; ++g2) {
            const int type1 = m.geom_type[g1], type2 = m.geom_type[g2];
            if (!comes_after(type1, type2) && shapes_collide(type1, type2) && f(type1, type2)) return true;
        }
    return false;
}

// What is known at compile time of a fixed model, whose code leaves out what its pairs never need: the convex collider, closed forms.
template <class M>
constexpr bool uses_convex(bool any_pair) {
    return may<M>(
        [&](const auto& m) { return some_pair(m, any_pair, [](int type1, int type2) { return !has_closed_form(type1, type2); }); });
}
template <class M, bool AnyPair>
struct meeting_types {
    constexpr bool operator()(int types) const {
        return may<M>(
            [&](const auto& m) { return some_pair(m, AnyPair, [&](int type1, int type2) { return type_pair(type1, type2) == types; }); });
    }
};

// What the two geoms make of each other, candidates or any two; `last` as in convex_contacts.
template <bool AnyPair, class M, class D>
void collide(const M& m, const D& d, int geom1, int geom2, const typename D::scalar& margin, const mask_t<typename D::scalar>& where,
             CollisionResult<typename D::scalar>& out, Vec3<float>* last = nullptr) {
    const int type1 = m.geom_type[geom1], type2 = m.geom_type[geom2];
    const auto a = geom_at(m, d, geom1), b = geom_at(m, d, geom2);
    if (has_closed_form(type1, type2))
        return collide_closed_form<meeting_types<M, AnyPair>>(type_pair(type1, type2), a, b, margin, where, out);
    if constexpr (uses_convex<M>(AnyPair)) convex_collide(m, geom1, geom2, a, b, margin, where, out, last);
}

}  // namespace mjx::inner
