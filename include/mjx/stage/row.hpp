// Rows of sparse Jacobians with fixed columns: tendons and actuator transmissions.
//
// A row lists the dofs it may depend on in ascending order; forces acting on a body are added to it along the body's chain of
// dofs. With two bodies, the dofs that move both are a common prefix of their chains.
#pragma once

#include "mjx/stage/jacobian.hpp"

namespace mjx::inner {

// One row: `count` values at `values[first]`, and the dofs they belong to.
template <class Values, class Columns>
struct Row {
    Values& values;
    const Columns& columns;
    int first, count;
};
template <class Values, class Columns>
Row(Values&, const Columns&, int, int) -> Row<Values, Columns>;

// How many dofs, from the root, move both bodies.
template <class M>
constexpr int common_dofs(const M& m, int body1, int body2) {
    const int n1 = m.B_rownnz[body1], n2 = m.B_rownnz[body2];
    int common = 0;
    while (common < n1 && common < n2 && m.B_colind[m.B_rowadr[body1] + common] == m.B_colind[m.B_rowadr[body2] + common]) ++common;
    return common;
}

// row += Jᵀ (force at point, torque) for the dofs of `body`, leaving out the first `skip` of its chain. World frame.
template <class M, class D, class R, class S>
void add_to_row(const M& m, const D& d, const R& row, int body, const Vec3<S>& point, const Vec3<S>& force, const Vec3<S>& torque,
                int skip = 0) {
    const Vec3<S> arm = point - d.subtree_com[m.body_rootid[body]];
    const Vec6<S> wrench = spatial(Vec3<S>(torque + cross(arm, force)), force);
    const int chain = m.B_rowadr[body], end = chain + m.B_rownnz[body];
    int k = row.first;
    for (int c = chain + skip; c < end; ++c) {
        const int dof = m.B_colind[c];
        while (k < row.first + row.count && row.columns[k] < dof) ++k;
        if (k == row.first + row.count) return;
        if (row.columns[k] == dof) row.values[k] += dot(d.cdof[dof], wrench);
    }
}

template <class R>
void clear_row(const R& row) {
    using S = std::remove_cvref_t<decltype(row.values[0])>;
    for (int k = row.first; k < row.first + row.count; ++k) row.values[k] = S(0);
}

// row · x for a vector over all dofs
template <class R, class X>
auto row_times(const R& row, const X& x) {
    using S = std::remove_cvref_t<decltype(row.values[0])>;
    S sum(0);
    for (int k = row.first; k < row.first + row.count; ++k) sum += row.values[k] * x[row.columns[k]];
    return sum;
}
// x += rowᵀ · scale
template <class R, class S, class X>
void add_row(const R& row, const S& scale, X& x) {
    for (int k = row.first; k < row.first + row.count; ++k) x[row.columns[k]] += row.values[k] * scale;
}

}  // namespace mjx::inner
