// convex_query: distance or depth of two convex objects with their witness points: GJK, then EPA, then the contact patch.
//
// Spheres and capsules are shrunk to their core first: as long as the cores do not overlap, GJK alone gives an exact contact.
// Positive distances up to the query's cutoff are found; without one, objects that do not overlap have no points. Runs on plain
// float or double, without heap or recursion, and ends after max_iterations whatever the input.
#pragma once

#include "mjx/collision/epa.hpp"
#include "mjx/collision/multicontact.hpp"
#include "mjx/math/traverse.hpp"

#include <new>

namespace mjx::inner {

// Room for the expansions of EPA: the model's own number for fixed models, elsewhere at most 200.
template <class M>
constexpr int epa_capacity() {
    if constexpr (M::is_fixed) {
        constexpr int expansions = constants_t<M>::opt.ccd_iterations;
        return expansions < 1 ? 1 : expansions > 200 ? 200 : expansions;
    } else {
        return 200;
    }
}

// The polytope of EPA is by far the largest thing that a query works on. It is on the stack, and in kernels where the model says: a device
// sets the stack of all work items aside that it may run at once, whether they meet with an overlap or not.
template <class M>
using polytope_of = Polytope<convex_real_t<M>, epa_capacity<M>()>;

template <class T, class M>
bool find_depth(const M& m, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b) {
    if constexpr (in_kernel_v<M>) {
        return epa(m, *::new (m.polytope) polytope_of<M>, q, a, b);
    } else {
        Polytope<T, epa_capacity<M>()> p;
        return epa(m, p, q, a, b);
    }
}

// Shrinks spheres and capsules to their core; how much was taken off.
template <class M, class T>
T take_core(ConvexObject<T>& o) {
    T radius = T(0);
    shapes_of<M>::visit(o.type, [&](auto s) {
        if constexpr (requires { s.core_radius(o.size); }) {
            radius = s.core_radius(o.size) + T(0.5) * o.margin;
            o.core = true;
            o.margin = T(0);
        }
    });
    return radius;
}

// GJK between the cores. True if it settles the query.
template <class T, class M>
bool query_cores(const M& m, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b) {
    const T margin_a = a.margin, margin_b = b.margin, cutoff = q.cutoff;
    const T radius_a = take_core<M>(a), radius_b = take_core<M>(b);
    if (!a.core && !b.core) return false;
    q.cutoff += radius_a + radius_b;
    gjk(m, q, a, b);
    q.cutoff = cutoff;
    a.core = b.core = false;
    a.margin = margin_a;
    b.margin = margin_b;
    if (!(q.dist[0] > q.tolerance)) return false;
    if (q.count > 0) {
        const Vec3<T> normal = normalize(Vec3<T>(q.x2[0] - q.x1[0]));
        q.x1[0] += normal * radius_a;
        q.x2[0] -= normal * radius_b;
    }
    q.dist[0] -= radius_a + radius_b;
    if (q.dist[0] > q.cutoff) q.dist[0] = std::numeric_limits<T>::max();
    return true;
}

// The least distance of the points found; they are in dist, x1, x2. Negative: overlap.
template <class T, class M>
T convex_query(const M& m, ConvexQuery<T>& q, ConvexObject<T>& a, ConvexObject<T>& b) {
    q.x1[0] = a.center();
    q.x2[0] = b.center();
    q.iterations = 0;
    if (query_cores(m, q, a, b)) return q.dist[0];
    q.x1[0] = a.center();
    q.x2[0] = b.center();
    q.iterations = 0;
    gjk(m, q, a, b);
    if (q.max_contacts == 0) return q.dist[0];
    if (q.dist[0] <= q.tolerance && q.simplex_count > 1 && !q.separated) {
        q.dist[0] = T(0);
        if (find_depth(m, q, a, b) && q.max_contacts > 1) multicontact<polygon_capacity<M>()>(m, q, a, b);
    }
    T least = q.dist[0];
    for (int i = 1; i < q.count; ++i) least = min(least, q.dist[i]);
    return least;
}

}  // namespace mjx::inner
