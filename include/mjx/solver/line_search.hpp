// Exact line search along the direction of a primal solver: Newton's method on the derivative, then bracketing, as in MuJoCo.
//
// Reads   jar, jv, Ma, Mv, grad, search, efc_D, efc_R, efc_frictionloss, contact, qfrc_smooth
// Writes  the polynomials of elliptic cones
// Along qacc + alpha * search each row's residual is jar + alpha jv, so cost and derivatives are sums over rows: no matrix is
// touched. Costs are differences from alpha = 0, computed without cancellation. Lanes search in step, each by itself.
// A step never raises the cost by more than rounding: slopes tell where to search, and with few digits they may change sign where the
// cost is above that of the start; such a point is never the answer, and where no other was found the step is 0, which ends the solver.
#pragma once

#include "mjx/math/sparse_ldl.hpp"
#include "mjx/solver/island.hpp"

#include <limits>

namespace mjx::inner {

// A point of the search: cost relative to alpha = 0, first and second derivative.
template <class T>
struct SearchPoint {
    T alpha, cost, slope, curvature;

    T next() const { return alpha - slope / curvature; }
};
template <class T>
SearchPoint<T> select(const mask_t<T>& mask, const SearchPoint<T>& a, const SearchPoint<T>& b) {
    return {select(mask, a.alpha, b.alpha), select(mask, a.cost, b.cost), select(mask, a.slope, b.slope),
            select(mask, a.curvature, b.curvature)};
}

// The polynomials of one elliptic contact along the line, kept in nine places of its (at least three) rows.
template <class T>
struct ConeLine {
    T U0, V0, UU, UV, VV, scale, q0, q1, q2;
};
template <class T, class D>
ConeLine<T> make_cone_line(const D& d, int row) {
    const auto& contact = d.contact[d.efc_id[row]];
    const T mu = part<T>(contact.mu);
    ConeLine<T> c{primal(d).jar[row] * mu, primal(d).jv[row] * mu, T(0), T(0), T(0), T(0), T(0), T(0), T(0)};
    for (int j = 0; j < contact.dim; ++j) {
        const T x = primal(d).jar[row + j], v = primal(d).jv[row + j], D_j = part<T>(d.efc_D[row + j]);
        c.q0 += T(0.5) * D_j * x * x;
        c.q1 += D_j * x * v;
        c.q2 += T(0.5) * D_j * v * v;
        if (j == 0) continue;
        const T f = part<T>(contact.friction[j - 1]), u = x * f, w = v * f;
        c.UU += u * u;
        c.UV += u * w;
        c.VV += w * w;
    }
    c.scale = part<T>(d.efc_D[row]) / max(mu * mu * (T(1) + mu * mu), T(minval_v<T>));
    return c;
}
template <class T, class D>
void store_cone_line(D& d, int row, const ConeLine<T>& c) {
    primal(d).cone0[row] = c.U0;
    primal(d).cone0[row + 1] = c.V0;
    primal(d).cone0[row + 2] = c.UU;
    primal(d).cone1[row] = c.UV;
    primal(d).cone1[row + 1] = c.VV;
    primal(d).cone1[row + 2] = c.scale;
    primal(d).cone2[row] = c.q0;
    primal(d).cone2[row + 1] = c.q1;
    primal(d).cone2[row + 2] = c.q2;
}
template <class T, class D>
ConeLine<T> load_cone_line(const D& d, int row) {
    return {primal(d).cone0[row],     primal(d).cone0[row + 1], primal(d).cone0[row + 2], primal(d).cone1[row],    primal(d).cone1[row + 1],
            primal(d).cone1[row + 2], primal(d).cone2[row],     primal(d).cone2[row + 1], primal(d).cone2[row + 2]};
}

// Adds one elliptic contact to the point. Differences between equal zones are written so that they do not cancel.
template <class T>
void add_cone(SearchPoint<T>& p, const ConeLine<T>& c, const T& mu) {
    const T a = p.alpha, square = c.UU + a * (T(2) * c.UV + a * c.VV);
    const auto positive = square > T(0), positive0 = c.UU > T(0);
    const T N = c.U0 + a * c.V0;
    const T length = sqrt(select(positive, square, T(1))), length0 = sqrt(select(positive0, c.UU, T(1)));
    const T size = select(positive, length, T(0)), size0 = select(positive0, length0, T(0));
    const auto top = N >= mu * size, top0 = c.U0 >= mu * size0;
    const auto bottom = !top && (mu * N + size <= T(0) || !positive), bottom0 = !top0 && (mu * c.U0 + size0 <= T(0) || !positive0);
    const auto middle = !top && !bottom, middle0 = !top0 && !bottom0;
    const T r = N - mu * size, r0 = c.U0 - mu * size0;
    const T quadratic = a * (a * c.q2 + c.q1);
    // cost now and at the start, each relative to the quadratic at the start where that helps
    const T half = T(0.5) * c.scale;
    const T gap = select(middle, half * (mu * N + size) * (mu * N + size), T(0));
    const T gap0 = select(middle0, half * (mu * c.U0 + size0) * (mu * c.U0 + size0), T(0));
    const T change = a * c.V0 - mu * a * (T(2) * c.UV + a * c.VV) / select(middle, size + size0, T(1));
    const T in_middle = half * change * (T(2) * r0 + change);
    const T now = select(bottom, quadratic + c.q0, select(middle, half * r * r, T(0)));
    const T start = select(bottom0, c.q0, select(middle0, half * r0 * r0, T(0)));
    const auto both_low = (bottom || middle) && (bottom0 || middle0);
    T cost = select(both_low, quadratic - gap + gap0, now - start);
    cost = select(middle && middle0, in_middle, cost);
    p.cost += cost;

    const T rate = (c.UV + a * c.VV) / length;
    const T rate2 = max(T(c.VV / length - (c.UV + a * c.VV) * rate / (length * length)), T(0));  // a length is convex along a line
    const T along = c.V0 - mu * rate;
    p.slope += select(bottom, T(2) * a * c.q2 + c.q1, select(middle, c.scale * r * along, T(0)));
    p.curvature += select(bottom, T(2) * c.q2, select(middle, c.scale * (along * along - r * mu * rate2), T(0)));
}

// By reference: without AVX the calling convention for 32-byte vectors is not settled.
template <class Mask, class V>
[[gnu::always_inline]] inline void choose(const Mask& mask, const V& a, const V& b, V& chosen) {
    if constexpr (requires { select(mask, a, b); })
        chosen = select(mask, a, b);
    else
        chosen = mask ? a : b;
}

template <class Mask>
[[gnu::always_inline]] inline Mask either(const Mask& a, const Mask& b) {
    if constexpr (std::is_same_v<Mask, bool> || !requires { a | b; })
        return a || b;
    else
        return a | b;
}
template <class Mask>
[[gnu::always_inline]] inline Mask both(const Mask& a, const Mask& b) {
    if constexpr (std::is_same_v<Mask, bool> || !requires { a& b; })
        return a && b;
    else
        return a & b;
}

// What rows of dry friction add to a point, V of them side by side.
template <class V>
struct HuberRows {
    V start, v, D, loss, R;       // residual, its rate along the search, and parameters
    V cost, slope, curvature;

