// Collision detection: from geom poses to the list of contacts (mj_collision).
//
// Reads   geom_xpos, geom_xmat
// Writes  ncon, contact, geom_bound; warning contactfull in the lanes that lost a contact to lack of room
// Candidate pairs come from the model's list, or from the broad phase when there are too many to list. Bounding boxes of bodies and
// bounding spheres prune them, the narrow phase (narrowphase.hpp) makes points, and points become contacts with the mixed parameters of the
// pair. For packs a contact exists when some lane has it; Contact::active says which.
#pragma once

#include "mjx/collision/broadphase.hpp"
#include "mjx/collision/narrowphase.hpp"
#include "mjx/collision/near_bodies.hpp"
#include "mjx/collision/parameters.hpp"
#include "mjx/data/data.hpp"
#include "mjx/stage/hooks.hpp"
#include "mjx/stage/reset.hpp"
#include "mjx/stage/sleep.hpp"

namespace mjx::inner {

// Bounding spheres grown by each geom's share of margin and gap, side by side for the prune.
template <class M, class D>
void make_bounds(const M& m, D& d) {
    using S = typename D::scalar;
    const bool overridden = m.opt.enabled(enable::override_contact);
    for (int g = 0; g < m.ngeom; ++g) {
        const S share = overridden ? S(m.opt.o_margin * value_t<S>(0.5)) : S(m.geom_margin[g]);
        const Vec3<S>& p = d.geom_xpos[g];
        d.geom_bound[g] = {{p[0], p[1], p[2], share + m.geom_gap[g] + m.geom_rbound[g]}};
    }
}

// Lanes in which the bounding spheres (or the plane and the sphere) meet, `extra` apart. The geom of the lower type comes first.
template <class M, class D>
[[gnu::always_inline]] inline auto bounds_meet(const M& m, const D& d, int geom1, int geom2, const typename D::scalar& extra) {
    using S = typename D::scalar;
    const Vec<S, 4>&a = d.geom_bound[geom1], &b = d.geom_bound[geom2];
    const S x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2], reach = a[3] + b[3] + extra;
    if (is_endless(m.geom_type[geom1])) {
        const Mat3<S>& mat = d.geom_xmat[geom1];
        return x * mat[2] + y * mat[5] + z * mat[8] <= reach;
    }
    return x * x + y * y + z * z <= reach * reach;
}

// Lanes with as many contacts as the model allows one environment, or all lanes if even a pack has no place left.
template <class M, class D>
auto full_lanes(const M& m, const D& d) {
    using S = typename D::scalar;
    S count(0);
    for (int i = 0; i < d.ncon && lanes_v<S> > 1; ++i) count += select(d.contact[i].active, S(1), S(0));
    return mask_t<S>(d.ncon >= shared_contacts(m, lanes_v<S>)) || count >= S(static_cast<value_t<S>>(own_contacts(m, lanes_v<S>)));
}

template <class M, class D, class P>
void add_contact(const M& m, D& d, int geom1, int geom2, int pair, const P& parameters, const ContactPoint<typename D::scalar>& p,
                 const Mat3<typename D::scalar>& frame, int dim, const mask_t<typename D::scalar>& wanted) {
    using S = typename D::scalar;
    mask_t<S> active = wanted;
    if (d.ncon >= own_contacts(m, lanes_v<S>)) {
        active = wanted && !full_lanes(m, d);
        warn(d, warning::contactfull, wanted && !active);
        if (!any(active)) return;
    }
    Contact<S>& c = d.contact[d.ncon++];
    // lanes without the contact hold finite numbers whatever their pose
    const auto kept = [&](const S& x, value_t<S> otherwise) {
        if constexpr (lanes_v<S> > 1)
            return select(active, x, S(otherwise));
        else
            return x;
    };
    c.dist = kept(p.dist, 0);
    for (int i = 0; i < 3; ++i) c.pos[i] = kept(p.pos[i], 0);
    for (int i = 0; i < 9; ++i) c.frame[i] = kept(frame[i], i % 4 == 0 ? 1 : 0);
    c.includemargin = S(contact_margin(m, geom1, geom2, pair));
    for (int i = 0; i < 5; ++i) c.friction[i] = S(parameters.friction[i]);
    for (int i = 0; i < nref; ++i) c.solref[i] = S(parameters.solref[i]);
    for (int i = 0; i < nref; ++i) c.solreffriction[i] = S(parameters.solreffriction[i]);
    for (int i = 0; i < nimp; ++i) c.solimp[i] = S(parameters.solimp[i]);
    c.adhesion = S(parameters.adhesion);
    c.mu = S(0);
    c.active = active;
    c.dim = dim;
    c.geom1 = geom1;
    c.geom2 = geom2;
    c.pair = pair;
    c.efc_address = c.next = -1;
    c.dofs = 0;
}

