// Blocks of constraint rows: how the constraint Jacobian is stored, and its products with vectors.
//
// A block is one contact, equality, limit or friction: rows that share their columns, the ascending dofs on the chains of the
// bodies involved. Its columns are efc_J_colind[block_J ...] and its values efc_J[block_J + r * block_nnz + c], so products run
// over consecutive numbers and nothing is stored for dofs that play no part.
//
// A pyramidal contact has 2 (dim - 1) rows in efc_* but its block holds the contact's own dim rows: normal, tangents, spin, roll.
// Edge 2k and 2k + 1 of the pyramid are normal ± friction[k] times row k + 1 (MuJoCo, computation chapter); to_rows, to_base
// and weights below translate. jacobian_row() gives any row as MuJoCo has it.
//
// Where a lane lacks a row (packs), efc_D is 0 there: the row has neither force nor cost nor curvature.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/math/quad.hpp"
#include "mjx/math/vec.hpp"
#include "mjx/model/facts.hpp"
#include "mjx/model/types.hpp"
#include "mjx/stage/reset.hpp"

#include <type_traits>

namespace mjx::inner {

inline constexpr int max_block_dim = 6;   // rows of efc_J in one block

// Whether a model may have blocks of so many rows: contacts of that dimension, connects (3), welds (6). Single rows any model may have.
template <class M>
constexpr bool may_have_blocks(int dim) {
    return may<M>([&](const auto& m) {
        bool found = dim == 1;
        for (int g = 0; g < m.ngeom; ++g) found = found || m.geom_condim[g] == dim;
        for (int p = 0; p < m.npair; ++p) found = found || m.pair_dim[p] == dim;
        for (int e = 0; e < m.neq; ++e) found = found || equality_kinds[m.eq_type[e]].rows == dim;
        return found;
    });
}
// Whether there may be contacts with elliptic cones. Data that knows its solver knows that one's choice.
template <class D>
constexpr bool may_have_cones() {
    if constexpr (requires { D::space::solver::friction_cone; })
        if constexpr (D::space::solver::friction_cone >= 0) return D::space::solver::friction_cone == cone::elliptic;
    if constexpr (requires { typename D::space::solver; })
        return may<typename D::model>([](const auto& m) { return m.opt.cone == cone::elliptic; });
    else
        return true;
}
// Whether a model may have rows of dry friction.
template <class M>
constexpr bool may_have_friction() {
    return may<M>([](const auto& m) {
        bool found = false;
        for (int i = 0; i < m.nv; ++i) found = found || m.dof_frictionloss[i] != 0;
        for (int t = 0; t < m.ntendon; ++t) found = found || m.tendon_frictionloss[t] > 0;
        return found;
    });
}
// f(dim as a constant), or nothing for a dimension that the model never has.
template <class M, class F>
[[gnu::always_inline]] inline void visit_dim(int dim, F&& f) {
    const auto visit = [&](auto constant) {
        if constexpr (may_have_blocks<M>(constant)) f(constant);
    };
    switch (dim) {
        case 1: return visit(std::integral_constant<int, 1>{});
        case 3: return visit(std::integral_constant<int, 3>{});
        case 4: return visit(std::integral_constant<int, 4>{});
        default: return visit(std::integral_constant<int, 6>{});
    }
}

template <class D>
bool is_pyramid(const D& d, int block) {
    return d.efc_type[d.block_row[block]] == cnstr::contact_pyramidal;
}
template <class D>
int block_rows(const D& d, int block) {
    return is_pyramid(d, block) ? 2 * (d.block_dim[block] - 1) : d.block_dim[block];
}

// Lanes whose own blocks leave room for so many rows and entries more, now that those of all lanes together do not.
template <class M, class D>
auto lanes_that_fit(const M& m, const D& d, int rows, int entries) {
    using S = typename D::scalar;
    S have_rows(static_cast<value_t<S>>(rows)), have_entries(static_cast<value_t<S>>(entries));
    for (int b = 0; b < d.nblock && lanes_v<S> > 1; ++b) {
        const auto present = d.efc_D[d.block_row[b]] != S(0);
        have_rows += select(present, S(static_cast<value_t<S>>(block_rows(d, b))), S(0));
        have_entries += select(present, S(static_cast<value_t<S>>(d.block_dim[b] * d.block_nnz[b])), S(0));
    }
    constexpr int lanes = lanes_v<S>;
    const bool fits = lanes > 1 && d.nefc + rows <= shared_rows(m, lanes) && d.nJ + entries <= shared_entries(m, lanes);
    return mask_t<S>(fits) && have_rows <= S(static_cast<value_t<S>>(own_rows(m, lanes))) &&
           have_entries <= S(static_cast<value_t<S>>(own_entries(m, lanes)));
}

// Opens a block of `dim` Jacobian rows over `nnz` columns for the lanes in `wanted`. Gives its number, or -1 if it does not fit.
template <class M, class D, class Mask>
int add_block(const M& m, D& d, int type, int id, int dim, int nnz, const Mask& wanted) {
    using S = typename D::scalar;
    const int rows = type == cnstr::contact_pyramidal ? 2 * (dim - 1) : dim;
    const int first = d.nefc, block = d.nblock;
    mask_t<S> active = wanted;
    if (first + rows > own_rows(m, lanes_v<S>) || d.nJ + dim * nnz > own_entries(m, lanes_v<S>)) {
        active = wanted && lanes_that_fit(m, d, rows, dim * nnz);
        warn(d, warning::cnstrfull, wanted && !active);
        if (!any(active)) return -1;
    }
    d.block_row[block] = first;
    d.block_dim[block] = dim;
    d.block_nnz[block] = nnz;
    d.block_J[block] = d.nJ;
    d.block_dofs[block] = 0;
    for (int i = first; i < first + rows; ++i) {
        d.efc_type[i] = type;
        d.efc_id[i] = id;
        d.efc_pos[i] = S(0);
        d.efc_margin[i] = S(0);
        d.efc_frictionloss[i] = S(0);
        d.efc_D[i] = select(active, S(1), S(0));
    }
    d.nblock = block + 1;
    d.nefc = first + rows;
    d.nJ += dim * nnz;
    return block;
}

// Which rows exist depends in MuJoCo on how it would store them: small models have dense matrices, unless the model says otherwise.
template <class M>
bool dense_jacobian(const M& m) {
    return m.opt.jacobian == jacobian_type::dense || (m.opt.jacobian == jacobian_type::automatic && m.nv < 60);
}

// With dense matrices rows that are all zero in a state, contacts apart, do not exist in it: the block is given back, or for
// packs closed to the lanes where it is zero. Call it for the last block, filled.
template <class M, class D>
bool drop_zero_block(const M& m, D& d, int block) {
    using S = typename D::scalar;
    if (!dense_jacobian(m)) return false;
    mask_t<S> present(false);
    for (int k = d.block_J[block]; k < d.nJ && !all(present); ++k) present = present || d.efc_J[k] != S(0);
    if (all(present)) return false;
    const int row = d.block_row[block];
    for (int i = row; i < d.nefc; ++i) d.efc_D[i] = select(present, d.efc_D[i], S(0));
    if (any(present)) return false;
    d.nJ = d.block_J[block];
    d.nefc = row;
    d.nblock = block;
    return true;
}

// Two vectors as one whose numbers are pairs, for products with both of them in one pass over J.
template <class X, class Y>
struct Pairs {
    const X& x;
    const Y& y;
};
template <class T, class X>
T column_of(const X& x, int i) {
    return part<T>(x[i]);
}
template <class P, class X, class Y>
P column_of(const Pairs<X, Y>& pairs, int i) {
    using T = typename P::scalar_type;
    return {{part<T>(pairs.x[i]), part<T>(pairs.y[i])}};
}

// p[r] = row r of the block times x, for x of one number per dof, for Count rows from `first` on. P is T, or a Vec of two for Pairs.
template <class T, int Count, class D, class X, class P>
void rows_product(const D& d, int block, int first, const X& x, P* p) {
    const std::ptrdiff_t nnz = d.block_nnz[block];
    const int adr = d.block_J[block], *columns = &d.efc_J_colind[adr];
    const auto* J = &d.efc_J[adr] + first * nnz;  // a place in it follows from one index for all rows
    P sum[Count];
    for (int r = 0; r < Count; ++r) sum[r] = zero_of<P>();
    for (std::ptrdiff_t c = 0; c < nnz; ++c) {
        const P xc = column_of<P>(x, columns[c]);
        for (int r = 0; r < Count; ++r) sum[r] += part<T>(J[r * nnz + c]) * xc;
    }
    for (int r = 0; r < Count; ++r) p[first + r] = sum[r];
}
template <class T, class D, class X, class P>
void block_product(const D& d, int block, auto dim, const X& x, P* p) {
    int r = 0;
    for (; r + 3 <= dim; r += 3) rows_product<T, 3>(d, block, r, x, p);
    for (; r < dim; ++r) rows_product<T, 1>(d, block, r, x, p);
}
template <class T, class D, class X>
void block_product(const D& d, int block, const X& x, T* p) {
    block_product<T>(d, block, static_cast<int>(d.block_dim[block]), x, p);
}

// f(how many rows the block has, as a constant where that is three): most contacts have.
template <class D, class F>
[[gnu::always_inline]] inline void with_block_dim(const D& d, int block, F&& f) {
    if (const int dim = d.block_dim[block]; dim == 3)
        f(std::integral_constant<int, 3>{});
    else
        f(dim);
}

// x += the block's rows transposed times p, for `dim` rows: a constant, or an int.
template <class T, class D, class X>
void rows_transpose(const D& d, int block, auto dim, const T* p, X& x) {
    const std::ptrdiff_t nnz = d.block_nnz[block];
    const int adr = d.block_J[block], *columns = &d.efc_J_colind[adr];
    const auto* J = &d.efc_J[adr];
    T f[max_block_dim];
    for (int r = 0; r < dim; ++r) f[r] = p[r];
    std::ptrdiff_t c = 0;
    if constexpr (std::floating_point<T> && std::is_same_v<std::remove_cvref_t<decltype(J[0])>, T>) {  // some columns side by side
        using V = typename register_of<T>::type;
        constexpr int width = sizeof(V) / sizeof(T);
        for (; c + width <= nnz; c += width) {
            V sum, more;
            std::memcpy(&sum, J + c, sizeof sum);
            sum = sum * f[0];
            for (int r = 1; r < dim; ++r) {
                std::memcpy(&more, J + r * nnz + c, sizeof more);
                sum += more * f[r];
            }
            for (int k = 0; k < width; ++k) x[columns[c + k]] += sum[k];
        }
    }
    for (; c < nnz; ++c) {
        T sum = part<T>(J[c]) * f[0];
        for (int r = 1; r < dim; ++r) sum += part<T>(J[r * nnz + c]) * f[r];
        x[columns[c]] += sum;
    }
}
template <class T, class D, class X>
void block_transpose(const D& d, int block, const T* p, X& x) {
    switch (d.block_dim[block]) {
        case 1: return rows_transpose<T>(d, block, std::integral_constant<int, 1>{}, p, x);
        case 3: return rows_transpose<T>(d, block, std::integral_constant<int, 3>{}, p, x);
        default: return rows_transpose<T>(d, block, d.block_dim[block], p, x);
    }
}

// The block's own dim numbers p become those of its efc rows: f(row, value).
template <class T, class D, class P, class F>
void to_rows(const D& d, int block, auto dim, const P* p, F&& f) {
    const int row = d.block_row[block];
    if (is_pyramid(d, block)) {
        const auto& contact = d.contact[d.efc_id[row]];
        for (int k = 1; k < dim; ++k) {
            const P tangent = p[k] * part<T>(contact.friction[k - 1]);
            f(row + 2 * k - 2, p[0] + tangent);
            f(row + 2 * k - 1, p[0] - tangent);
        }
    } else {
        for (int r = 0; r < dim; ++r) f(row + r, p[r]);
    }
}
template <class T, class D, class F>
void to_rows(const D& d, int block, const T* p, F&& f) {
    to_rows<T>(d, block, static_cast<int>(d.block_dim[block]), p, f);
}

// Forces of the block's efc rows become those of its own dim rows.
template <class T, class D, class Force>
void to_base(const D& d, int block, auto dim, const Force& force, T* p) {
    const int row = d.block_row[block];
    if (is_pyramid(d, block)) {
        const auto& contact = d.contact[d.efc_id[row]];
        p[0] = T(0);
        for (int k = 1; k < dim; ++k) {
            const T plus = part<T>(force[row + 2 * k - 2]), minus = part<T>(force[row + 2 * k - 1]);
            p[0] += plus + minus;
            p[k] = (plus - minus) * part<T>(contact.friction[k - 1]);
        }
    } else {
        for (int r = 0; r < dim; ++r) p[r] = part<T>(force[row + r]);
    }
}
template <class T, class D, class Force>
void to_base(const D& d, int block, const Force& force, T* p) {
    to_base<T>(d, block, static_cast<int>(d.block_dim[block]), force, p);
}

// One row along one dof: most limits and dry friction.
template <class D>
bool is_single(const D& d, int block) {
    return d.block_nnz[block] * d.block_dim[block] == 1;
}

// Rows by themselves, apart from what calls them: most models have few. f(how many columns), a constant for one or two bodies on three
// slides each.
template <class F>
[[gnu::always_inline]] inline void visit_columns(int nnz, F&& f) {
    switch (nnz) {
        case 3: return f(std::integral_constant<int, 3>{});
        case 6: return f(std::integral_constant<int, 6>{});
        default: return f(nnz);
    }
}
template <class T, class D, class X>
[[gnu::noinline]] T row_product(const D& d, int block, const X& x) {
    const int adr = d.block_J[block], *columns = &d.efc_J_colind[adr];
    T sum = part<T>(d.efc_J[adr]) * part<T>(x[columns[0]]);
    visit_columns(d.block_nnz[block], [&](auto nnz) {
        for (int c = 1; c < nnz; ++c) sum += part<T>(d.efc_J[adr + c]) * part<T>(x[columns[c]]);
    });
    return sum;
}
template <class T, class D, class X>
[[gnu::noinline]] void subtract_row_force(const D& d, int block, const T& force, X& x) {
    const int adr = d.block_J[block], *columns = &d.efc_J_colind[adr];
    visit_columns(d.block_nnz[block], [&](auto nnz) {
        for (int c = 0; c < nnz; ++c) x[columns[c]] -= part<T>(d.efc_J[adr + c]) * force;
    });
}

// out = the block's efc rows of J times x.
template <class T, class D, class X, class Out>
void block_rows_product(const D& d, int block, const X& x, Out& out) {
    if (is_single(d, block)) {
        const int adr = d.block_J[block];
        out[d.block_row[block]] = part<T>(d.efc_J[adr]) * part<T>(x[d.efc_J_colind[adr]]);
        return;
    }
    if (d.block_dim[block] == 1) {
        out[d.block_row[block]] = row_product<T>(d, block, x);
        return;
    }
    with_block_dim(d, block, [&](auto dim) {
        T p[max_block_dim];
        block_product<T>(d, block, dim, x, p);
        to_rows<T>(d, block, dim, p, [&](int i, const T& value) { out[i] = value; });
    });
}

// The same for two vectors: f(row, J x, J y).
template <class T, class D, class X, class Y, class F>
void block_rows_products(const D& d, int block, const X& x, const Y& y, F&& f) {
    const int dim = d.block_dim[block];
    Vec<T, 2> p[max_block_dim];
    block_product<T>(d, block, dim, Pairs<X, Y>{x, y}, p);
    to_rows<T>(d, block, dim, p, [&](int i, const Vec<T, 2>& value) { f(i, value[0], value[1]); });
}

// x -= Jᵀ times the force of the block's efc rows.
template <class T, class D, class Force, class X>
void subtract_block_force(const D& d, int block, const Force& force, X& x) {
    if (is_single(d, block)) {
        const int adr = d.block_J[block];
        x[d.efc_J_colind[adr]] -= part<T>(d.efc_J[adr]) * part<T>(force[d.block_row[block]]);
        return;
    }
    if (d.block_dim[block] == 1) return subtract_row_force<T>(d, block, part<T>(force[d.block_row[block]]), x);
    with_block_dim(d, block, [&](auto dim) {
        T p[max_block_dim];
        to_base<T>(d, block, dim, force, p);
        for (int r = 0; r < dim; ++r) p[r] = -p[r];
        rows_transpose<T>(d, block, dim, p, x);
    });
}

// out = J x, by efc rows.
template <class T, class D, class X, class Out>
void jacobian_product(const D& d, const X& x, Out& out) {
    for (int b = 0; b < d.nblock; ++b) block_rows_product<T>(d, b, x, out);
}

// x = Jᵀ force.
template <class T, class M, class D, class Force, class X>
void jacobian_transpose_product(const M& m, const D& d, const Force& force, X& x) {
    for (int i = 0; i < m.nv; ++i) x[i] = T(0);
    T p[max_block_dim];
    for (int b = 0; b < d.nblock; ++b) {
        to_base<T>(d, b, force, p);
        block_transpose<T>(d, b, p, x);
    }
}

// Row i of the constraint Jacobian, dense, as MuJoCo's efc_J.
template <class M, class D, class Row>
void jacobian_row(const M& m, const D& d, int i, Row& row) {
    using S = typename D::scalar;
    for (int k = 0; k < m.nv; ++k) row[k] = S(0);
    int block = 0;
    while (block + 1 < d.nblock && d.block_row[block + 1] <= i) ++block;
    const int adr = d.block_J[block], nnz = d.block_nnz[block];
    for (int c = 0; c < nnz; ++c) {
        S p[max_block_dim];
        for (int r = 0; r < d.block_dim[block]; ++r) p[r] = d.efc_J[adr + r * nnz + c];
        to_rows<S>(d, block, p, [&](int k, const S& value) {
            if (k == i) row[d.efc_J_colind[adr + c]] = value;
        });
    }
}

// x M⁻¹ xᵀ for a row x whose entries are zero from dof `count` on: with M = LᵀDL it is the squared length of D^(-1/2) L⁻ᵀ xᵀ. Uses x up.
template <class M, class D, class X>
auto row_inertia(const M& m, const D& d, X& x, int count) {
    typename D::scalar sum(0);
    for (int i = count - 1; i >= 0; --i) {
        const int adr = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        for (int c = 0; c < last; ++c) x[m.M_colind[adr + c]] -= d.qLD[adr + c] * x[i];
        sum += x[i] * x[i] * d.qLDiagInv[i];
    }
    return sum;
}

}  // namespace mjx::inner