    [[gnu::always_inline]] void evaluate(const auto& alpha, const auto& half) {
        const V zero{}, x = start + alpha * v, bound = R * loss, lower = -bound;
        const auto below = x <= lower, above = x >= bound, below0 = start <= lower, above0 = start >= bound;
        const auto outside = either(below, above), outside0 = either(below0, above0);
        V size, size0, now, before, force;
        choose(x < zero, V(-x), x, size);
        choose(start < zero, V(-start), start, size0);
        choose(outside, V(loss * (size - half * bound)), V(half * D * x * x), now);
        choose(outside0, V(loss * (size0 - half * bound)), V(half * D * start * start), before);
        choose(either(outside, outside0), V(now - before), V(half * D * (x - start) * (x + start)), cost);
        choose(both(below, below0), V(loss * (start - x)), cost, cost);
        choose(both(above, above0), V(loss * (x - start)), cost, cost);
        choose(below, V(-loss), loss, force);
        choose(outside, force, V(D * x), force);
        slope = force * v;
        choose(outside, zero, V(D * v * v), curvature);
    }
};

// Adds rows of dry friction, one after another; of plain numbers some are looked at together.
template <class T, class D>
void add_huber_rows(SearchPoint<T>& p, const D& d, int first, int last) {
    const auto fields = [&](auto& rows, auto&& copy) __attribute__((always_inline)) {
        copy(rows.start, primal(d).jar);
        copy(rows.v, primal(d).jv);
        copy(rows.D, d.efc_D);
        copy(rows.loss, d.efc_frictionloss);
        copy(rows.R, d.efc_R);
        rows.evaluate(p.alpha, T(0.5));
    };
    int i = first;
    if constexpr (std::floating_point<T> && std::is_same_v<typename D::scalar, T>) {
        using V = typename register_of<T>::type;
        constexpr int width = sizeof(V) / sizeof(T);
        for (; i + width <= last; i += width) {
            HuberRows<V> rows;
            fields(
                rows, [&](V & to, const auto& from) __attribute__((always_inline)) { std::memcpy(&to, &from[i], sizeof to); });
            for (int k = 0; k < width; ++k) {
                p.cost += rows.cost[k];
                p.slope += rows.slope[k];
                p.curvature += rows.curvature[k];
            }
        }
    }
    for (; i < last; ++i) {
        HuberRows<T> row;
        fields(row, [&](T& to, const auto& from) { to = part<T>(from[i]); });
        p.cost += row.cost;
        p.slope += row.slope;
        p.curvature += row.curvature;
    }
}

// What does not depend on alpha: the Gauss term and the equality rows; and what else there is to know of a direction.
template <class T>
struct LineQuadratic {
    T linear, square;
    T slope, length_square;  // gradient times search, search times search
};

// Sums over unilateral rows, in V numbers side by side.
template <class V>
struct UnilateralSums {
    V cost{}, slope{}, curvature{};