// Points of one pair into the list. An adhesive contact inside the gap pulls along the normal only, so lanes inside and lanes
// outside the gap get contacts of different dimension.
template <class M, class D>
void add_contacts(const M& m, D& d, int geom1, int geom2, int pair, const mask_t<typename D::scalar>& where,
                  const CollisionResult<typename D::scalar>& result) {
    using S = typename D::scalar;
    const auto parameters = contact_parameters(m, geom1, geom2, pair);
    const bool adhesive = any(parameters.adhesion != decltype(parameters.adhesion)(0));
    for (int i = 0; i < result.count; ++i) {
        const ContactPoint<S>& p = result.point[i];
        const auto active = p.active && where;
        if (!any(active)) continue;
        const Mat3<S> frame = result.has_tangent ? contact_frame(p.normal, result.tangent) : contact_frame(p.normal);
        auto apart = mask_t<S>(false);
        if (adhesive) apart = active && (p.dist >= S(contact_margin(m, geom1, geom2, pair)));
        if (any(apart)) add_contact(m, d, geom1, geom2, pair, parameters, p, frame, 1, apart);
        const auto touching = active && !apart;
        if (any(touching)) add_contact(m, d, geom1, geom2, pair, parameters, p, frame, parameters.dim, touching);
    }
}

// Where the direction that separated listed pair i last is kept, if it is.
template <class D>
Vec3<float>* last_axis(D& d, int i) {
    if constexpr (requires { d.axes; })
        return i < d.axes.count ? d.axes.first + i : nullptr;
    else
        return nullptr;
}

// One candidate pair whose bounds meet in the lanes `near`, the geom of the lower type first.
template <class M, class D, class H>
void collide_near(const M& m, D& d, const H& hooks, int geom1, int geom2, int pair, const mask_t<typename D::scalar>& near,
                  Vec3<float>* last = nullptr) {
    using S = typename D::scalar;
    if (neither_awake(m, d, m.geom_bodyid[geom1], m.geom_bodyid[geom2])) return;
    auto where = near;
    if constexpr (hook::contact_filter::callable<H, M, D>) {
        const bool turned = m.geom_bodyid[geom1] > m.geom_bodyid[geom2];
        if (pair < 0) where = where && !hook::contact_filter::call(m, d, hooks, turned ? geom2 : geom1, turned ? geom1 : geom2);
        if (!any(where)) return;
    }
    const S margin = S(contact_margin(m, geom1, geom2, pair) + contact_gap(m, geom1, geom2, pair));
    CollisionResult<S> result;
    collide<hook::contact_filter::callable<H, M, D>>(m, d, geom1, geom2, margin, where, result, last);
    if (result.count > 0) add_contacts(m, d, geom1, geom2, pair, where, result);
}

