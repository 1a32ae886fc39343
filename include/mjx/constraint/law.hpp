// The laws that turn a row's residual into a force, with their costs and curvatures.
//
// With the residual x = J qacc - aref of a row, the constraint's cost s(x) is convex and its force is -ds/dx (Todorov 2014; MuJoCo,
// computation chapter, "Constraint solver"):
//     quadratic   D x²/2, for equality
//     huber       the same near zero, linear with slope frictionloss beyond, for dry friction
//     unilateral  the same for x < 0, nothing for x ≥ 0, for limits, frictionless contacts and pyramid edges
//     cone        for elliptic contacts: with N = mu x0 and T = |friction * tangent|, nothing in the dual cone (N ≥ mu T), quadratic
//                 in the polar cone (mu N + T ≤ 0), in between D0/(2 mu² (1 + mu²)) (N - mu T)²
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/math/quad.hpp"

namespace mjx::inner {

namespace law {
enum : int { quadratic, huber, unilateral, cone };
}

constexpr int law_of(int type) {
    return type == cnstr::equality                                         ? int(law::quadratic)
           : type == cnstr::friction_dof || type == cnstr::friction_tendon ? int(law::huber)
           : type == cnstr::contact_elliptic                               ? int(law::cone)
                                                                           : int(law::unilateral);
}

// Takes the place of an array nobody reads.
struct Ignored {
    struct Item {
        template <class X>
        void operator=(const X&) const {}
    };
    Item operator[](int) const { return {}; }
};

// Force, cost and curvature of a row.
template <class T>
struct Response {
    T force, cost, weight;
};

template <class T>
Response<T> quadratic_response(const T& x, const T& D) {
    const T force = -D * x;
    return {force, T(-0.5) * force * x, D};
}
template <class T>
Response<T> huber_response(const T& x, const T& D, const T& R, const T& loss) {
    const T bound = R * loss;
    const auto below = x <= -bound, above = x >= bound;
    const T distance = abs(x);
    return {select(below, loss, select(above, -loss, -D * x)),
            select(below || above, loss * (distance - T(0.5) * bound), T(0.5) * D * x * x), select(below || above, T(0), D)};
}
template <class T>
Response<T> unilateral_response(const T& x, const T& D) {
    const T inside = min(x, T(0));
    const T force = -D * inside;
    return {force, T(-0.5) * force * inside, select(x < T(0), D, T(0))};
}

// An elliptic contact seen along its regularized cone.
template <class T>
struct ConeResponse {
    mask_t<T> bottom, middle;
    T N, T_norm;            // N = mu x0 and the length of U
    T U[max_block_dim];     // friction times tangent residual
    T scale;                // D0 / (mu² (1 + mu²)), zero outside the middle zone
    T mu;
    T friction[max_block_dim];
    int dim;
};

template <class T, class D, class X>
ConeResponse<T> cone_response(const D& d, int row, const X& x) {
    const auto& contact = d.contact[d.efc_id[row]];
    ConeResponse<T> c;
    c.dim = contact.dim;
    c.mu = part<T>(contact.mu);
    c.N = part<T>(x[row]) * c.mu;
    T square(0);
    for (int j = 1; j < c.dim; ++j) {
        c.friction[j] = part<T>(contact.friction[j - 1]);
        c.U[j] = part<T>(x[row + j]) * c.friction[j];
        square += c.U[j] * c.U[j];
    }
    const auto point = square <= T(0);
    c.T_norm = sqrt(square);
    const auto top = c.N >= c.mu * c.T_norm;
    c.bottom = (c.mu * c.N + c.T_norm <= T(0) || point) && !top;
    c.middle = !top && !c.bottom;
    c.scale = select(c.middle, part<T>(d.efc_D[row]) / max(c.mu * c.mu * (T(1) + c.mu * c.mu), T(minval_v<T>)), T(0));
    c.T_norm = select(c.middle, c.T_norm, T(1));
    return c;
}

// Writes force and weight (D in the polar cone, else 0) of the contact's rows and gives its cost.
template <class T, class D, class X, class Force, class Weight>
T apply_cone(const D& d, int row, const X& x, Force& force, Weight& weight) {
    const ConeResponse<T> c = cone_response<T>(d, row, x);
    const T slack = c.N - c.mu * c.T_norm;
    const T normal = -c.scale * slack * c.mu;
    T cost = T(0.5) * c.scale * slack * slack;
    for (int j = 0; j < c.dim; ++j) {
        const T D_j = select(c.bottom, part<T>(d.efc_D[row + j]), T(0)), x_j = part<T>(x[row + j]);
        const T middle = j == 0 ? normal : -normal / c.T_norm * c.U[j] * c.friction[j];
        cost += T(0.5) * D_j * x_j * x_j;
        force[row + j] = middle - D_j * x_j;
        weight[row + j] = D_j;
    }
    return cost;
}

// The Hessian of the middle zone's cost by the contact's residuals, W (dim x dim), added to W.
template <class T>
void add_cone_hessian(const ConeResponse<T>& c, T (&W)[max_block_dim][max_block_dim]) {
    const T ratio = c.mu / c.T_norm, outer = ratio * c.N / (c.T_norm * c.T_norm);
    const T diagonal = c.mu * c.mu - ratio * c.N;
    W[0][0] += c.scale * c.mu * c.mu;
    for (int j = 1; j < c.dim; ++j) {
        const T cross_term = -c.scale * c.mu * ratio * c.U[j] * c.friction[j];
        W[0][j] += cross_term;
        W[j][0] += cross_term;
        for (int k = 1; k < c.dim; ++k) {
            const T entry = outer * c.U[j] * c.U[k] + (j == k ? diagonal : T(0));
            W[j][k] += c.scale * entry * c.friction[j] * c.friction[k];
        }
    }
}

// Forces and weights of rows first .. last - 1, all of one law, from their residuals; gives their cost, added to one of before. Inlined, so
// that who has no use for the cost does not wait for its sum.
template <class T, class D, class X, class Force, class Weight>
[[gnu::always_inline]] inline T apply_law(const D& d, int which, int first, int last, const X& x, Force& force, Weight& weight,
                                          T cost = T(0)) {
    const auto each = [&](auto&& response) {
        for (int i = first; i < last; ++i) {
            const Response<T> r = response(part<T>(x[i]), part<T>(d.efc_D[i]), i);
            force[i] = r.force;
            weight[i] = r.weight;
            cost += r.cost;
        }
    };
    if (may_have_cones<D>() && which == law::cone)
        for (int i = first; i < last; i += d.contact[d.efc_id[i]].dim) cost += apply_cone<T>(d, i, x, force, weight);
    else if (which == law::unilateral)
        each([](const T& x_i, const T& D_i, int) { return unilateral_response(x_i, D_i); });
    else if (which == law::quadratic)
        each([](const T& x_i, const T& D_i, int) { return quadratic_response(x_i, D_i); });
    else if (may_have_friction<typename D::model>())
        each([&](const T& x_i, const T& D_i, int i) {
            return huber_response(x_i, D_i, part<T>(d.efc_R[i]), part<T>(d.efc_frictionloss[i]));
        });
    return cost;
}

// The same for all rows. What contacts without friction and with cones cost has a sum each: how they alternate depends on all lanes.
template <class T, class D, class X, class Force, class Weight>
T apply_laws(const D& d, const X& x, Force& force, Weight& weight) {
    T cost(0), unilateral(0), cones(0);
    const int ne = d.ne, nf = d.nf, nefc = d.nefc;
    cost += apply_law<T>(d, law::quadratic, 0, ne, x, force, weight);
    cost += apply_law<T>(d, law::huber, ne, ne + nf, x, force, weight);
    for (int i = ne + nf; i < nefc;) {
        const bool cone_row = may_have_cones<D>() && d.efc_type[i] == cnstr::contact_elliptic;
        int last = i;
        while (last < nefc && (d.efc_type[last] == cnstr::contact_elliptic) == cone_row) ++last;
        T& sum = cone_row ? cones : unilateral;
        sum = apply_law<T>(d, cone_row ? law::cone : law::unilateral, i, last, x, force, weight, sum);
        i = last;
    }
    return cost + unilateral + cones;
}

// D x² over rows that only push and do. The rows of most contacts come in fours, and each of four goes to a sum of its own, so that one
// addition does not wait for another; other lanes have no say in which.
template <class T>
struct PushSquares {
    using Numbers = side_by_side<T>;
    using V = typename Numbers::type;
    static constexpr int width = Numbers::width;
    V four[4 / width]{};
    T single = T(0);