    void add(const V& start, const V& v, const V& D, const auto& alpha) {
        const V zero{}, x = start + alpha * v, slope_i = D * v;
        const auto inside = x < zero, inside0 = start < zero;
        V now, before, curved;
        choose(inside, x, zero, now);
        choose(inside0, start, zero, before);
        choose(inside, V(slope_i * v), zero, curved);
        cost += D * (now - before) * (now + before);
        slope += slope_i * now;
        curvature += curved;
    }
    // One of the sums side by side.
    [[gnu::always_inline]] void add(const auto& sums, int k) {
        cost += sums.cost[k];
        slope += sums.slope[k];
        curvature += sums.curvature[k];
    }
};

// A row goes to one of four sums, or of two, by its place in its block: not in the run, where rows of other lanes may be. For plain numbers
// a register has as many of the four as it has room for.
template <class T>
struct UnilateralRows {
    static constexpr bool plain = std::floating_point<T>;
    using V = typename side_by_side<T>::type;
    static constexpr int width = side_by_side<T>::width;
    UnilateralSums<T> single[2];
    UnilateralSums<V> four[4 / width];

    template <class D>
    void add(const D& d, const T& alpha, int first, int last, int stride) {
        if (stride == 4) return add_fours(d, alpha, first, last);
        int i = first;
        if constexpr (plain)
            for (; i + width <= last; i += width) {
                UnilateralSums<V> rows;  // each of one row
                add_register(rows, d, alpha, i);
                for (int k = 0; k < width; ++k) single[(i - first + k) & (stride - 1)].add(rows, k);
            }
        for (; i < last; ++i) add_row(single[(i - first) & (stride - 1)], d, alpha, i);
    }
    void add_to(SearchPoint<T>& p) {
        T cost = single[0].cost + single[1].cost, slope = single[0].slope + single[1].slope;
        T curvature = single[0].curvature + single[1].curvature;
        for (int b = 0; b < 4; ++b) {
            const UnilateralSums<V>& sums = four[b / width];
            if constexpr (plain) {
                cost += sums.cost[b % width];
                slope += sums.slope[b % width];
                curvature += sums.curvature[b % width];
            } else {
                cost += sums.cost;
                slope += sums.slope;
                curvature += sums.curvature;
            }
        }
        p.cost += T(0.5) * cost;
        p.slope += slope;
        p.curvature += curvature;
    }