// Lanes in which the bounds of a candidate pair meet.
template <class M, class D>
[[gnu::always_inline]] inline auto near_lanes(const M& m, const D& d, int geom1, int geom2, int pair) {
    using S = typename D::scalar;
    S extra(0);  // an explicit pair has a margin and gap of its own
    if (pair >= 0)
        extra = S(contact_margin(m, geom1, geom2, pair) + contact_gap(m, geom1, geom2, pair) - contact_margin(m, geom1, geom2, -1) -
                  contact_gap(m, geom1, geom2, -1));
    return bounds_meet(m, d, geom1, geom2, extra);
}

template <class M, class D, class H>
void collide_ordered(const M& m, D& d, const H& hooks, int geom1, int geom2, int pair) {
    const bool turned = comes_after(m.geom_type[geom1], m.geom_type[geom2]);
    const int low = turned ? geom2 : geom1, high = turned ? geom1 : geom2;
    const auto near = near_lanes(m, d, low, high, pair);
    if (any(near)) collide_near(m, d, hooks, low, high, pair, near);
}

// Without a list: explicit pairs, then planes against everything, then what the tree of boxes finds.
template <class M, class D, class H>
void collide_broad(const M& m, D& d, const H& hooks) {
    constexpr bool filtered = hook::contact_filter::callable<H, M, D>;
    for (int i = 0; i < m.npair; ++i) collide_ordered(m, d, hooks, m.pair_geom1[i], m.pair_geom2[i], i);
    const auto try_pair = [&](int geom1, int geom2) {
        if (filtered ? filter_decides(m, geom1, geom2) : may_collide(m, geom1, geom2)) collide_ordered(m, d, hooks, geom1, geom2, -1);
    };
    // few geoms are near a plane: the rules, which cost more than the bounds, come after
    for (int plane = 0; plane < m.ngeom; ++plane) {
        if (!is_endless(m.geom_type[plane])) continue;
        for (int g = 0; g < m.ngeom; ++g)
            if (!is_endless(m.geom_type[g]) && any(near_lanes(m, d, plane, g, -1))) try_pair(plane, g);
    }
    const auto w = borrow<BroadWork>(m, d);
    for_each_near_pair(m, d, make_broad_tree(m, d, filtered), try_pair);
}

// A contact filter decides about more pairs than the list has: explicit pairs, then every two geoms.
template <class M, class D, class H>
void collide_filtered(const M& m, D& d, const H& hooks) {
    for (int i = 0; i < m.npair; ++i) collide_ordered(m, d, hooks, m.pair_geom1[i], m.pair_geom2[i], i);
    for (int geom1 = 0; geom1 < m.ngeom; ++geom1)
        for (int geom2 = geom1 + 1; geom2 < m.ngeom; ++geom2)
            if (filter_decides(m, geom1, geom2)) collide_ordered(m, d, hooks, geom1, geom2, -1);
}

// The listed pairs.
template <class M, class D, class H>
void collide_listed(const M& m, D& d, const H& hooks) {
    const auto w = borrow<NearWork>(m, d);
    const bool by_bodies = skips_bodies(m);
    const auto try_pair = [&](int i) __attribute__((always_inline)) {  // most pairs go no further than their bounds
        const int geom1 = m.cand_geom1[i], geom2 = m.cand_geom2[i], pair = m.cand_pair[i];
        const auto near = near_lanes(m, d, geom1, geom2, pair);
        if (any(near) && (by_bodies || is_worth_a_look(m, d, i))) collide_near(m, d, hooks, geom1, geom2, pair, near, last_axis(d, i));
    };
    if (by_bodies)
        for_each_pair_of_near_bodies(m, d, try_pair);
    else
        for_each_listed_pair(m, d, try_pair);
}

template <class M, class D, class H = no_hooks>
void collision(const M& m, D& d, const H& hooks = {}) {
    d.ncon = 0;
    if (m.opt.disabled(disable::constraint | disable::contact)) return;
    make_bounds(m, d);
    if (m.nbroad > 0) return collide_broad(m, d, hooks);
    if constexpr (hook::contact_filter::callable<H, M, D>) return collide_filtered(m, d, hooks);
    collide_listed(m, d, hooks);
}

}  // namespace mjx::inner