    template <class D, class X>
    void add(const D& d, const X& x, int first, int rows) {
        if (rows % 4 != 0) {
            for (int i = first; i < first + rows; ++i) {
                const T inside = min(part<T>(x[i]), T(0));
                single += part<T>(d.efc_D[i]) * inside * inside;
            }
            return;
        }
        for (int i = first; i < first + rows; i += 4)
            for (int q = 0; q < 4 / width; ++q) {
                V inside, D_i;
                load(inside, x, i + q * width);
                load(D_i, d.efc_D, i + q * width);
                if constexpr (width == 1)
                    inside = min(inside, T(0));
                else
                    inside = inside < V{} ? inside : V{};
                four[q] += D_i * inside * inside;
            }
    }
    T sum() const {
        const auto number = [&](int k) {
            if constexpr (width == 1)
                return four[k];
            else
                return four[k / width][k % width];
        };
        return single + ((number(0) + number(1)) + (number(2) + number(3)));
    }

  private:
    template <class A>
    [[gnu::always_inline]] static void load(V& to, const A& from, int i) {
        if constexpr (width == 1)
            to = part<T>(from[i]);
        else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(from[0])>, T>)
            std::memcpy(&to, &from[i], sizeof to);
        else
            for (int k = 0; k < width; ++k) to[k] = part<T>(from[i + k]);
    }
};

// What all rows cost at their residuals.
template <class T, class D, class X>
T constraint_cost(const D& d, const X& x) {
    Ignored force, weight;
    const int ne = d.ne, nf = d.nf;
    T cost = apply_law<T>(d, law::quadratic, 0, ne, x, force, weight);
    cost += apply_law<T>(d, law::huber, ne, ne + nf, x, force, weight);
    T cones(0);
    PushSquares<T> squares;
    for (int b = 0; b < d.nblock; ++b) {
        const int row = d.block_row[b];
        if (row < ne + nf) continue;
        if (may_have_cones<D>() && d.efc_type[row] == cnstr::contact_elliptic)
            cones += apply_cone<T>(d, row, x, force, weight);
        else
            squares.add(d, x, row, block_rows(d, b));
    }
    return cost + T(0.5) * squares.sum() + cones;
}

}  // namespace mjx::inner