  private:
    template <class D>
    static void add_row(UnilateralSums<T>& sums, const D& d, const T& alpha, int i) {
        sums.add(primal(d).jar[i], primal(d).jv[i], part<T>(d.efc_D[i]), alpha);
    }
    template <class D>
    void add_fours(const D& d, const T& alpha, int first, int last) {
        for (int i = first; i < last; i += 4)
            for (int k = 0; k < 4 / width; ++k) add_register(four[k], d, alpha, i + k * width);
    }
    template <class D>
    [[gnu::always_inline]] static void add_register(UnilateralSums<V>& sums, const D& d, const T& alpha, int i) {
        if constexpr (!plain) {
            add_row(sums, d, alpha, i);
        } else {
            V start, v, D_i{};  // g++ 12 does not see that the loop below sets all of it
            std::memcpy(&start, &primal(d).jar[i], sizeof start);
            std::memcpy(&v, &primal(d).jv[i], sizeof v);
            if constexpr (std::is_same_v<typename D::scalar, T>)
                std::memcpy(&D_i, &d.efc_D[i], sizeof D_i);
            else
                for (int b = 0; b < width; ++b) D_i[b] = part<T>(d.efc_D[i + b]);
            sums.add(start, v, D_i, alpha);
        }
    }
};

template <class T, class D>
SearchPoint<T> evaluate(const D& d, int island, const LineQuadratic<T>& q, const T& alpha) {
    SearchPoint<T> p{alpha, alpha * (alpha * q.square + q.linear), T(2) * alpha * q.square + q.linear, T(2) * q.square};
    UnilateralRows<T> unilateral;  // one sum however many runs they are in: other lanes have a say in that
    for_each_run(d, island, [&](int which, int first, int last, int stride) {
        if (which == law::unilateral) {
            unilateral.add(d, alpha, first, last, stride);
        } else if (may_have_friction<typename D::model>() && which == law::huber) {
            add_huber_rows(p, d, first, last);
        } else if (may_have_cones<D>() && which == law::cone) {
            for (int i = first; i < last; i += d.contact[d.efc_id[i]].dim)
                add_cone(p, load_cone_line<T>(d, i), part<T>(d.contact[d.efc_id[i]].mu));
        }
    });
    unilateral.add_to(p);
    p.curvature = max(p.curvature, T(minval_v<T> * minval_v<T>));  // it is the square of a length, and steps become small
    return p;
}

template <class T, class M, class D>
LineQuadratic<T> prepare_line(const M& m, D& d, int island) {
    const Vec<T, 4> sums = island_sums<T, 4>(m, d, island, [&](auto&& at, auto& term) {
        const auto s = at(primal(d).search);
        term[0] = s * (at(primal(d).Ma) - at(d.qfrc_smooth));
        term[1] = s * at(primal(d).Mv);
        term[2] = s * at(primal(d).grad);
        term[3] = s * s;
    });
    LineQuadratic<T> q{sums[0], sums[1], sums[2], sums[3]};
    for_each_run(d, island, [&](int which, int first, int last) {
        if (which == law::quadratic)
            for (int i = first; i < last; ++i) {
                const T Dv = part<T>(d.efc_D[i]) * primal(d).jv[i];
                q.linear += Dv * primal(d).jar[i];
                q.square += Dv * primal(d).jv[i];
            }
        else if (may_have_cones<D>() && which == law::cone)
            for (int i = first; i < last; i += d.contact[d.efc_id[i]].dim) store_cone_line(d, i, make_cone_line<T>(d, i));
    });
    q.square *= T(0.5);
    return q;
}

// One end of the bracket moves to the best candidate on its side of the minimum. Gives the lanes where it moved.
template <class T>
mask_t<T> move_bracket(SearchPoint<T>& p, const SearchPoint<T> (&candidates)[3], const mask_t<T>& open) {
    mask_t<T> moved(false);
    for (const SearchPoint<T>& c : candidates) {
        const auto closer_low = p.slope < T(0) && c.slope < T(0) && p.slope < c.slope;
        const auto closer_high = p.slope > T(0) && c.slope > T(0) && p.slope > c.slope;
        const mask_t<T> move = open && (closer_low || closer_high);
        p = select(move, c, p);
        moved = moved || move;
    }
    return moved;
}

// How far the search has come: lanes still open, the points the others have settled on, evaluations so far.
template <class T>
struct SearchProgress {
    mask_t<T> open;
    SearchPoint<T> result;
    T count, limit;

    void settle(const mask_t<T>& now, const SearchPoint<T>& p) {
        result = select(mask_t<T>(open && now), p, result);
        open = open && !now;
    }
};

// What rounding may do to the cost at alpha. Rarely asked for.
template <class T, class D>
[[gnu::cold, gnu::noinline]] T cost_noise(const D& d, int island, const LineQuadratic<T>& q, const T& alpha) {
    T size = abs(alpha * q.linear) + alpha * alpha * q.square;
    for_each_run(d, island, [&](int, int first, int last) {
        for (int i = first; i < last; ++i) {
            const T start = primal(d).jar[i], x = start + alpha * primal(d).jv[i];
            size += part<T>(d.efc_D[i]) * (start * start + x * x);
        }
    });
    return T(8 * epsilon_v<T>) * size;
}
// Whether the cost at the point is above that of the start, and not by rounding, or beyond the scalar's range.
template <class T, class D>
mask_t<T> raises_cost(const D& d, int island, const LineQuadratic<T>& q, const SearchPoint<T>& p) {
    const mask_t<T> above = !(p.cost <= T(0));
    if (!any(above)) return above;
    const T largest(std::numeric_limits<value_t<T>>::max());
    return above && !(p.cost <= min(cost_noise(d, island, q, p.alpha), largest));
}

// Between p1 and p2 the slope changes sign: Newton steps from both ends and the middle close in on the minimum.
template <class T, class At>
void close_bracket(SearchProgress<T>& search, SearchPoint<T> p1, SearchPoint<T> p2, const T& gtol, At&& at) {
    SearchPoint<T> p2next = p1, p1next = at(p1.next());
    search.count += T(1);
    for (;;) {
        if (!any(search.open && search.count < search.limit)) break;
        const SearchPoint<T> mid = at(T(0.5) * (p1.alpha + p2.alpha));
        search.count += T(1);
        const SearchPoint<T> candidates[3] = {p1next, p2next, mid};
        SearchPoint<T> best = mid;
        mask_t<T> found(false);
        for (const SearchPoint<T>& c : candidates) {
            const mask_t<T> take = abs(c.slope) < gtol && (!found || c.cost < best.cost);
            best = select(take, c, best);
            found = found || take;
        }
        search.settle(found && search.count <= search.limit, best);
        const mask_t<T> active = search.open && search.count <= search.limit;
        const mask_t<T> moved1 = move_bracket(p1, candidates, active), moved2 = move_bracket(p2, candidates, active);
        if (any(moved1)) p1next = select(moved1, at(p1.next()), p1next);
        if (any(moved2)) p2next = select(moved2, at(p2.next()), p2next);
        search.count += select(moved1, T(1), T(0)) + select(moved2, T(1), T(0));
        search.settle(active && !moved1 && !moved2, mid);
    }
    // out of iterations: the better end of the bracket, if it is an improvement at all
    const SearchPoint<T> better = select(mask_t<T>(p1.cost <= p2.cost), p1, p2);
    search.settle(better.cost < T(0), better);
}

// The step along the search direction for the lanes in `todo`, 0 in the others; `improvement` is the cost it saves. A direction of
// Newton's method has the opposite of its slope as curvature at 0, so nothing has to be evaluated there.
template <class T, class M, class D>
T line_search(const M& m, D& d, int island, const LineQuadratic<T>& q, bool newton, const T& gtol_scaled, const mask_t<T>& todo,
              T& improvement) {
    const auto at = [&](const T& alpha) { return evaluate(d, island, q, alpha); };
    const SearchPoint<T> p0 = newton ? SearchPoint<T>{T(0), T(0), q.slope, max(-q.slope, T(minval_v<T>))} : at(T(0));
    const T gtol = max(gtol_scaled, T(16 * epsilon_v<T>) * abs(p0.slope));
    SearchPoint<T> p1 = at(p0.next()), p2 = p0;
    SearchProgress<T> search{todo, p0, T(2), T(static_cast<value_t<T>>(m.opt.ls_iterations))};
    search.settle(abs(p1.slope) < gtol && (p1.alpha == T(0) || p1.cost < T(0)), p1);

    // most of Newton's steps are whole: one that gains a tenth of what it is expected to is taken as it is, unless every digit is asked for
    if (newton) search.settle(p1.cost < T(0.05) * p0.slope && part<T>(m.opt.tolerance) > T(0), p1);

    // one-sided: Newton steps until the slope changes sign
    const T direction = select(p1.slope < T(0), T(1), T(-1));
    for (;;) {
        const mask_t<T> go = search.open && p1.slope * direction <= -gtol && search.count < search.limit;
        if (!any(go)) break;
        p2 = select(go, p1, p2);
        p1 = select(go, at(select(go, p1.next(), p1.alpha)), p1);
        search.count += select(go, T(1), T(0));
        search.settle(go && abs(p1.slope) < gtol && p1.cost < T(0), p1);
    }
    search.settle(search.count >= search.limit, p1);
    if (any(search.open)) close_bracket(search, p1, p2, gtol, at);
    if (const mask_t<T> up = raises_cost(d, island, q, search.result); any(up)) {
        // the better of the two points between which the slope turned, if it is an improvement at all
        SearchPoint<T> lower = select(mask_t<T>(p2.cost < T(0)), p2, p0);
        lower = select(mask_t<T>(p1.cost < lower.cost), p1, lower);
        search.result = select(up, lower, search.result);
    }
    improvement = -search.result.cost;
    return search.result.alpha;
}

}  // namespace mjx::inner
